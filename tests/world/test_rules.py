"""Preconditions and effects of the twelve tools (S2, S4, S16, S17, S18)."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import SUPERMARKET_TOOLS, Approach, Refusal, Tool, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import Scene
from siturec_gym.world import Motion, NoRouteError, Outcome, Seen, View, WorldState, apply, initial_state

BOX = (0.0, 0.0, 1.0, 1.0)
MILK = Seen("P001", "product", "Alder Whole Milk 1 L", "I0002", 1.4, 0.0, BOX, 90, True, ())
FAR_SOUP = Seen("P004", "product", "Cedar Tomato Soup 400 g", "I0005", 3.6, -40.0, BOX, 30, False, ())
SHELF = Seen("F01", "fixture", "Milk Shelf", None, 1.5, 0.0, BOX, 900, False, (Approach.NEAREST, Approach.FRONT))
POSE = Pose(4.0, 1.0, 90.0)
VIEW = View(POSE, {"F01": SHELF}, {"P001": MILK, "P004": FAR_SOUP})
EMPTY_HANDED = WorldState(POSE)
HOLDING = replace(
    EMPTY_HANDED, held="I0002", removed=frozenset({"I0002"}), revealed=frozenset({"P001"})
)  # fmt: skip
Act = Callable[..., Outcome]


@pytest.fixture
def act(tiny_scene: Scene) -> Act:
    motion = Motion(tiny_scene)

    def act(call: ToolCall, state: WorldState = EMPTY_HANDED, view: View = VIEW) -> Outcome:
        return apply(tiny_scene, state, view, call, lambda movement: motion.execute(state.pose, movement))

    return act


def test_an_episode_starts_with_nothing(tiny_scene: Scene) -> None:
    assert initial_state(tiny_scene) == WorldState(Pose(1.0, 1.0, 0.0), (), None, None, frozenset(), frozenset(), 0)


def test_a_movement_moves(act: Act) -> None:
    call = ToolCall(Tool.MOVE_FORWARD, distance_m=0.5)
    outcome = act(call)
    assert outcome.state == replace(EMPTY_HANDED, pose=Pose(4.0, 1.5, 90.0))
    assert (outcome.requested, outcome.executed, outcome.refusal) == (call, call, None)
    assert outcome.displacement_m == pytest.approx(0.5)


def test_picking_up_takes_the_item_off_its_shelf_and_reveals_it(act: Act) -> None:
    outcome = act(ToolCall(Tool.PICK_UP_ITEM, target="P001"))
    assert outcome.state == HOLDING
    assert outcome.displacement_m == 0.0


def test_dropping_puts_the_item_back_and_what_was_read_stays_known(act: Act) -> None:
    outcome = act(ToolCall(Tool.DROP_ITEM), HOLDING)
    assert outcome.state == replace(EMPTY_HANDED, revealed=frozenset({"P001"}))


def test_adding_to_the_cart_empties_the_hand_and_the_item_stays_off_the_shelf(act: Act) -> None:
    outcome = act(ToolCall(Tool.ADD_TO_CART), HOLDING)
    assert outcome.state == replace(HOLDING, held=None, cart=("P001",))


def test_idle_changes_nothing(act: Act) -> None:
    assert act(ToolCall(Tool.IDLE), HOLDING).state == HOLDING


REFUSED = [
    (ToolCall("fly"), EMPTY_HANDED, Refusal.NOT_A_TOOL_HERE),
    (ToolCall(Tool.CHECK_ITEM, target="P001"), EMPTY_HANDED, Refusal.NOT_A_TOOL_HERE),
    (ToolCall(Tool.MOVE_FORWARD), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.MOVE_FORWARD, distance_m=-0.1), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.MOVE_FORWARD, distance_m=5.1), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.MOVE_FORWARD, distance_m=float("nan")), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.MOVE_BACKWARD, duration_s=6.0), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.SIDE_STEP, distance_m=1.0), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.SIDE_STEP, direction="up", distance_m=1.0), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.TURN, direction="left"), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.TURN, angle_deg=90.0), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.TURN, direction="left", angle_deg=181.0), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.LOOK_UP_DOWN, direction="left", angle_deg=20.0), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (ToolCall(Tool.TURN_AND_MOVE, direction="left", angle_deg=20.0), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.MOVE_AND_TURN, direction="left", distance_m=1.0), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.MOVE_TO_FIXTURE, approach="front"), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="F01"), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="roof"), EMPTY_HANDED, Refusal.ARGUMENT_OUT_OF_RANGE),
    (
        ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="inside_doorway"),
        EMPTY_HANDED,
        Refusal.ARGUMENT_OUT_OF_RANGE,
    ),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="F77", approach="front"), EMPTY_HANDED, Refusal.UNKNOWN_TARGET),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="P001", approach="front"), EMPTY_HANDED, Refusal.WRONG_KIND_OF_TARGET),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="F02", approach="front"), EMPTY_HANDED, Refusal.TARGET_NOT_VISIBLE),
    (ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="back"), EMPTY_HANDED, Refusal.SIDE_NOT_SUPPORTED),
    (ToolCall(Tool.PICK_UP_ITEM), EMPTY_HANDED, Refusal.MISSING_ARGUMENT),
    (ToolCall(Tool.PICK_UP_ITEM, target="P999"), EMPTY_HANDED, Refusal.UNKNOWN_TARGET),
    (ToolCall(Tool.PICK_UP_ITEM, target="F01"), EMPTY_HANDED, Refusal.WRONG_KIND_OF_TARGET),
    (ToolCall(Tool.PICK_UP_ITEM, target="P002"), EMPTY_HANDED, Refusal.TARGET_NOT_VISIBLE),
    (ToolCall(Tool.PICK_UP_ITEM, target="P004"), EMPTY_HANDED, Refusal.OUT_OF_REACH),
    (ToolCall(Tool.PICK_UP_ITEM, target="P001"), HOLDING, Refusal.HANDS_FULL),
    (ToolCall(Tool.DROP_ITEM), EMPTY_HANDED, Refusal.HANDS_EMPTY),
    (ToolCall(Tool.ADD_TO_CART), EMPTY_HANDED, Refusal.HANDS_EMPTY),
]


@pytest.mark.parametrize(("call", "state", "reason"), REFUSED)
def test_a_refused_call_is_spent_idle(act: Act, call: ToolCall, state: WorldState, reason: Refusal) -> None:
    outcome = act(call, state)
    assert outcome == Outcome(state, call, ToolCall(Tool.IDLE), reason, 0.0)


def test_no_way_to_a_fixture_is_refused(tiny_scene: Scene) -> None:
    def blocked(call: ToolCall) -> Pose:
        raise NoRouteError("walled in")

    call = ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest")
    outcome = apply(tiny_scene, EMPTY_HANDED, VIEW, call, blocked)
    assert outcome == Outcome(EMPTY_HANDED, call, ToolCall(Tool.IDLE), Refusal.NO_ROUTE, 0.0)


def test_an_item_already_taken_cannot_be_taken_from_an_old_view(act: Act) -> None:
    taken = replace(EMPTY_HANDED, removed=frozenset({"I0002"}))
    assert act(ToolCall(Tool.PICK_UP_ITEM, target="P001"), taken).refusal == Refusal.TARGET_NOT_VISIBLE


def test_arguments_that_a_tool_does_not_take_are_ignored(act: Act) -> None:
    call = ToolCall(Tool.MOVE_FORWARD, direction="up", angle_deg=900.0, distance_m=0.5, target="P999")
    assert act(call).refusal is None


INTO_THE_SHELF = ToolCall(Tool.MOVE_FORWARD, distance_m=1.0)
AT_THE_SHELF = replace(EMPTY_HANDED, pose=Pose(4.0, 1.8999, 90.0))


def test_translations_that_do_not_move_count_towards_a_stall(act: Act) -> None:
    state = AT_THE_SHELF
    for expected in (1, 2, 3):
        state = act(INTO_THE_SHELF, state).state
        assert state.stalled == expected


def test_one_that_moves_resets_the_count_and_others_leave_it(act: Act) -> None:
    stalled = replace(AT_THE_SHELF, stalled=2)
    assert act(ToolCall(Tool.MOVE_BACKWARD, distance_m=0.05), stalled).state.stalled == 0
    assert act(ToolCall(Tool.MOVE_BACKWARD, distance_m=0.049), stalled).state.stalled == 3
    assert act(ToolCall(Tool.TURN, direction="left", angle_deg=90.0), stalled).state.stalled == 2
    assert act(ToolCall(Tool.LOOK_UP_DOWN, direction="up", angle_deg=9.0), stalled).state.stalled == 2
    assert act(ToolCall(Tool.IDLE), stalled).state.stalled == 2
    assert act(ToolCall(Tool.PICK_UP_ITEM, target="P001"), stalled).state.stalled == 2
    assert act(ToolCall(Tool.MOVE_FORWARD), stalled).state.stalled == 2  # refused


@pytest.mark.parametrize(("moved_m", "expected"), [(0.05, 0), (0.0499, 3)])
def test_five_centimetres_are_a_movement(tiny_scene: Scene, moved_m: float, expected: int) -> None:
    state = WorldState(Pose(0.0, 0.0, 0.0), stalled=2)
    reached = Pose(moved_m, 0.0, 0.0)
    assert apply(tiny_scene, state, VIEW, INTO_THE_SHELF, lambda call: reached).state.stalled == expected


def test_moving_to_where_one_is_does_not_count(act: Act) -> None:
    nearest = ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="nearest")
    assert act(nearest, replace(AT_THE_SHELF, stalled=2)).state.stalled == 2
    front = ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="front")
    assert act(front, replace(EMPTY_HANDED, stalled=2)).state.stalled == 2


def test_a_move_to_a_place_that_gets_nowhere_counts(tiny_scene: Scene) -> None:
    """A game engine may leave the user standing though the way is known."""
    front = ToolCall(Tool.MOVE_TO_FIXTURE, target="F01", approach="front")
    far = replace(EMPTY_HANDED, pose=Pose(1.0, 1.0, 0.0))
    assert apply(tiny_scene, far, VIEW, front, lambda call: far.pose).state.stalled == 1


def test_the_supermarket_has_twelve_tools(tiny_scene: Scene) -> None:
    assert len(SUPERMARKET_TOOLS) == len(set(SUPERMARKET_TOOLS)) == 12


numbers = st.one_of(st.none(), st.floats())
names = st.one_of(st.none(), st.text(max_size=4), st.sampled_from(["left", "up", "F01", "P001", "front", "nearest"]))


@given(
    st.lists(
        st.builds(
            ToolCall,
            st.one_of(st.sampled_from([tool.value for tool in Tool]), st.text(max_size=5)),
            names,
            numbers,
            numbers,
            numbers,
            names,
            names,
        ),
        max_size=12,
    )
)
def test_any_call_has_an_outcome_and_keeps_the_world_whole(tiny_scene: Scene, calls: list[ToolCall]) -> None:
    motion, state = Motion(tiny_scene), EMPTY_HANDED
    for call in calls:
        here = state.pose
        outcome = apply(tiny_scene, state, VIEW, call, lambda movement, here=here: motion.execute(here, movement))
        assert outcome.requested == call
        if outcome.refusal is not None:
            assert outcome.refusal in set(Refusal)
            assert outcome.state == state
            assert outcome.executed == ToolCall(Tool.IDLE)
        state = outcome.state
        in_hand = set() if state.held is None else {state.held}
        assert in_hand <= state.removed
        assert len(state.removed) == len(state.cart) + len(in_hand)
        assert -60.0 <= state.pose.pitch_deg <= 60.0
