"""A scene: everything of a store that does not change during an episode (SituRecBench, A.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from siturec_gym.catalog import Catalog, Product
from siturec_gym.core.actions import Approach, Tool
from siturec_gym.core.pose import Pose

FIRST_FIXTURE_OBJECT = 20_001
FIRST_STRUCTURE_OBJECT = 30_001


@dataclass(frozen=True)
class Instance:
    """One item on a shelf.

    Attributes:
        id: "I0001" and on, in data order.
        object_id: Value in id images, 1 and on.
        position_m: Centre of the item's base, x, y, z.
        yaw_deg: Turn of the item; its front faces this heading.
        side: "front" or "back": the side of the fixture it is taken from.
        level: Shelf level from below, 0 and on.
    """

    id: str
    object_id: int
    product_id: str
    fixture_id: str
    position_m: tuple[float, float, float]
    yaw_deg: float
    side: str
    level: int


@dataclass(frozen=True)
class Fixture:
    """A shelf, freezer, cooler or stand: a navigation target of the Supermarket.

    Attributes:
        id: "F01" and on.
        name: What a sign and a person call it, unique, such as "Dairy Cooler".
        kind: shelf, chest_freezer, upright_freezer, open_cooler or produce_stand.
        object_id: Value in id images.
        segmentation_color: RGB, unique in the scene.
        center_m: Centre of the footprint, x, y.
        yaw_deg: Heading that its front faces.
        size_m: Width (along the front), depth, height.
        approaches: Fixed viewpoints that face it: FRONT, and BACK where it has a back side to shop from.
        sign: Words of the sign above it or its aisle.
    """

    id: str
    name: str
    kind: str
    object_id: int
    segmentation_color: tuple[int, int, int]
    center_m: tuple[float, float]
    yaw_deg: float
    size_m: tuple[float, float, float]
    levels_m: tuple[float, ...]
    approaches: Mapping[Approach, Pose]
    product_ids: tuple[str, ...]
    sign: str


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
        kind: floor, ceiling, wall, lamp, sign, checkout, door or pillar.
        box_m: x0, y0, z0, x1, y1, z1.
        blocks: Whether the user collides with it.
        text: Words printed on it, for signs.
    """

    id: str
    kind: str
    object_id: int
    segmentation_color: tuple[int, int, int]
    box_m: tuple[float, float, float, float, float, float]
    blocks: bool
    text: str = ""


@dataclass(frozen=True)
class Scene:
    """A store at rest. Equal data give equal scenes; nothing in it is ever changed."""

    name: str
    title: str
    catalog: Catalog
    instances: tuple[Instance, ...]
    fixtures: tuple[Fixture, ...]
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

    @property
    def navigation_targets(self) -> tuple[Fixture, ...]:
        """The places a user can be sent to, in handle order."""
        return self.fixtures

    @cached_property
    def place_by_id(self) -> dict[str, Fixture]:
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
        table.update({fixture.object_id: fixture.id for fixture in self.fixtures})
        table.update({structure.object_id: structure.id for structure in self.structures})
        return table

    @cached_property
    def places_of_product(self) -> dict[str, tuple[str, ...]]:
        """The location index: fixture ids of each product id."""
        table: dict[str, list[str]] = {product.id: [] for product in self.catalog}
        for fixture in self.fixtures:
            for product_id in fixture.product_ids:
                table[product_id].append(fixture.id)
        return {product_id: tuple(places) for product_id, places in table.items()}

    @cached_property
    def segmentation_palette(self) -> NDArray[np.uint8]:
        """(65536, 3) RGB of each object id; 0 stays black."""
        palette = np.zeros((65536, 3), np.uint8)
        for instance in self.instances:
            palette[instance.object_id] = self.catalog.by_id[instance.product_id].segmentation_color
        for fixture in self.fixtures:
            palette[fixture.object_id] = fixture.segmentation_color
        for structure in self.structures:
            palette[structure.object_id] = structure.segmentation_color
        return palette
