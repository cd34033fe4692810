from importlib import import_module
from types import ModuleType
from typing import Any

import gymnasium
import pytest

import siturec_gym  # noqa: F401  registers the environments

ENV_IDS = sorted(env_id for env_id in gymnasium.registry if env_id.startswith(("SituRec-", "RealWorldShop-")))
SMALL = {"image_size": (160, 120)}


def facade_of(env_id: str) -> ModuleType:
    entry_point: Any = gymnasium.spec(env_id).entry_point
    return import_module(str(entry_point).partition(":")[0])


@pytest.fixture(scope="session", params=ENV_IDS)
def env_id(request: Any) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def facade(env_id: str) -> ModuleType:
    return facade_of(env_id)


@pytest.fixture(scope="session")
def small() -> dict[str, Any]:
    """Keywords that keep pictures small."""
    return dict(SMALL)
