"""The shopper played by a language model (S9, S11, S18), as a policy."""

from dataclasses import replace
from typing import Any

from siturec_gym.core.actions import Tool, UserAction
from siturec_gym.core.legality import LegalActions, legal_actions
from siturec_gym.core.policy import Observation, Remarks
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.llm.roles.context import fitted
from siturec_gym.llm.roles.memory import RoleState, seeing
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.sight import current_view
from siturec_gym.llm.roles.turn import ask_turn
from siturec_gym.llm.structured import Asker
from siturec_gym.users.llm.ledger import EMPTY_REPLY, breaches
from siturec_gym.users.llm.prompt import PROMPT_FORM, build_messages
from siturec_gym.users.llm.reply import NO_REPLY, EmptyReplyError, read_reply, reply_schema
from siturec_gym.users.llm.texts import TEMPLATES


class LLMUser:
    """A shopper whose words and actions a model chooses, and whose conduct a ledger watches.

    The model is told the private profile and goal, what is in view and in the hand, and what was said and done; it
    answers with an utterance and one legal tool call. A reply of no use is asked for again; if none is of use, the
    shopper says and does nothing that turn. What the ledger notices is in the state's remarks.

    Args:
        asker: The model and where its usage is counted.
        settings: How the model plays.
        trial: Attempt at the task.
    """

    def __init__(self, asker: Asker, settings: RoleSettings | None = None, trial: int = 0) -> None:
        self._asker = asker
        self._settings = settings or RoleSettings()
        self._trial = trial

    def initial_state(self, seed: int) -> RoleState:
        """The state at the start of an episode."""
        return RoleState(int(seed))

    def seen(self, observation: Observation, state: RoleState) -> RoleState:
        """The state once the observation's view is seen."""
        view = current_view(observation, self._settings)
        return seeing(state, int(observation["turn"]), view, self._settings.images)

    def step(self, observation: Observation, state: RoleState) -> tuple[UserAction, RoleState]:
        """The reply and the one tool call of this turn.

        Raises:
            ModelError: The model gave no answer at all, or the prompt is longer than its context.
        """
        state = self.seen(observation, state)
        empty = False

        def read(text: str) -> UserAction:
            nonlocal empty
            try:
                return read_reply(text, observation, self._settings.utterance_chars)
            except EmptyReplyError:
                empty = True
                raise

        outcome = ask_turn(self._asker, self.request(observation, state), read, "user")
        action = outcome.value or NO_REPLY
        noticed = breaches(observation, action) if outcome.value else ()
        flags = (*outcome.remarks.flags, *((EMPTY_REPLY,) if empty else ()), *noticed)
        return action, replace(state, remarks=Remarks(flags, outcome.remarks.reasoning))

    def request(self, observation: Observation, state: RoleState) -> ChatRequest:
        """What the model is asked this turn.

        Raises:
            ContextOverflowError: The text alone is longer than the context.
        """
        state, legal = self.seen(observation, state), legal_actions(observation)
        messages = build_messages(observation, state, legal, self._settings)
        schema = reply_schema(legal, self._settings.utterance_chars)
        return ChatRequest(fitted(messages, self._settings), self._settings.decoding, schema, state.seed, self._trial)


def describe(settings: RoleSettings | None = None) -> dict[str, Any]:
    """What a manifest says of this user: settings, and a hash over every prompt, the reply's form and the settings."""
    settings = settings or RoleSettings()
    schema = reply_schema(LegalActions(frozenset(Tool), {}, {}), settings.utterance_chars)
    public = settings.public()
    return {**public, "prompt_hash": TEMPLATES.hash(TEMPLATES.names, schema, public | {"form": PROMPT_FORM})}
