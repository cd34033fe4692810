from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.envs.situated.env import SituatedEnv


@pytest.fixture(scope="session")
def make_env(tiny_scene: Any, tiny_bank: Any, make_flat_renderer: Any) -> Callable[..., SituatedEnv]:
    """Builds raw environments of the tiny store; images off unless asked for."""

    def build(**keywords: Any) -> SituatedEnv:
        settings: dict[str, Any] = {"images": False, "image_size": (32, 24), **keywords}
        scene = settings.pop("scene", tiny_scene)
        return SituatedEnv(
            scene, settings.pop("tasks", tiny_bank), make_flat_renderer(scene, *settings["image_size"]), **settings
        )

    return build
