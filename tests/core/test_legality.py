"""Legal actions from an observation, and their agreement with the rules (S16, S17)."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import HOME_TOOLS, SUPERMARKET_TOOLS, Refusal, Tool, ToolCall
from siturec_gym.core.legality import ALWAYS_LEGAL, legal_actions
from siturec_gym.core.pose import Pose
from siturec_gym.core.text import dump_lines
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.rules import refusal
from siturec_gym.world.state import WorldState
from siturec_gym.world.view import Seen, View, supported_approaches

SHELF = {"handle": "AA", "kind": "fixture", "name": "Milk Shelf", "approaches": ["nearest", "front"]}
NEAR = {"handle": "1", "kind": "product", "name": "Alder Whole Milk 1 L", "reachable": True}
FAR = {"handle": "2", "kind": "product", "name": "Cedar Tomato Soup 400 g", "reachable": False}


STORE = {"handle": "AB", "kind": "store", "name": "Lamp Loft", "approaches": ["outside_doorway", "inside_doorway"]}
AREA = {"handle": "A1", "kind": "area", "name": "Reading Corner", "approaches": []}


def observation(
    marks: list[dict[str, Any]], held: str = "", tools: tuple[Tool, ...] = SUPERMARKET_TOOLS
) -> dict[str, Any]:
    lines = dump_lines({"tool": tool.value} for tool in tools)
    return {"marks": dump_lines(marks), "held": held, "tools": lines, "pose": np.zeros(4, np.float32)}


def test_stores_areas_and_checks_in_the_home_store() -> None:
    legal = legal_actions(observation([STORE, AREA, NEAR, FAR], tools=HOME_TOOLS))
    assert legal.targets == {"move_to_store": ("AB",), "move_to_area": ("A1",), "check_item": ("1",)}
    assert legal.allows("move_to_store", "AB", "inside_doorway")
    assert not legal.allows("move_to_store", "AB", "front")
    assert legal.allows("move_to_area", "A1")
    assert "add_to_cart" not in legal.tools


def test_a_checked_item_may_be_bought_left_or_followed_by_another_check() -> None:
    legal = legal_actions(observation([NEAR], held="{}", tools=HOME_TOOLS))
    assert {"add_to_cart", "do_not_add_to_cart", "check_item"} <= legal.tools
    assert "drop_item" not in legal.tools


def test_free_movements_and_idle_are_always_legal() -> None:
    legal = legal_actions(observation([]))
    assert legal.tools == ALWAYS_LEGAL
    assert len(ALWAYS_LEGAL) == 8
    assert not legal.targets
    assert not legal.approaches


def test_visible_places_and_reachable_products_are_targets_by_their_handles() -> None:
    legal = legal_actions(observation([SHELF, NEAR, FAR]))
    assert legal.targets == {"move_to_fixture": ("AA",), "pick_up_item": ("1",)}
    assert legal.approaches == {"AA": ("nearest", "front")}
    assert legal.tools == ALWAYS_LEGAL | {"move_to_fixture", "pick_up_item"}


def test_a_product_out_of_reach_makes_nothing_legal() -> None:
    assert "pick_up_item" not in legal_actions(observation([FAR])).tools


def test_a_full_hand_swaps_picking_up_for_dropping_and_buying() -> None:
    legal = legal_actions(observation([NEAR], held='{"name":"x"}'))
    assert legal.tools == ALWAYS_LEGAL | {"drop_item", "add_to_cart"}
    assert not legal.targets


def test_names_are_plain_strings() -> None:
    legal = legal_actions(observation([SHELF, NEAR]))
    assert all(type(tool) is str for tool in (*legal.tools, *legal.targets))


def test_allows_answers_for_one_call() -> None:
    legal = legal_actions(observation([SHELF, NEAR]))
    assert legal.allows("turn")
    assert legal.allows("move_to_fixture", "AA", "front")
    assert not legal.allows("move_to_fixture", "AA", "back")
    assert not legal.allows("move_to_fixture", "1", "front")
    assert not legal.allows("pick_up_item")
    assert legal.allows("pick_up_item", "1")
    assert not legal.allows("drop_item")


@given(
    st.floats(0.0, 8.0),
    st.floats(0.0, 5.0),
    st.sets(st.sampled_from(["P001", "P004"])),
    st.sets(st.sampled_from(["F01", "F02"])),
    st.booleans(),
)
def test_what_is_legal_is_what_the_rules_do_not_refuse(
    tiny_scene: Scene, x: float, y: float, products: set[str], places: set[str], holding: bool
) -> None:
    pose, box = Pose(x, y, 0.0), (0.0, 0.0, 1.0, 1.0)
    state = WorldState(pose, held="I0003", removed=frozenset({"I0003"})) if holding else WorldState(pose)
    seen_places = {
        id_: Seen(
            id_, "fixture", id_, None, 1.0, 0.0, box, 99, False,
            supported_approaches(tiny_scene.place_by_id[id_], pose),
        )
        for id_ in sorted(places)
    }  # fmt: skip
    seen_products = {
        id_: Seen(id_, "product", id_, f"I000{i}", 1.0, 0.0, box, 99, id_ == "P001", ())
        for i, id_ in enumerate(sorted(products))
    }
    view = View(pose, seen_places, seen_products)
    marks: list[dict[str, Any]] = [
        {"handle": s.entity_id, "kind": s.kind, "name": s.name, "approaches": list(s.approaches)}
        for s in seen_places.values()
    ]
    marks += [
        {"handle": s.entity_id, "kind": s.kind, "name": s.name, "reachable": s.reachable}
        for s in seen_products.values()
    ]
    legal = legal_actions(observation(marks, held="{}" if holding else ""))
    arguments = {"direction": "left", "angle_deg": 10.0, "distance_m": 1.0}
    for tool in tiny_scene.tools:
        for target in ("F01", "F02", "P001", "P004"):
            for approach in ("nearest", "front", "back"):
                direction = "up" if tool == Tool.LOOK_UP_DOWN else "left"
                call = ToolCall(tool, **{**arguments, "direction": direction}, target=target, approach=approach)  # type: ignore[arg-type]
                reason = refusal(tiny_scene, state, view, call)
                assert (reason is None) == legal.allows(tool, target, approach), (call, reason)
                assert reason is None or reason in set(Refusal)
