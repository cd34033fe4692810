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
    from the seed given to ``initial_state``.
    """

    def initial_state(self, seed: int) -> StateT:
        """The state at the start of an episode."""
        ...

    def step(self, observation: Observation, state: StateT) -> tuple[ActionT_co, StateT]:
        """The action for this turn and the state for the next."""
        ...


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


Moderator = Callable[[ModeratorQuery], bool]
