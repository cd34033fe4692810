"""Tokens: a documented vocabulary, fixed lengths, the same in every process."""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.text import CHARSET
from siturec_gym.users import make_user
from siturec_gym.wrappers import DiscreteAssistantActions, GymnasiumForm, TokenizeText
from siturec_gym.wrappers.structured.intents import INTENTS
from siturec_gym.wrappers.tokenize_text import LENGTHS, PADDING, WORDS, token_of, tokens_of_line


@pytest.fixture
def form(make_env: Callable[..., Any]) -> GymnasiumForm:
    return GymnasiumForm(make_env(), make_user("agenda"))


def test_the_vocabulary_by_hand() -> None:
    assert [token_of(piece) for piece in (" ", "!", "a", "~", "\n")] == [1, 2, 66, 95, 96]
    assert token_of("milk") == 97 + zlib.crc32(b"milk") % 4096
    assert tokens_of_line("No Milk!", WORDS) == (token_of("no"), token_of("milk"), 2)
    assert tokens_of_line("$2.50", WORDS) == tuple(token_of(piece) for piece in "$2.50")


@given(st.text(CHARSET))
def test_every_text_of_the_charset_has_tokens(text: str) -> None:
    for line in text.split("\n"):
        assert all(PADDING < token < 97 + WORDS for token in tokens_of_line(line, WORDS))


def test_text_becomes_rows(form: GymnasiumForm) -> None:
    env = TokenizeText(form)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert set(observation) == {*LENGTHS, "marks_array", "pose", "turn", "recommendations_left"}
    assert observation["history"].tolist() == [PADDING] * LENGTHS["history"]
    marks = observation["marks"]
    count = int(np.count_nonzero(marks))
    assert marks[:count].all()
    assert marks[0] == token_of("{")


def test_a_long_history_keeps_its_end_and_other_text_its_beginning(form: GymnasiumForm) -> None:
    env = TokenizeText(DiscreteAssistantActions(form, 5), lengths={"history": 12, "marks": 6})
    env.reset(seed=1)
    observation, *_ = env.step([INTENTS.index("greet"), 0, 0])
    assert observation["history"][-3:].tolist() == [token_of("null"), token_of("}"), token_of("\n")]
    assert observation["marks"][:3].tolist() == [token_of("{"), token_of('"'), token_of("handle")]


def test_static_text_on_request(form: GymnasiumForm) -> None:
    env = TokenizeText(form, lengths={"catalog": 64})
    observation, _ = env.reset(seed=1)
    assert observation["catalog"].shape == (64,)
    assert not {"history", "location_index"} & set(observation)


def test_wrong_arguments_are_clear_when_built(form: GymnasiumForm) -> None:
    with pytest.raises(ValueError, match="'pose' is no text"):
        TokenizeText(form, lengths={"pose": 3})
    with pytest.raises(ValueError, match="'held' must have at least 1 token, got 0"):
        TokenizeText(form, lengths={"held": 0})
    with pytest.raises(ValueError, match="words must be at least 1, got 0"):
        TokenizeText(form, words=0)
    with pytest.raises(ValueError, match="needs text observations"):
        TokenizeText(TokenizeText(form, lengths={}))
