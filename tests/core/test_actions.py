"""The vocabulary of both roles (S15, S16)."""

from dataclasses import FrozenInstanceError, fields

import pytest

from siturec_gym.core.actions import (
    SHARED_TOOLS,
    SUPERMARKET_TOOLS,
    TOOL_ARGUMENTS,
    Act,
    Tool,
    ToolCall,
    UserAction,
)


def test_there_are_ten_acts() -> None:
    assert len(Act) == 10
    assert {act.value for act in Act} >= {"Greet", "Navigate", "Recommend", "ConfirmPurchase"}


def test_nine_shared_tools_and_twelve_in_the_supermarket() -> None:
    assert len(SHARED_TOOLS) == 9
    assert set(SUPERMARKET_TOOLS) - set(SHARED_TOOLS) == {"move_to_fixture", "pick_up_item", "drop_item"}


def test_every_tool_states_its_arguments_and_they_are_fields_of_a_call() -> None:
    assert set(TOOL_ARGUMENTS) == {tool.value for tool in Tool}
    known = {field.name for field in fields(ToolCall)} - {"tool"}
    assert all(set(arguments) <= known for arguments in TOOL_ARGUMENTS.values())


def test_a_user_who_says_only_words_stays_idle() -> None:
    assert UserAction("hello").call == ToolCall("idle")


def test_records_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ToolCall("idle").tool = "turn"  # type: ignore[misc]
