"""What a served camera draws, and what it keeps; a renderer that counts."""

from dataclasses import replace

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.lens import EYES
from siturec_gym.renderers.interface import Frame
from siturec_gym.renderers.unrealcv.server.camera import MOST_PIXELS, Camera

HERE, THERE = Pose(1.0, 2.0, 90.0), Pose(1.0, 2.0, 91.0)


class Counted:
    """Draws depth of 2.5 m, and ids that tell how many pictures it has drawn."""

    def __init__(self, width, height):
        if width < 16:
            raise ValueError("too small")
        self.shape = height, width
        self.asked = []
        self.hidden = set()
        self.lenses = []
        self.poses = []

    def set_lens(self, lens):
        self.lenses.append(lens)

    def set_object(self, object_id, *, visible):
        (self.hidden.discard if visible else self.hidden.add)(object_id)

    def set_camera_pose(self, pose):
        self.poses.append(pose)

    def capture(self, modalities):
        self.asked.append(tuple(modalities))
        images = {
            "rgb": np.zeros((*self.shape, 3), np.uint8),
            "depth": np.full(self.shape, 2.5, np.float32),
            "ids": np.full(self.shape, len(self.asked), np.uint16),
        }
        return Frame(*(images[name] if name in modalities else None for name in ("rgb", "depth", "ids")))

    def normals(self):
        self.asked.append(("normals",))
        return np.zeros((*self.shape, 3), np.float32)


@pytest.fixture
def camera():
    return Camera(Counted, 20, 16, fused=True)


def test_colour_brings_the_rest_along(camera):
    for name in ("rgb", "ids", "depth", "ids"):
        camera.image(name, HERE)
    assert camera.renderer.asked == [("rgb", "depth", "ids")]


def test_without_fusing_each_is_drawn_by_itself():
    camera = Camera(Counted, 20, 16, fused=False)
    for name in ("rgb", "ids", "rgb", "depth", "normals", "normals"):
        camera.image(name, HERE)
    assert camera.renderer.asked == [("rgb",), ("ids",), ("depth",), ("normals",)]


@pytest.mark.parametrize("first", ["rgb", "depth"])
def test_depth_is_centimetres_however_often_it_is_asked_for(camera, first):
    camera.image(first, HERE)
    for _ in range(3):
        assert (camera.image("depth", HERE) == 250.0).all()


def test_what_was_drawn_is_kept_until_something_changes(camera):
    def drawn(pose=HERE):
        return int(camera.image("ids", pose)[0, 0])

    assert [drawn(), drawn()] == [1, 1]
    assert [drawn(THERE), drawn(HERE)] == [2, 3]
    camera.hide([5])
    assert drawn() == 4
    camera.lens = replace(EYES, fov_deg=60.0)
    assert drawn() == 5
    assert camera.renderer.poses == [HERE, THERE, HERE]


def test_exactly_what_is_named_is_hidden(camera):
    camera.hide([1, 2])
    camera.hide([2, 3])
    assert camera.renderer.hidden == {2, 3}
    camera.hide([])
    assert camera.renderer.hidden == set()


def test_another_size_keeps_lens_and_what_is_hidden(camera):
    lens = replace(EYES, height_m=2.0)
    camera.lens = lens
    camera.hide([7])
    camera.image("ids", HERE)
    old = camera.renderer
    camera.resize(40, 30)
    assert camera.renderer is not old
    assert camera.renderer.lenses == [lens]
    assert camera.renderer.hidden == {7}
    assert camera.size == (40, 30)
    assert camera.image("ids", HERE).shape == (30, 40)
    assert camera.renderer.poses == [HERE]


def test_a_size_that_cannot_be_leaves_all_as_it_was(camera):
    old = camera.renderer
    with pytest.raises(ValueError, match="too small"):
        camera.resize(2, 2)
    assert MOST_PIXELS == 2_097_152
    with pytest.raises(ValueError, match=r"at most 2097152 pixels here, received 2048x1025"):
        camera.resize(2048, 1025)
    assert camera.renderer is old
    assert camera.size == (20, 16)
    camera.resize(2048, 1024)


def test_who_started_larger_may_be_as_large():
    camera = Camera(Counted, 3000, 1000, fused=True)
    camera.resize(1000, 3000)
    with pytest.raises(ValueError, match="at most 3000000 pixels"):
        camera.resize(3001, 1000)
