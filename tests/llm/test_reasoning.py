"""Reasoning is taken off the front of a reply."""

import pytest

from siturec_gym.llm.reasoning import split_reasoning


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("yes", ("", "yes")),
        ("<think>hm</think>yes", ("hm", "yes")),
        ("\n<thinking>\nhm\n</thinking>\n\n{}", ("hm", "{}")),
        ("hm</think>yes", ("hm", "yes")),
        ("<think>cut off", ("cut off", "")),
        ("say <think>x</think>", ("say <think>x", "")),
        ("", ("", "")),
    ],
)
def test_what_was_thought_and_what_was_said(text, parts):
    assert split_reasoning(text) == parts
