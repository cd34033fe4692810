"""Ids and depth are exact: by hand, against a slow ray caster, with and without culling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer


def agreement(renderer, caster, pose, pixels, width, height):
    """Share of random pixels at which ids and depths equal those of the ray caster."""
    frame = renderer.render(pose)
    generator = np.random.default_rng(3)
    agreed = 0
    for _ in range(pixels):
        x, y = int(generator.integers(width)), int(generator.integers(height))
        object_id, depth = caster.cast(pose, width, height, x, y)
        found = float(frame.depth[y, x])
        agreed += frame.ids[y, x] == object_id and (found == depth or abs(found - depth) < 0.003 * max(1.0, depth))
    return agreed / pixels


def test_wall_at_a_known_distance(make):
    """West wall: x = 0; the camera at x = 3 looks at it, so depth is 3 m over the whole wall, corners included."""
    frame = make().render(Pose(3.0, 1.5, 180.0))
    wall = frame.ids == 30_002
    assert wall.sum() > 2000
    np.testing.assert_allclose(frame.depth[wall], 3.0, rtol=1e-5)


def test_floor_by_hand(make):
    """Camera at 1.6 m, level: row r of 120 (focal length 80) meets the floor at 1.6 * 80 / (r + 0.5 - 60) m."""
    frame = make().render(Pose(0.5, 0.6, 0.0))
    for row in (95, 110, 119):
        floor = frame.ids[row] == 30_001
        assert floor.any()
        np.testing.assert_allclose(frame.depth[row][floor], 128.0 / (row - 59.5), rtol=1e-5)


def test_nothing_is_hit_outside(make):
    frame = make().render(Pose(4.0, 4.5, 90.0, 40.0))
    nothing = frame.ids == 0
    assert nothing.any()
    assert np.isinf(frame.depth[nothing]).all()
    assert np.isfinite(frame.depth[~nothing]).all()


@pytest.mark.parametrize(
    "pose",
    [
        Pose(4.0, 1.0, 90.0),
        Pose(4.2, 1.9, 80.0, -30.0),
        Pose(6.2, 2.5, 0.0, -20.0),
        Pose(1.5, 4.5, -40.0, 60.0),
        Pose(6.9, 4.7, -135.0, -60.0),
        Pose(4.0, 2.21, 90.0, -50.0),
        Pose(4.0, 2.5, 20.0, -60.0),
    ],
)
def test_agrees_with_a_slow_ray_caster(make, caster, pose):
    assert agreement(make(), caster, pose, 300, 160, 120) >= 0.993


def test_shops_agree_with_a_slow_ray_caster(shop, shop_caster):
    """Five viewpoints of each store; where they differ, a ray runs along an edge."""
    renderer = make_renderer("embedded", shop, 320, 240, light="plain")
    for place in shop.navigation_targets[4::6][:5]:
        pose = next(iter(place.approaches.values()))
        assert agreement(renderer, shop_caster, pose, 60, 320, 240) >= 0.96, place.id


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    x=st.floats(-1.0, 9.0),
    y=st.floats(-1.0, 6.0),
    yaw=st.floats(-180.0, 179.0),
    pitch=st.floats(-60.0, 60.0),
)
def test_any_pose_is_drawn_alike_without_culling(tiny_scene, x, y, yaw, pitch):
    """Poses inside walls and shelves, too: finite numbers, known ids, the same image when nothing is left out."""
    pose = Pose(x, y, yaw, pitch)
    frame = make_renderer("embedded", tiny_scene, 64, 48, light="plain").render(pose)
    plain = make_renderer("embedded", tiny_scene, 64, 48, light="plain", culling=False).render(pose)
    assert set(np.unique(frame.ids)) <= {0, *tiny_scene.entity_of_object}
    assert (frame.depth >= 0.05 - 1e-6).all()
    for name in ("rgb", "depth", "ids"):
        assert np.array_equal(getattr(frame, name), getattr(plain, name))


@pytest.mark.parametrize("size", [(160, 120), (320, 240), (333, 201)])
def test_shops_are_drawn_alike_without_culling(shop, size):
    fast = make_renderer("embedded", shop, *size)
    slow = make_renderer("embedded", shop, *size, culling=False)
    for place in shop.navigation_targets[::3]:
        for pose in place.approaches.values():
            first, second = fast.render(pose), slow.render(pose)
            assert np.array_equal(first.ids, second.ids)
            assert np.array_equal(first.depth, second.depth)
            assert np.array_equal(first.rgb, second.rgb)


def test_moving_nearer_never_tears_the_near_plane(make):
    """Walking into a shelf front: what is nearer than 5 cm is cut, and no number leaves its range."""
    renderer = make()
    for step in range(40):
        frame = renderer.render(Pose(4.0, 1.9 + 0.01 * step, 90.0, -45.0))
        assert (frame.depth >= 0.05 - 1e-6).all()
        assert not np.isnan(frame.depth).any()


def test_vlm_has_the_ids_and_depth_of_rl(make):
    pose = Pose(4.0, 1.2, 90.0, -10.0)
    coarse, fine = make(preset="rl").render(pose), make(preset="vlm").render(pose)
    assert np.array_equal(coarse.ids, fine.ids)
    assert np.array_equal(coarse.depth, fine.depth)
    assert (coarse.rgb != fine.rgb).any()
    assert abs(float(coarse.rgb.mean()) - float(fine.rgb.mean())) < 3.0
