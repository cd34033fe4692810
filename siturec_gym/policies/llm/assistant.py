"""An assistant that asks a language model in every turn."""

from dataclasses import replace
from functools import partial

from siturec_gym.core.actions import AssistantAction
from siturec_gym.core.policy import Observation
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.llm.roles.context import fitted
from siturec_gym.llm.roles.memory import RoleState, seeing
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.sight import current_view, layout_map
from siturec_gym.llm.roles.turn import ask_turn
from siturec_gym.llm.structured import Asker
from siturec_gym.policies.llm.outlook import read_outlook
from siturec_gym.policies.llm.prompt import build_messages
from siturec_gym.policies.llm.reply import read_reply, silent_action
from siturec_gym.policies.llm.schema import reply_schema


class LLMAssistant:
    """Reads the observation as text and pictures, and replies in the form of ``schema``.

    A reply that cannot be used is asked for twice more; then the turn is silent and flagged
    ``assistant_invalid_reply``.

    Args:
        asker: The model and where its usage is counted.
        settings: Decoding, pictures and room.
        trial: Attempt at the task.
    """

    def __init__(self, asker: Asker, settings: RoleSettings | None = None, trial: int = 0) -> None:
        self._asker = asker
        self._settings = settings or RoleSettings()
        self._trial = trial

    def initial_state(self, seed: int) -> RoleState:
        """An assistant that has seen nothing yet."""
        return RoleState(seed)

    def seen(self, observation: Observation, state: RoleState) -> RoleState:
        """The state once the observation's view is seen."""
        view = current_view(observation, self._settings)
        return seeing(state, int(observation["turn"]), view, self._settings.images)

    def request(self, observation: Observation, state: RoleState) -> ChatRequest:
        """What the model is asked in this turn.

        Raises:
            ValueError: The observation has no catalog or location index.
            ContextOverflowError: The text alone is longer than the context.
        """
        settings, outlook = self._settings, read_outlook(observation)
        views = self.seen(observation, state).views
        messages = build_messages(observation, outlook, views, layout_map(observation, settings), settings)
        schema = reply_schema(outlook, settings)
        return ChatRequest(fitted(messages, settings), settings.decoding, schema, state.seed, self._trial)

    def step(self, observation: Observation, state: RoleState) -> tuple[AssistantAction, RoleState]:
        """The model's action.

        Raises:
            ValueError: The observation has no catalog or location index.
            ModelError: The model gave no answer at all.
        """
        parse = partial(read_reply, outlook=read_outlook(observation), settings=self._settings)
        outcome = ask_turn(self._asker, self.request(observation, state), parse, "assistant")
        action = silent_action() if outcome.value is None else outcome.value
        return action, replace(self.seen(observation, state), remarks=outcome.remarks)
