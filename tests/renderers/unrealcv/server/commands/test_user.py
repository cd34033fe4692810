"""The shopper's tools: where they lead, what they do to hand and cart, what is refused, in both stores."""

import json
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siturec_gym.core.actions import TOOL_ARGUMENTS, Approach, Tool, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.scenes import load_scene
from siturec_gym.world.motion import Motion, NoRouteError

MILK_SHELF = "vset /camera/0/pose 400 -160 160 -10 -90 0"


@pytest.fixture(scope="module", params=["supermarket", "home_furnishings"])
def store(request):
    return load_scene(request.param)


def told(ask, tool: str) -> dict:
    return json.loads(ask(f"vbp User {tool}"), parse_float=Decimal, parse_int=Decimal)


def pose_told(answer: dict) -> Pose:
    (x, y, _), yaw, pitch = axes.pose_of(answer["pose"])
    return Pose(x, y, yaw, pitch)


def test_a_step_by_hand(ask):
    """One metre ahead along x, then a quarter to the left, which is north: Unreal's -y, yaw -90."""
    answer = told(ask, "move_forward 100")
    assert answer == {
        "pose": [200, -100, 160, 0, 0, 0], "ok": True, "refusal": None, "held": None, "checked": None, "cart": [],
    }  # fmt: skip
    assert told(ask, "turn left 90")["pose"] == [200, -100, 160, 0, -90, 0]
    assert told(ask, "side_step right 50")["pose"] == [250, -100, 160, 0, -90, 0]
    assert told(ask, "look_up_down down 20")["pose"] == [250, -100, 160, -20, -90, 0]
    assert told(ask, "turn_and_move right 90 25.5")["pose"] == pytest.approx([Decimal("275.5"), -100, 160, -20, 0, 0])
    assert told(ask, "move_and_turn left 45 0")["pose"][4] == -45
    assert told(ask, "move_backward 0")["ok"]


METRES, DEGREES = st.floats(0, 5), st.floats(0, 180)
STEPS = st.one_of(
    st.builds(lambda t, m: ToolCall(t, distance_m=m), st.sampled_from(["move_forward", "move_backward"]), METRES),
    st.builds(lambda d, a: ToolCall("turn", d, a), st.sampled_from(["left", "right"]), DEGREES),
    st.builds(lambda d, m: ToolCall("side_step", d, distance_m=m), st.sampled_from(["left", "right"]), METRES),
    st.builds(lambda d, a: ToolCall("look_up_down", d, a), st.sampled_from(["up", "down"]), DEGREES),
    st.builds(
        ToolCall,
        st.sampled_from(["turn_and_move", "move_and_turn"]), st.sampled_from(["left", "right"]),
        DEGREES, METRES,
    ),
    st.builds(
        lambda p, a: ToolCall("move_to_fixture", target=p, approach=a),
        st.sampled_from(["F01", "F02"]), st.sampled_from(["nearest", "front"]),
    ),
)  # fmt: skip


def in_words(call: ToolCall) -> str:
    words = [call.direction, None if call.angle_deg is None else axes.number_text(call.angle_deg)]
    words += [None if call.distance_m is None else axes.cm_text(call.distance_m), call.target, call.approach]
    return " ".join([call.tool, *(word for word in words if word is not None)])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=12))
def test_walks_are_those_of_the_embedded_motion_bit_for_bit(ask, tiny_scene, calls):
    ask("vbp User reset")
    motion, pose = Motion(tiny_scene), tiny_scene.start_pose
    for call in calls:
        answer = told(ask, in_words(call))
        try:
            pose = motion.execute(pose, call)
            assert answer["refusal"] is None
        except NoRouteError:
            assert answer["refusal"] == "no_route"
        assert pose_told(answer) == pose


def test_every_tool_of_the_store_is_listed_and_no_other(ask_in, store):
    ask = ask_in(store, 32, 24)
    listed = [line.split() for line in ask("vget /unrealcv/commands").splitlines() if line.startswith("vbp User ")]
    tools = {words[2]: len(words) - 3 for words in listed}
    assert tools.pop("get_state") == tools.pop("reset") == 0
    assert tools == {tool: len(set(TOOL_ARGUMENTS[tool]) - {"duration_s"}) for tool in store.tools}


def test_moves_to_every_place_by_every_approach_it_has(ask_in, store):
    """Each ends where the place's fixed point is; what needs no approach takes none."""
    ask = ask_in(store, 32, 24)
    for place in store.navigation_targets:
        for approach, goal in place.approaches.items():
            words = "" if approach == Approach.FIXED else f" {approach}"
            answer = told(ask, f"move_to_{place.kind} {place.id}{words}")
            assert (answer["ok"], pose_told(answer)) == (True, goal)


def test_an_item_is_picked_up_put_back_taken_and_bought(ask):
    ask(MILK_SHELF)
    color = ask.color("I0001")

    def on_the_shelf() -> bool:
        return bool((ask.image("vget /camera/0/object_mask npy")[..., :3] == color).all(axis=-1).any())

    assert on_the_shelf()
    assert told(ask, "pick_up_item I0001")["held"] == "I0001"
    assert not on_the_shelf()
    assert told(ask, "pick_up_item I0002")["refusal"] == "hands_full"
    answer = told(ask, "drop_item")
    assert (answer["held"], answer["ok"], on_the_shelf()) == (None, True, True)
    told(ask, "pick_up_item I0001")
    answer = told(ask, "add_to_cart")
    product = ask.world.scene.instance_by_id["I0001"].product_id
    assert (answer["held"], answer["cart"], on_the_shelf()) == (None, [product], False)
    assert told(ask, "get_state")["cart"] == [product]
    assert ask("vset /object/I0001/show") == "ok"
    assert not on_the_shelf()


