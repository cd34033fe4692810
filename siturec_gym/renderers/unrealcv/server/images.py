"""Pictures as UnrealCV sends them: ``png`` and ``bmp`` (32 bits, top row first) of four channels, and ``npy``."""

import io
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.server.connection import Buffer

Pixels = NDArray[np.uint8]
Fill = Callable[[Pixels], object]
"""Fills (height, width, 4) pixels: blue, green, red and 255."""

FORMATS = ("png", "bmp", "npy")
_BMP_HEADER = struct.Struct("<2sIHHI IiiHHIIiiII")


class Pictures:
    """Encodes pictures of one size.

    The pixels of png and bmp pictures stay in one buffer, so one must be sent before the next is made.

    Args:
        width: Pixels.
        height: Pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self._bmp_head = _bmp_head(width, height)

    def picture(self, fill: Fill, form: str) -> tuple[Buffer, ...]:
        """A picture as png or bmp. Raises RendererError if it cannot be encoded."""
        fill(self._pixels)
        if form == "png":
            return (_png(self._pixels),)
        return self._bmp_head, self._pixels.data.cast("B")


def array(values: NDArray[Any]) -> tuple[Buffer, ...]:
    """A contiguous array as npy; its own memory is what is sent."""
    return _npy_head(values.shape, values.dtype.str), values.data.cast("B")


def _png(bgra: Pixels) -> bytes:
    """Encode (height, width, 4) BGRA pixels. Raises RendererError if that fails."""
    done, data = cv2.imencode(".png", bgra)
    if not done:
        raise RendererError("the picture could not be encoded as png")
    return bytes(data)


def _bmp_head(width: int, height: int) -> bytes:
    size = _BMP_HEADER.size
    pixels = 4 * width * height
    return _BMP_HEADER.pack(b"BM", size + pixels, 0, 0, size, 40, width, -height, 1, 32, 0, pixels, 2835, 2835, 0, 0)


@lru_cache(maxsize=64)
def _npy_head(shape: tuple[int, ...], kind: str) -> bytes:
    """What ``np.save`` writes before the values."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue()
