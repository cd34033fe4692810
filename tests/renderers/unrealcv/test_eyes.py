"""Which views a batch asks for, and what is made of the replies: pictures of a few pixels."""

import io

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv.boxes import boxes_of
from siturec_gym.renderers.unrealcv.calibration import unchanged
from siturec_gym.renderers.unrealcv.colors import ColorTable, Paint
from siturec_gym.renderers.unrealcv.eyes import Eyes, Seen
from siturec_gym.renderers.unrealcv.mapping import Mapping

TABLE = ColorTable([Paint(1, "P001", (), (20, 20, 20)), Paint(20_001, "F01", (), (200, 16, 16))], unchanged)
SIZE = 640, 480
EMPTY = np.zeros((480, 640, 3), np.uint8)


def eyes(boxes=None, size=SIZE, visibility=1):
    mask = {"name": "seg", "format": "npy"}
    content = {
        "form": 1,
        "tools": {"turn": {"function": "Turn"}},
        "cameras": {"user": 4, "visibility": visibility},
        "images": {"mask": mask, "rgb": {"name": "lit", "format": "bmp"}, "depth": {"name": "dist", "unit": "m"}},
    }
    return Eyes(Mapping.model_validate(content), size, boxes)


def npy(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


@pytest.mark.parametrize(
    ("modalities", "visibility", "expected"),
    [
        (("rgb",), False, [(4, "rgb")]),
        (("ids",), False, [(4, "mask")]),
        (("depth", "rgb"), False, [(4, "rgb"), (4, "depth")]),
        ((), True, [(1, "mask")]),
        (("rgb", "depth", "ids"), True, [(4, "rgb"), (4, "depth"), (4, "mask"), (1, "mask")]),
    ],
)
def test_nothing_is_asked_for_that_is_not_wanted(modalities, visibility, expected):
    assert eyes().views(modalities, visibility) == expected


def test_shared_colours_need_depth_beside_each_mask(tiny_scene):
    looking = eyes(boxes_of(tiny_scene))
    assert looking.views(("ids",), True) == [(4, "depth"), (4, "mask"), (1, "mask"), (1, "depth")]
    assert looking.views(("rgb",), False) == [(4, "rgb")]


@pytest.mark.parametrize(("size", "visibility"), [((640, 480), None), ((320, 240), 1), ((320, 240), None)])
def test_one_camera_serves_for_both_where_there_is_one_or_sizes_agree(size, visibility):
    looking = eyes(size=size, visibility=visibility)
    assert looking.small == looking.user == 4
    assert looking.sizes == {4: size}
    assert looking.views(("ids",), True) == [(4, "mask")]


def test_a_small_camera_has_its_own_size():
    assert eyes().sizes == {4: (640, 480), 1: (320, 240)}


def test_commands_have_the_names_and_formats_of_the_mapping():
    views = [(4, "rgb"), (1, "mask"), (4, "depth")]
    assert eyes().commands(views) == ["vget /camera/4/lit bmp", "vget /camera/1/seg npy", "vget /camera/4/dist npy"]


def test_masks_become_ids_and_visibility():
    mask = EMPTY.copy()
    mask[0:2, 0:4] = 200, 16, 16  # eight pixels of the shelf, of which two are sampled for what is visible
    mask[479, 639] = 20, 20, 20
    mask[100, 100] = 5, 5, 5  # a colour of nothing
    looking, seen = eyes(visibility=None), Seen("key")
    looking.read(seen, [(4, "mask")], [npy(mask)], TABLE, Pose(0, 0, 0), ("ids",), True)
    expected = np.zeros((480, 640), np.uint16)
    expected[0:2, 0:4], expected[479, 639] = 20_001, 1
    assert np.array_equal(seen.images["ids"], expected)
    assert seen.visibility.object_ids.tolist() == [1, 20_001]
    assert seen.visibility.pixels.tolist() == [1, 2]
    assert seen.visibility.boxes.tolist() == [
        pytest.approx([319 / 320, 239 / 240, 1.0, 1.0]),
        pytest.approx([0.0, 0.0, 2 / 320, 1 / 240]),
    ]


def test_items_of_one_colour_are_told_apart_by_the_depth_of_the_same_batch(tiny_scene):
    """From 0.96 m before the milk: left of the middle stands I0001, right of it I0002."""
    mask = EMPTY.copy()
    mask[240, [303, 336]] = 20, 20, 20
    depth = np.full((480, 640), 0.96, np.float32)
    looking, seen = eyes(boxes_of(tiny_scene), visibility=None), Seen("key")
    views = looking.views(("ids",), False)
    looking.read(seen, views, [npy(depth), npy(mask)], TABLE, Pose(3.65, 1.4, 90.0, -27.5), ("ids",), False)
    assert seen.images["ids"][240, [303, 336]].tolist() == [1, 2]
    assert set(seen.images) == {"ids"}
    assert seen.visibility is None


def test_dark_bytes_that_came_as_text_are_bytes_again():
    """The client takes a reply for text where its bytes are valid UTF-8; a bmp in black is."""
    looking, seen = eyes(size=(16, 16)), Seen("key")
    header = b"BM" + (54 + 4 * 256).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    header += (40).to_bytes(4, "little") + (16).to_bytes(4, "little") * 2 + b"\x01\x00\x20\x00" + bytes(24)
    body = (header + bytes((1, 2, 3, 0)) * 256).decode()
    looking.read(seen, [(4, "rgb")], [body], TABLE, Pose(0, 0, 0), ("rgb",), False)
    assert seen.images["rgb"][5, 5].tolist() == [3, 2, 1]


def test_frames_are_copies_of_what_was_asked_for():
    seen = Seen("key", {"rgb": EMPTY.copy(), "ids": np.zeros((480, 640), np.uint16)})
    frame = seen.frame(["rgb"])
    frame.rgb[:] = 9
    assert not seen.images["rgb"].any()
    assert frame.ids is None
    assert frame.depth is None


def test_a_picture_of_another_size_is_refused():
    looking = eyes(visibility=None)
    with pytest.raises(ValueError, match="seg: the camera gives 320x240 pixels where 640x480 are expected"):
        looking.read(Seen(0), [(4, "mask")], [npy(EMPTY[::2, ::2].copy())], TABLE, Pose(0, 0, 0), ("ids",), False)
