"""What a person types for a tool call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.cli.console.tool_words import USAGE, parse_call
from siturec_gym.core.actions import HOME_TOOLS, SUPERMARKET_TOOLS, ToolCall


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("forward", ToolCall("move_forward", distance_m=1.0)),
        ("forward 2.5m", ToolCall("move_forward", distance_m=2.5)),
        ("back 0.5", ToolCall("move_backward", distance_m=0.5)),
        ("turn left 90", ToolCall("turn", "left", 90.0)),
        ("TURN R 45deg", ToolCall("turn", "right", 45.0)),
        ("turn left", ToolCall("turn", "left", 90.0)),
        ("turnmove left 90 2", ToolCall("turn_and_move", "left", 90.0, 2.0)),
        ("moveturn right 30 1.5", ToolCall("move_and_turn", "right", 30.0, 1.5)),
        ("side right 1", ToolCall("side_step", "right", distance_m=1.0)),
        ("look down", ToolCall("look_up_down", "down", 20.0)),
        ("go F01 front", ToolCall("move_to_fixture", target="F01", approach="front")),
        ("go milk shelf", ToolCall("move_to_fixture", target="F01", approach="nearest")),
        ("pick p001", ToolCall("pick_up_item", target="P001")),
        ("pick whole milk", ToolCall("pick_up_item", target="P001")),
        ("pick_up_item P002", ToolCall("pick_up_item", target="P002")),
        ("add", ToolCall("add_to_cart")),
        ("drop", ToolCall("drop_item")),
        ("wait", ToolCall("idle")),
    ],
)
def test_plain_words_become_calls(text, call, marks):
    assert parse_call(text, marks) == call


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly", "nothing you can do; type help"),
        ("forwrd 1", "did you mean 'forward'"),
        ("turn", r"something is missing; type: turn left\|right"),
        ("turn up 20", "'up' is not one of left, right"),
        ("turn left many", "'many' is not a number"),
        ("turnmove left 90", "something is missing"),
        ("go F99", "'f99' is not in view"),
        ("go P001", "'p001' is not in view"),
        ("pick", "something is missing; type: pick PRODUCT"),
        ("pick alder", "could be P001 Alder Whole Milk 1 L, P002 Alder Lactose-Free Milk 1 L"),
    ],
)
def test_anything_else_is_answered_with_what_would_do(text, message, marks):
    with pytest.raises(ValueError, match=message):
        parse_call(text, marks)


def test_every_tool_can_be_typed():
    assert set(USAGE) == {*SUPERMARKET_TOOLS, *HOME_TOOLS}


HOME_MARKS = (
    {"handle": "AB", "kind": "store", "name": "Lamp Loft", "approaches": ["outside_doorway", "inside_doorway"]},
    {"handle": "A3", "kind": "area", "name": "Reading Corner", "approaches": []},
    {"handle": "4", "kind": "product", "name": "Oak Floor Lamp", "reachable": True},
)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("go lamp loft", ToolCall("move_to_store", target="AB", approach="inside_doorway")),
        ("go AB outside", ToolCall("move_to_store", target="AB", approach="outside_doorway")),
        ("go reading", ToolCall("move_to_area", target="A3")),
        ("check floor lamp", ToolCall("check_item", target="4")),
        ("leave", ToolCall("do_not_add_to_cart")),
    ],
)
def test_plain_words_become_calls_in_the_home_store(text, call):
    assert parse_call(text, HOME_MARKS) == call


def test_a_way_to_go_that_the_place_does_not_have_is_refused():
    with pytest.raises(ValueError, match=r"'front' is no way to go to Lamp Loft; type: go STORE"):
        parse_call("go AB front", HOME_MARKS)


@given(st.text())
def test_no_text_breaks_the_parser(text):
    try:
        call = parse_call(text, ())
    except ValueError:
        return
    assert call.tool in USAGE
