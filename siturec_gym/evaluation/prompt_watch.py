"""Looks on while an episode is played, and keeps what a model would be asked in one turn of it."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.core.policy import Moderator, ModeratorQuery, Observation, Verdict
from siturec_gym.evaluation.beside import Beside
from siturec_gym.evaluation.roles import describe_roles, make_assistant_for, make_user_for
from siturec_gym.evaluation.slots import Slot
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.tasks.records import Task

ANY_MODEL = "llm:none"


class PromptWatch:
    """The request of one role in one turn; no model is asked.

    Args:
        role: "assistant", "user" or "moderator".
        turn: Number of the turn, from 0.
        slot: The episode.
        settings: How the model plays.
        verdict: Who says in its place whether the conversation is over.

    Attributes:
        request: None until the turn came.
        overflow: Why there is no request: its text is longer than the context.
    """

    def __init__(self, role: str, turn: int, slot: Slot, settings: RoleSettings, verdict: Moderator) -> None:
        self._role, self._turn, self._slot = role, turn, slot
        self._settings, self._verdict = settings, verdict
        self._asker = Asker(ScriptedClient(()))
        self.request: ChatRequest | None = None
        self.overflow: ContextOverflowError | None = None

    def beside(self, role: str, playing: Any, task: Task) -> Any:
        """What plays a role; beside it, if the role is the watched one, a model that is asked nothing."""
        if role != self._role:
            return playing
        made = (self._asker, self._settings, self._slot.trial)
        model: Any = (
            make_assistant_for(ANY_MODEL, task, *made) if role == "assistant" else make_user_for(ANY_MODEL, *made)
        )

        def look(observation: Observation, state: Any) -> None:
            if int(observation["turn"]) == self._turn:
                self._take(model, observation, state)

        return Beside(playing, model, look)

    def _take(self, model: Any, observation: Observation, state: Any) -> None:
        try:
            self.request = model.request(observation, state)
        except ContextOverflowError as error:
            self.overflow = error

    def moderator(self, query: ModeratorQuery) -> bool | Verdict:
        """The verdict; before it, if the moderator is watched, its request."""
        if self._role == "moderator" and query.history[-1]["turn"] == self._turn:
            from siturec_gym.judges.llm_moderator import LLMModerator  # noqa: PLC0415

            asked = LLMModerator(self._asker, self._slot.seed, self._slot.trial, self._settings.decoding)
            self.request = asked.request(query)
        return self._verdict(query)

    def seen(self) -> ChatRequest | None:
        """The request, once the episode is over; None where the turn never came.

        Raises:
            ContextOverflowError: The text is longer than the context that the settings tell.
        """
        if self.overflow is not None:
            raise self.overflow
        return self.request


def prompt_hash_of(role: str, settings: Mapping[str, Any]) -> str:
    """The hash of an acting role's or a moderator's prompts and settings, as manifests carry it.

    Args:
        role: "assistant", "user" or "moderator".
        settings: Values by "ROLE.NAME".
    """
    return str(describe_roles({role: ANY_MODEL}, settings)[role]["prompt_hash"])
