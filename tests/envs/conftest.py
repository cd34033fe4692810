from collections.abc import Callable
from typing import Any

import pytest

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
