"""A person in either role at a terminal whose lines are scripted."""

import numpy as np
import pytest
from PIL import Image

from siturec_gym.cli.console.seller import ConsoleAssistant
from siturec_gym.cli.console.shopper import ConsoleShopper
from siturec_gym.cli.console.terminal import PersonLeft
from siturec_gym.core.actions import (
    HOME_TOOLS,
    SUPERMARKET_TOOLS,
    AssistantAction,
    Navigation,
    Recommendation,
    ToolCall,
    UserAction,
)
from siturec_gym.core.text import dump_lines

HELD = {"name": "Alder Whole Milk 1 L", "price": 1.49, "tags": ["whole"], "flavour": "", "allergens": ["milk"],
        "nutrition": {"sugar_g": 4.8}}  # fmt: skip


def test_a_shopper_says_something_and_does_one_thing(keyboard, terminal, user_observation):
    keyboard.lines = ["say Lactose-free, please.", "turn left 45"]
    action, state = ConsoleShopper(terminal, None).step(user_observation, 0)
    assert action == UserAction("Lactose-free, please.", ToolCall("turn", "left", 45.0))
    assert state == 1


def test_the_shopper_reads_the_goal_and_what_was_said_and_what_is_possible(keyboard, terminal, user_observation):
    keyboard.lines = ["wait"]
    ConsoleShopper(terminal, None).step(user_observation, 0)
    for words in ("A nurse after a night shift", "without lactose", "anything with oats", "$3.00"):
        assert words in keyboard.text
    assert 'Assistant: "Welcome! What do you need?"' in keyboard.text
    assert "P001  Alder Whole Milk 1 L: 2.0 m, 10 deg left, in reach" in keyboard.text
    assert "You can: " in keyboard.text
    assert "drop" not in keyboard.text


def test_a_held_item_tells_what_is_printed_on_it(keyboard, terminal, user_observation):
    keyboard.lines = ["drop"]
    user_observation["held"] = dump_lines([HELD])
    action, _ = ConsoleShopper(terminal, None).step(user_observation, 1)
    assert action.call == ToolCall("drop_item")
    text = " ".join(keyboard.text.split())
    assert "Held: Alder Whole Milk 1 L ($1.49, whole, contains milk, sugar g 4.8). Cart: empty." in text


def test_what_is_not_possible_costs_no_turn(keyboard, terminal, user_observation):
    keyboard.lines = ["add", "pick P002", "go F01 back", "dance", "help", "goal", "marks", "", "pick P001"]
    action, _ = ConsoleShopper(terminal, None).step(user_observation, 1)
    assert action.call == ToolCall("pick_up_item", target="P001")
    text = " ".join(keyboard.text.split())
    for words in ("not possible now", "out of reach", "F01 can be approached: nearest, front", "'dance' is nothing"):
        assert words in text


@pytest.mark.parametrize("last", ["quit", "EXIT", None])
def test_leaving_is_no_failure(keyboard, terminal, user_observation, last):
    keyboard.lines = ["say hi"] + ([last] if last else [])
    with pytest.raises(PersonLeft):
        ConsoleShopper(terminal, None).step(user_observation, 1)


@pytest.mark.parametrize(
    ("tools", "has", "lacks"), [(SUPERMARKET_TOOLS, "pick", "check"), (HOME_TOOLS, "check", "pick")]
)
def test_help_lists_what_can_be_done_in_this_store(keyboard, terminal, user_observation, tools, has, lacks):
    keyboard.lines = ["help", "wait"]
    user_observation["tools"] = dump_lines({"tool": tool.value} for tool in tools)
    ConsoleShopper(terminal, None).step(user_observation, 1)
    assert f"  {has} PRODUCT" in keyboard.text
    assert f"  {lacks} PRODUCT" not in keyboard.text


def test_the_view_is_written_as_an_image(keyboard, terminal, user_observation, tmp_path):
    keyboard.lines = ["wait"]
    user_observation["rgb"][0, 0] = (1, 2, 3)
    ConsoleShopper(terminal, tmp_path / "view.png").step(user_observation, 1)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "view.png")), user_observation["rgb"])
    assert [path.name for path in tmp_path.iterdir()] == ["view.png"]


def test_a_view_that_cannot_be_written_does_not_end_the_game(keyboard, terminal, user_observation, tmp_path):
    keyboard.lines = ["wait"]
    ConsoleShopper(terminal, tmp_path / "gone" / "view.png").step(user_observation, 1)
    assert "could not be written" in keyboard.text


def test_an_assistant_writes_a_recommendation(keyboard, terminal, assistant_observation):
    keyboard.lines = [
        "find milk", "where P001", "say Try the whole milk.", "recommend p001 it is fresh", "expect pick P001",
        "rank P001", "send",
    ]  # fmt: skip
    action, ranking = ConsoleAssistant(terminal, None).step(assistant_observation, ())
    assert action == AssistantAction(
        "Try the whole milk.",
        "Recommend",
        ToolCall("pick_up_item", target="P001"),
        Recommendation("P001", "Alder Whole Milk 1 L", True, "it is fresh"),
        None,
        ("P001",),
    )
    assert ranking == ("P001",)
    assert "P001  $1.49  Alder Whole Milk 1 L (milk, whole, 1 L)" in keyboard.text
    assert "F01 Milk Shelf, front side: 5.7 m, 45 deg left" in " ".join(keyboard.text.split())


def test_an_assistant_guides_and_keeps_its_ranking(keyboard, terminal, assistant_observation):
    keyboard.lines = ["guide F01 milk is there", "expect go F01 front", "say This way.", ""]
    action, _ = ConsoleAssistant(terminal, None).step(assistant_observation, ("P001",))
    assert action.navigation == Navigation("F01", reason="milk is there")
    assert action.expected_user_action == ToolCall("move_to_fixture", target="F01", approach="front")
    assert (action.act, action.ranking) == ("Navigate", ("P001",))


def test_an_assistants_mistakes_are_answered(keyboard, terminal, assistant_observation):
    keyboard.lines = ["send", "recommend P999", "guide F99", "act Recommend", "hum", "expect fly", "say Ok?", "send"]
    action, _ = ConsoleAssistant(terminal, None).step(assistant_observation, ())
    assert (action.act, action.expected_user_action) == ("AskPreference", ToolCall("idle"))
    for words in ("say something first", "'P999' is no product id", "'F99' is no place", "'hum' is nothing"):
        assert words in keyboard.text


def test_an_assistant_needs_nothing_private(keyboard, terminal, assistant_observation):
    """S1: every command of the assistant works on its own observation, in which no private key exists."""
    assert not {"profile", "goal"} & assistant_observation.keys()
    keyboard.lines = ["help", "marks", "find milk", "where P001", "goal", "say Hello.", "send"]
    ConsoleAssistant(terminal, None).step(assistant_observation, ())
    assert "'goal' is nothing you can type here" in keyboard.text
