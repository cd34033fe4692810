"""Episode records: one line of JSON and back, exactly."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import Navigation, Recommendation, ToolCall
from siturec_gym.core.errors import DataError
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import (
    AssistantRecord,
    EpisodeRecord,
    TurnRecord,
    UserRecord,
    ViewRecord,
    from_json,
    to_dict,
    to_json,
)

words = st.text(max_size=12)
maybe = st.one_of(st.none(), words)
numbers = st.floats(allow_nan=False, allow_infinity=False)
tuples = st.lists(words, max_size=3).map(tuple)
calls = st.builds(
    ToolCall, words, maybe, st.none() | numbers, st.none() | numbers, st.none() | numbers, maybe, maybe
)  # fmt: skip
poses = st.builds(Pose, numbers, numbers, numbers, numbers)
views = st.builds(ViewRecord, tuples, tuples, poses)
assistants = st.builds(
    AssistantRecord,
    words,
    words,
    st.none() | st.builds(Recommendation, maybe, words, st.booleans(), words),
    st.none() | st.builds(Navigation, maybe, maybe, maybe, words),
    st.none() | calls,
    tuples,
)
turns = st.builds(
    TurnRecord,
    st.integers(0, 19),
    views,
    assistants,
    st.builds(UserRecord, words, calls, calls, maybe),
    tuples,
    st.dictionaries(words, numbers, max_size=2),
    st.dictionaries(words, numbers, max_size=2),
    maybe,
)
episodes = st.builds(
    EpisodeRecord,
    words,
    st.integers(0, 9),
    st.integers(0, 2**31),
    words,
    words,
    tuples,
    st.sampled_from(["complete", "failed"]),
    words,
    tuples,
    st.lists(turns, max_size=2).map(tuple),
    views,
    maybe,
)


@given(episodes)
def test_a_record_survives_its_line(episode: EpisodeRecord) -> None:
    line = to_json(episode)
    assert "\n" not in line
    assert from_json(line) == episode
    assert from_json(line.encode()) == episode
    assert to_json(from_json(line)) == line
    assert to_dict(episode) == json.loads(line)


def minimal() -> EpisodeRecord:
    view = ViewRecord((), (), Pose(0.0, 0.0, 0.0))
    return EpisodeRecord(
        "supermarket/01.1", 0, 7, "supermarket", "supermarket/01", ("P001",), "complete", "turn_limit", (), (), view
    )


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_half_a_line_is_a_data_error(cut: int) -> None:
    with pytest.raises(DataError, match="not an episode record"):
        from_json(to_json(minimal())[:-cut])


@pytest.mark.parametrize("missing", ["task", "turns", "final_view", "reference_set"])
def test_a_missing_field_is_a_data_error(missing: str) -> None:
    fields = to_dict(minimal())
    del fields[missing]
    with pytest.raises(DataError, match="not an episode record"):
        from_json(json.dumps(fields))
