"""Every registered environment passes PettingZoo's own tests, as env, raw_env and parallel_env."""

import warnings
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

FORMS = ("env", "raw_env")


@pytest.fixture(autouse=True)
def _known_warnings() -> Any:
    """PettingZoo advises arrays for observations, numbered agent names and equal spaces; ours differ on purpose."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning, module="pettingzoo")
        for message in (
            "Observation is not a NumPy array",
            "We recommend agents to be named",
            "Agents have different observation space sizes",
            "Observation space for each agent probably should be",
            "Action space for each agent probably should be",
        ):
            warnings.filterwarnings("ignore", message=message)
        yield


def seeded(make: Callable[..., Any], **fixed: Any) -> Callable[..., Any]:
    """A constructor whose action spaces sample the same each time."""

    def build(**keywords: Any) -> Any:
        env = make(**fixed, **keywords)
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        return env

    return build


@pytest.mark.parametrize("form", FORMS)
def test_api(facade: ModuleType, small: dict[str, Any], form: str) -> None:
    env = seeded(getattr(facade, form), **small)()
    api_test(env, num_cycles=60)
    env.close()


def test_parallel_api(facade: ModuleType, small: dict[str, Any]) -> None:
    env = seeded(facade.parallel_env, **small)()
    parallel_api_test(env, num_cycles=60)
    env.close()


@pytest.mark.parametrize("form", FORMS)
def test_seed(facade: ModuleType, small: dict[str, Any], form: str) -> None:
    seed_test(lambda: getattr(facade, form)(**small), num_cycles=20)


def test_parallel_seed(facade: ModuleType, small: dict[str, Any]) -> None:
    parallel_seed_test(lambda: facade.parallel_env(**small), num_cycles=20)


@pytest.mark.parametrize("form", FORMS)
def test_render(facade: ModuleType, small: dict[str, Any], form: str, capsys: Any) -> None:
    make = seeded(getattr(facade, form), images=False, **small)
    render_test(lambda render_mode: make(render_mode=render_mode))


def test_max_cycles(facade: ModuleType, small: dict[str, Any]) -> None:
    module = SimpleNamespace(
        parallel_env=seeded(facade.parallel_env, images=False, **small), env=seeded(facade.env, images=False, **small)
    )
    max_cycles_test(module)


def test_both_registries_of_pettingzoo_know_it(env_id: str) -> None:
    aec = pettingzoo.make("aec", env_id, images=False)
    parallel = pettingzoo.make("parallel", env_id, images=False, max_cycles=2)
    assert aec.possible_agents == parallel.possible_agents
    observations, _ = parallel.reset(seed=1)
    assert set(observations) == set(parallel.possible_agents)
    aec.close()
    parallel.close()
