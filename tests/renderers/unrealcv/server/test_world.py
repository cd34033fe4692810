"""One store with one shopper: what is moved, taken and hidden, in a room whose distances are known."""

from dataclasses import replace

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.lens import EYES
from siturec_gym.renderers.unrealcv.server.world import World

BEFORE_MILK = Pose(3.6, 1.8, 90.0, -25.0)


@pytest.fixture
def world(tiny_scene):
    return World(tiny_scene, 160, 120, light="plain")


def hidden(world):
    return [set(camera._hidden) for camera in world.cameras]


def test_two_cameras_in_the_same_eyes(world):
    assert [camera.size for camera in world.cameras] == [(160, 120), (320, 240)]
    assert world.state.pose == Pose(1.0, 1.0, 0.0)


def test_everything_has_another_colour(world):
    colors = [world.palette[thing.object_id] for thing in world.things.values()]
    assert len(colors) == 6 + 2 + 4  # items, shelves, structures
    assert len(set(colors)) == len(colors)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        (Pose(1000.1, 0.0, 0.0), "within 1000 m of the origin, received x 1000.1 m, y 0 m"),
        (Pose(0.0, -1001.0, 0.0), "received x 0 m, y -1001 m"),
        (Pose(0.0, 0.0, 0.0, 90.5), "a pitch lies within 90 degrees, received 90.5"),
    ],
)
def test_where_nobody_can_be_put(world, pose, message):
    with pytest.raises(ValueError, match=message):
        world.place_user(pose)
    assert world.state.pose == Pose(1.0, 1.0, 0.0)


def test_walking_straight_stops_at_the_shelf_and_keeps_heading_and_gaze(world):
    """From (4, 1) to the north: the shelf begins at y 2.2, and a shopper has a radius of 0.3 m."""
    world.place_user(Pose(4.0, 1.0, 10.0, 5.0))
    world.walk_towards(4.0, 1.5)
    assert (world.state.pose.x, world.state.pose.y) == pytest.approx((4.0, 1.5))
    world.walk_towards(4.0, 4.5)
    pose = world.state.pose
    assert (pose.x, pose.y) == pytest.approx((4.0, 1.9), abs=1e-3)
    assert (pose.yaw_deg, pose.pitch_deg) == (10.0, 5.0)


def test_walking_too_far_is_refused_before_a_step(world):
    with pytest.raises(ValueError, match="within 1000 m"):
        world.walk_towards(2000.0, 1.0)
    assert world.state.pose == Pose(1.0, 1.0, 0.0)


def test_movements_need_nothing_in_view(world):
    world.place_user(Pose(4.0, 1.0, -90.0))  # with the back to both shelves
    assert world.call(ToolCall("move_to_fixture", target="F02", approach="front")).refusal is None
    assert world.state.pose == Pose(6.2, 2.5, 0.0)


def test_an_item_that_is_picked_up_leaves_its_shelf_in_both_cameras(world):
    world.place_user(BEFORE_MILK)
    assert world.call(ToolCall("pick_up_item", target="I0002")).refusal is None
    assert world.state.held == "I0002"
    assert hidden(world) == [{2}, {2}]
    assert world.call(ToolCall("drop_item")).refusal is None
    assert hidden(world) == [set(), set()]


def test_a_product_means_its_nearest_item(world):
    world.place_user(BEFORE_MILK)
    world.call(ToolCall("pick_up_item", target="P001"))
    assert world.state.held == "I0001"


def test_what_is_out_of_view_is_refused_and_changes_nothing(world):
    world.place_user(replace(BEFORE_MILK, yaw_deg=-90.0))
    before = world.state
    assert world.call(ToolCall("pick_up_item", target="I0002")).refusal is not None
    assert world.state == before


def test_hidden_by_a_client_and_held_are_two_things(world):
    milk = world.things["I0002"]
    world.place_user(BEFORE_MILK)
    world.call(ToolCall("pick_up_item", target="I0002"))
    world.show(milk, False)
    world.show(milk, True)
    assert hidden(world) == [{2}, {2}]  # it is still in the hand
    world.show(milk, False)
    world.call(ToolCall("drop_item"))
    assert hidden(world) == [{2}, {2}]  # it is still put away
    world.show(milk, True)
    assert hidden(world) == [set(), set()]


def test_only_products_can_be_hidden(world):
    with pytest.raises(ValueError, match="only products can be shown and hidden; F01 is a fixture"):
        world.show(world.things["F01"], False)


def test_a_reset_brings_all_back_but_colours_and_sizes(world):
    world.place_user(BEFORE_MILK)
    world.call(ToolCall("pick_up_item", target="I0002"))
    world.show(world.things["I0005"], False)
    world.cameras[0].lens = replace(EYES, fov_deg=60.0)
    world.cameras[0].resize(64, 48)
    world.palette[1] = (1, 2, 3)
    world.reset()
    assert world.state.pose == Pose(1.0, 1.0, 0.0)
    assert world.state.held is None
    assert hidden(world) == [set(), set()]
    assert world.cameras[0].lens == EYES
    assert world.cameras[0].size == (64, 48)
    assert world.palette[1] == (1, 2, 3)


@pytest.mark.parametrize(("settings", "named"), [({"preset": "crayon"}, "crayon"), ({"light": "neon"}, "neon")])
def test_settings_out_of_range(tiny_scene, settings, named):
    with pytest.raises(ValueError, match=named):
        World(tiny_scene, 160, 120, **settings)
