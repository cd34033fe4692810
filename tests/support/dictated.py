"""A model that says what a scripted assistant decided: requests are asked as ever, and answers are known."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import jsonschema

from siturec_gym.core.actions import AssistantAction, ToolCall
from siturec_gym.llm import ChatRequest, ScriptedClient
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant

GENEROUS = RoleSettings(utterance_chars=512, reason_chars=256)


def valid(answer: Callable[[ChatRequest], str]) -> Callable[[ChatRequest], str]:
    """The answers of a function, each held against the schema of its request."""

    def answering(request: ChatRequest) -> str:
        text = answer(request)
        jsonschema.validate(json.loads(text), request.schema)
        return text

    return answering


class Dictated:
    """The heuristic assistant's actions, said by a model that was told them."""

    def __init__(self, settings: RoleSettings = GENEROUS, trial: int = 0) -> None:
        self._heuristic = make_assistant("heuristic")
        self.client = ScriptedClient(valid(lambda request: self._words))
        self._model = LLMAssistant(Asker(self.client), settings, trial)

    def initial_state(self, seed: int) -> Any:
        return self._heuristic.initial_state(seed), self._model.initial_state(seed)

    def step(self, observation: Any, state: Any) -> Any:
        action, heard = self._heuristic.step(observation, state[0])
        self._words = as_reply(action, home="check_item" in observation["tools"])
        said, seen = self._model.step(observation, state[1])
        return said, (heard, seen)


def as_reply(action: AssistantAction, *, home: bool) -> str:
    """An action in the form of a model's reply."""
    given: dict[str, Any] = {"act": action.act}
    if action.recommendation is not None:
        given |= asdict(action.recommendation)
    if action.navigation is not None:
        steps = ("next_waypoint", "target_approach") if home else ()
        given |= {name: getattr(action.navigation, name) for name in ("navigation_goal", *steps, "reason")}
    call = asdict(action.expected_user_action or ToolCall("idle"))
    return json.dumps(
        {
            "ranking": list(action.ranking),
            "action": given,
            "expected_user_action": {name: value for name, value in call.items() if value is not None},
            "utterance": action.utterance,
            "tool_calls": [],
        }
    )
