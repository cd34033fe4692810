"""Pictures: every view in every format, and the bytes of each format by hand."""

import io
import struct

import numpy as np
import pytest
from PIL import Image

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer

VIEW = Pose(4.0, 1.0, 90.0, -10.0)


@pytest.fixture
def frame(ask, tiny_scene):
    """What camera 0 should see: the milk shelf, from the front."""
    ask("vset /camera/0/pose 400 -100 160 -10 -90 0")
    return EmbeddedRenderer(tiny_scene, 160, 120, light="plain").render(VIEW)


@pytest.mark.parametrize("form", ["png", "bmp", "npy"])
def test_lit_is_what_the_embedded_renderer_draws(ask, frame, form):
    image = ask.image(f"vget /camera/0/lit {form}")
    rgb = image[..., :3] if form == "npy" else image[..., 2::-1]
    np.testing.assert_array_equal(rgb, frame.rgb)


@pytest.mark.parametrize("form", ["png", "bmp", "npy"])
def test_the_mask_has_each_objects_colour(ask, frame, tiny_scene, form):
    image = ask.image(f"vget /camera/0/object_mask {form}")
    rgb = image[..., :3] if form == "npy" else image[..., 2::-1]
    named = {item.object_id: item.id for item in tiny_scene.instances}
    named |= {place.object_id: place.id for place in tiny_scene.navigation_targets}
    named |= {part.object_id: part.id for part in tiny_scene.structures}
    shown = [object_id for object_id in np.unique(frame.ids).tolist() if object_id]
    assert len(shown) >= 5
    for object_id in shown:
        assert (rgb[frame.ids == object_id] == ask.color(named[object_id])).all()


def test_depth_is_in_centimetres(ask, frame):
    depth = ask.image("vget /camera/0/depth npy")
    assert depth.dtype == np.float32
    np.testing.assert_array_equal(depth, frame.depth * np.float32(100))
    assert ask("vget /camera/0/depth") == ask("vget /camera/0/depth npy")


def test_depth_as_a_picture_is_light_where_it_is_near(ask, frame):
    """20 m and more are black: 5 m are 255 * (1 - 0.25) = 191."""
    grey = ask.image("vget /camera/0/depth png")
    assert grey.shape == (120, 160, 4)
    np.testing.assert_allclose(grey[..., 0], 255 * (1 - np.minimum(frame.depth / 20, 1)), atol=0.51)


def test_nothing_is_black_in_the_mask_and_infinitely_far(ask):
    ask("vset /camera/0/pose 400 -450 160 40 -90 0")
    nothing = np.isinf(ask.image("vget /camera/0/depth npy"))
    assert nothing.any()
    mask = ask.image("vget /camera/0/object_mask npy")
    assert (mask[nothing] == (0, 0, 0)).all()
    assert (ask.image("vget /camera/0/depth bmp")[nothing] == 0).all()


def test_normals_are_unreals(ask, frame):
    """The floor faces up: (0, 0, 1) is (127.5, 127.5, 255). The milk shelf's front faces south, Unreal's +y."""
    rgb = ask.image("vget /camera/0/normal npy")
    assert (rgb[frame.ids == 30_001] == (128, 128, 255)).all()
    front = (frame.ids == 20_001) & (rgb[..., 1] == 255)
    assert front.sum() > 50
    bgra = ask.image("vget /camera/0/normal png")
    np.testing.assert_array_equal(bgra[..., 2::-1], rgb[..., :3])


def test_png_has_four_channels_and_a_full_last_one(ask, frame):
    image = np.asarray(Image.open(io.BytesIO(ask("vget /camera/0/lit"))))
    np.testing.assert_array_equal(image[..., :3], frame.rgb)
    assert (image[..., 3] == 255).all()


def test_bmp_by_hand(ask, frame):
    """54 bytes of header, then BGRA from the top left: what older clients cut off the end of the reply."""
    data = ask("vget /camera/0/lit bmp")
    assert data[:2] == b"BM"
    size, _, start, head, width, height, planes, bits = struct.unpack("<IIIIiiHH", data[2:30])
    assert (size, start, head, width, height, planes, bits) == (len(data), 54, 40, 160, -120, 1, 32)
    pixels = np.frombuffer(data, np.uint8)[-120 * 160 * 4 :].reshape(120, 160, 4)
    np.testing.assert_array_equal(pixels[..., 2::-1], frame.rgb)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(data)).convert("RGB")), frame.rgb)


def test_npy_is_what_numpy_saves(ask):
    for view in ("lit", "depth"):
        data = ask(f"vget /camera/0/{view} npy")
        file = io.BytesIO()
        np.save(file, np.load(io.BytesIO(data)))
        assert file.getvalue() == data


@pytest.mark.parametrize("form", ["lit.png", "/etc/passwd", "../../x.npy", "PNG", "exr", "x" * 300])
def test_files_are_never_written(ask, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for view in ("lit", "object_mask", "depth", "normal"):
        answer = ask(f"vget /camera/0/{view} {form}")
        assert answer.startswith("error pictures are sent, not written to files")
        assert len(answer) < 200
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("order", [("lit", "object_mask", "depth"), ("depth", "lit", "object_mask")])
@pytest.mark.parametrize("preset", ["rl", "vlm"])
def test_the_order_of_views_makes_no_difference(ask_in, tiny_scene, order, preset):
    ask = ask_in(tiny_scene, 64, 48, light="plain", preset=preset)
    ask("vset /camera/0/pose 400 -100 160 -10 -90 0")
    images = {view: ask.image(f"vget /camera/0/{view} npy") for view in order}
    frame = EmbeddedRenderer(tiny_scene, 64, 48, preset, light="plain").render(VIEW)
    np.testing.assert_array_equal(images["lit"][..., :3], frame.rgb)
    np.testing.assert_array_equal(images["depth"], frame.depth * np.float32(100))
    assert len(np.unique(images["object_mask"].reshape(-1, 3), axis=0)) == len(np.unique(frame.ids))


def test_a_picture_is_drawn_once_and_again_when_something_moves(ask, monkeypatch):
    drawn = []
    renderer = ask.world.cameras[0].renderer
    capture = renderer.capture
    monkeypatch.setattr(renderer, "capture", lambda modalities: drawn.append(tuple(modalities)) or capture(modalities))
    for view in ("lit bmp", "object_mask bmp", "depth npy", "lit png"):
        ask(f"vget /camera/0/{view}")
    assert drawn == [("rgb", "depth", "ids")]
    for change in ("vset /object/I0001/hide", "vset /camera/0/fov 80", "vbp User turn left 5"):
        ask(change)
        ask("vget /camera/0/lit bmp")
    assert len(drawn) == 4
    ask("vset /object/F01/color 20 30 40")
    ask("vget /camera/0/object_mask bmp")
    assert len(drawn) == 4
