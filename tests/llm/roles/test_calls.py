"""Tool calls as models write them: whatever the schema admits is read as a legal call, and nothing illegal is."""

import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from schema_reply import value_of

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.legality import LegalActions
from siturec_gym.llm.roles.calls import call_schema, read_call

STORE = LegalActions(
    frozenset(("move_forward", "turn", "look_up_down", "idle", "move_to_fixture", "pick_up_item")),
    {"move_to_fixture": ("2", "12", "29"), "pick_up_item": ("A", "B")},
    {"2": ("nearest", "front"), "12": ("nearest", "front"), "29": ("nearest", "back")},
)
HANDLES = st.lists(st.sampled_from(["1", "2", "12", "1a", "A", "AB"]), unique=True, max_size=4).map(tuple)


@st.composite
def legal_sets(draw: st.DrawFn) -> LegalActions:
    """Any tools with any targets and approaches, as a view may have them."""
    tools = set(draw(st.sets(st.sampled_from([tool.value for tool in Tool]), min_size=1)))
    places, areas, products = draw(HANDLES), draw(HANDLES), draw(HANDLES)
    of = {"move_to_fixture": places, "move_to_store": places, "move_to_area": areas, "pick_up_item": products}
    targets = {tool: named for tool, named in of.items() if tool in tools and named}
    sides = st.lists(st.sampled_from(["nearest", "front", "back"]), unique=True, min_size=1).map(tuple)
    approaches = {place: draw(sides) for place in places}
    moves = {"move_to_fixture", "move_to_store", "move_to_area"}
    return LegalActions(frozenset(tools - (moves - targets.keys()) | {"idle"}), targets, approaches)


@given(legal_sets(), st.randoms(use_true_random=False))
def test_what_the_schema_admits_is_read_as_a_legal_call(legal: LegalActions, chance: random.Random) -> None:
    schema = call_schema(legal)
    jsonschema.Draft202012Validator.check_schema(schema)
    value = value_of(schema, chance)
    jsonschema.validate(value, schema)
    call = read_call(json.loads(json.dumps(value)), legal)
    assert legal.allows(call.tool, call.target, call.approach)


def test_every_legal_call_has_a_form() -> None:
    forms = call_schema(STORE)["anyOf"]
    named = {
        (form["properties"]["tool"]["const"], target, approach)
        for form in forms
        for target in form["properties"].get("target", {"enum": [None]})["enum"]
        for approach in form["properties"].get("approach", {"enum": [None]})["enum"]
    }
    walks = {("move_to_fixture", p, s) for p in ("2", "12") for s in ("nearest", "front")}
    walks |= {("move_to_fixture", "29", "nearest"), ("move_to_fixture", "29", "back")}
    talks = {(tool, None, None) for tool in ("move_forward", "turn", "look_up_down", "idle")}
    assert named == walks | talks | {("pick_up_item", "A", None), ("pick_up_item", "B", None)}


def test_forms_are_closed_and_need_everything() -> None:
    for form in call_schema(STORE)["anyOf"]:
        assert form["required"] == list(form["properties"])
        assert form["additionalProperties"] is False


@pytest.mark.parametrize(
    ("value", "call"),
    [
        ({"tool": "idle"}, ToolCall("idle")),
        ({"tool": "idle", "target": None, "approach": None}, ToolCall("idle")),
        ({"tool": "move_forward", "distance_m": 1.25}, ToolCall("move_forward", distance_m=1.25)),
        ({"tool": "move_forward", "duration_s": 2}, ToolCall("move_forward", duration_s=2.0)),
        ({"tool": "turn", "direction": "left", "angle_deg": 0}, ToolCall("turn", "left", 0.0)),
        ({"tool": "move_to_fixture", "target": 12, "approach": "front"},
         ToolCall("move_to_fixture", target="12", approach="front")),
    ],
)  # fmt: skip
def test_what_may_be_said_in_other_ways_is_read_too(value: dict[str, Any], call: ToolCall) -> None:
    assert read_call(value, STORE) == call


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("idle", "expected an object with a tool and its arguments, got 'idle'"),
        ({}, "tool None cannot be called now; legal are idle, look_up_down, move_forward"),
        ({"tool": ["idle"]}, r"tool \['idle'\] cannot be called now"),
        ({"tool": "add_to_cart"}, "tool 'add_to_cart' cannot be called now"),
        ({"tool": "idle", "target": "A"}, "idle takes no arguments, not 'target'"),
        ({"tool": "turn", "direction": "up", "angle_deg": 5}, "turn needs direction left or right, got 'up'"),
        ({"tool": "look_up_down", "direction": "left", "angle_deg": 5}, "needs direction up or down"),
        ({"tool": "turn", "direction": ["left"], "angle_deg": 5}, "needs direction left or right"),
        ({"tool": "turn", "direction": "left"}, "turn needs angle_deg as a number from 0 to 180, got None"),
        ({"tool": "turn", "direction": "left", "angle_deg": 181}, "from 0 to 180, got 181"),
        ({"tool": "turn", "direction": "left", "angle_deg": True}, "from 0 to 180, got True"),
        ({"tool": "turn", "direction": "left", "angle_deg": float("nan")}, "from 0 to 180, got nan"),
        ({"tool": "move_forward", "distance_m": 10**400}, "from 0 to 5, got 1000"),
        ({"tool": "move_forward", "distance_m": "1"}, "move_forward needs distance_m as a number from 0 to 5, got '1'"),
        ({"tool": "move_forward", "distance_m": -1}, "from 0 to 5, got -1"),
        ({"tool": "move_forward", "distance_m": 1, "duration_s": 1}, "distance_m or duration_s, not both"),
        ({"tool": "move_forward", "duration_s": 6}, "move_forward needs duration_s as a number from 0 to 5, got 6"),
        ({"tool": "pick_up_item"}, "target None is none that pick_up_item can have now; it can have A, B"),
        ({"tool": "pick_up_item", "target": "2"}, "target '2' is none that pick_up_item can have now"),
        ({"tool": "move_to_fixture", "target": "29", "approach": "front"},
         "move_to_fixture to 29 needs approach nearest or back, got 'front'"),
        ({"tool": "move_to_fixture", "target": "29"}, "needs approach nearest or back, got None"),
    ],
)  # fmt: skip
def test_what_is_no_legal_call_is_one_line_that_says_what_is(value: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        read_call(value, STORE)
    assert "\n" not in str(caught.value)


def test_without_targets_a_tool_is_called_without_one() -> None:
    """An assistant that is not told what is in view may expect an item to be taken without naming it."""
    legal = LegalActions(frozenset(("pick_up_item",)), {}, {})
    assert call_schema(legal)["anyOf"][0]["required"] == ["tool"]
    assert read_call({"tool": "pick_up_item"}, legal) == ToolCall("pick_up_item")
    with pytest.raises(ValueError, match="pick_up_item can name no target now, got 'A'"):
        read_call({"tool": "pick_up_item", "target": "A"}, legal)


_LEAVES = st.none() | st.booleans() | st.floats() | st.integers() | st.text()
_NAMES = st.sampled_from(["tool", "target", "approach", "direction", "angle_deg", "distance_m", "other"])


@given(st.recursive(_LEAVES, lambda values: st.lists(values) | st.dictionaries(_NAMES, values)))
def test_any_value_is_a_legal_call_or_one_line(value: Any) -> None:
    call, problem = None, ""
    try:
        call = read_call(value, STORE)
    except ValueError as error:
        problem = str(error)
    assert "\n" not in problem
    assert call is None or STORE.allows(call.tool, call.target, call.approach)
