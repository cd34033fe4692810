"""Bytes of pictures, down to single ones."""

import io
import struct

import cv2
import numpy as np
import pytest

from siturec_gym.renderers.unrealcv.server.images import Pictures, array

BGRA = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)


def fill(pixels):
    pixels[:] = BGRA


def whole(buffers):
    return b"".join(map(bytes, buffers))


def test_a_bmp_byte_by_byte():
    """A head of 14 bytes, one of 40, then the rows from the top as they are."""
    body = whole(Pictures(3, 2).picture(fill, "bmp"))
    assert len(body) == 54 + 24
    assert struct.unpack_from("<2sIHHI", body) == (b"BM", 78, 0, 0, 54)
    assert struct.unpack_from("<IiiHHII", body, 14) == (40, 3, -2, 1, 32, 0, 24)
    assert body[54:] == bytes(range(24))


def test_others_read_it_the_right_way_up():
    body = whole(Pictures(3, 2).picture(fill, "bmp"))
    assert np.array_equal(cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR), BGRA[..., :3])


def test_a_png_has_four_channels():
    body = whole(Pictures(3, 2).picture(fill, "png"))
    assert body.startswith(b"\x89PNG")
    assert body[16:26] == struct.pack(">IIBB", 3, 2, 8, 6)  # width, height, depth, colour with alpha
    assert np.array_equal(cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_UNCHANGED), BGRA)


@pytest.mark.parametrize("form", ["png", "bmp"])
def test_one_picture_after_the_other(form):
    pictures = Pictures(3, 2)
    first = whole(pictures.picture(fill, form))

    def darken(pixels):
        pixels[:] = 0

    assert whole(pictures.picture(darken, form)) != first
    assert whole(pictures.picture(fill, form)) == first


@pytest.mark.parametrize(
    "values",
    [np.arange(6, dtype=np.float32).reshape(2, 3), BGRA, np.zeros((1, 1), np.uint16), np.full((2, 2), np.inf)],
    ids=lambda values: str(values.dtype),
)
def test_an_array_is_what_numpy_saves(values):
    file = io.BytesIO()
    np.save(file, values)
    assert whole(array(values)) == file.getvalue()


def test_an_arrays_own_memory_is_sent():
    values = np.zeros((4, 4), np.float32)
    _, body = array(values)
    values[0, 0] = 1.0
    assert bytes(body[:4]) == struct.pack("<f", 1.0)
