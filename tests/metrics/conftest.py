"""Hand-made episodes for the metric tests."""

from collections.abc import Callable

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, UserRecord, ViewRecord

VIEW = ViewRecord((), (), Pose(0.0, 0.0, 0.0))
IDLE = ToolCall("idle")


@pytest.fixture(scope="session")
def make_turn() -> Callable[..., TurnRecord]:
    def build(number=0, ranking=(), expected=None, asked=IDLE, executed=None, act="Greet") -> TurnRecord:
        assistant = AssistantRecord("hello", act, None, None, expected, tuple(ranking))
        return TurnRecord(number, VIEW, assistant, UserRecord("hi", asked, executed or asked))

    return build


@pytest.fixture(scope="session")
def make_episode(make_turn) -> Callable[..., EpisodeRecord]:
    """An episode from its rankings, or from whole turns."""

    def build(cart=(), rankings=(), turns=None, reference=(), task="supermarket/01.1", **changes) -> EpisodeRecord:
        turns = [make_turn(i, ranking) for i, ranking in enumerate(rankings)] if turns is None else turns
        fields = {
            "task": task,
            "trial": 0,
            "seed": 0,
            "scene": task.split("/")[0],
            "profile_id": task.split(".")[0],
            "reference_set": tuple(reference),
            "status": "complete",
            "end_reason": "turn_limit",
            "cart": tuple(cart),
            "turns": tuple(turns),
            "final_view": VIEW,
        }
        return EpisodeRecord(**(fields | changes))

    return build
