"""What stands between two points on the assistant's map: fixtures, or the walls of stores with their doorways."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import USER_RADIUS_M
from siturec_gym.policies.knowledge import Place

LOW_FORMS = ("chest_freezer", "produce_stand")  # one looks over them
DOOR_HALF_M = 1.1
_MARGIN_M = USER_RADIUS_M + 0.1
_SEEN_FROM_M = 0.25

Array = NDArray[np.float64]
Point = tuple[float, float]


class Barriers(Protocol):
    """What blocks sight and walking."""

    def clear(self, start: Point, ends: Array, owners: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(n,) whether each of ``ends`` (n, 2) can be seen from ``start``; ``owners`` are their places' rows."""
        ...

    def walkable(self, start: Point, end: Point) -> bool:
        """Whether a straight walk meets nothing."""
        ...


def barriers_of(places: Sequence[Place]) -> Barriers:
    """The barriers of a map: walls where it has stores, else its fixtures."""
    stores = [place for place in places if place.kind == "store"]
    return Walls(stores) if stores else Fixtures(places)


class Fixtures:
    """Shelves and cabinets: one sees over the low ones and walks around all."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._tall = np.flatnonzero([place.form not in LOW_FORMS for place in places])
        self._frames = np.array([(p.x, p.y, math.radians(p.yaw_deg), p.size_m[1] / 2, p.size_m[0] / 2) for p in places])

    def clear(self, start: Point, ends: Array, owners: NDArray[np.int64]) -> NDArray[np.bool_]:
        """See ``Barriers``; a fixture does not hide its own outline."""
        blocked = _crossings(np.array([start]), ends, self._frames[self._tall], -0.05)
        own = self._tall[None, :] == owners[:, None]
        clear: NDArray[np.bool_] = ~(blocked & ~own).any(axis=1)
        return clear

    def walkable(self, start: Point, end: Point) -> bool:
        """See ``Barriers``."""
        return not bool(_crossings(np.array([start]), np.array([end]), self._frames, _MARGIN_M).any())


class Walls:
    """Stores of four walls with a doorway each: sight and walks pass through doorways alone."""

    def __init__(self, stores: Sequence[Place]) -> None:
        self._doors = np.array([(store.x, store.y) for store in stores])
        self._boxes = np.array([_rooms(store) for store in stores])

    def clear(self, start: Point, ends: Array, owners: NDArray[np.int64]) -> NDArray[np.bool_]:  # noqa: ARG002
        """See ``Barriers``."""
        return ~self._blocked(np.array(start), ends, DOOR_HALF_M)

    def walkable(self, start: Point, end: Point) -> bool:
        """See ``Barriers``."""
        return not bool(self._blocked(np.array(start), np.array([end]), DOOR_HALF_M - USER_RADIUS_M)[0])

    def _blocked(self, start: Array, ends: Array, half_m: float) -> NDArray[np.bool_]:
        """(n,) whether a segment meets a wall farther than ``half_m`` from its store's doorway."""
        step = ends - start
        blocked = np.zeros(len(ends), np.bool_)
        for box, door in zip(self._boxes, self._doors, strict=True):
            for axis, edge in ((0, box[0]), (1, box[1]), (0, box[2]), (1, box[3])):
                along = np.where(np.abs(step[:, axis]) < 1e-9, np.inf, step[:, axis])
                share = (edge - start[axis]) / along
                across = start[1 - axis] + share * step[:, 1 - axis]
                inside = (across > box[1 - axis]) & (across < box[3 - axis])
                met = (share > 0.0) & (share < 1.0) & inside
                at = np.abs(edge - door[axis]) + np.abs(across - door[1 - axis])
                blocked |= met & (at > half_m + 0.2)
        return blocked


def _rooms(store: Place) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of a store: its size, behind its doorway."""
    inside, outside = store.approaches["inside_doorway"], store.approaches["outside_doorway"]
    length = math.hypot(inside[0] - outside[0], inside[1] - outside[1])
    inward = (inside[0] - outside[0]) / length, (inside[1] - outside[1]) / length
    width, depth = store.size_m
    center = store.x + inward[0] * depth / 2, store.y + inward[1] * depth / 2
    half_x, half_y = (depth / 2, width / 2) if abs(inward[0]) > abs(inward[1]) else (width / 2, depth / 2)
    return center[0] - half_x, center[1] - half_y, center[0] + half_x, center[1] + half_y


def outline(place: Place) -> Array:
    """(8, 2) points that show a place: corners and middles of a footprint's sides, or both faces of a shop front."""
    if place.kind == "store":
        return _front(place)
    half_depth, half_width = place.size_m[1] / 2, place.size_m[0] / 2
    if place.kind == "area":
        half_depth, half_width = 0.8 * half_depth, 0.8 * half_width
    local = [(u * half_depth, v * half_width) for u in (-1, 0, 1) for v in (-1, 0, 1) if (u, v) != (0, 0)]
    yaw = math.radians(place.yaw_deg)
    turn = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    return np.asarray(np.array(local) @ turn + np.array([place.x, place.y]), dtype=np.float64)


def _front(store: Place) -> Array:
    """Four points along a shop front just outside, and four just inside."""
    inside, outside = store.approaches["inside_doorway"], store.approaches["outside_doorway"]
    door = np.array([store.x, store.y])
    inward = np.array([inside[0] - outside[0], inside[1] - outside[1]])
    inward /= np.linalg.norm(inward)
    along = np.array([-inward[1], inward[0]])
    points = [
        door + side * _SEEN_FROM_M * inward + shift * along for side in (-1.0, 1.0) for shift in (-2.0, -0.8, 0.8, 2.0)
    ]
    return np.array(points)


def _crossings(starts: Array, ends: Array, frames: Array, margin_m: float) -> NDArray[np.bool_]:
    """(segments, boxes): whether a segment passes through a box grown by ``margin_m``.

    Args:
        starts: (n or 1, 2) and ``ends`` (n, 2), metres.
        frames: (m, 5) centre x, y, yaw (radians), half depth, half width of each box.
    """
    cos, sin = np.cos(frames[:, 2]), np.sin(frames[:, 2])

    def local(points: Array) -> tuple[Array, Array]:
        dx, dy = points[:, :1] - frames[None, :, 0], points[:, 1:] - frames[None, :, 1]
        return dx * cos + dy * sin, dy * cos - dx * sin

    low = np.zeros((len(ends), len(frames)))
    high = np.ones((len(ends), len(frames)))
    for start, end, half in zip(local(starts), local(ends), (frames[:, 3], frames[:, 4]), strict=True):
        delta = np.where(np.abs(end - start) < 1e-9, 1e-9, end - start)
        near, far = (-half - margin_m - start) / delta, (half + margin_m - start) / delta
        low, high = np.maximum(low, np.minimum(near, far)), np.minimum(high, np.maximum(near, far))
    result: NDArray[np.bool_] = low < high - 1e-9
    return result
