"""Encoding is exact on legal records, and bad elements are refused by key."""

import copy
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import (
    SUPERMARKET_TOOLS,
    TOOL_ARGUMENTS,
    Act,
    AssistantAction,
    Navigation,
    Recommendation,
    ToolCall,
    UserAction,
)
from siturec_gym.core.text import CHARSET
from siturec_gym.envs.situated.encoding import ActionCodec
from siturec_gym.envs.situated.spaces import UNKNOWN, Vocabularies, action_spaces

PRODUCTS = ("P001", "P002", "P003", "P004", "P005")
PLACES = ("F01", "F02")
TARGETS = (*PLACES, *PRODUCTS, UNKNOWN)
VALUES = {
    "direction": st.sampled_from(("left", "right", "up", "down", UNKNOWN)),
    "angle_deg": st.floats(0, 360),
    "distance_m": st.floats(0, 10),
    "duration_s": st.floats(0, 10),
    "target": st.sampled_from(TARGETS),
    "approach": st.sampled_from(("nearest", "front", "back", "inside_doorway", UNKNOWN)),
}
TEXT = st.text(CHARSET, max_size=60)


@st.composite
def calls(draw: Any) -> ToolCall:
    tool = draw(st.sampled_from((*map(str, SUPERMARKET_TOOLS), UNKNOWN)))
    taken = TOOL_ARGUMENTS.get(tool, tuple(VALUES))
    return ToolCall(tool, **{name: draw(st.none() | VALUES[name]) for name in taken})


RECOMMENDATIONS = st.builds(
    Recommendation, st.none() | st.sampled_from((*PRODUCTS, UNKNOWN)), TEXT, st.booleans(), TEXT
)
NAVIGATIONS = st.builds(
    Navigation,
    st.none() | st.sampled_from((*PLACES, UNKNOWN)),
    st.none() | st.sampled_from((*PLACES, "W01", "W04", UNKNOWN)),
    st.none() | VALUES["approach"],
    TEXT,
)


@st.composite
def assistant_actions(draw: Any) -> AssistantAction:
    act = draw(st.sampled_from(tuple(map(str, Act))))
    return AssistantAction(
        draw(TEXT),
        act,
        draw(st.none() | calls()),
        draw(RECOMMENDATIONS) if act == Act.RECOMMEND else None,
        draw(NAVIGATIONS) if act == Act.NAVIGATE else None,
        tuple(draw(st.lists(st.sampled_from((*PRODUCTS, UNKNOWN)), max_size=10))),
    )


@pytest.fixture(scope="module")
def words(tiny_scene: Any) -> Vocabularies:
    return Vocabularies(tiny_scene)


@pytest.fixture(scope="module")
def codec(words: Vocabularies) -> ActionCodec:
    return ActionCodec(words)


@given(action=assistant_actions())
def test_assistant_records_survive_exactly(words: Vocabularies, codec: ActionCodec, action: AssistantAction) -> None:
    element = codec.encode_assistant(action)
    assert action_spaces(words)["assistant"].contains(element)
    assert codec.decode_assistant(element) == action


@given(call=calls(), utterance=TEXT)
def test_user_records_survive_exactly(words: Vocabularies, codec: ActionCodec, call: ToolCall, utterance: str) -> None:
    element = codec.encode_user(UserAction(utterance, call))
    assert action_spaces(words)["user"].contains(element)
    assert codec.decode_user(element) == UserAction(utterance, call)


def test_samples_decode_and_encode_back(words: Vocabularies, codec: ActionCodec) -> None:
    space = action_spaces(words)["assistant"]
    space.seed(3)
    for _ in range(50):
        record = codec.decode_assistant(space.sample())
        assert codec.decode_assistant(codec.encode_assistant(record)) == record


def test_what_is_no_name_here_takes_the_reserved_code(codec: ActionCodec) -> None:
    said = Recommendation("P999", "Moon Cheese", True, "tasty")
    action = AssistantAction("Try it!", "Recommend", ToolCall("fly", target="ZZ"), said, ranking=("P001", "P999"))
    decoded = codec.decode_assistant(codec.encode_assistant(action))
    assert decoded.recommendation == Recommendation(UNKNOWN, "Moon Cheese", True, "tasty")
    assert decoded.expected_user_action == ToolCall(UNKNOWN, target=UNKNOWN)
    assert decoded.ranking == ("P001", UNKNOWN)


