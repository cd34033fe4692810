"""What a conversation judge says of an episode (S23), as a record and as a line of ``judgments.jsonl``."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from siturec_gym.core.errors import DataError
from siturec_gym.judges.transcript import Transcript

DIMENSIONS = (
    "Informativeness",
    "Naturalness",
    "Groundedness",
    "Preference Alignment",
    "Proactiveness",
    "Non-repetition",
    "Overall Satisfaction",
)
LOWEST, HIGHEST = 1, 5
SCORED, UNSCORED = "scored", "unscored"


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's scores of one episode.

    Attributes:
        task: Task of the episode.
        trial: Its number among the attempts at the task.
        judge: "offline" or "llm:MODEL".
        prompt_hash: Start of the sha256 of what the judge was told to do; scores with different ones do not mix.
        status: "scored", or "unscored" when no scores could be had.
        reason: Why it is unscored, else None.
        scores: A score of 1 to 5 for each of ``DIMENSIONS``; empty when unscored.
        comment: The judge's own words, if it gave any.
        usage: What a model took for it, repetitions included.
        reasoning: What a thinking model wrote before its reply.
    """

    task: str
    trial: int
    judge: str
    prompt_hash: str
    status: str
    reason: str | None
    scores: Mapping[str, int]
    comment: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)
    reasoning: str = ""

    def __post_init__(self) -> None:
        complete = set(self.scores) == set(DIMENSIONS) if self.status == SCORED else not self.scores
        if self.status not in (SCORED, UNSCORED) or not complete:
            raise ValueError(f"a judgment is {SCORED} with all dimensions or {UNSCORED} with none, got {self.status!r}")
        wrong = {name: score for name, score in self.scores.items() if score not in range(LOWEST, HIGHEST + 1)}
        if wrong:
            raise ValueError(f"scores are whole numbers from {LOWEST} to {HIGHEST}, got {wrong}")


class ConversationJudge(Protocol):
    """Scores finished episodes from their textual record."""

    @property
    def name(self) -> str:
        """Name that every score carries."""
        ...

    @property
    def prompt_hash(self) -> str:
        """What the scores depend on beside the episode: the prompt or the rules."""
        ...

    def judge(self, transcript: Transcript) -> Judgment:
        """Scores of an episode, or the reason why there are none.

        Raises:
            ModelError: The endpoint failed in a way that says nothing about this episode.
        """
        ...


def to_line(judgment: Judgment) -> str:
    """One line of JSON."""
    return json.dumps(asdict(judgment))


def from_line(line: str) -> Judgment:
    """The judgment of a line.

    Raises:
        DataError: The line holds no judgment.
    """
    try:
        content: dict[str, Any] = json.loads(line)
        return Judgment(**content)
    except (ValueError, TypeError) as error:
        raise DataError(f"not a judgment: {error}") from error
