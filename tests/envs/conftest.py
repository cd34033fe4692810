from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction
from siturec_gym.envs.situated.env import SituatedEnv


@pytest.fixture(scope="session")
def make_env(tiny_scene: Any, tiny_bank: Any, make_flat_renderer: Any) -> Callable[..., SituatedEnv]:
    """Builds environments of the tiny store; images off unless asked for."""

    def build(**keywords: Any) -> SituatedEnv:
        settings: dict[str, Any] = {"images": False, "image_size": (32, 24), **keywords}
        bank = settings.pop("tasks", tiny_bank)
        return SituatedEnv(tiny_scene, bank, make_flat_renderer(tiny_scene), **settings)

    return build


@pytest.fixture
def env(make_env: Callable[..., SituatedEnv]) -> SituatedEnv:
    """A running episode of task tiny/01.1."""
    built = make_env()
    built.reset(seed=0, options={"task": "tiny/01.1"})
    return built


@pytest.fixture(scope="session")
def play_turn() -> Callable[..., None]:
    """Plays one turn: the assistant's action (a plain greeting by default), then the user's call."""

    def play(
        env: Any, call: ToolCall | None = None, action: AssistantAction | None = None, reply: str = "Okay."
    ) -> None:
        said = action or AssistantAction("Hello there!", "Greet", ToolCall("idle"))
        env.step(env.encode_action("assistant", said))
        env.step(env.encode_action("user", UserAction(reply, call or ToolCall("idle"))))

    return play
