"""Pictures as servers send them, made by hand or by libraries that are not ours."""

import io
import struct

import cv2
import numpy as np
import pytest
from PIL import Image

from siturec_gym.renderers.unrealcv.decoding import depth_of, pixels_of, rgb_of
from siturec_gym.renderers.unrealcv.mapping import Depth, Picture

WIDTH, HEIGHT = 5, 3  # 15 bytes a row in 24 bits: padded to 16
RGB = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
ALPHA = np.full((HEIGHT, WIDTH, 1), 255, np.uint8)


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def saved(mode, form):
    file = io.BytesIO()
    array = RGB if mode == "RGB" else np.concatenate((RGB, ALPHA), axis=2)
    Image.fromarray(array, mode).save(file, form)
    return file.getvalue()


def top_down_bmp():
    pixels = np.concatenate((RGB[:, :, ::-1], ALPHA), axis=2).tobytes()
    header = struct.pack(
        "<2sIHHIIiiHHIIiiII", b"BM", 54 + len(pixels), 0, 0, 54, 40, WIDTH, -HEIGHT, 1, 32, 0, 0, 0, 0, 0, 0
    )
    return header + pixels


BODIES = {
    "png of Pillow": (Picture(name="lit", format="png"), saved("RGBA", "PNG")),
    "png without alpha": (Picture(name="lit", format="png"), saved("RGB", "PNG")),
    "png of OpenCV": (Picture(name="lit", format="png"), cv2.imencode(".png", RGB[:, :, ::-1])[1].tobytes()),
    "bmp of 24 bits, last row first": (Picture(name="lit", format="bmp"), saved("RGB", "BMP")),
    "bmp of 24 bits of OpenCV": (Picture(name="lit", format="bmp"), cv2.imencode(".bmp", RGB[:, :, ::-1])[1].tobytes()),
    "bmp of 32 bits, first row first": (Picture(name="lit", format="bmp"), top_down_bmp()),
    "npy, red first": (Picture(name="lit", format="npy"), npy(np.concatenate((RGB, ALPHA), axis=2))),
    "npy of three channels": (Picture(name="lit", format="npy"), npy(RGB)),
    "npy, blue first": (
        Picture(name="lit", format="npy", channels="bgra"),
        npy(np.concatenate((RGB[:, :, ::-1], ALPHA), axis=2)),
    ),
}


@pytest.mark.parametrize("body", BODIES)
def test_every_form_gives_the_same_pixels(body):
    picture, sent = BODIES[body]
    rgb = rgb_of(*pixels_of(sent, picture, (WIDTH, HEIGHT)))
    assert (rgb == RGB).all()
    rgb[0, 0] = 1  # the caller's own


@pytest.mark.parametrize("body", BODIES)
def test_every_form_cut_short_is_an_error(body):
    picture, sent = BODIES[body]
    for length in (0, 1, 10, 53, len(sent) // 2):
        with pytest.raises(ValueError, match=r"\w"):
            pixels_of(sent[:length], picture, (WIDTH, HEIGHT))


def test_a_size_that_is_not_expected_is_told():
    with pytest.raises(ValueError, match="lit: the camera gives 5x3 pixels where 64x48 are expected"):
        pixels_of(top_down_bmp(), Picture(name="lit", format="bmp"), (64, 48))


@pytest.mark.parametrize("array", [RGB[:, :, 0], RGB.astype(np.float32), np.concatenate((RGB, RGB), axis=2)])
def test_what_has_other_channels_is_no_picture(array):
    with pytest.raises(ValueError, match="lit: expected 3 or 4 channels of uint8"):
        pixels_of(npy(array), Picture(name="lit", format="npy"), (WIDTH, HEIGHT))


def test_an_array_of_objects_is_never_loaded():
    with pytest.raises(ValueError, match=r"\w"):
        pixels_of(npy(np.array([[[print]]], object)), Picture(name="lit", format="npy"), (1, 1))


def test_planar_centimetres():
    sent = npy(np.array([[100.0, 250.0], [50.0, np.inf]], np.float32))
    depth = depth_of(sent, Depth(unit="cm"), (2, 2))
    assert depth.tolist() == [[1.0, 2.5], [0.5, np.inf]]


def test_metres_with_a_far_value_and_a_third_axis():
    sent = npy(np.array([[[1.0], [65504.0]]], np.float16))
    depth = depth_of(sent, Depth(unit="m", beyond_m=600.0), (2, 1))
    assert depth.tolist() == [[1.0, np.inf]]
    assert depth.dtype == np.float32


def test_radial_depth_of_a_wall_is_the_same_everywhere_when_planar():
    """A wall 3 m ahead, 90 degrees across: the corner of a 4x4 image is 3 * sqrt(1 + 2 * 0.75**2) away."""
    side = (np.arange(4) + 0.5 - 2) / 2
    radial = 3.0 * np.sqrt(1 + side[None, :] ** 2 + side[:, None] ** 2)
    assert radial[0, 0] == pytest.approx(4.3732, abs=1e-4)
    depth = depth_of(npy(radial.astype(np.float32)), Depth(kind="radial", unit="m"), (4, 4))
    assert depth == pytest.approx(np.full((4, 4), 3.0), abs=1e-6)


@pytest.mark.parametrize("array", [np.zeros(4, np.float32), np.zeros((2, 2), np.uint8), np.zeros((2, 2, 2))])
def test_other_arrays_are_no_depth(array):
    with pytest.raises(ValueError, match="depth: expected one float a pixel"):
        depth_of(npy(array), Depth(), (2, 2))


def test_depth_of_another_size():
    with pytest.raises(ValueError, match="depth: the camera gives 3x2 pixels where 2x2 are expected"):
        depth_of(npy(np.zeros((2, 3), np.float32)), Depth(), (2, 2))


def test_a_dark_picture_that_the_client_takes_for_text():
    """Bytes below 128 are valid UTF-8, as which the client hands them on."""
    file = io.BytesIO()
    Image.fromarray(RGB // 2, "RGB").save(file, "BMP")
    body = file.getvalue()
    text = (body[:38] + bytes(8) + body[46:]).decode()  # Pillow's resolution, which nobody reads, is no text
    pixels = pixels_of(text, Picture(name="lit", format="bmp"), (WIDTH, HEIGHT))
    assert (rgb_of(*pixels) == RGB // 2).all()
