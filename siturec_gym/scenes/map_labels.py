"""Where words go on the layout map: on free floor, away from furniture and from one another."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
_STEP_PX, _MOST_STEPS = 3.0, 24
_FARTHEST_COST = 12.0
_ON_LABEL = 10.0


class FreeSpots:
    """Spots for labels, chosen one after the other on a picture with things in the way."""

    def __init__(self) -> None:
        self._boxes: list[Box] = []
        self._weights: list[float] = []

    def add(self, boxes: Iterable[Box], weight: float) -> None:
        """Keep later labels off rectangles (left, top, right, bottom); ``weight`` says how much they matter."""
        for box in boxes:
            self._boxes.append(box)
            self._weights.append(weight)

    def take(self, room: Box, size: tuple[float, float], wish: tuple[float, float]) -> tuple[float, float]:
        """The middle of the best spot for a label of ``size`` within ``room``, all in pixels.

        The best covers the least of what is in the way and, among equals, lies closest to ``wish``. The spot is then
        taken.
        """
        half = size[0] / 2, size[1] / 2
        columns, rows = (_steps(room[axis], room[axis + 2], half[axis]) for axis in (0, 1))
        x, y = (values.ravel() for values in np.meshgrid(columns, rows))
        boxes = np.array(self._boxes, np.float64).reshape(-1, 4)
        wide = np.minimum(x[:, None] + half[0], boxes[:, 2]) - np.maximum(x[:, None] - half[0], boxes[:, 0])
        high = np.minimum(y[:, None] + half[1], boxes[:, 3]) - np.maximum(y[:, None] - half[1], boxes[:, 1])
        covered = (np.maximum(wide, 0.0) * np.maximum(high, 0.0)) @ np.array(self._weights, np.float64)
        away = np.hypot(x - wish[0], y - wish[1]) / max(room[2] - room[0], room[3] - room[1])
        best = int(np.argmin((covered + _FARTHEST_COST * away).round(6)))
        spot = float(x[best]), float(y[best])
        self.add([(spot[0] - half[0], spot[1] - half[1], spot[0] + half[0], spot[1] + half[1])], _ON_LABEL)
        return spot


def _steps(low: float, high: float, half: float) -> NDArray[np.float64]:
    """Middles from edge to edge; the one in the middle where the label is longer than the room."""
    first, last = low + half, high - half
    if first >= last:
        return np.array([(low + high) / 2])
    return np.linspace(first, last, 2 + min(_MOST_STEPS, int((last - first) / _STEP_PX)))
