"""S1: nothing of a profile or goal reaches the assistant, in any form of any environment; S14: nor an entity id."""

import dataclasses
import json
import random
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from schema_reply import reply_to

from siturec_gym.llm import ScriptedClient
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.tasks import TaskBank

PRIVATE = re.compile("CANARY|98712[34]")
ENTITY = re.compile(r"\b(?:F\d\d|A\d\d|S\d|I\d{4}|X\d+)\b")
PRODUCT = re.compile(r"\bP\d{3}\b")


@pytest.fixture
def planted(facade: ModuleType, plant_canaries: Callable[..., TaskBank]) -> TaskBank:
    """One task of canaries, with a target that exists."""
    scene = facade.raw_env(images=False).scene
    return plant_canaries(scene.name, target="P001", reference_set=("P001", "P002"))


def _calm(value: Any) -> Any:
    """A sampled action with plain words and round numbers, which cannot look like a secret or an id by chance."""
    if isinstance(value, dict):
        return {key: _calm(part) for key, part in value.items()}
    if isinstance(value, str):
        return "Well."
    return np.floor(value) if np.issubdtype(np.asarray(value).dtype, np.floating) else value


def _played(env: Any, turns: int = 20) -> list[Any]:
    """Whatever the assistant's side is given while both sides act at random."""
    env.reset(seed=5)
    given: list[Any] = []
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    for agent in env.agent_iter(2 * turns + 2):
        if "assistant" in env.agents:
            given.append((env.observe("assistant"), env.infos["assistant"], env.rewards, env.terminations))
        *_, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else _calm(env.action_space(agent).sample(info["action_mask"])))
    return given


@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("form", ["raw_env", "env"])
def test_no_canary_reaches_the_assistant(
    facade: ModuleType,
    small: dict[str, Any],
    planted: TaskBank,
    texts_of: Callable[[Any], str],
    capsys: Any,
    form: str,
    static: bool,
) -> None:
    env = getattr(facade, form)(tasks=planted, images=False, static_observations=static, render_mode="human", **small)
    given = _played(env)
    given += [dataclasses.asdict(turn) for turn in env.unwrapped.episode_record().turns]
    text = texts_of([given, capsys.readouterr().out])
    assert len(text) > 50_000
    assert not PRIVATE.search(text)


def test_no_canary_comes_out_of_gymnasium(
    facade: ModuleType, small: dict[str, Any], planted: TaskBank, texts_of: Callable[[Any], str]
) -> None:
    class Silent:
        """A shopper who says nothing and does nothing."""

        def initial_state(self, seed: int) -> int:
            return seed

        def step(self, observation: Any, state: int) -> Any:
            from siturec_gym.core.actions import ToolCall, UserAction

            assert "CANARY" in observation["goal"]
            return UserAction("Hm.", ToolCall("idle")), state

    env = facade.gym_env(tasks=planted, images=False, user=Silent(), **small)
    given, over = [env.reset(seed=5)], False
    env.action_space.seed(5)
    info = given[0][1]
    while not over:
        given.append(env.step(_calm(env.action_space.sample(info["action_mask"]))))
        info, over = given[-1][4], given[-1][2] or given[-1][3]
    assert not PRIVATE.search(texts_of(given))


@pytest.mark.parametrize("ablation", [None, "without_egocentric_view", "without_view_and_caption"])
def test_no_canary_and_no_entity_id_is_in_what_an_assistant_that_is_a_model_is_asked(
    facade: ModuleType, small: dict[str, Any], planted: TaskBank, ablation: str | None
) -> None:
    env = facade.env(tasks=planted, ablation=ablation, **small)
    client = ScriptedClient(lambda request: reply_to(request.schema, random.Random(len(request.messages[1].text))))
    assistant = LLMAssistant(Asker(client), RoleSettings(images=2))
    env.reset(seed=5)
    state = assistant.initial_state(5)
    env.action_space("user").seed(5)
    for agent in env.agent_iter(40):
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        if agent == "user":
            assert "CANARY" in observation["goal"]
            env.step(_calm(env.action_space(agent).sample(info["action_mask"])))
            continue
        action, state = assistant.step(observation, state)
        env.step(env.encode_action(agent, action))
    asked = [json.dumps([request.schema, *(m.text for m in request.messages)]) for request in client.requests]
    assert len(asked) > 2
    assert not PRIVATE.search(" ".join(asked))
    assert not any(map(ENTITY.search, asked))


def test_the_user_is_shown_profile_and_goal_and_no_more_of_the_task(
    facade: ModuleType, planted: TaskBank, texts_of: Callable[[Any], str]
) -> None:
    env = facade.env(tasks=planted, images=False)
    env.reset(seed=1)
    observation = env.observe("user")
    assert set(json.loads(observation["profile"])) == {f.name for f in dataclasses.fields(planted.profiles[0])}
    assert set(json.loads(observation["goal"])) == {f.name for f in dataclasses.fields(planted[0].goal)}
    assert not PRODUCT.search(texts_of(observation))


def _words(observation: dict[str, Any]) -> list[str]:
    return [value for value in observation.values() if isinstance(value, str)]


def test_roles_are_given_handles_and_no_entity_ids(facade: ModuleType, small: dict[str, Any]) -> None:
    env = facade.env(images=False, **small)
    for observation, info, *_ in _played(env, turns=6):
        assert not ENTITY.search(" ".join([*_words(observation), repr(info)]))
    env.reset(seed=2)
    assert not ENTITY.search(" ".join(_words(env.observe("user"))))
