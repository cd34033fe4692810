"""What stands on the floor, as rectangles in the ground plane, and distances to it."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.scenes.scene import Instance, Place, Scene

Rectangles = NDArray[np.float64]
STEP_OVER_M = 0.1
"""What is lower does not stop anybody."""


def heading_vector(yaw_deg: float) -> tuple[float, float]:
    """Unit vector of a heading; exact for the four axis directions."""
    quarter = yaw_deg / 90.0
    if quarter == round(quarter):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarter) % 4]
    angle = math.radians(yaw_deg)
    return math.cos(angle), math.sin(angle)


def extent(
    center: Sequence[float], yaw_deg: float, width_m: float, depth_m: float
) -> tuple[float, float, float, float]:
    """Axis-aligned rectangle x0, y0, x1, y1 around a box whose depth runs along heading ``yaw_deg``."""
    cos, sin = (abs(part) for part in heading_vector(yaw_deg))
    half_x, half_y = (depth_m * cos + width_m * sin) / 2, (depth_m * sin + width_m * cos) / 2
    return center[0] - half_x, center[1] - half_y, center[0] + half_x, center[1] + half_y


def place_rectangle(place: Place) -> tuple[float, float, float, float]:
    """Footprint of a place, x0, y0, x1, y1 in metres."""
    return extent(place.center_m, place.yaw_deg, place.size_m[0], place.size_m[1])


def blocking_rectangles(scene: Scene) -> Rectangles:
    """(n, 4) float64 x0, y0, x1, y1: all fixtures, in order, then the structures that block, then furniture.

    Furniture is what stands on the floor of an area and is higher than ``STEP_OVER_M``: not a rug, nor what hangs or
    lies on something else.
    """
    boxes = [place_rectangle(fixture) for fixture in scene.fixtures]
    boxes += [(*part.box_m[:2], *part.box_m[3:5]) for part in scene.structures if part.blocks]
    areas = {area.id for area in scene.areas}
    boxes += [_standing(scene, item) for item in scene.instances if item.place_id in areas and _blocks(scene, item)]
    return np.array(boxes, np.float64).reshape(-1, 4)


def _blocks(scene: Scene, item: Instance) -> bool:
    height = scene.catalog.by_id[item.product_id].appearance.size_m[2]
    return item.position_m[2] < STEP_OVER_M < item.position_m[2] + height


def _standing(scene: Scene, item: Instance) -> tuple[float, float, float, float]:
    width, depth, _ = scene.catalog.by_id[item.product_id].appearance.size_m
    return extent(item.position_m, item.yaw_deg, width, depth)


def point_clearances(rectangles: Rectangles, x: float, y: float) -> NDArray[np.float64]:
    """Distance from a point to each rectangle, metres; 0 inside."""
    dx = np.maximum(np.maximum(rectangles[:, 0] - x, x - rectangles[:, 2]), 0.0)
    dy = np.maximum(np.maximum(rectangles[:, 1] - y, y - rectangles[:, 3]), 0.0)
    return np.asarray(np.hypot(dx, dy))


def segment_clearances(
    rectangles: Rectangles, start: tuple[float, float], end: tuple[float, float]
) -> NDArray[np.float64]:
    """Distance from a straight segment to each rectangle, metres; 0 where they touch."""
    ends = np.minimum(point_clearances(rectangles, *start), point_clearances(rectangles, *end))
    corners = rectangles[:, [0, 1, 0, 3, 2, 1, 2, 3]].reshape(-1, 4, 2)
    apart = np.minimum(ends, _points_to_segment(corners, start, end).min(axis=1))
    return np.where(_crosses(rectangles, start, end), 0.0, apart)


def _points_to_segment(
    points: NDArray[np.float64], start: tuple[float, float], end: tuple[float, float]
) -> NDArray[np.float64]:
    origin, along = np.array(start), np.subtract(end, start)
    offsets = points - origin
    shares = np.clip(offsets @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    apart = offsets - shares[..., None] * along
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]))


def _crosses(rectangles: Rectangles, start: tuple[float, float], end: tuple[float, float]) -> NDArray[np.bool_]:
    """Whether the segment enters each rectangle: the slab test."""
    enter, leave = np.zeros(len(rectangles)), np.ones(len(rectangles))
    for axis in (0, 1):
        low, high = rectangles[:, axis] - start[axis], rectangles[:, axis + 2] - start[axis]
        step = end[axis] - start[axis]
        if step == 0.0:
            enter = np.where((low > 0.0) | (high < 0.0), 2.0, enter)
            continue
        first, last = np.minimum(low / step, high / step), np.maximum(low / step, high / step)
        enter, leave = np.maximum(enter, first), np.minimum(leave, last)
    return np.asarray(enter <= leave)
