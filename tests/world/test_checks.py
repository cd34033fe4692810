"""Stores, areas and checks: the tools of the Home Furnishings Store on a hand-made hall (S16, S17, S18)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.core.actions import HOME_TOOLS, Approach, Refusal, Tool, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import Instance, Place, Scene, Structure, Waypoint
from siturec_gym.world import Motion, Outcome, Seen, View, WorldState, apply

BOX = (0.0, 0.0, 1.0, 1.0)
OUTSIDE, INSIDE, POINT = Pose(5.0, 3.0, 90.0), Pose(5.0, 5.0, 90.0), Pose(3.0, 6.0, 90.0, -10.0)


def product(id_: str, size: tuple[float, float, float]) -> Product:
    appearance = Appearance("sofa", size, ("#ffffff",))
    return Product(id_, f"Thing {id_}", "living", "sofas", (), 100.0, (int(id_[1:]), 0, 40), appearance, {})


@pytest.fixture(scope="module")
def hall() -> Scene:
    """10 x 8 m. A wall at y = 4 with a gap at x 4..6 is the front of "Sofa House"; its one area lies north-west.

    I1 sofa 2 x 1 x 0.8 m at (3, 7.3); I2 rug 0.02 m high at (5, 6); I3 lamp hanging at (5, 6), 2 m up.
    """
    store = Place(
        "S1", "Sofa House", "store", "", 20_001, (1, 1, 1), (5.0, 6.0), -90.0, (10.0, 4.0, 3.0), (),
        {Approach.OUTSIDE_DOORWAY: OUTSIDE, Approach.INSIDE_DOORWAY: INSIDE}, ("P001", "P002", "P003"), "Sofa House",
    )  # fmt: skip
    area = Place(
        "A01", "Sofa Corner", "area", "", 20_002, (2, 2, 2), (3.0, 6.5), -90.0, (3.0, 2.0, 0.0), (),
        {Approach.FIXED: POINT}, ("P001", "P002", "P003"), "Sofa Corner", "S1",
    )  # fmt: skip
    goods = (product("P001", (2.0, 1.0, 0.8)), product("P002", (2.0, 1.4, 0.02)), product("P003", (0.4, 0.4, 0.4)))
    spots = ((3.0, 7.3, 0.0), (5.0, 6.0, 0.0), (5.0, 6.0, 2.0))
    items = tuple(Instance(f"I{i}", i, f"P00{i}", "A01", spots[i - 1], -90.0, "front", 0) for i in (1, 2, 3))
    walls = (
        Structure("X1", "wall", 30_001, (3, 3, 3), (0.0, 3.9, 0.0, 4.0, 4.1, 3.0), True),
        Structure("X2", "wall", 30_002, (4, 4, 4), (6.0, 3.9, 0.0, 10.0, 4.1, 3.0), True),
    )
    ways = (Waypoint("W1", 5.0, 2.0, ("W2",)), Waypoint("W2", 5.0, 5.2, ("W1",)))
    bounds, start = (0.0, 0.0, 10.0, 8.0), Pose(1.0, 1.0, 0.0)
    return Scene(
        "hall",
        "Hall",
        Catalog(goods),
        items,
        (store, area),
        ways,
        walls,
        bounds,
        start,
        HOME_TOOLS,
        "hall",
    )


@pytest.fixture
def act(hall: Scene) -> Callable[..., Outcome]:
    motion = Motion(hall)

    def run(call: ToolCall, state: WorldState | None = None, reach: bool = True) -> Outcome:
        state = state or WorldState(Pose(3.0, 6.0, 90.0))
        both = (Approach.OUTSIDE_DOORWAY, Approach.INSIDE_DOORWAY)
        places = {
            "S1": Seen("S1", "store", "Sofa House", None, 2.0, 0.0, BOX, 90, False, both),
            "A01": Seen("A01", "area", "Sofa Corner", None, 2.0, 0.0, BOX, 90, False, ()),
        }
        products = {"P001": Seen("P001", "product", "Thing P001", "I1", 1.3, 0.0, BOX, 90, reach, ())}
        view = View(state.pose, places, products)
        return apply(hall, state, view, call, lambda movement: motion.execute(state.pose, movement))

    return run


@pytest.mark.parametrize(("approach", "reached"), [("outside_doorway", OUTSIDE), ("inside_doorway", INSIDE)])
def test_a_move_to_a_store_ends_at_its_doorway(act, approach, reached):
    outcome = act(ToolCall("move_to_store", target="S1", approach=approach), WorldState(Pose(1.0, 1.0, 0.0)))
    assert (outcome.refusal, outcome.state.pose) == (None, reached)


def test_a_move_to_an_area_ends_at_its_fixed_point(act):
    outcome = act(ToolCall("move_to_area", target="A01"), WorldState(Pose(1.0, 1.0, 0.0)))
    assert (outcome.refusal, outcome.state.pose) == (None, POINT)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (ToolCall("move_to_store", target="S1"), Refusal.MISSING_ARGUMENT),
        (ToolCall("move_to_store", approach="inside_doorway"), Refusal.MISSING_ARGUMENT),
        (ToolCall("move_to_store", target="S1", approach="front"), Refusal.ARGUMENT_OUT_OF_RANGE),
        (ToolCall("move_to_store", target="A01", approach="inside_doorway"), Refusal.WRONG_KIND_OF_TARGET),
        (ToolCall("move_to_store", target="S9", approach="inside_doorway"), Refusal.UNKNOWN_TARGET),
        (ToolCall("move_to_area", target="S1"), Refusal.WRONG_KIND_OF_TARGET),
        (ToolCall("move_to_area"), Refusal.MISSING_ARGUMENT),
        (ToolCall("check_item", target="P002"), Refusal.TARGET_NOT_VISIBLE),
        (ToolCall("check_item", target="A01"), Refusal.WRONG_KIND_OF_TARGET),
        (ToolCall("add_to_cart"), Refusal.NOTHING_CHECKED),
        (ToolCall("do_not_add_to_cart"), Refusal.NOTHING_CHECKED),
        (ToolCall("pick_up_item", target="P001"), Refusal.NOT_A_TOOL_HERE),
    ],
)
def test_calls_against_the_rules_are_refused(act, call, reason):
    before = WorldState(Pose(3.0, 6.0, 90.0))
    outcome = act(call, before)
    assert (outcome.refusal, outcome.executed.tool, outcome.state) == (reason, "idle", before)


def test_what_is_out_of_reach_cannot_be_checked(act):
    assert act(ToolCall("check_item", target="P001"), reach=False).refusal == Refusal.OUT_OF_REACH


def test_a_check_reveals_and_leaves_the_item_where_it_is(act):
    state = act(ToolCall("check_item", target="P001")).state
    assert (state.checked, state.held, state.removed, state.revealed) == ("I1", None, frozenset(), frozenset({"P001"}))


def test_a_checked_item_can_be_bought_or_left(act):
    checked = act(ToolCall("check_item", target="P001")).state
    bought = act(ToolCall("add_to_cart"), checked).state
    assert (bought.cart, bought.checked, bought.removed) == (("P001",), None, frozenset())
    left = act(ToolCall("do_not_add_to_cart"), checked).state
    assert (left.cart, left.checked, left.revealed) == ((), None, frozenset({"P001"}))


def test_a_check_ends_out_of_reach_and_not_before(act):
    checked = replace(WorldState(Pose(3.0, 6.0, 90.0)), checked="I1")
    near = act(ToolCall("move_backward", distance_m=1.0), checked).state  # the sofa's middle is then 2.3 m away
    assert near.checked == "I1"
    assert act(ToolCall("move_backward", distance_m=0.5), near).state.checked is None


def test_furniture_blocks_and_rugs_and_hanging_lamps_do_not(hall):
    motion = Motion(hall)
    stopped = motion.execute(Pose(3.0, 6.0, 90.0), ToolCall(Tool.MOVE_FORWARD, distance_m=2.0))
    assert stopped.y == pytest.approx(7.3 - 0.5 - 0.3, abs=1e-3)
    over = motion.execute(Pose(5.0, 5.2, 90.0), ToolCall(Tool.MOVE_FORWARD, distance_m=2.0))
    assert over.y == pytest.approx(7.2)


def test_a_store_is_where_its_doorway_is(hall):
    assert hall.place_by_id["S1"].anchor_m == (5.0, 4.0)
    assert hall.places_of_product == dict.fromkeys(("P001", "P002", "P003"), ("A01",))
