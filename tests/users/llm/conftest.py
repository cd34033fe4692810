"""A shopper's observations, and a model that plays the shopper as told."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import pytest
from shopper_lines import observation_of

from siturec_gym.core.actions import UserAction
from siturec_gym.llm.messages import ChatReply, ChatRequest
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.users import make_user
from siturec_gym.users.llm import LLMUser


@pytest.fixture(scope="session")
def observe() -> Callable[..., dict[str, Any]]:
    """``observation_of`` of ``tests/support/shopper_lines.py``."""
    return observation_of


class Player:
    """An LLMUser whose model answers what the agenda user would say and do.

    Args:
        client: Given a function of the request, makes the client.
        spoil: Changes the answers, which are JSON texts, by the number of the request.
    """

    def __init__(self, spoil: Callable[[int, str], str | ChatReply | Exception] | None = None, **settings: Any) -> None:
        self._agenda, self._spoil = make_user("agenda"), spoil or (lambda _, answer: answer)
        self._answer, self.requests = "", list[ChatRequest]()
        self.user = LLMUser(Asker(ScriptedClient(self._reply)), **settings)

    def initial_state(self, seed: int) -> Any:
        """States of both."""
        return _Both(self._agenda.initial_state(seed), self.user.initial_state(seed))

    def step(self, observation: Any, state: Any) -> tuple[UserAction, Any]:
        """The model's action, and what the policy remarks."""
        action, agenda = self._agenda.step(observation, state.agenda)
        call = {name: str(value) if name == "tool" else value for name, value in asdict(action.call).items()}
        self._answer = json.dumps({"utterance": action.utterance, "call": call})
        given, model = self.user.step(observation, state.model)
        return given, _Both(agenda, model)

    def _reply(self, request: ChatRequest) -> str | ChatReply | Exception:
        self.requests.append(request)
        return self._spoil(len(self.requests) - 1, self._answer)


@dataclass(frozen=True)
class _Both:
    agenda: Any
    model: Any

    @property
    def remarks(self) -> Any:
        return self.model.remarks


@pytest.fixture
def player() -> type[Player]:
    """The class that plays well through a model."""
    return Player


@pytest.fixture
def answering() -> Callable[..., LLMUser]:
    """A user whose model gives these answers in order: texts, ``ChatReply``s, errors, or utterances with a call."""

    def build(*answers: Any, **settings: Any) -> LLMUser:
        texts = [json.dumps(_spoken(*answer)) if isinstance(answer, tuple) else answer for answer in answers]
        return LLMUser(Asker(ScriptedClient(texts)), **settings)

    return build


def _spoken(utterance: str, tool: str = "idle", **arguments: Any) -> dict[str, Any]:
    return {"utterance": utterance, "call": {"tool": tool, **arguments}}
