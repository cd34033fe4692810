"""Colours of the object mask: one for each object, told apart easily, until a client sets its own."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.unrealcv.colors import Color, palette
from siturec_gym.renderers.unrealcv.server.paint import ids_to_pixels

_STRIDE = 1009
"""Neighbours in the list are this many colours apart, so that neighbours on a shelf do not look alike."""


class Palette:
    """The colour of each object id, and images painted with them.

    Args:
        object_ids: Ids that have a colour; every other pixel is black.
    """

    def __init__(self, object_ids: Sequence[int]) -> None:
        self._bgra = np.zeros((1 << 16, 4), np.uint8)
        self._bgra[:, 3] = 255
        colors = palette([None] * len(object_ids))
        stride = next(step for step in range(_STRIDE, 2 * _STRIDE) if math.gcd(step, len(colors)) == 1)
        for number, object_id in enumerate(object_ids):
            self[object_id] = colors[number * stride % len(colors)]

    def __getitem__(self, object_id: int) -> Color:
        blue, green, red = self._bgra[object_id, :3].tolist()
        return red, green, blue

    def __setitem__(self, object_id: int, color: Color) -> None:
        self._bgra[object_id, :3] = color[::-1]

    def paint(self, ids: NDArray[np.uint16], out: NDArray[np.uint8]) -> None:
        """Colour an id image.

        Args:
            ids: (height, width) object ids, contiguous.
            out: (height, width, 4), contiguous, filled with BGRA.
        """
        ids_to_pixels(ids.reshape(-1), self._bgra.view(np.uint32)[:, 0], out.reshape(-1).view(np.uint32))

    def rgb(self, ids: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """(height, width, 3) colours of an id image."""
        return np.ascontiguousarray(self._bgra[:, 2::-1])[ids]
