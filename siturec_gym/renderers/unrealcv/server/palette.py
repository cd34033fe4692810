"""Colours of the object mask: one for each object, told apart easily, until a client sets its own."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.unrealcv.server.paint import ids_to_pixels

Color = tuple[int, int, int]

_DARKEST, _BRIGHTEST = 16, 255
"""Smaller components are left to the background, which is black."""
_STRIDE = 1009
"""Neighbours in the list are this many colours apart, so that neighbours on a shelf do not look alike."""


def distinct_colors(count: int) -> list[Color]:
    """``count`` different colours with every component from 16 to 255, always the same ones.

    Raises:
        ValueError: There are not that many.
    """
    steps = next((n for n in range(2, _BRIGHTEST - _DARKEST + 2) if n**3 >= count), None)
    if steps is None:
        raise ValueError(f"expected at most {(_BRIGHTEST - _DARKEST + 1) ** 3} objects, got {count}")
    levels = [_DARKEST + round(i * (_BRIGHTEST - _DARKEST) / (steps - 1)) for i in range(steps)]
    stride = next(s for s in range(_STRIDE, 2 * _STRIDE) if np.gcd(s, steps**3) == 1)
    numbers = (i * stride % steps**3 for i in range(count))
    return [(levels[n // steps**2], levels[n // steps % steps], levels[n % steps]) for n in numbers]


class Palette:
    """The colour of each object id, and images painted with them.

    Args:
        object_ids: Ids that have a colour; every other pixel is black.
    """

    def __init__(self, object_ids: Sequence[int]) -> None:
        self._rgba = np.zeros((1 << 16, 4), np.uint8)
        self._bgra = np.zeros((1 << 16, 4), np.uint8)
        self._rgba[:, 3] = self._bgra[:, 3] = 255
        for object_id, color in zip(object_ids, distinct_colors(len(object_ids)), strict=True):
            self[object_id] = color

    def __getitem__(self, object_id: int) -> Color:
        red, green, blue = self._rgba[object_id, :3].tolist()
        return red, green, blue

    def __setitem__(self, object_id: int, color: Color) -> None:
        self._rgba[object_id, :3] = color
        self._bgra[object_id, :3] = color[::-1]

    def paint(self, ids: NDArray[np.uint16], out: NDArray[np.uint8], *, blue_first: bool) -> None:
        """Colour an id image.

        Args:
            ids: (height, width) object ids.
            out: (height, width, 4), filled with RGBA, or BGRA.
            blue_first: BGRA rather than RGBA.
        """
        table = self._bgra if blue_first else self._rgba
        ids_to_pixels(ids, table.view(np.uint32)[:, 0], out.view(np.uint32)[:, :, 0])
