"""A structured action without text is worded by templates."""

from typing import Any

import pytest

from siturec_gym.core.actions import SUPERMARKET_TOOLS, Act, AssistantAction, Navigation, Recommendation, ToolCall
from siturec_gym.core.text import UTTERANCE_LIMIT
from siturec_gym.envs.situated.wording import Wording

CASES = [
    (AssistantAction("", "Greet"), "Hello! What are you looking for today?"),
    (
        AssistantAction("", "Navigate", ToolCall("turn", "left", 90.0), navigation=Navigation("F01")),
        "Please turn left 90 degrees.",
    ),
    (
        AssistantAction("", "Navigate", ToolCall("idle"), navigation=Navigation("F01")),
        "We are heading to the Milk Shelf.",
    ),
    (
        AssistantAction(
            "", "Recommend", ToolCall("pick_up_item", target="P002"), Recommendation("P002", reason="Light.")
        ),
        "I recommend the Alder Lactose-Free Milk 1 L. It costs $1.99. Light. "
        "Please pick up the Alder Lactose-Free Milk 1 L.",
    ),
    (
        AssistantAction("", "Recommend", recommendation=Recommendation("unknown", "Moon Cheese")),
        "I recommend the Moon Cheese.",
    ),
    (
        AssistantAction("", "Explain", ToolCall("move_to_fixture", target="F02", approach="front")),
        "Let me explain. Please go to the front of the Soup Shelf.",
    ),
]


@pytest.mark.parametrize(("action", "words"), CASES)
def test_words_of_an_action(tiny_scene: Any, action: AssistantAction, words: str) -> None:
    assert Wording(tiny_scene).words(action) == words


def test_every_act_and_tool_has_words(tiny_scene: Any) -> None:
    wording = Wording(tiny_scene)
    for act in Act:
        for tool in (*SUPERMARKET_TOOLS, "unknown"):
            bare, full = ToolCall(tool), ToolCall(tool, "left", 30.0, 1.5, None, "F01", "front")
            for call in (bare, full):
                words = wording.words(AssistantAction("", act.value, call))
                assert 0 < len(words) <= UTTERANCE_LIMIT
                assert "None" not in words


def test_silent_actions_reach_the_user_as_words(make_env: Any) -> None:
    env = make_env()
    env.reset(seed=0)
    env.step(env.encode_action("assistant", AssistantAction("  ", "Greet")))
    assert "What are you looking for today?" in env.observe("user")["history"]
    assert "worded_by_template" in env.episode.spoken.flags
