"""What an assistant knows of a store at rest: the catalog and the location index, parsed once per text."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from siturec_gym.core.text import parse_lines

FIXED = "fixed"
_LISTED = frozenset(("product", "name", "department", "category", "tags", "price", "brand"))
_NAMED_DETAILS = {
    "flavour": "flavour",
    "material": "material",
    "colour": "colour",
    "style": "style",
    "size_category": "size",
}


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a product stands: a place and the approach from which one takes or checks it.

    Attributes:
        place: A fixture or a display area.
        side: front or back of a fixture; "fixed" in an area.
    """

    place: str
    side: str


@dataclass(frozen=True, eq=False)
class Item:
    """One line of the catalog, with the stands of the location index.

    Attributes:
        price: Dollars.
        details: What else the catalog tells, by its own names: size, flavour, packaging, allergens and nutrition in the
            Supermarket; material, colour, style, size category and dimensions in the home store.
    """

    id: str
    name: str
    department: str
    category: str
    tags: tuple[str, ...]
    price: float
    brand: str
    details: Mapping[str, Any]
    stands: tuple[Stand, ...]

    @cached_property
    def labels(self) -> frozenset[str]:
        """Category, tags, labels such as "flavour: x" or "material: x", and "contains: x" for each allergen."""
        named = (f"{word}: {self.details[key]}" for key, word in _NAMED_DETAILS.items() if self.details.get(key))
        return frozenset((self.category, *self.tags, *named, *(f"contains: {name}" for name in self.allergens)))

    @property
    def size(self) -> str:
        """What the package holds, such as "500 g"; "" where the catalog has none."""
        return str(self.details.get("size") or "")

    @property
    def flavour(self) -> str:
        """Flavour or scent; "" for none."""
        return str(self.details.get("flavour") or "")

    @property
    def packaging(self) -> str:
        """What it is packed in; "" where the catalog has none."""
        return str(self.details.get("packaging") or "")

    @property
    def allergens(self) -> tuple[str, ...]:
        """Declared allergens."""
        return tuple(self.details.get("allergens") or ())

    @property
    def nutrition(self) -> Mapping[str, float] | None:
        """Per 100 g or ml, by the catalog's names; None for what is not food."""
        found: Mapping[str, float] | None = self.details.get("nutrition")
        return found


@dataclass(frozen=True)
class Place:
    """A place of the map.

    Attributes:
        kind: fixture, store or area.
        form: What a fixture is built as; "" for the others.
        x: Of its centre, or of a store's doorway; y likewise.
        yaw_deg: Heading that its front faces.
        size_m: Width along the front, depth.
        approaches: Name -> x, y, yaw of a fixed point: front and back of a fixture, outside_doorway and
            inside_doorway of a store, fixed of an area.
        store: The store that an area belongs to.
    """

    id: str
    kind: str
    form: str
    name: str
    x: float
    y: float
    yaw_deg: float
    size_m: tuple[float, float]
    sign: str
    approaches: Mapping[str, tuple[float, float, float]]
    store: str | None = None


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
    return tuple(Stand(stand["place"], stand.get("side", FIXED)) for stand in line["places"])


def _item(line: Mapping[str, Any], stands: tuple[Stand, ...]) -> Item:
    return Item(
        id=line["product"],
        name=line["name"],
        department=line["department"],
        category=line["category"],
        tags=tuple(line["tags"]),
        price=float(line["price"]),
        brand=line["brand"],
        details={key: value for key, value in line.items() if key not in _LISTED},
        stands=stands,
    )


def _place(line: Mapping[str, Any]) -> Place:
    width, depth = line["size_m"]
    approaches = {side: (pose[0], pose[1], pose[2]) for side, pose in line["approaches"].items()}
    return Place(
        id=line["place"],
        kind=line["kind"],
        form=line["form"],
        name=line["name"],
        x=float(line["x"]),
        y=float(line["y"]),
        yaw_deg=float(line["yaw_deg"]),
        size_m=(float(width), float(depth)),
        sign=line["sign"],
        approaches=approaches,
        store=line.get("store"),
    )
