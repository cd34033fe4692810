"""Cameras: where they are, how they look, what is refused."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.lens import Lens
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer

FLOATS = st.floats(-900, 900, allow_nan=False)


def test_both_cameras_start_in_the_shoppers_eyes(ask):
    """The tiny store's start is x 1 m, y 1 m, looking along x: in Unreal y is -100 cm."""
    assert len(ask("vget /cameras").split()) == 2
    for camera in (0, 1):
        assert ask.numbers(f"vget /camera/{camera}/pose") == [100, -100, 160, 0, 0, 0]
        assert ask.numbers(f"vget /camera/{camera}/fov") == [90]
    assert ask("vget /camera/0/size") == "160 120"
    assert ask("vget /camera/1/size") == "320 240"


def test_a_pose_set_on_one_camera_moves_the_shopper_and_both(ask):
    assert ask("vset /camera/1/pose 210.5 -150 160 -20 -30 0") == "ok"
    assert ask.world.state.pose == Pose(2.105, 1.5, 30.0, -20.0)
    assert ask.numbers("vget /camera/0/pose") == [210.5, -150, 160, -20, -30, 0]
    assert ask.numbers("vget /object/User/location") == [210.5, -150, 0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(FLOATS, FLOATS, FLOATS, st.floats(-90, 90), st.floats(-179, 179), st.floats(-179, 179))
def test_what_is_set_is_what_is_got(ask, x, y, z, pitch, yaw, roll):
    words = " ".join(f"{value:.20f}" for value in (x, y, z, pitch, yaw, roll))
    assert ask(f"vset /camera/0/pose {words}") == "ok"
    got = ask.numbers("vget /camera/0/pose")
    assert got == pytest.approx([x, y, z, pitch, yaw, roll], abs=1e-9)
    assert ask("vset /camera/0/pose " + ask("vget /camera/0/pose")) == "ok"
    assert ask.numbers("vget /camera/0/pose") == got


def test_location_and_rotation_are_set_apart(ask):
    ask("vset /camera/0/rotation 10 20 5")
    ask("vset /camera/0/location 300 -200 90")
    assert ask.numbers("vget /camera/0/pose") == [300, -200, 90, 10, 20, 5]
    assert ask.numbers("vget /camera/1/pose") == [300, -200, 160, 10, 20, 0]


def test_height_roll_and_field_of_view_are_drawn(ask, tiny_scene):
    ask("vset /camera/0/pose 100 -100 220 -10 -35 15")
    ask("vset /camera/0/fov 60")
    renderer = EmbeddedRenderer(tiny_scene, 160, 120, light="plain")
    renderer.set_lens(Lens(2.2, 15.0, 60.0))
    expected = renderer.render(Pose(1.0, 1.0, 35.0, -10.0))
    np.testing.assert_array_equal(ask.image("vget /camera/0/lit npy")[..., :3], expected.rgb)
    np.testing.assert_array_equal(ask.image("vget /camera/0/depth npy"), expected.depth * np.float32(100))


def test_a_new_size_keeps_what_is_hidden_and_how_the_camera_looks(ask):
    ask("vset /camera/0/pose 400 -150 160 -20 -90 0")
    ask("vset /camera/0/fov 75")
    ask("vset /object/I0001/hide")
    small = ask.image("vget /camera/1/object_mask bmp")
    assert ask("vset /camera/1/size 160 120") == "ok"
    ask("vset /camera/1/fov 75")
    np.testing.assert_array_equal(ask.image("vget /camera/1/lit bmp"), ask.image("vget /camera/0/lit bmp"))
    assert small.shape[:2] == (240, 320)
    assert ask("vrun setres 64x48w") == "ok"
    assert ask.image("vget /camera/0/lit png").shape == (48, 64, 4)
    assert ask.numbers("vget /camera/0/fov") == [75]


def test_moveto_stops_at_the_first_contact_and_keeps_the_heading(ask):
    """From (1, 1) along x the way is free; northwards the pillar's south side is y 3.8, and the shopper 0.3 m wide."""
    assert ask("vset /camera/0/moveto 140 -100 160") == "ok"
    assert ask.numbers("vget /camera/0/pose") == pytest.approx([140, -100, 160, 0, 0, 0])
    ask("vset /camera/0/moveto 140 -450 160")
    assert ask.numbers("vget /camera/0/pose") == pytest.approx([140, -350, 160, 0, 0, 0], abs=0.1)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("vget /camera/2/pose", "no camera 2"),
        ("vset /camera/7/fov 60", "no camera 7"),
        ("vset /camera/0/fov 0", "1 to 170"),
        ("vset /camera/0/fov nan", "finite"),
        ("vset /camera/0/pose 1 2 3 4 5", "No handler found"),
        ("vset /camera/0/location 1 two 3", "finite number"),
        ("vset /camera/0/location inf 0 0", "finite number"),
        ("vset /camera/0/location 1e300 0 160", "within 1000 m"),
        ("vset /camera/0/location 0 0 1e9", "within 100000 cm"),
        ("vset /camera/0/moveto 1e9 0 160", "within 1000 m"),
        ("vset /camera/0/rotation 91 0 0", "a pitch lies within 90"),
        ("vset /camera/0/size 8 8", "16 to 4096"),
        ("vset /camera/0/size 99999 20", "16 to 4096"),
        ("vset /camera/0/size 4000 4000", "at most 2097152 pixels"),
        ("vrun setres 99999x99999", "at most 2097152 pixels"),
        ("vset /camera/0/size -1 9", "No handler found"),
        ("vrun setres huge", "640x480"),
        ("vrun slomo 2", "console"),
    ],
)
def test_what_cannot_be_is_an_error_and_changes_nothing(ask, command, words):
    before = ask("vget /camera/0/pose"), ask("vget /camera/0/fov"), ask("vget /camera/0/size")
    answer = ask(command)
    assert answer.startswith("error ")
    assert words in answer
    assert "\n" not in answer
    assert (ask("vget /camera/0/pose"), ask("vget /camera/0/fov"), ask("vget /camera/0/size")) == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.tuples(*[st.floats(-100_000, 100_000)] * 3), st.floats(-90, 90), st.floats(), st.floats(), st.floats(1, 170))
def test_wherever_a_camera_is_put_something_is_drawn(ask, position, pitch, yaw, roll, fov):
    """Numbers that are none are refused; no place, however odd, breaks the drawing."""
    answer = ask("vset /camera/0/pose " + " ".join(map(repr, (*position, pitch, yaw, roll))))
    assert answer == "ok" or answer.startswith("error expected a finite number")
    ask(f"vset /camera/0/fov {fov}")
    assert ask.image("vget /camera/0/lit bmp").shape[:2] == (120, 160)
    assert ask.image("vget /camera/0/normal npy").shape == (120, 160, 3)


def test_a_server_started_with_large_pictures_may_draw_them_again(ask_in, tiny_scene):
    ask = ask_in(tiny_scene, 2200, 1000, light="plain")
    assert ask("vset /camera/0/size 64 48") == ask("vset /camera/0/size 2200 1000") == "ok"
    assert ask("vset /camera/1/size 2200 1000").startswith("error pictures have at most 2097152 pixels")
