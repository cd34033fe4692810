"""Ids and records in words."""

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.evaluation.report.words import call_words, names_of


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (None, "none"),
        (ToolCall("idle"), "idle"),
        (ToolCall("turn_and_move", direction="left", angle_deg=90.0, distance_m=1.5), "turn and move left 90° 1.5 m"),
        (ToolCall("look_up_down", direction="up", angle_deg=40.0), "look up 40°"),
        (ToolCall("move_forward", duration_s=2.0), "move forward 2 s"),
        (ToolCall("move_to_fixture", target="F01", approach="front"), "move to fixture Milk Shelf (front)"),
        (ToolCall("pick_up_item", target="a lamp"), "pick up item a lamp"),
    ],
)
def test_a_call_in_one_line(tiny_scene, call, words) -> None:
    assert call_words(call, names_of(tiny_scene)) == words
