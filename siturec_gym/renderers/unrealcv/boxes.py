"""Which item is at a pixel, where items of a product share a colour: the one whose box the seen point lies at."""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from siturec_gym.core.pose import HORIZONTAL_FOV_DEG, Pose
from siturec_gym.scenes.scene import Scene

_AT_ONCE_M = 1e-5
"""A point so close to the box of the item at the pixel before belongs to it, too; spares looking at the others."""
COLUMNS = 9
"""x, y, z of the middle; half width, depth and height; cosine and sine of the yaw; 1 while it is shown."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Items grouped by product.

    Attributes:
        boxes: (items, 9) as in ``COLUMNS``.
        object_ids: (items,) id of each.
        starts: (products + 1,) where each product's items begin.
        row_of: Row of each object id.
    """

    boxes: NDArray[np.float64]
    object_ids: NDArray[np.uint16]
    starts: NDArray[np.int64]
    row_of: dict[int, int]

    def show(self, object_id: int, visible: bool) -> None:
        """Take an item into account, or not while it is hidden."""
        self.boxes[self.row_of[object_id], 8] = float(visible)


def boxes_of(scene: Scene) -> Boxes:
    """The boxes of a scene's items, products in catalog order."""
    sizes = {product.id: product.appearance.size_m for product in scene.catalog}
    order = {product.id: row for row, product in enumerate(scene.catalog)}
    items = sorted(scene.instances, key=lambda item: (order[item.product_id], item.object_id))
    rows = []
    for item in items:
        (x, y, z), (width, depth, height) = item.position_m, sizes[item.product_id]
        yaw = math.radians(item.yaw_deg)
        rows.append((x, y, z + height / 2, width / 2, depth / 2, height / 2, math.cos(yaw), math.sin(yaw), 1.0))
    counts = np.bincount([order[item.product_id] for item in items], minlength=len(order))
    return Boxes(
        boxes=np.array(rows, np.float64).reshape(-1, COLUMNS),
        object_ids=np.array([item.object_id for item in items], np.uint16),
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        row_of={item.object_id: row for row, item in enumerate(items)},
    )


def camera_axes(pose: Pose, eye_height_m: float) -> NDArray[np.float64]:
    """(4, 3): where the camera is, then its unit vectors right, up and forward, metres in the scene."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    cos_yaw, sin_yaw, cos_pitch, sin_pitch = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return np.array(
        (
            (pose.x, pose.y, eye_height_m),
            (sin_yaw, -cos_yaw, 0.0),
            (-cos_yaw * sin_pitch, -sin_yaw * sin_pitch, cos_pitch),
            (cos_yaw * cos_pitch, sin_yaw * cos_pitch, sin_pitch),
        )
    )


def focal_px(width: int) -> float:
    """Focal length of an image that is 90 degrees wide, pixels."""
    return 0.5 * width / math.tan(math.radians(HORIZONTAL_FOV_DEG) / 2.0)


@njit(cache=True)
def items_at(codes, depth, axes, focal, boxes, object_ids, starts):  # type: ignore[no-untyped-def]
    """Put the item's object id in the place of every product's row.

    Args:
        codes: (height, width) uint16 row of the product from 1, changed to the id of its item; 0 and numbers that are
            no row stay.
        depth: (height, width) metres along the view axis.
        axes: (4, 3) of ``camera_axes``.
        focal: Focal length, pixels.
        boxes: (items, 9) of ``Boxes``.
        object_ids: (items,) of ``Boxes``.
        starts: (products + 1,) of ``Boxes``.
    """
    height, width = codes.shape
    for y in range(height):
        up = (height * 0.5 - y - 0.5) / focal
        last_product, last_item = np.int64(0), np.int64(0)
        for x in range(width):
            product = np.int64(codes[y, x])
            if product == 0 or product >= len(starts):
                continue
            z = depth[y, x]
            across = (x + 0.5 - width * 0.5) / focal
            px = axes[0, 0] + z * (axes[3, 0] + across * axes[1, 0] + up * axes[2, 0])
            py = axes[0, 1] + z * (axes[3, 1] + across * axes[1, 1] + up * axes[2, 1])
            pz = axes[0, 2] + z * (axes[3, 2] + across * axes[1, 2] + up * axes[2, 2])
            if product != last_product or _outside(px, py, pz, boxes[last_item]) > _AT_ONCE_M:
                last_product, last_item = product, _nearest(px, py, pz, boxes, starts[product - 1], starts[product])
            codes[y, x] = object_ids[last_item]


@njit(cache=True, inline="always")
def _nearest(x, y, z, boxes, first, end):  # type: ignore[no-untyped-def]
    best, least = first, np.inf
    for item in range(first, end):
        if boxes[item, 8] != 0.0:
            distance = _outside(x, y, z, boxes[item])
            if distance < least:
                best, least = item, distance
    return best


@njit(cache=True, inline="always")
def _outside(x, y, z, box):  # type: ignore[no-untyped-def]
    """How far a point is outside a box, metres; negative within."""
    dx, dy = x - box[0], y - box[1]
    deep = abs(dx * box[6] + dy * box[7]) - box[4]
    wide = abs(dy * box[6] - dx * box[7]) - box[3]
    high = abs(z - box[2]) - box[5]
    a, b, c = max(deep, 0.0), max(wide, 0.0), max(high, 0.0)
    return math.sqrt(a * a + b * b + c * c) + min(max(deep, wide, high), 0.0)
