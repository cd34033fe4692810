"""A disc moved along a straight line among rectangles, solved exactly.

A disc of radius r overlaps a rectangle when its centre lies within r of it, so a sweep is the first entry of a ray
into a rectangle with rounded corners. Nothing is stepped: no length of move can pass through a wall.
"""

import math
from collections.abc import Iterable, Sequence

SKIN_M = 1e-4
"""Gap left at contact, so that rounding never makes the disc overlap what it touches."""
_TOLERANCE_M = 1e-9

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]


def rectangle_gap(rectangle: Rectangle, x: float, y: float) -> float:
    """Distance from a point to a rectangle, metres; 0 inside."""
    x0, y0, x1, y1 = rectangle
    return math.hypot(max(x0 - x, 0.0, x - x1), max(y0 - y, 0.0, y - y1))


def nearest_point(rectangle: Rectangle, x: float, y: float) -> Point:
    """The point of a rectangle nearest to (x, y)."""
    x0, y0, x1, y1 = rectangle
    return min(max(x, x0), x1), min(max(y, y0), y1)


class Sweeper:
    """Sweeps of one disc among fixed rectangles (x0, y0, x1, y1 in metres)."""

    def __init__(self, rectangles: Iterable[Sequence[float]], radius_m: float) -> None:
        self._radius_m = radius_m
        self._reach_m = reach = radius_m + SKIN_M
        self._rectangles: list[Rectangle] = [(float(a), float(b), float(c), float(d)) for a, b, c, d in rectangles]
        self._grown = [(x0 - reach, y0 - reach, x1 + reach, y1 + reach) for x0, y0, x1, y1 in self._rectangles]

    def free_fraction(self, start: Point, end: Point) -> float:
        """Share of the segment, 0..1, that the disc travels before it touches something."""
        (ax, ay), (bx, by) = start, end
        low_x, high_x = (ax, bx) if ax < bx else (bx, ax)
        low_y, high_y = (ay, by) if ay < by else (by, ay)
        share = 1.0
        for index, (x0, y0, x1, y1) in enumerate(self._grown):
            if x0 < high_x and x1 > low_x and y0 < high_y and y1 > low_y:
                share = min(share, self._entry(self._rectangles[index], ax, ay, bx - ax, by - ay))
        return share

    def clear(self, start: Point, end: Point) -> bool:
        """Whether the disc reaches the end of the segment."""
        return self.free_fraction(start, end) == 1.0

    def fits(self, x: float, y: float) -> bool:
        """Whether the disc can stand at (x, y) with the gap of a contact."""
        near = (r for g, r in zip(self._grown, self._rectangles, strict=True) if g[0] < x < g[2] and g[1] < y < g[3])
        return all(rectangle_gap(rectangle, x, y) >= self._reach_m for rectangle in near)

    def _entry(self, rectangle: Rectangle, x: float, y: float, dx: float, dy: float) -> float:
        """Fraction of the step (dx, dy) from (x, y) at which the disc touches the rectangle; 1 if it does not.

        A disc that touches already may move along or away. One that overlaps, which only a caller who placed it
        there can bring about, may move away.
        """
        gap = rectangle_gap(rectangle, x, y)
        if gap < self._radius_m:
            near_x, near_y = nearest_point(rectangle, x, y)
            return 1.0 if dx * (x - near_x) + dy * (y - near_y) > 0.0 else 0.0
        return _rounded_entry(rectangle, max(self._radius_m, min(self._reach_m, gap - _TOLERANCE_M)), x, y, dx, dy)


def _rounded_entry(rectangle: Rectangle, radius: float, x: float, y: float, dx: float, dy: float) -> float:
    """Entry fraction of a ray into a rectangle grown by ``radius`` with round corners; 1 when it misses."""
    x0, y0, x1, y1 = rectangle
    enter_x, leave_x = _slab(x0 - radius, x1 + radius, x, dx)
    enter_y, leave_y = _slab(y0 - radius, y1 + radius, y, dy)
    enter = max(0.0, enter_x, enter_y)
    if enter >= min(1.0, leave_x, leave_y):
        return 1.0
    hit_x, hit_y = x + enter * dx, y + enter * dy
    if x0 <= hit_x <= x1 or y0 <= hit_y <= y1:
        return enter
    corner_x, corner_y = (x0 if hit_x < x0 else x1), (y0 if hit_y < y0 else y1)
    return _circle_entry(x - corner_x, y - corner_y, dx, dy, radius)


def _slab(low: float, high: float, start: float, step: float) -> tuple[float, float]:
    """Fractions at which a coordinate enters and leaves the open interval (low, high)."""
    if step == 0.0:
        return (-math.inf, math.inf) if low < start < high else (math.inf, -math.inf)
    first, last = (low - start) / step, (high - start) / step
    return (first, last) if first < last else (last, first)


def _circle_entry(x: float, y: float, dx: float, dy: float, radius: float) -> float:
    """Entry fraction of a ray into a circle around the origin; 1 when it misses."""
    along, length_squared = x * dx + y * dy, dx * dx + dy * dy
    discriminant = along * along - length_squared * (x * x + y * y - radius * radius)
    if discriminant <= 0.0:
        return 1.0
    share = (-along - math.sqrt(discriminant)) / length_squared
    return share if 0.0 <= share < 1.0 else 1.0
