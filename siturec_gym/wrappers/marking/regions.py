"""Which pixels of a picture belong to which mark.

Masks come from the exact ids of the renderer, so they are what matching segmentation colours exactly would give.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.interface import Frame
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.view import Seen, View

SHARE_OF_HEIGHT = 0.0125
"""How far a region of a product reaches out for the next, as a share of the image's height."""
_SPECK_PX = 3

Box = tuple[int, int, int, int]
Contour = NDArray[np.int32]


@dataclass(frozen=True)
class Mark:
    """What is drawn for one entity.

    Attributes:
        entity_id: Product or place id.
        kind: "product", "fixture", "store" or "area".
        box: x0, y0, x1, y1 in pixels around all of it, the last row and column included.
        contours: Outlines of a product, (n, 1, 2) x and y, largest first; none for places and for what is too small.
        boxes: The box of each contour; the mark's own box if it has none.
    """

    entity_id: str
    kind: str
    box: Box
    contours: tuple[Contour, ...]
    boxes: tuple[Box, ...]


def reach_px(height: int) -> int:
    """How far a region of a product reaches out for the next: gaps of up to twice as many pixels are closed."""
    return max(1, round(SHARE_OF_HEIGHT * height))


def find_marks(scene: Scene, view: View, frame: Frame, products_within_m: float, places_within_m: float) -> list[Mark]:
    """The marks of a picture: places, then products, each in id order.

    Args:
        scene: The store.
        view: What is visible; nothing else is marked.
        frame: Depth and ids of the same view, any size.
        products_within_m: Pixels of products farther along the view axis are left out.
        places_within_m: Places are left out whose nearest pixel is farther.

    Raises:
        ValueError: ``frame`` lacks depth or ids.
    """
    tables, owners = _tables(scene), owners_of(scene, frame)
    near = np.where(depth_of(frame) <= products_within_m, owners, 0)
    marks = [_place(tables, view.places[id_], frame, places_within_m) for id_ in sorted(view.places)]
    marks += [_product(tables, view.products[id_], owners, near, products_within_m) for id_ in sorted(view.products)]
    return [mark for mark in marks if mark is not None]


def owners_of(scene: Scene, frame: Frame) -> NDArray[np.int32]:
    """(height, width) row of the product in the catalog, from 1, at each pixel; 0 where there is none."""
    owners: NDArray[np.int32] = _tables(scene).owner_of_object[ids_of(frame)]
    return owners


def ids_of(frame: Frame) -> NDArray[np.uint16]:
    """The object ids of a frame. Raises ValueError if it has none."""
    if frame.ids is None:
        raise ValueError("marks need a frame with ids")
    return frame.ids


def depth_of(frame: Frame) -> NDArray[np.float32]:
    """The depth of a frame. Raises ValueError if it has none."""
    if frame.depth is None:
        raise ValueError("marks need a frame with depth")
    return frame.depth


@dataclass(frozen=True)
class _Tables:
    """A scene by numbers: the owner of each object id, the row of each product, the places' object ids."""

    owner_of_object: NDArray[np.int32]
    row_of: dict[str, int]
    object_of_place: dict[str, int]


@lru_cache(maxsize=8)
def _tables(scene: Scene) -> _Tables:
    rows = {product.id: row for row, product in enumerate(scene.catalog)}
    owners = np.zeros(65536, np.int32)
    for instance in scene.instances:
        owners[instance.object_id] = rows[instance.product_id] + 1
    return _Tables(owners, rows, {place.id: place.object_id for place in scene.navigation_targets})


def _place(tables: _Tables, seen: Seen, frame: Frame, within_m: float) -> Mark | None:
    ids, depth = ids_of(frame), depth_of(frame)
    height, width = ids.shape
    box = _pixels(seen, width, height)
    rows, columns = slice(box[1], box[3] + 1), slice(box[0], box[2] + 1)
    own = ids[rows, columns] == tables.object_of_place[seen.entity_id]
    depths = depth[rows, columns][own]
    nearest = float(depths.min()) if len(depths) else seen.distance_m
    if nearest > within_m:
        return None
    return Mark(seen.entity_id, seen.kind, box, (), (box,))


def _product(
    tables: _Tables, seen: Seen, owners: NDArray[np.int32], near: NDArray[np.int32], within_m: float
) -> Mark | None:
    height, width = owners.shape
    row, reach = tables.row_of[seen.entity_id], reach_px(height)
    x0, y0, x1, y1 = _pixels(seen, width, height)
    left, top = max(0, x0 - 2 * reach), max(0, y0 - 2 * reach)
    crop = slice(top, y1 + 2 * reach + 1), slice(left, x1 + 2 * reach + 1)
    contours = tuple(_outlines(near[crop], row + 1, reach, (left, top)))
    if contours:
        boxes = tuple(_box(contour) for contour in contours)
        return Mark(seen.entity_id, seen.kind, _around(boxes), contours, boxes)
    if seen.distance_m > within_m or (owners[crop] == row + 1).any():
        return None
    middle = ((x0 + x1) // 2, (y0 + y1) // 2) * 2
    return Mark(seen.entity_id, seen.kind, middle, (), (middle,))


def _outlines(near: NDArray[np.int32], owner: int, reach: int, offset: tuple[int, int]) -> Iterator[Contour]:
    """The outer contours of one owner's pixels, largest first; adjacent regions share one.

    Regions are adjacent when a square of 2 * reach + 1 pixels closes the gap between them and nothing of another
    product lies there.
    """
    own = (near == owner).view(np.uint8)
    closed = cv2.morphologyEx(own, cv2.MORPH_CLOSE, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    free = ((near == 0) | (near == owner)).view(np.uint8)
    found, _ = cv2.findContours(cv2.bitwise_and(closed, free), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=offset)
    contours = sorted((np.asarray(contour, np.int32) for contour in found), key=_extent, reverse=True)
    for at, contour in enumerate(contours):
        if at == 0 or min(cv2.boundingRect(contour)[2:]) >= _SPECK_PX:
            yield contour


def _extent(contour: Contour) -> int:
    _, _, width, height = cv2.boundingRect(contour)
    return width * height


def _pixels(seen: Seen, width: int, height: int) -> Box:
    """The box of a sighting, in pixels of a picture of any size, the last row and column included."""
    x0, y0, x1, y1 = seen.box
    right, bottom = min(width, round(x1 * width)) - 1, min(height, round(y1 * height)) - 1
    return min(int(x0 * width), right), min(int(y0 * height), bottom), right, bottom


def _box(contour: Contour) -> Box:
    x, y, width, height = cv2.boundingRect(contour)
    return x, y, x + width - 1, y + height - 1


def _around(boxes: tuple[Box, ...]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
