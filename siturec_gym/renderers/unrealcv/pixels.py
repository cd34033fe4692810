"""The loops over pixels that numpy is too slow for, compiled: colours to codes, and pixels of each object."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from siturec_gym.renderers.interface import Visibility

_OBJECTS = 1 << 16


@njit(cache=True)
def look_up(pixels, red, offsets, codes, out):  # type: ignore[no-untyped-def]
    """Codes of the colours of a picture.

    Args:
        pixels: (height, width, channels) uint8.
        red: Which channel is red: 0, or 2 where blue comes first.
        offsets: (3, 256) int32 of ``ColorTable``.
        codes: Those of ``ColorTable``.
        out: (height, width) uint16, filled.
    """
    blue = 2 - red
    for y in range(out.shape[0]):
        row, target = pixels[y], out[y]
        for x in range(out.shape[1]):
            target[x] = codes[offsets[0, row[x, red]] + offsets[1, row[x, 1]] + offsets[2, row[x, blue]]]


@njit(cache=True)
def _count(ids, table):  # type: ignore[no-untyped-def]
    """Pixels, x0, y0, x1, y1 (last pixel included) of each id; ``table`` is (65536, 5) int32 with zeros first."""
    height, width = ids.shape
    for y in range(height):
        for x in range(width):
            seen = table[ids[y, x]]
            if seen[0] == 0:
                seen[1], seen[2], seen[3], seen[4] = x, y, x, y
            else:
                seen[1], seen[3] = min(seen[1], x), max(seen[3], x)
                seen[4] = y
            seen[0] += 1


def visibility_of(ids: NDArray[np.uint16]) -> Visibility:
    """Which objects an id image shows."""
    height, width = ids.shape
    table = np.zeros((_OBJECTS, 5), np.int32)
    _count(ids, table)
    table[0] = 0
    seen = np.flatnonzero(table[:, 0])
    rows = table[seen]
    boxes = rows[:, 1:].astype(np.float32)
    boxes[:, 2:] += 1.0
    boxes /= np.array((width, height) * 2, np.float32)
    return Visibility(seen.astype(np.uint16), rows[:, 0].copy(), boxes)
