"""A role that plays, and a model that only looks: what it would be asked in the role's place."""

from collections.abc import Callable
from typing import Any

from siturec_gym.core.policy import Observation

Look = Callable[[Observation, Any], None]


class Beside:
    """A policy, and a model that sees what it sees.

    Args:
        playing: The policy whose actions are taken.
        model: The model's policy; it is asked nothing.
        look: Called in every turn before the action, with the observation and the model's state.
    """

    def __init__(self, playing: Any, model: Any, look: Look) -> None:
        self._playing, self._model, self._look = playing, model, look

    def initial_state(self, seed: int) -> tuple[Any, Any]:
        """The states of both."""
        return self._playing.initial_state(seed), self._model.initial_state(seed)

    def step(self, observation: Observation, state: tuple[Any, Any]) -> tuple[Any, tuple[Any, Any]]:
        """The policy's action; the model has seen the turn."""
        own, seen = state
        self._look(observation, seen)
        action, own = self._playing.step(observation, own)
        return action, (own, self._model.seen(observation, seen))
