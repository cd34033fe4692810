"""What any role is: a policy without hidden memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction

Observation = Mapping[str, Any]
ActionT_co = TypeVar("ActionT_co", covariant=True)
StateT = TypeVar("StateT")


class Policy(Protocol[ActionT_co, StateT]):
    """Maps an observation and its own state to an action and the next state.

    The state is a value: the same observation and state give the same action, in any process. All randomness comes
    from the seed given to ``initial_state``. A state that has ``remarks`` (``Remarks``) has them kept with the turn.
    """

    def initial_state(self, seed: int) -> StateT:
        """The state at the start of an episode."""
        ...

    def step(self, observation: Observation, state: StateT) -> tuple[ActionT_co, StateT]:
        """The action for this turn and the state for the next."""
        ...


@dataclass(frozen=True, slots=True)
class Remarks:
    """What a policy says about the action it just gave: for the record of the turn, never for the other role.

    Attributes:
        flags: What was noticed, such as "user_two_details".
        reasoning: What a thinking model wrote before its reply.
    """

    flags: tuple[str, ...] = ()
    reasoning: str = ""


def keep_remarks(env: Any, role: str, state: Any) -> None:
    """Have the environment note what a policy's new state says about the action that ``role`` is about to take.

    Args:
        env: The two-agent environment.
        role: "assistant" or "user".
        state: The new state; without an attribute ``remarks`` there is nothing to note.
    """
    remarks = getattr(state, "remarks", None)
    if isinstance(remarks, Remarks) and (remarks.flags or remarks.reasoning):
        env.note(flags=remarks.flags, reasoning={role: remarks.reasoning} if remarks.reasoning else {})


AssistantPolicy = Policy[AssistantAction, Any]
UserPolicy = Policy[UserAction, Any]


@dataclass(frozen=True, slots=True)
class ModeratorQuery:
    """What a moderator may look at after an exchange (SituRecBench, B.3).

    Attributes:
        history: Entries of both roles up to and with this exchange, as the ``history`` observation lists them.
        assistant_utterance: The assistant's words of this turn.
        user_utterance: The user's words of this turn.
        call: The tool call the user asked for this turn.
    """

    history: tuple[dict[str, Any], ...]
    assistant_utterance: str
    user_utterance: str
    call: ToolCall


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a moderator that is a model answers; as a truth value, whether the conversation is over.

    Attributes:
        over: Whether it is.
        reasoning: What a thinking model wrote before its reply: for the record of the turn, never for a role.
    """

    over: bool
    reasoning: str = ""

    def __bool__(self) -> bool:
        return self.over


Moderator = Callable[[ModeratorQuery], bool | Verdict]
