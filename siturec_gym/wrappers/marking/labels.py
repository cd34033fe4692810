"""Where labels go: inside or beside their mark, never over one another, and off the goods where there is room."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.wrappers.marking.regions import Box, Mark

Size = tuple[int, int]
_RINGS = 40
_COVERS_GOODS = 3.0
_FAR = 2.0
_SPOT_ORDER = 0.15


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a label stands.

    Attributes:
        box: x0, y0, x1, y1 in pixels, the last row and column included.
        leader: From the label to its mark where the two do not touch: x0, y0, x1, y1.
    """

    box: Box
    leader: Box | None = None


def place_labels(marks: Sequence[Mark], sizes: Sequence[Size], goods: NDArray[np.bool_], gap: int) -> list[Spot]:
    """A spot for each label, in order; earlier marks choose first.

    Args:
        marks: What is labelled.
        sizes: Width and height of each label, pixels.
        goods: (height, width) where products are seen; labels cover as little of it as they can.
        gap: Pixels between a label and the mark it stands beside.
    """
    height, width = goods.shape
    covered = np.asarray(cv2.integral(goods.view(np.uint8)), np.int32)
    taken: list[Box] = []
    spots = []
    for mark, size in zip(marks, sizes, strict=True):
        spot = _best(mark, size, (width, height), covered, taken, gap)
        taken.append(spot.box)
        spots.append(spot)
    return spots


def _best(mark: Mark, size: Size, image: Size, covered: NDArray[np.int32], taken: list[Box], gap: int) -> Spot:
    """The cheapest free spot at the mark; else the nearest free one, with a leader; else the first, over others."""
    area = size[0] * size[1]
    best, least = None, float("inf")
    near = list(_spots(mark, size, gap))
    for order, corner in enumerate(near):
        if least <= _SPOT_ORDER * order:
            break  # no later spot can be cheaper
        box = _inside(corner, size, image)
        moved = abs(box[0] - corner[0]) + abs(box[1] - corner[1])
        cost = _COVERS_GOODS * _sum(covered, box) / area + _FAR * moved / size[1] + _SPOT_ORDER * order
        if cost < least and _free(box, taken):
            best, least = box, cost
    if best is not None:
        return Spot(best)
    return _away(mark, size, image, taken)


def _spots(mark: Mark, size: Size, gap: int) -> Iterator[tuple[int, int]]:
    """Corners to try, best first: for a place within its box's top edge; for a product around and in its regions."""
    width, height = size
    if mark.kind != "product":
        x0, y0, x1, y1 = mark.box
        for y in (y0, y1 + 1 - height, (y0 + y1 + 1 - height) // 2):
            for x in (x0, x1 + 1 - width, (x0 + x1 + 1 - width) // 2):
                yield x, y
        return
    for x0, y0, x1, y1 in mark.boxes[:3]:
        middle_x, middle_y = (x0 + x1 + 1 - width) // 2, (y0 + y1 + 1 - height) // 2
        above, below, left, right = y0 - gap - height, y1 + 1 + gap, x0 - gap - width, x1 + 1 + gap
        yield from ((middle_x, above), (x0, above), (x1 + 1 - width, above))
        yield from ((left, middle_y), (right, middle_y), (left, y0), (right, y0))
        yield from ((middle_x, middle_y), (x0, y0), (middle_x, below), (x0, below), (x1 + 1 - width, below))


def _away(mark: Mark, size: Size, image: Size, taken: list[Box]) -> Spot:
    """The nearest free spot on widening rings around the mark, with a leader to it."""
    x0, y0, x1, y1 = mark.boxes[0]
    target = (x0 + x1) // 2, (y0 + y1) // 2
    width, height = size
    corner = target[0] - width // 2, target[1] - height // 2
    for ring in range(1, _RINGS):
        step = ring * height // 2
        for dx, dy in (
            (0, -step),
            (-step, -step),
            (step, -step),
            (-step, 0),
            (step, 0),
            (0, step),
            (-step, step),
            (step, step),
        ):
            box = _inside((corner[0] + dx, corner[1] + dy), size, image)
            if _free(box, taken):
                return Spot(box, ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2, *target))
    return Spot(_inside(corner, size, image))


def _inside(corner: tuple[int, int], size: Size, image: Size) -> Box:
    """A label's box moved into the picture."""
    x = max(0, min(corner[0], image[0] - size[0]))
    y = max(0, min(corner[1], image[1] - size[1]))
    return x, y, x + size[0] - 1, y + size[1] - 1


def _free(box: Box, taken: list[Box]) -> bool:
    x0, y0, x1, y1 = box
    return all(x1 < other[0] or other[2] < x0 or y1 < other[1] or other[3] < y0 for other in taken)


def _sum(covered: NDArray[np.int32], box: Box) -> int:
    """How many pixels of goods lie in a box."""
    x0, y0, x1, y1 = box
    return int(covered[y1 + 1, x1 + 1] - covered[y0, x1 + 1] - covered[y1 + 1, x0] + covered[y0, x0])
