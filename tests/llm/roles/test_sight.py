"""Pictures of an observation as parts of a message."""

import io

import numpy as np
import pytest
from PIL import Image

from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.sight import current_view, layout_map, png, size_of

VIEW = np.zeros((240, 320, 3), np.uint8)
MARKED = np.full((240, 320, 3), 9, np.uint8)
MAP = np.full((360, 480, 3), 7, np.uint8)
SEEN = {"rgb": VIEW, "som_image": MARKED, "map_image": MAP}


def pixels(part):
    return np.asarray(Image.open(io.BytesIO(part.data)))


def test_the_marked_view_is_sent_else_the_plain_one():
    assert (pixels(current_view(SEEN, RoleSettings())) == 9).all()
    assert (pixels(current_view({"rgb": VIEW}, RoleSettings())) == 0).all()
    assert (pixels(layout_map(SEEN, RoleSettings())) == 7).all()


@pytest.mark.parametrize(
    ("settings", "seen", "view", "layout"),
    [
        (RoleSettings(images=0), SEEN, False, False),
        (RoleSettings(map_image=False), SEEN, True, False),
        (RoleSettings(), {"map_image": MAP}, False, True),
        (RoleSettings(), {}, False, False),
    ],
)
def test_pictures_that_are_not_wanted_or_not_there_are_none(settings, seen, view, layout):
    assert (current_view(seen, settings) is not None, layout_map(seen, settings) is not None) == (view, layout)


@pytest.mark.parametrize(
    ("shape", "side", "size"),
    [
        ((240, 320, 3), 160, (160, 120)),
        ((240, 320, 3), 320, (320, 240)),
        ((240, 320, 3), 640, (320, 240)),
        ((320, 240, 3), 160, (120, 160)),
        ((1, 999, 3), 28, (28, 1)),
        ((240, 320, 3), None, (320, 240)),
    ],
)
def test_pictures_shrink_to_the_longest_side_and_never_grow(shape, side, size):
    assert size_of(png(np.zeros(shape, np.uint8), side)) == size


def test_equal_pictures_are_encoded_once_and_others_are_told_apart(monkeypatch):
    first = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    part = png(first, 60)
    with monkeypatch.context() as patch:
        patch.setattr(Image, "fromarray", None)
        assert png(first.copy(), 60) is part
        assert png(np.asfortranarray(first), 60) is part
    other = first.copy()
    other[0, 0, 0] ^= 1
    assert png(other, 60) != part
    assert png(first.reshape(60, 40, 3), 60) != part
    assert size_of(png(first, 30)) == (30, 20)


def test_pictures_that_were_long_not_sent_are_forgotten(monkeypatch):
    from siturec_gym.llm.roles import sight

    monkeypatch.setattr(sight, "_encoded", type(sight._encoded)())
    for shade in range(sight._KEPT + 5):
        png(np.full((2, 2, 3), shade, np.uint8))
    assert len(sight._encoded) == sight._KEPT
