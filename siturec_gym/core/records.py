"""What is kept of an episode: everything the metrics need, by entity ids (docs/records.md).

Records are frozen dataclasses; ``to_json`` and ``from_json`` are exact inverses.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from siturec_gym.core.actions import Navigation, Recommendation, ToolCall
from siturec_gym.core.errors import DataError
from siturec_gym.core.pose import Pose


@dataclass(frozen=True, slots=True)
class ViewRecord:
    """What was in view at the start of a turn: entity ids, sorted."""

    places: tuple[str, ...]
    products: tuple[str, ...]
    pose: Pose


@dataclass(frozen=True, slots=True)
class AssistantRecord:
    """The assistant's side of a turn as the environment took it. A name that was no id stays as it was said."""

    utterance: str
    act: str
    recommendation: Recommendation | None
    navigation: Navigation | None
    expected_user_action: ToolCall | None
    ranking: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UserRecord:
    """The user's side: the call asked for, the call carried out (idle when refused) and the reason of a refusal."""

    utterance: str
    tool_requested: ToolCall
    tool_executed: ToolCall
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One exchange.

    ``frame`` is the content hash of the saved image, if frames were saved. ``reasoning`` is what thinking models wrote
    before their replies, by role; neither role nor a judge is ever shown it.
    """

    turn: int
    visible: ViewRecord
    assistant: AssistantRecord
    user: UserRecord
    flags: tuple[str, ...] = ()
    reward_terms: dict[str, float] = field(default_factory=dict)
    usage: dict[str, float] = field(default_factory=dict)
    frame: str | None = None
    reasoning: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """A whole episode.

    Attributes:
        status: "complete", or "failed" when a role could not act (``end_reason`` is then generation_failure).
        cart: Product ids in the final cart.
        reference_set: A_e, the products that meet the task's needs and budget.
        final_view: The view after the last action.
        error: What went wrong in a failed episode, one line.
        failure: Role and kind of that failure, such as "assistant transient".
        usage: What models took over the whole episode, an unfinished turn included: "<role>_<count>" -> number.
        models: Names of the models that answered for each role, as their endpoints told them.
    """

    task: str
    trial: int
    seed: int
    scene: str
    profile_id: str
    reference_set: tuple[str, ...]
    status: str
    end_reason: str
    cart: tuple[str, ...]
    turns: tuple[TurnRecord, ...]
    final_view: ViewRecord
    error: str | None = None
    failure: str | None = None
    usage: dict[str, float] = field(default_factory=dict)
    models: dict[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def _adapter() -> TypeAdapter[EpisodeRecord]:
    return TypeAdapter(EpisodeRecord)


def to_json(episode: EpisodeRecord) -> str:
    """One line of JSON."""
    return _adapter().dump_json(episode).decode()


def from_json(line: str | bytes) -> EpisodeRecord:
    """The episode of one line.

    Raises:
        DataError: The line is not a complete episode record.
    """
    try:
        return _adapter().validate_json(line)
    except ValidationError as error:
        raise DataError(f"not an episode record: {error.errors()[0]['msg']}") from error


def to_dict(episode: EpisodeRecord) -> dict[str, Any]:
    """The episode as plain JSON types."""
    result: dict[str, Any] = _adapter().dump_python(episode, mode="json")
    return result
