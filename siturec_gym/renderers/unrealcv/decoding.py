"""Pictures as they come over the wire, as arrays. What cannot be one is a ValueError: it may have been cut short."""

import io
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.unrealcv.boxes import focal_px
from siturec_gym.renderers.unrealcv.link import Reply
from siturec_gym.renderers.unrealcv.mapping import Depth, Picture

Size = tuple[int, int]
Pixels = NDArray[np.uint8]
_BMP = struct.Struct("<2sI4xI4xiiHHI")
_UNCOMPRESSED = (0, 3)


def pixels_of(reply: Reply, picture: Picture, size: Size) -> tuple[Pixels, int]:
    """A colour picture, and which channel is red.

    Args:
        reply: The picture.
        picture: Its format.
        size: Width and height that it must have.

    Returns:
        (height, width, 3 or 4) uint8, perhaps read-only; 0, or 2 where blue comes first.

    Raises:
        ValueError: It is no such picture.
    """
    read: Callable[[bytes], NDArray[Any]] = {"png": _png, "bmp": _bmp, "npy": _array}[picture.format]
    red = 0 if picture.format == "npy" and picture.channels == "rgba" else 2
    pixels = read(_bytes(reply))
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        raise ValueError(f"{picture.name}: expected 3 or 4 channels of uint8, got {pixels.shape} {pixels.dtype}")
    _check_size(picture.name, pixels, size)
    return pixels, red


def rgb_of(pixels: Pixels, red: int) -> Pixels:
    """(height, width, 3) red, green, blue, an array of its own."""
    if pixels.shape[2] == 3 and red == 0:
        return pixels.copy()
    codes = {(3, 2): cv2.COLOR_BGR2RGB, (4, 2): cv2.COLOR_BGRA2RGB, (4, 0): cv2.COLOR_RGBA2RGB}
    return np.asarray(cv2.cvtColor(pixels, codes[pixels.shape[2], red]), np.uint8)


def depth_of(reply: Reply, depth: Depth, size: Size) -> NDArray[np.float32]:
    """(height, width) float32 metres along the view axis, infinite where nothing is hit. Raises ValueError."""
    width, height = size
    values = _array(_bytes(reply))
    if values.dtype.kind != "f" or values.ndim not in (2, 3) or values.shape[2:] not in ((), (1,)):
        raise ValueError(f"{depth.name}: expected one float a pixel, got {values.shape} {values.dtype}")
    _check_size(depth.name, values, size)
    metres: NDArray[np.float32] = np.array(values.reshape(height, width), np.float32)
    if depth.unit == "cm":
        metres /= np.float32(100.0)
    if depth.beyond_m is not None:
        metres[metres >= depth.beyond_m] = np.inf
    if depth.kind == "radial":
        metres *= _planar_shares(size)
    return metres


def _bytes(reply: Reply) -> bytes:
    """The client takes bytes for text where they happen to be valid UTF-8, as those of dark pictures are."""
    return reply.encode() if isinstance(reply, str) else reply


def _check_size(name: str, values: NDArray[Any], size: Size) -> None:
    height, width = values.shape[:2]
    if (width, height) != size:
        raise ValueError(f"{name}: the camera gives {width}x{height} pixels where {size[0]}x{size[1]} are expected")


@lru_cache(maxsize=4)
def _planar_shares(size: Size) -> NDArray[np.float32]:
    """How much of the way to a pixel lies along the view axis."""
    width, height = size
    across = (np.arange(width) + 0.5 - width / 2) / focal_px(width)
    up = (np.arange(height) + 0.5 - height / 2) / focal_px(width)
    shares: NDArray[np.float32] = (1.0 / np.sqrt(1.0 + across[None, :] ** 2 + up[:, None] ** 2)).astype(np.float32)
    return shares


def _array(body: bytes) -> NDArray[Any]:
    """The array of an npy file, over the same memory."""
    file = io.BytesIO(body)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, by_column, dtype = read(file)
    if dtype.hasobject or by_column:
        raise ValueError(f"expected plain numbers by rows, got {dtype}")
    if len(body) - file.tell() != dtype.itemsize * int(np.prod(shape)):
        raise ValueError(f"an array of shape {shape} does not have {len(body) - file.tell()} bytes")
    return np.frombuffer(body, dtype, offset=file.tell()).reshape(shape)


def _bmp(body: bytes) -> Pixels:
    """Blue first; 24 or 32 bits, either row first, over the same memory where no row is padded."""
    if len(body) < 54:
        raise ValueError(f"expected a bmp, got {len(body)} bytes")
    mark, _, offset, width, height, _, bits, packing = _BMP.unpack_from(body)
    if mark != b"BM" or bits not in (24, 32) or packing not in _UNCOMPRESSED or width <= 0 or height == 0:
        raise ValueError(f"expected an uncompressed bmp of 24 or 32 bits, got {body[:2]!r} with {bits} bits")
    stride, rows = (width * bits // 8 + 3) // 4 * 4, abs(height)
    if len(body) - offset < stride * rows:
        raise ValueError(f"a bmp of {width}x{rows} pixels does not have {len(body)} bytes")
    lines = np.frombuffer(body, np.uint8, stride * rows, offset).reshape(rows, stride)
    pixels: Pixels = lines[:, : width * bits // 8].reshape(rows, width, bits // 8)
    return pixels if height < 0 else pixels[::-1]


def _png(body: bytes) -> NDArray[Any]:
    """Blue first."""
    pixels = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_UNCHANGED) if body else None
    if pixels is None:
        raise ValueError(f"expected a png, got {len(body)} bytes that are none")
    return np.asarray(pixels)