def test_a_product_means_its_nearest_item_and_an_item_means_itself(ask_in):
    """Of several tins of one product in reach, the product's id takes the nearest, an item's id that very one."""
    store = load_scene("supermarket")
    ask = ask_in(store, 320, 240)
    told(ask, "move_to_fixture F03 front")
    seen = ask.world.cameras[0].renderer.visibility(ask.world.state.pose)
    pixels = dict(zip(seen.object_ids.tolist(), seen.pixels.tolist(), strict=True))
    by_product: dict[str, list[str]] = {}
    for item in store.instances:
        if pixels.get(item.object_id, 0) >= 30:
            by_product.setdefault(item.product_id, []).append(item.id)
    product, items = next((product, items) for product, items in by_product.items() if len(items) > 2)
    nearest = told(ask, f"pick_up_item {product}")["held"]
    told(ask, "drop_item")
    assert nearest in items
    for item in items:
        assert told(ask, f"pick_up_item {item}")["held"] == item
        told(ask, "drop_item")


def test_furniture_is_checked_and_bought_where_it_stands(ask_in):
    store = load_scene("home_furnishings")
    ask = ask_in(store, 320, 240)
    told(ask, f"move_to_area {store.areas[0].id}")
    in_reach = [
        item.id
        for item in store.instances
        if item.place_id == store.areas[0].id and told(ask, f"check_item {item.id}")["ok"]
    ]
    assert in_reach
    item = in_reach[0]
    assert told(ask, f"check_item {item}")["checked"] == item
    assert told(ask, "do_not_add_to_cart")["checked"] is None
    assert told(ask, "add_to_cart")["refusal"] == "nothing_checked"
    told(ask, f"check_item {item}")
    answer = told(ask, "add_to_cart")
    assert answer["cart"] == [store.instance_by_id[item].product_id]
    assert ask.world.state.removed == frozenset()


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("move_forward 500.1", "argument_out_of_range"),
        ("move_forward -1", "argument_out_of_range"),
        ("turn up 10", "argument_out_of_range"),
        ("turn left 181", "argument_out_of_range"),
        ("move_to_fixture F09 front", "unknown_target"),
        ("move_to_fixture I0001 front", "unknown_target"),
        ("move_to_fixture P001 front", "wrong_kind_of_target"),
        ("move_to_fixture F02 back", "side_not_supported"),
        ("move_to_fixture F02 sideways", "argument_out_of_range"),
        ("pick_up_item F01", "wrong_kind_of_target"),
        ("pick_up_item nothing", "unknown_target"),
        ("pick_up_item I0001", "out_of_reach"),
        ("drop_item", "hands_empty"),
        ("add_to_cart", "hands_empty"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_changes_nothing(ask, words, refusal):
    ask(
        "vset /camera/0/pose 400 -60 160 0 -90 0"
        if words != "pick_up_item I0001"
        else "vset /camera/0/pose 100 -60 160 0 -20 0"
    )
    before = ask.world.state
    answer = told(ask, words)
    assert (answer["ok"], answer["refusal"]) == (False, refusal)
    assert ask.world.state == before


@pytest.mark.parametrize(
    "words",
    [
        "move_forward", "move_forward 1 2", "move_forward ten", "turn left nan", "check_item I0001", "fly 10",
        "do_not_add_to_cart", "move_to_area A01", "turn",
    ],
)  # fmt: skip
def test_what_is_no_call_is_an_error(ask, words):
    """The tiny store is a supermarket: nothing is checked in it, and it has no areas."""
    assert ask(f"vbp User {words}").startswith("error ")
    assert ask("vbp Nobody idle").startswith("error No handler found")


def test_reset_puts_everything_back_but_colours_and_sizes(ask):
    ask(MILK_SHELF)
    start = ask.world.scene.start_pose
    for command in ("vbp User pick_up_item I0001", "vset /object/I0002/hide", "vset /object/F01/color 30 40 50",
                    "vset /camera/0/fov 50", "vset /camera/0/size 64 48"):  # fmt: skip
        assert not ask(command).startswith("error"), command
    answer = told(ask, "reset")
    assert (pose_told(answer), answer["held"], answer["cart"]) == (start, None, [])
    assert ask.numbers("vget /camera/0/fov") == [90]
    assert (ask.color("F01"), ask("vget /camera/0/size")) == ((30, 40, 50), "64 48")
    ask(MILK_SHELF)
    mask = ask.image("vget /camera/1/object_mask npy")[..., :3]
    assert all((mask == ask.color(name)).all(axis=-1).any() for name in ("I0001", "I0002"))


def test_idle_does_nothing(ask):
    before = ask.world.state
    assert told(ask, str(Tool.IDLE))["ok"]
    assert ask.world.state == before
