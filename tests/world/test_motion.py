"""Every movement tool in the tiny store, on hand-computed poses (S16, S17)."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec_gym.core.actions import Approach, Tool, ToolCall
from siturec_gym.core.pose import USER_RADIUS_M, Pose
from siturec_gym.scenes.footprints import blocking_rectangles, place_rectangle
from siturec_gym.scenes.scene import Scene, Structure
from siturec_gym.world.motion import STAND_OFF_M, Motion, NoRouteError, walked_m
from siturec_gym.world.sweep import SKIN_M, rectangle_gap

START = Pose(1.5, 1.0, 0.0, 10.0)


@pytest.fixture(scope="module")
def motion(tiny_scene: Scene) -> Motion:
    return Motion(tiny_scene)


def test_forward_and_backward(motion: Motion) -> None:
    assert motion.execute(START, ToolCall(Tool.MOVE_FORWARD, distance_m=2.0)) == Pose(3.5, 1.0, 0.0, 10.0)
    assert motion.execute(START, ToolCall(Tool.MOVE_BACKWARD, distance_m=0.5)) == Pose(1.0, 1.0, 0.0, 10.0)


def test_a_duration_counts_at_one_metre_a_second(motion: Motion) -> None:
    by_time = motion.execute(START, ToolCall(Tool.MOVE_FORWARD, duration_s=2.0))
    assert by_time == motion.execute(START, ToolCall(Tool.MOVE_FORWARD, distance_m=2.0))
    assert walked_m(ToolCall(Tool.MOVE_FORWARD, distance_m=1.0, duration_s=3.0)) == 1.0


def test_side_step_keeps_the_heading(motion: Motion) -> None:
    left = motion.execute(START, ToolCall(Tool.SIDE_STEP, direction="left", distance_m=0.5))
    assert left == Pose(1.5, 1.5, 0.0, 10.0)
    right = motion.execute(START, ToolCall(Tool.SIDE_STEP, direction="right", distance_m=0.5))
    assert right == Pose(1.5, 0.5, 0.0, 10.0)


def test_turns_wrap(motion: Motion) -> None:
    assert motion.execute(START, ToolCall(Tool.TURN, direction="left", angle_deg=90.0)).yaw_deg == 90.0
    assert motion.execute(START, ToolCall(Tool.TURN, direction="left", angle_deg=180.0)).yaw_deg == -180.0
    assert motion.execute(START, ToolCall(Tool.TURN, direction="right", angle_deg=45.0)).yaw_deg == -45.0


def test_turn_and_move_turns_first_and_move_and_turn_moves_first(motion: Motion) -> None:
    arguments = {"direction": "left", "angle_deg": 90.0, "distance_m": 1.0}
    turned_first = motion.execute(START, ToolCall(Tool.TURN_AND_MOVE, **arguments))
    assert turned_first == Pose(1.5, 2.0, 90.0, 10.0)
    moved_first = motion.execute(START, ToolCall(Tool.MOVE_AND_TURN, **arguments))
    assert moved_first == Pose(2.5, 1.0, 90.0, 10.0)


def test_the_gaze_stays_within_sixty_degrees(motion: Motion) -> None:
    up = motion.execute(START, ToolCall(Tool.LOOK_UP_DOWN, direction="up", angle_deg=30.0))
    assert up.pitch_deg == 40.0
    assert motion.execute(up, ToolCall(Tool.LOOK_UP_DOWN, direction="up", angle_deg=90.0)).pitch_deg == 60.0
    assert motion.execute(up, ToolCall(Tool.LOOK_UP_DOWN, direction="down", angle_deg=180.0)).pitch_deg == -60.0


def test_it_stops_at_fixture_bounds_and_blocking_structures(motion: Motion) -> None:
    ahead = Pose(4.0, 1.0, 90.0)
    shelf = motion.execute(ahead, ToolCall(Tool.MOVE_FORWARD, distance_m=5.0))
    assert (shelf.x, shelf.y) == pytest.approx((4.0, 2.2 - USER_RADIUS_M - SKIN_M))
    edge = motion.execute(replace(ahead, yaw_deg=-90.0), ToolCall(Tool.MOVE_FORWARD, distance_m=5.0))
    assert edge.y == pytest.approx(USER_RADIUS_M + SKIN_M)
    pillar = motion.execute(Pose(0.5, 4.0, 0.0), ToolCall(Tool.MOVE_FORWARD, distance_m=5.0))
    assert pillar.x == pytest.approx(1.2 - USER_RADIUS_M - SKIN_M)


def test_front_and_back_are_fixed_viewpoints_that_face_the_fixture(motion: Motion) -> None:
    front = motion.execute(START, ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="front"))
    assert front == Pose(4.0, 1.0, 90.0, 0.0)
    back = motion.execute(START, ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="back"))
    assert back == Pose(4.0, 4.0, -90.0, 0.0)


def test_nearest_ends_at_the_closest_point_and_keeps_the_walking_direction(motion: Motion) -> None:
    reached = motion.execute(START, ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest"))
    gap = rectangle_gap((3.0, 2.2, 5.0, 2.8), reached.x, reached.y)
    assert gap == pytest.approx(STAND_OFF_M)
    toward = math.degrees(math.atan2(2.2 - START.y, 3.0 - START.x))  # the corner (3.0, 2.2) is nearest to the start
    assert reached.yaw_deg == pytest.approx(toward)
    assert reached.pitch_deg == 0.0
    south = motion.execute(Pose(4.3, 0.6, 200.0), ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest"))
    assert (south.x, south.y, south.yaw_deg) == pytest.approx((4.3, 2.2 - STAND_OFF_M, 90.0))


def test_nearest_from_within_reach_stays_and_only_resets_the_gaze(motion: Motion) -> None:
    here = Pose(4.0, 1.8, -20.0, 30.0)
    there = motion.execute(here, ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest"))
    assert there == Pose(4.0, 1.8, -20.0, 0.0)


def test_nearest_takes_another_point_where_the_closest_is_blocked(tiny_scene: Scene) -> None:
    crate = Structure("X09", "checkout", 30_009, (9, 9, 9), (4.0, 1.2, 0.0, 4.6, 1.9, 1.0), True)
    motion = Motion(replace(tiny_scene, structures=(*tiny_scene.structures, crate)))
    reached = motion.execute(Pose(4.3, 0.6, 0.0), ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest"))
    assert rectangle_gap((3.0, 2.2, 5.0, 2.8), reached.x, reached.y) == pytest.approx(STAND_OFF_M)
    assert rectangle_gap((4.0, 1.2, 4.6, 1.9), reached.x, reached.y) > USER_RADIUS_M


def test_routes_go_straight_or_round_by_the_waypoints(motion: Motion) -> None:
    assert motion.route((1.0, 1.0), (2.0, 1.0)) == [(1.0, 1.0), (2.0, 1.0)]
    route = motion.route((4.0, 1.0), (4.0, 4.0))
    assert route is not None
    assert route[0] == (4.0, 1.0)
    assert route[-1] == (4.0, 4.0)
    assert len(route) > 2
    length = sum(math.dist(a, b) for a, b in pairwise(route))
    assert length == pytest.approx(7.0)  # by W02 and W03: 2 + 3 + 2; by W01 and W04 it is longer


def test_the_same_ends_give_the_same_route(tiny_scene: Scene) -> None:
    ends = ((4.0, 1.0), (4.0, 4.0))
    assert Motion(tiny_scene).route(*ends) == Motion(tiny_scene).route(*ends)


def test_a_closed_off_fixture_has_no_route(tiny_scene: Scene) -> None:
    wall = Structure("X09", "wall", 30_009, (9, 9, 9), (5.4, 0.0, 0.0, 5.6, 5.0, 3.0), True)
    motion = Motion(replace(tiny_scene, structures=(*tiny_scene.structures, wall)))
    assert motion.route((1.0, 1.0), (7.0, 1.0)) is None
    for approach in ("front", "nearest"):
        call = ToolCall(Tool.MOVE_TO_FIXTURE, target="F02", approach=approach)
        assert motion.approach_pose(START, tiny_scene.place_by_id["F02"], approach) is None
        with pytest.raises(NoRouteError, match="F02"):
            motion.execute(START, call)


def test_a_side_that_is_not_there_has_no_pose(motion: Motion, tiny_scene: Scene) -> None:
    assert motion.approach_pose(START, tiny_scene.place_by_id["F02"], Approach.BACK) is None


@pytest.mark.parametrize(
    "call",
    [
        ToolCall(Tool.MOVE_FORWARD),
        ToolCall(Tool.TURN, direction="left"),
        ToolCall(Tool.TURN, angle_deg=10.0),
        ToolCall(Tool.TURN, direction="north", angle_deg=10.0),
        ToolCall(Tool.MOVE_TO_FIXTURE, target="F99", approach="front"),
        ToolCall(Tool.MOVE_TO_FIXTURE, target="F01"),
    ],
)
def test_a_call_without_what_it_needs_is_the_callers_mistake(motion: Motion, call: ToolCall) -> None:
    with pytest.raises(ValueError, match=call.tool):
        motion.execute(START, call)


@pytest.mark.parametrize("tool", [Tool.IDLE, Tool.PICK_UP_ITEM, Tool.ADD_TO_CART, Tool.DROP_ITEM])
def test_other_tools_do_not_move(motion: Motion, tool: Tool) -> None:
    assert motion.execute(START, ToolCall(tool)) == START


calls = st.one_of(
    st.builds(
        ToolCall,
        st.sampled_from(["move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step", "turn"]),
        direction=st.sampled_from(["left", "right"]),
        angle_deg=st.floats(0.0, 180.0),
        distance_m=st.floats(0.0, 5.0),
    ),
    st.builds(
        ToolCall,
        st.just("move_to_fixture"),
        target=st.sampled_from(["F01", "F02"]),
        approach=st.sampled_from(["nearest", "front"]),
    ),
)


@settings(deadline=None)
@given(st.lists(calls, min_size=1, max_size=15))
def test_no_walk_ever_overlaps_the_store_or_exceeds_what_was_asked(
    motion: Motion, tiny_scene: Scene, walk: list[ToolCall]
) -> None:
    """S17, as a property: from the start pose, whatever the calls."""
    blocks = [tuple(map(float, box)) for box in blocking_rectangles(tiny_scene)]
    x0, y0, x1, y1 = tiny_scene.bounds_m
    pose = tiny_scene.start_pose
    for call in walk:
        reached = motion.execute(pose, call)
        if call.tool != Tool.MOVE_TO_FIXTURE:
            assert math.dist((pose.x, pose.y), (reached.x, reached.y)) <= walked_m(call) + 1e-9
        pose = reached
        assert all(rectangle_gap(box, pose.x, pose.y) >= USER_RADIUS_M for box in blocks)  # type: ignore[arg-type]
        assert x0 + USER_RADIUS_M <= pose.x <= x1 - USER_RADIUS_M
        assert y0 + USER_RADIUS_M <= pose.y <= y1 - USER_RADIUS_M
        assert -180.0 <= pose.yaw_deg < 180.0


def test_the_footprint_of_a_turned_fixture(tiny_scene: Scene) -> None:
    assert place_rectangle(tiny_scene.place_by_id["F02"]) == pytest.approx((7.4, 1.5, 8.0, 3.5))