@pytest.mark.parametrize(("angle", "kept"), [(90.1, 90.1), (400.0, 360.0), (-5.0, None), (math.nan, None)])
def test_numbers_outside_the_range(codec: ActionCodec, angle: float, kept: float | None) -> None:
    element = codec.encode_user(UserAction("", ToolCall("turn", direction="left", angle_deg=angle)))
    assert codec.decode_user(element).call.angle_deg == kept


def test_text_is_folded_and_cut(codec: ActionCodec) -> None:
    element = codec.encode_user(UserAction("Crème brûlée — 2 €" + "x" * 600, ToolCall("idle")))
    assert element["utterance"].startswith("Creme brulee - 2 EUR")
    assert len(element["utterance"]) == 512


def test_an_act_outside_the_ten_is_an_error(codec: ActionCodec) -> None:
    with pytest.raises(ValueError, match="unknown act 'Dance'"):
        codec.encode_assistant(AssistantAction("hi", "Dance"))


BAD_USER = {
    "utterance": [3, None, "x" * 513, "é", b"hi"],
    "tool": [-1, 13, "turn", 1.0, True, None, np.array([1]), np.array(2.5)],
    "direction": [6, "left"],
    "angle_deg": [math.nan, math.inf, -2.0, 361.0, "90", None, np.array([90.0]), True],
    "distance_m": [10.5, -1.5],
    "duration_s": [11, []],
    "target": [9, "P001"],
    "approach": [7, {}],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in BAD_USER.items() for value in values])
def test_bad_user_elements_are_refused_by_key(codec: ActionCodec, key: str, value: Any) -> None:
    element = codec.encode_user(UserAction("hi", ToolCall("idle")))
    with pytest.raises(ValueError, match=key) as caught:
        codec.decode_user({**element, key: value})
    assert "\n" not in str(caught.value)


BAD_ASSISTANT: dict[str, list[Any]] = {
    "act": [10, -1, "Greet"],
    "recommendation": [None, {}, {"product": 0}, 5],
    "recommendation.product": [7, "P001"],
    "recommendation.visible_now": [2, True],
    "navigation.navigation_goal": [4],
    "navigation.reason": [None],
    "expected_user_action": ["idle", {"tool": 0}],
    "expected_user_action.tool": [14],
    "expected_user_action.angle_deg": [999.0],
    "ranking": [None, [0] * 9, np.zeros((10, 1), int), np.zeros(10), [7] * 10, [-1] * 10, "P001"],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in BAD_ASSISTANT.items() for value in values])
def test_bad_assistant_elements_are_refused_by_key(codec: ActionCodec, key: str, value: Any) -> None:
    element: Any = copy.deepcopy(codec.encode_assistant(AssistantAction("hi", "Greet")))
    outer, _, inner = key.partition(".")
    if inner:
        element[outer][inner] = value
    else:
        element[outer] = value
    with pytest.raises(ValueError, match=key.replace(".", r"\.")):
        codec.decode_assistant(element)


@pytest.mark.parametrize("action", [None, 3, "hi", [], {}, {"utterance": "hi"}])
def test_whatever_is_no_dict_of_the_keys_is_refused(codec: ActionCodec, action: Any) -> None:
    with pytest.raises(ValueError, match="action"):
        codec.decode_assistant(action)
    with pytest.raises(ValueError, match="action"):
        codec.decode_user(action)


def test_numpy_and_plain_numbers_are_both_taken(codec: ActionCodec) -> None:
    element = codec.encode_user(UserAction("hi", ToolCall("turn", direction="left", angle_deg=90.0)))
    plain = {**element, "tool": int(element["tool"]), "angle_deg": 90}
    array = {**element, "tool": np.array(element["tool"]), "direction": np.int64(element["direction"])}
    assert codec.decode_user(plain) == codec.decode_user(array) == codec.decode_user(element)
