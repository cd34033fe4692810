"""What any role is: a policy without hidden memory."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from siturec_gym.core.actions import AssistantAction, UserAction

Observation = Mapping[str, Any]
ActionT = TypeVar("ActionT", covariant=True)
StateT = TypeVar("StateT")


class Policy(Protocol[ActionT, StateT]):
    """Maps an observation and its own state to an action and the next state.

    The state is a value: the same observation and state give the same action, in any process. All randomness comes
    from the seed given to ``initial_state``.
    """

    def initial_state(self, seed: int) -> StateT:
        """The state at the start of an episode."""
        ...

    def step(self, observation: Observation, state: StateT) -> tuple[ActionT, StateT]:
        """The action for this turn and the state for the next."""
        ...


AssistantPolicy = Policy[AssistantAction, Any]
UserPolicy = Policy[UserAction, Any]
