"""How segmentation colours come out in the mask, seen by painting one thing in view and looking.

Engines pass colours through gamma and rounding, each channel by itself. So it is enough to know what each value of a
channel that the palette uses comes out as: the probe is painted grey in each of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.colors import DARKEST, Color, Paint

Look = Callable[[Sequence[Color]], list[NDArray[np.uint8]]]
"""Paints the probe in each colour and gives the mask seen then, (height, width, 3) red, green, blue."""
_BRIGHTEST = 255
_FEWEST_PX = 12
_PACKED = np.array((1 << 16, 1 << 8, 1), np.uint32)


@dataclass(frozen=True, slots=True)
class Transfer:
    """What each value of a channel comes out as.

    Attributes:
        channels: For red, green and blue, the observed value of each value set.
    """

    channels: tuple[dict[int, int], dict[int, int], dict[int, int]]

    def __call__(self, color: Color) -> Color:
        """What a colour comes out as; its components must have been measured."""
        red, green, blue = (table[part] for table, part in zip(self.channels, color, strict=True))
        return red, green, blue


def unchanged(color: Color) -> Color:
    """The transfer of a server that draws the colours it is given."""
    return color


def measured(paints: Sequence[Paint], look: Look, probe: str) -> Transfer:
    """Measure the transfer.

    Args:
        paints: The colours whose components matter.
        look: Paints the probe and looks.
        probe: What it is called, for errors.

    Raises:
        RendererError: The probe is not in view, or does not take its colours.
    """
    levels = sorted({part for paint in paints for part in paint.color} | {DARKEST, _BRIGHTEST})
    masks = look([(level, level, level) for level in levels])
    dark, bright = masks[0], masks[-1]
    pixels = (dark != bright).any(axis=2)
    if int(pixels.sum()) < _FEWEST_PX:
        raise RendererError(
            f"colors.probe: {probe} is not seen to change its colour from the start pose; name an object in view there"
        )
    seen = [_usual(mask[pixels]) for mask in masks]
    red, green, blue = (dict(zip(levels, (color[channel] for color in seen), strict=True)) for channel in range(3))
    return Transfer((red, green, blue))


def _usual(colors: NDArray[np.uint8]) -> Color:
    """The commonest of (n, 3) colours."""
    found, counts = np.unique(colors.astype(np.uint32) @ _PACKED, return_counts=True)
    packed = int(found[counts.argmax()])
    return packed >> 16, packed >> 8 & 255, packed & 255
