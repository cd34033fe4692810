"""What a model may say in a field."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.text import CHARSET
from siturec_gym.llm.roles.text import bounded_text, said


@given(st.data(), st.integers(1, 40))
def test_what_the_pattern_admits_is_said_as_it_stands_but_for_spaces(data: st.DataObject, chars: int) -> None:
    text = data.draw(st.from_regex(bounded_text(chars)["pattern"].replace("$", r"\Z"), alphabet=CHARSET))
    assert said(text, chars, "utterance").split() == text.split()


@pytest.mark.parametrize("text", ["", " ", " hello", 'a "b"', "a\\b", "a\nb", "é", "x" * 11])
def test_the_pattern_admits_nothing_empty_long_or_strange(text: str) -> None:
    assert not re.search(bounded_text(10)["pattern"], text)


def test_text_is_folded_to_one_line_of_the_charset() -> None:
    assert said(" Caf\u00e9\n\u201ccr\u00e8me\u201d \t 5\u20ac ", 40, "utterance") == 'Cafe "creme" 5EUR'


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "reason: expected text, got NoneType"),
        (["a"], "reason: expected text, got list"),
        (" \n\t", "reason: must not be empty"),
        ("abcdef", "reason: 6 characters, at most 5 are allowed"),
    ],
)
def test_what_cannot_be_said_is_named(value: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        said(value, 5, "reason")
