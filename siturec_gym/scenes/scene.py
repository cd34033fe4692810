"""A scene: everything of a store that does not change during an episode (SituRecBench, A.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from siturec_gym.catalog import Catalog, Product
from siturec_gym.core.actions import Approach, Tool
from siturec_gym.core.pose import Pose

FIRST_PLACE_OBJECT = 20_001
FIRST_STRUCTURE_OBJECT = 30_001


@dataclass(frozen=True)
class Instance:
    """One item on its place: a shelf of a fixture, or the floor, a wall or a table of a display area.

    Attributes:
        id: "I0001" and on, in data order.
        object_id: Value in id images, 1 and on.
        position_m: Centre of the item's base, x, y, z.
        yaw_deg: Turn of the item; its front faces this heading.
        place_id: The fixture or display area it belongs to.
        side: "front" or "back": the side of the fixture it is taken from; always "front" in an area.
        level: Shelf level from below, 0 and on.
    """

    id: str
    object_id: int
    product_id: str
    place_id: str
    position_m: tuple[float, float, float]
    yaw_deg: float
    side: str
    level: int


@dataclass(frozen=True)
class Place:
    """A navigation target: a fixture of the Supermarket, a store or a display area of the Home Furnishings Store.

    Attributes:
        id: "F01" and on for fixtures, "S1" for stores, "A01" for areas.
        name: What a sign and a person call it, unique, such as "Dairy Cooler".
        kind: fixture, store or area.
        form: What a fixture is built as: shelf, chest_freezer, upright_freezer, open_cooler or produce_stand; "" for
            stores and areas.
        object_id: Value in id images.
        segmentation_color: RGB, unique in the scene.
        center_m: Centre of the footprint, x, y.
        yaw_deg: Heading that its front faces.
        size_m: Width (along the front), depth, height.
        approaches: Fixed points by name. A fixture has FRONT, and BACK where it has a back side to shop from, both
            facing it; a store has OUTSIDE_DOORWAY and INSIDE_DOORWAY; an area has FIXED.
        product_ids: What stands there; of a store, what stands in its areas.
        sign: Words of the sign above it or its aisle.
        store_id: The store that an area belongs to.
        style: What a store or an area is about, in a few words.
    """

    id: str
    name: str
    kind: str
    form: str
    object_id: int
    segmentation_color: tuple[int, int, int]
    center_m: tuple[float, float]
    yaw_deg: float
    size_m: tuple[float, float, float]
    levels_m: tuple[float, ...]
    approaches: Mapping[Approach, Pose]
    product_ids: tuple[str, ...]
    sign: str
    store_id: str | None = None
    style: str = ""

    @property
    def anchor_m(self) -> tuple[float, float]:
        """The point that stands for the place, x, y: a store's doorway, else the centre of the footprint."""
        if self.kind != "store":
            return self.center_m
        outside, inside = (self.approaches[side] for side in (Approach.OUTSIDE_DOORWAY, Approach.INSIDE_DOORWAY))
        return (outside.x + inside.x) / 2, (outside.y + inside.y) / 2


@dataclass(frozen=True)
class Waypoint:
    """A node of the walkable graph."""

    id: str
    x: float
    y: float
    links: tuple[str, ...]


@dataclass(frozen=True)
class Structure:
    """A wall, the floor, the ceiling, a checkout or a hanging sign: a box that is neither product nor fixture.

    Attributes:
        kind: floor, ceiling, wall, lamp, sign, checkout, door or pillar; in a home store also facade, frame (of a
            doorway), patch (the floor of an area), plinth, board (on a wall), rail (for lamps) or bench.
        box_m: x0, y0, z0, x1, y1, z1.
        blocks: Whether the user collides with it.
        text: Words printed on it, for signs.
        color: Hex colour "#rrggbb" of its surface; "" for that of its kind.
        place_id: The store or area it is part of, whose object id and segmentation colour it then carries.
    """

    id: str
    kind: str
    object_id: int
    segmentation_color: tuple[int, int, int]
    box_m: tuple[float, float, float, float, float, float]
    blocks: bool
    text: str = ""
    color: str = ""
    place_id: str | None = None


@dataclass(frozen=True)
class Scene:
    """A store at rest. Equal data give equal scenes; nothing in it is ever changed.

    ``navigation_targets`` are the places a user can be sent to, in handle order: fixtures, or stores and then areas.
    """

    name: str
    title: str
    catalog: Catalog
    instances: tuple[Instance, ...]
    navigation_targets: tuple[Place, ...]
    waypoints: tuple[Waypoint, ...]
    structures: tuple[Structure, ...]
    bounds_m: tuple[float, float, float, float]
    start_pose: Pose
    tools: tuple[Tool, ...]
    fingerprint: str

    def __hash__(self) -> int:
        """Lets a scene key a cache of what is derived from it."""
        return hash((self.name, self.fingerprint))

    @property
    def products(self) -> tuple[Product, ...]:
        """The catalog's products in order."""
        return tuple(self.catalog)

    @cached_property
    def fixtures(self) -> tuple[Place, ...]:
        """The navigation targets that are fixtures."""
        return self._of_kind("fixture")

    @cached_property
    def stores(self) -> tuple[Place, ...]:
        """The navigation targets that are stores."""
        return self._of_kind("store")

    @cached_property
    def areas(self) -> tuple[Place, ...]:
        """The navigation targets that are display areas."""
        return self._of_kind("area")

    def _of_kind(self, kind: str) -> tuple[Place, ...]:
        return tuple(place for place in self.navigation_targets if place.kind == kind)

    @cached_property
    def place_by_id(self) -> dict[str, Place]:
        """Navigation targets by id."""
        return {place.id: place for place in self.navigation_targets}

    @cached_property
    def instance_by_id(self) -> dict[str, Instance]:
        """Instances by id."""
        return {instance.id: instance for instance in self.instances}

    @cached_property
    def entity_of_object(self) -> dict[int, str]:
        """Entity id (product, place or structure) of each object id in an id image."""
        table = {instance.object_id: instance.product_id for instance in self.instances}
        table.update({structure.object_id: structure.id for structure in self.structures})
        table.update({place.object_id: place.id for place in self.navigation_targets})
        return table

    @cached_property
    def places_of_product(self) -> dict[str, tuple[str, ...]]:
        """The location index: for each product id the fixtures or areas it stands at."""
        table: dict[str, list[str]] = {product.id: [] for product in self.catalog}
        for place in (*self.fixtures, *self.areas):
            for product_id in place.product_ids:
                table[product_id].append(place.id)
        return {product_id: tuple(places) for product_id, places in table.items()}

    @cached_property
    def products_showing_place(self) -> dict[str, frozenset[str]]:
        """For each store and area, the products any of which in view makes it visible as a navigation goal (C.1)."""
        return {place.id: frozenset(place.product_ids) for place in (*self.stores, *self.areas)}
