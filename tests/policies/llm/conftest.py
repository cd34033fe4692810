"""Moments of real episodes in both stores, with and without eyes, for an assistant that is a model to be asked in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.llm import ScriptedClient
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.users import make_user

FACADES = {"supermarket": supermarket_v0, "home_furnishings": home_furnishings_v0}
TASKS = {"supermarket": ("supermarket/01.1", "supermarket/04.2"), "home_furnishings": ("home_furnishings/01.1",)}


@dataclass(frozen=True)
class Moment:
    """A turn in which the assistant is to speak: the environment, its state, and what the assistant observes."""

    env: Any
    state: Any
    observation: dict[str, Any]

    @property
    def blind(self) -> bool:
        return "place_index" in self.observation


def moments_of(scene: str, ablation: str | None = None) -> Iterator[Moment]:
    env = FACADES[scene].env(images=False, ablation=ablation, moderator=None)
    for task in TASKS[scene]:
        env.reset(seed=1, options={"task": task})
        policies = {"assistant": make_assistant("heuristic"), "user": make_user("agenda")}
        states = {role: policy.initial_state(1) for role, policy in policies.items()}
        for role in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            if role == "assistant":
                yield Moment(env, env.get_state(), observation)
            action, states[role] = policies[role].step(observation, states[role])
            env.step(env.encode_action(role, action))


@pytest.fixture(scope="session")
def moments() -> tuple[Moment, ...]:
    """Turns of scripted episodes in both stores, in full view and blind."""
    return tuple(
        moment
        for scene in FACADES
        for ablation in (None, "without_view_and_caption")
        for moment in moments_of(scene, ablation)
    )


@pytest.fixture(scope="session")
def seen_moments(moments: tuple[Moment, ...]) -> dict[str, tuple[Moment, ...]]:
    """The turns in full view, by scene."""
    return {
        scene: tuple(m for m in moments if m.env.unwrapped.scene.name == scene and not m.blind) for scene in FACADES
    }


@pytest.fixture
def make_llm() -> Callable[..., tuple[LLMAssistant, ScriptedClient]]:
    """An assistant whose model gives scripted answers, and that model."""

    def make(answers: Any = (), **settings: Any) -> tuple[LLMAssistant, ScriptedClient]:
        client = ScriptedClient(answers)
        return LLMAssistant(Asker(client), RoleSettings(**settings)), client

    return make
