"""Text at the boundary: one charset, lines of JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.text import CHARSET, UTTERANCE_LIMIT, dump_lines, normalise, parse_lines


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("plain text, 5 % off!", "plain text, 5 % off!"),
        ("Cr\u00e8me br\u00fbl\u00e9e \u2013 \u20ac3", "Creme brulee - EUR3"),
        ("\u201cYes\u201d, it\u2019s\u2026", '"Yes", it\'s...'),
        ("2\u00d7500 g", "2x500 g"),
        ("a\tb\r\nc", "a b \nc"),
        ("\u4e2d", "?"),
        ("stra\u00dfe", "strasse"),
        ("\ufb01sh", "fish"),
        ("\x00", "?"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert normalise(text) == folded


def test_the_limit_cuts_after_folding() -> None:
    assert len(normalise("\u2026" * 400)) == UTTERANCE_LIMIT
    assert normalise("abc", limit=2) == "ab"
    assert len(normalise("a" * 2000, limit=None)) == 2000


@given(st.text())
def test_everything_lands_in_the_charset_and_folding_again_changes_nothing(text: str) -> None:
    folded = normalise(text)
    assert set(folded) <= set(CHARSET)
    assert normalise(folded) == folded


values = st.one_of(st.text(), st.integers(-1000, 1000), st.booleans(), st.none(), st.floats(-1e6, 1e6))


@given(st.lists(st.dictionaries(st.text(max_size=8), values, max_size=4), max_size=5))
def test_lines_give_back_their_records(records: list[dict[str, object]]) -> None:
    text = dump_lines(records)
    assert text.isascii()
    assert text.count("\n") == max(0, len(records) - 1)
    assert list(parse_lines(text)) == records


def test_an_empty_text_holds_nothing() -> None:
    assert parse_lines("") == ()
    with pytest.raises(json.JSONDecodeError):
        parse_lines("{broken")
