"""What an assistant knows of a store at rest: the catalog and the location index, parsed once per text."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from siturec_gym.core.text import parse_lines

SIDES = ("front", "back")


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a product is shelved: a place and the side of it that one takes the product from."""

    place: str
    side: str


@dataclass(frozen=True, eq=False)
class Item:
    """One line of the catalog, with the stands of the location index.

    Attributes:
        price: Dollars.
        nutrition: Per 100 g or ml, by the catalog's names; None for what is not food.
    """

    id: str
    name: str
    department: str
    category: str
    tags: tuple[str, ...]
    price: float
    brand: str
    size: str
    flavour: str
    packaging: str
    allergens: tuple[str, ...]
    nutrition: Mapping[str, float] | None
    stands: tuple[Stand, ...]

    @cached_property
    def labels(self) -> frozenset[str]:
        """Category, tags, "flavour: x" and "contains: x" for each allergen."""
        flavour = (f"flavour: {self.flavour}",) if self.flavour else ()
        return frozenset((self.category, *self.tags, *flavour, *(f"contains: {name}" for name in self.allergens)))


@dataclass(frozen=True)
class Place:
    """A fixture of the map.

    Attributes:
        yaw_deg: Heading that its front faces.
        size_m: Width along the front, depth.
        approaches: Side -> x, y, yaw of the viewpoint that faces it.
    """

    id: str
    form: str
    name: str
    x: float
    y: float
    yaw_deg: float
    size_m: tuple[float, float]
    sign: str
    approaches: Mapping[str, tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class Store:
    """Everything of the static observations, by id and in their order."""

    items: tuple[Item, ...]
    places: Mapping[str, Place]
    waypoints: Mapping[str, tuple[float, float]]
    links: Mapping[str, tuple[str, ...]]

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """Items by product id."""
        return {item.id: item for item in self.items}

    @cached_property
    def by_name(self) -> dict[str, Item]:
        """Items by display name, which is unique."""
        return {item.name: item for item in self.items}

    @cached_property
    def place_by_name(self) -> dict[str, Place]:
        """Places by name, which is unique."""
        return {place.name: place for place in self.places.values()}

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Categories in catalog order."""
        return tuple(dict.fromkeys(item.category for item in self.items))


@lru_cache(maxsize=8)
def read_store(catalog: str, location_index: str) -> Store:
    """The store that the two static text observations describe."""
    lines = parse_lines(location_index)
    stands = {line["product"]: _stands(line) for line in lines if "product" in line}
    points = [line for line in lines if "waypoint" in line]
    return Store(
        items=tuple(_item(line, stands.get(line["product"], ())) for line in parse_lines(catalog)),
        places={line["place"]: _place(line) for line in lines if "place" in line},
        waypoints={line["waypoint"]: (float(line["x"]), float(line["y"])) for line in points},
        links={line["waypoint"]: tuple(line["links"]) for line in points},
    )


def _stands(line: Mapping[str, Any]) -> tuple[Stand, ...]:
    return tuple(Stand(stand["place"], stand["side"]) for stand in line["places"])


def _item(line: Mapping[str, Any], stands: tuple[Stand, ...]) -> Item:
    return Item(
        id=line["product"],
        name=line["name"],
        department=line["department"],
        category=line["category"],
        tags=tuple(line["tags"]),
        price=float(line["price"]),
        brand=line["brand"],
        size=line["size"],
        flavour=line["flavour"] or "",
        packaging=line["packaging"],
        allergens=tuple(line["allergens"] or ()),
        nutrition=line["nutrition"],
        stands=stands,
    )


def _place(line: Mapping[str, Any]) -> Place:
    width, depth = line["size_m"]
    approaches = {side: (pose[0], pose[1], pose[2]) for side, pose in line["approaches"].items() if side in SIDES}
    return Place(
        id=line["place"],
        form=line["form"],
        name=line["name"],
        x=float(line["x"]),
        y=float(line["y"]),
        yaw_deg=float(line["yaw_deg"]),
        size_m=(float(width), float(depth)),
        sign=line["sign"],
        approaches=approaches,
    )
