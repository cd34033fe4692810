"""Cameras that are not the user's, by hand: heights, tilted heads, fields of view; and normals."""

import math

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.lens import EYES, Lens

FLOOR, WEST_WALL = 30_001, 30_002


@pytest.mark.parametrize(("height_m", "fov_deg"), [(0.4, 90.0), (2.5, 90.0), (1.6, 60.0), (1.0, 120.0)])
def test_floor_by_hand(make, height_m, fov_deg):
    """A level camera at height h: row r of 120 meets the floor at h * f / (r + 0.5 - 60) m, f its focal length."""
    renderer = make()
    renderer.set_lens(Lens(height_m=height_m, fov_deg=fov_deg))
    frame = renderer.render(Pose(0.5, 0.6, 0.0))
    focal = 80.0 / math.tan(math.radians(fov_deg / 2.0))
    for row in (100, 119):
        floor = frame.ids[row] == FLOOR
        assert floor.any()
        np.testing.assert_allclose(frame.depth[row][floor], height_m * focal / (row - 59.5), rtol=1e-5)


@pytest.mark.parametrize(("roll_deg", "quarter_turns"), [(90.0, 1), (180.0, 2), (-90.0, 3)])
def test_a_camera_that_tilts_clockwise_sees_the_store_tilt_the_other_way(make, roll_deg, quarter_turns):
    renderer = make(120, 120)
    pose = Pose(1.5, 1.0, 35.0, -10.0)
    level = renderer.render(pose)
    renderer.set_lens(Lens(roll_deg=roll_deg))
    tilted = renderer.render(pose)
    assert (tilted.ids == np.rot90(level.ids, quarter_turns)).mean() > 0.995
    assert not np.array_equal(tilted.ids, level.ids)


def test_the_eyes_see_what_they_saw_before(make):
    renderer, pose = make(), Pose(1.5, 1.0, 35.0)
    before, visible = renderer.render(pose), renderer.visibility(pose)
    renderer.set_lens(Lens(height_m=2.9, fov_deg=40.0))
    assert not np.array_equal(renderer.render(pose).ids, before.ids)
    np.testing.assert_array_equal(renderer.visibility(pose).pixels, visible.pixels)
    renderer.set_lens(EYES)
    np.testing.assert_array_equal(renderer.render(pose).rgb, before.rgb)


@pytest.mark.parametrize("fov_deg", [0.0, -1.0, 180.0, math.nan])
def test_a_field_of_view_that_cannot_be(make, fov_deg):
    with pytest.raises(ValueError, match="between 0 and 180"):
        make().set_lens(Lens(fov_deg=fov_deg))


def test_normals_by_hand(make):
    """The floor faces up, the west wall east; outside nothing is hit."""
    renderer = make()
    renderer.set_camera_pose(Pose(3.0, 1.5, 180.0))
    normals, ids = renderer.normals(), renderer.capture(("ids",)).ids
    for object_id, normal in ((FLOOR, (0.0, 0.0, 1.0)), (WEST_WALL, (1.0, 0.0, 0.0))):
        assert (normals[ids == object_id] == np.array(normal, np.float32)).all()
    assert set(np.unique(ids)) >= {FLOOR, WEST_WALL}
    renderer.set_camera_pose(Pose(4.0, 4.5, 90.0, 40.0))
    nothing = renderer.capture(("ids",)).ids == 0
    assert nothing.any()
    assert (renderer.normals()[nothing] == 0.0).all()


def test_normals_have_length_one_and_face_the_camera(make):
    renderer, pose = make(64, 48), Pose(4.0, 1.0, 90.0)
    renderer.set_camera_pose(pose)
    normals, hit = renderer.normals(), renderer.capture(("ids",)).ids > 0
    np.testing.assert_allclose(np.linalg.norm(normals[hit], axis=-1), 1.0, rtol=1e-5)
    across, above = np.meshgrid((np.arange(64) + 0.5 - 32) / 32, -(np.arange(48) + 0.5 - 24) / 32)
    rays = np.stack((across, np.ones_like(across), above), axis=-1)
    assert ((rays * normals).sum(axis=-1)[hit] < 0.0).all()
