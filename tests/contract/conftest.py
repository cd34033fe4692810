from importlib import import_module
from types import ModuleType
from typing import Any

import gymnasium
import pytest
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym.scenes import load_scene

ENV_IDS = sorted(env_id for env_id in gymnasium.registry if env_id.startswith(("SituRec-", "RealWorldShop-")))
SMALL = {"image_size": (160, 120)}
SCENES = {"SituRec-Supermarket-v0": "supermarket", "SituRec-HomeFurnishings-v0": "home_furnishings"}


def facade_of(env_id: str) -> ModuleType:
    entry_point: Any = gymnasium.spec(env_id).entry_point
    return import_module(str(entry_point).partition(":")[0])


@pytest.fixture(scope="session", params=ENV_IDS)
def env_id(request: Any) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def facade(env_id: str) -> ModuleType:
    return facade_of(env_id)


@pytest.fixture(params=["embedded", "unrealcv"])
def small(request: Any, env_id: str, serve: Any) -> dict[str, Any]:  # noqa: F811
    """Keywords that keep pictures small, on each renderer; UnrealCV's over our own server, a store for each client."""
    if request.param == "embedded":
        return dict(SMALL)
    if env_id not in SCENES:
        pytest.skip(f"{env_id} is not rendered")
    served = serve(load_scene(SCENES[env_id]), *SMALL["image_size"], multi=True)
    return SMALL | {"renderer": "unrealcv", "renderer_config": {"socket": served.path}}
