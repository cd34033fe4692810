"""What the user can see and act on from a pose (S17)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Approach
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.footprints import heading_vector
from siturec_gym.scenes.scene import FIRST_PLACE_OBJECT, FIRST_STRUCTURE_OBJECT, Place, Scene
from siturec_gym.world.gather import gather_products

VISIBLE_PIXELS = 12
"""Fewest pixels, in the 320x240 id pass, that make an entity visible."""
REACH_M = 2.5
_CLASS_STARTS = np.array((FIRST_PLACE_OBJECT, FIRST_STRUCTURE_OBJECT), np.uint16)


class VisibilityLike(Protocol):
    """The arrays of ``renderers.interface.Visibility``: object ids ascending, pixel counts, boxes."""

    @property
    def object_ids(self) -> NDArray[np.uint16]:
        """(n,) ids of the objects in view."""
        ...

    @property
    def pixels(self) -> NDArray[np.int32]:
        """(n,) pixel counts."""
        ...

    @property
    def boxes(self) -> NDArray[np.float32]:
        """(n, 4) x0, y0, x1, y1 as fractions of the image."""
        ...


class Seen(NamedTuple):
    """A product or place in view. A tuple, because a view makes up to a hundred of them each turn.

    Attributes:
        entity_id: Product or place id.
        kind: "product", or the kind of place: "fixture", "store" or "area".
        name: Display name.
        instance_id: The nearest instance in view, ties by id; None for a place.
        distance_m: Horizontal distance to that instance, or to the place: a store's doorway, else the centre of the
            footprint.
        bearing_deg: Angle from the heading to the same point, left positive.
        box: x0, y0, x1, y1 as fractions of the image: around all its visible instances, or the place itself.
        pixels: Pixels it covers in the 320x240 id pass.
        reachable: Whether a product's instance is within ``REACH_M``; False for places.
        approaches: Ways to move to a place that this view supports; empty for products.
    """

    entity_id: str
    kind: str
    name: str
    instance_id: str | None
    distance_m: float
    bearing_deg: float
    box: tuple[float, float, float, float]
    pixels: int
    reachable: bool
    approaches: tuple[Approach, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything visible from a pose, by entity id, in id order."""

    pose: Pose
    places: Mapping[str, Seen]
    products: Mapping[str, Seen]


def build_view(scene: Scene, pose: Pose, visibility: VisibilityLike) -> View:
    """What the pixels of an id pass from ``pose`` amount to."""
    ids, pixels, boxes = visibility.object_ids, visibility.pixels, visibility.boxes
    first_place, first_structure = np.searchsorted(ids, _CLASS_STARTS).tolist()
    placed = slice(first_place, first_structure)
    places = _places(scene, pose, ids[placed], pixels[placed], boxes[placed])
    products = _products(scene, pose, ids[:first_place], pixels[:first_place], boxes[:first_place])
    return View(pose, places, products)


def supported_approaches(place: Place, pose: Pose) -> tuple[Approach, ...]:
    """The approaches to a visible place that the user's side of it allows.

    A side's viewpoint of a fixture is supported unless the user stands behind the fixture as seen from that side. Both
    sides of a store's doorway always are; a move to an area takes no approach.
    """
    return _Sides.of(place).supported(pose.x, pose.y)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Where a place is and what its sides allow.

    Attributes:
        x: Of the anchor; y likewise.
        normal: Unit vector that its front faces.
        by_side: The approaches from behind it, from its flanks, and from before it.
    """

    x: float
    y: float
    normal: tuple[float, float]
    half_depth_m: float
    by_side: tuple[tuple[Approach, ...], tuple[Approach, ...], tuple[Approach, ...]]

    @classmethod
    def of(cls, place: Place) -> "_Sides":
        has = place.approaches
        if place.kind != "fixture":
            always = tuple(side for side in APPROACHES_OF_MOVE.get(MOVE_OF_KIND[place.kind], ()) if side in has)
            return cls(*place.anchor_m, (1.0, 0.0), 0.0, (always, always, always))
        front = (Approach.FRONT,) if Approach.FRONT in has else ()
        back = (Approach.BACK,) if Approach.BACK in has else ()
        by_side = (Approach.NEAREST, *back), (Approach.NEAREST, *front, *back), (Approach.NEAREST, *front)
        return cls(*place.anchor_m, heading_vector(place.yaw_deg), place.size_m[1] / 2, by_side)

    def supported(self, x: float, y: float) -> tuple[Approach, ...]:
        ahead = (x - self.x) * self.normal[0] + (y - self.y) * self.normal[1]
        return self.by_side[0 if ahead <= -self.half_depth_m else 2 if ahead >= self.half_depth_m else 1]


@dataclass(frozen=True, slots=True)
class _Tables:
    """A scene as arrays.

    Attributes:
        sides: Sides of each place, in order.
        products: Id and name of each product, in catalog order.
        instances: Id of each instance, in order.
        instance_xy: (instances, 2) position; row = object id - 1.
        product_of_instance: (instances,) row of its product in the catalog.
    """

    sides: tuple[_Sides, ...]
    products: tuple[tuple[str, str], ...]
    instances: tuple[str, ...]
    instance_xy: NDArray[np.float64]
    product_of_instance: NDArray[np.int64]


@lru_cache(maxsize=8)
def _tables(scene: Scene) -> _Tables:
    row_of = {product_id: row for row, product_id in enumerate(scene.catalog.by_id)}
    return _Tables(
        sides=tuple(_Sides.of(place) for place in scene.navigation_targets),
        products=tuple((product.id, product.name) for product in scene.catalog),
        instances=tuple(instance.id for instance in scene.instances),
        instance_xy=np.array([instance.position_m[:2] for instance in scene.instances], np.float64).reshape(-1, 2),
        product_of_instance=np.array([row_of[instance.product_id] for instance in scene.instances], np.int64),
    )


def _places(scene: Scene, pose: Pose, ids: NDArray[Any], pixels: NDArray[Any], boxes: NDArray[Any]) -> dict[str, Seen]:
    targets, sides, places = scene.navigation_targets, _tables(scene).sides, {}
    x, y, yaw_deg = pose.x, pose.y, pose.yaw_deg
    for object_id, count, box in zip(ids.tolist(), pixels.tolist(), boxes.tolist(), strict=True):
        if count >= VISIBLE_PIXELS:
            row = object_id - FIRST_PLACE_OBJECT
            place, side = targets[row], sides[row]
            dx, dy = side.x - x, side.y - y
            bearing = (math.degrees(math.atan2(dy, dx)) - yaw_deg + 180.0) % 360.0 - 180.0
            where = math.hypot(dx, dy), bearing, tuple(box)
            approaches = side.supported(x, y)
            places[place.id] = Seen(place.id, place.kind, place.name, None, *where, count, False, approaches)
    return places


def _products(
    scene: Scene, pose: Pose, ids: NDArray[Any], pixels: NDArray[Any], boxes: NDArray[Any]
) -> dict[str, Seen]:
    tables = _tables(scene)
    names, instances = tables.products, tables.instances
    gathered = gather_products(
        ids, pixels, boxes, tables.instance_xy, tables.product_of_instance, len(names), VISIBLE_PIXELS,
        pose.x, pose.y, pose.yaw_deg,
    )  # fmt: skip
    products = {}
    for index, row, count, distance, bearing, x0, y0, x1, y1 in gathered.tolist():
        product_id, name = names[int(index)]
        where = distance, bearing, (x0, y0, x1, y1)
        products[product_id] = Seen(
            product_id, "product", name, instances[int(row)], *where, int(count), distance <= REACH_M, ()
        )  # fmt: skip
    return products
