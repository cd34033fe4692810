"""What the user can see and act on from a pose (S17)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import Pose, bearing_deg, distance_m
from siturec_gym.scenes.footprints import heading_vector
from siturec_gym.scenes.scene import FIRST_FIXTURE_OBJECT, FIRST_STRUCTURE_OBJECT, Fixture, Scene

VISIBLE_PIXELS = 12
"""Fewest pixels, in the 320x240 id pass, that make an entity visible."""
REACH_M = 2.5


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
        kind: "product" or "fixture".
        name: Display name.
        instance_id: The nearest instance in view, ties by id; None for a place.
        distance_m: Horizontal distance to that instance, or to the centre of the place's footprint.
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
    ids = visibility.object_ids
    first_fixture, first_structure = np.searchsorted(ids, (FIRST_FIXTURE_OBJECT, FIRST_STRUCTURE_OBJECT)).tolist()
    fixtures = slice(first_fixture, first_structure)
    places = _places(scene, pose, ids[fixtures], visibility.pixels[fixtures], visibility.boxes[fixtures])
    items = slice(0, first_fixture)
    products = _products(scene, pose, ids[items], visibility.pixels[items], visibility.boxes[items])
    return View(pose, places, products)


def supported_approaches(fixture: Fixture, pose: Pose) -> tuple[Approach, ...]:
    """The approaches to a visible fixture that the user's side of it allows.

    A side's viewpoint is supported unless the user stands behind the fixture as seen from that side.
    """
    normal = heading_vector(fixture.yaw_deg)
    ahead = (pose.x - fixture.center_m[0]) * normal[0] + (pose.y - fixture.center_m[1]) * normal[1]
    half_depth = fixture.size_m[1] / 2
    supported = [Approach.NEAREST]
    if Approach.FRONT in fixture.approaches and ahead > -half_depth:
        supported.append(Approach.FRONT)
    if Approach.BACK in fixture.approaches and -ahead > -half_depth:
        supported.append(Approach.BACK)
    return tuple(supported)


def _places(scene: Scene, pose: Pose, ids: NDArray[Any], pixels: NDArray[Any], boxes: NDArray[Any]) -> dict[str, Seen]:
    places = {}
    for object_id, count, box in zip(ids.tolist(), pixels.tolist(), boxes.tolist(), strict=True):
        if count >= VISIBLE_PIXELS:
            fixture = scene.fixtures[object_id - FIRST_FIXTURE_OBJECT]
            x, y = fixture.center_m
            where = distance_m(pose, x, y), bearing_deg(pose, x, y), tuple(box)
            approaches = supported_approaches(fixture, pose)
            places[fixture.id] = Seen(fixture.id, "fixture", fixture.name, None, *where, count, False, approaches)
    return places


def _products(
    scene: Scene, pose: Pose, ids: NDArray[Any], pixels: NDArray[Any], boxes: NDArray[Any]
) -> dict[str, Seen]:
    """Instances in view, gathered by product: sorted by product, then distance, then id, and each run reduced."""
    if not len(ids):
        return {}
    rows = ids.astype(np.intp) - 1
    offsets = scene.instance_xy[rows] - (pose.x, pose.y)
    distances = np.sqrt(np.square(offsets).sum(axis=1))
    of_product = scene.instance_product_index[rows]
    order = np.lexsort((distances, of_product))
    sorted_products, sorted_boxes = of_product[order], boxes[order]
    starts = np.flatnonzero(np.diff(sorted_products, prepend=-1))
    counts = np.add.reduceat(pixels[order], starts)
    around = np.minimum.reduceat(sorted_boxes[:, :2], starts), np.maximum.reduceat(sorted_boxes[:, 2:], starts)
    nearest = order[starts]
    bearings = np.degrees(np.arctan2(offsets[nearest, 1], offsets[nearest, 0])) - pose.yaw_deg
    columns = (
        sorted_products[starts], rows[nearest], distances[nearest], (bearings + 180.0) % 360.0 - 180.0,
        np.hstack(around), counts,
    )  # fmt: skip
    catalog, products = scene.products, {}
    for index, row, distance, bearing, box, count in zip(*(column.tolist() for column in columns), strict=True):
        if count >= VISIBLE_PIXELS:
            product, instance_id = catalog[index], scene.instances[row].id
            where = distance, bearing, tuple(box)
            reachable = distance <= REACH_M
            products[product.id] = Seen(
                product.id, "product", product.name, instance_id, *where, count, reachable, ()
            )  # fmt: skip
    return products
