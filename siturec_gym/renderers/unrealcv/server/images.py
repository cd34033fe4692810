"""Pictures as UnrealCV sends them: ``bmp`` (32 bits, top row first), ``npy`` and ``png``, red first but in ``bmp``."""

import io
import struct
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.server.connection import Buffer

Pixels = NDArray[np.uint8]
Fill = Callable[[Pixels, bool], None]
"""Fills (height, width, 4) pixels, blue first if told so."""

FORMATS = ("png", "bmp", "npy")
_BMP_HEADER = struct.Struct("<2sIHHI IiiHHIIiiII")


class Pictures:
    """Encodes pictures of one size; their pixels stay in one buffer, so one picture must be sent before the next.

    Args:
        width: Pixels.
        height: Pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self._heads = {
            "bmp": _bmp_head(width, height),
            "npy": _npy_head(self._pixels),
            "depth": _npy_head(np.empty((height, width), np.float32)),
        }

    def color(self, fill: Fill, form: str) -> tuple[Buffer, ...]:
        """A picture of four channels in a format of ``FORMATS``. Raises RendererError if it cannot be encoded."""
        fill(self._pixels, form != "npy")
        if form == "png":
            return (png(self._pixels),)
        return self._heads[form], self._pixels.data.cast("B")

    def depth(self, values: NDArray[np.float32]) -> tuple[Buffer, ...]:
        """(height, width) depth as ``npy``, float32; the array itself is sent."""
        return self._heads["depth"], values.data.cast("B")


def png(bgra: Pixels) -> bytes:
    """Encode (height, width, 4) BGRA pixels. Raises RendererError if that fails."""
    done, data = cv2.imencode(".png", bgra)
    if not done:
        raise RendererError("the picture could not be encoded as png")
    return bytes(data)


def _bmp_head(width: int, height: int) -> bytes:
    size = _BMP_HEADER.size
    pixels = 4 * width * height
    return _BMP_HEADER.pack(b"BM", size + pixels, 0, 0, size, 40, width, -height, 1, 32, 0, pixels, 2835, 2835, 0, 0)


def _npy_head(array: NDArray[np.uint8] | NDArray[np.float32]) -> bytes:
    """What ``np.save`` writes before the values."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    return file.getvalue()
