"""Same seed, task and actions: the same bytes in two processes; 10,000 turns of anything without an exception."""

import json
import os
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

TURNS = 10_000
TRACE = """
import hashlib, json, sys
from importlib import import_module
import numpy as np

env = import_module(sys.argv[1]).env(**json.loads(sys.argv[2]))
total = hashlib.sha256()
def add(observation):
    for key in sorted(observation):
        value = observation[key]
        total.update(key.encode() + (value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()))
env.reset(seed=11)
for number, agent in enumerate(env.possible_agents):
    env.action_space(agent).seed(number)
for step in range(200):
    if not env.agents:
        env.reset()
    agent = env.agent_selection
    observation, reward, terminated, truncated, info = env.last()
    add(observation)
    add({"reward": reward, "terminated": terminated, "truncated": truncated})
    if terminated or truncated:
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(info["action_mask"]))
print(total.hexdigest())
"""


def test_two_processes_see_the_same_200_steps(facade: ModuleType, small: dict[str, Any]) -> None:
    command = [sys.executable, "-c", TRACE, facade.__name__, json.dumps(small)]
    digests = [
        subprocess.check_output(command, text=True, env={**os.environ, "PYTHONHASHSEED": seed}).strip()
        for seed in ("1", "2")
    ]
    assert len(digests[0]) == 64
    assert digests[0] == digests[1]


def _spoiled(action: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """The action with one key of it made no member of the space."""
    key = sorted(action)[int(rng.integers(len(action)))]
    bad = [None, -7, 10_000, "\u00e9" * 9, np.zeros(3), {}, np.nan][int(rng.integers(7))]
    return (
        {**action, key: bad} if rng.random() < 0.8 else {name: value for name, value in action.items() if name != key}
    )


class Sampler:
    """Actions for the turns: some drawn by the mask, most from a stock that ignores it."""

    def __init__(self, env: Any, rng: np.random.Generator) -> None:
        self.env, self.rng = env, rng
        self.stock = {agent: [env.action_space(agent).sample() for _ in range(400)] for agent in env.possible_agents}

    def draw(self, agent: str, info: dict[str, Any]) -> dict[str, Any]:
        if self.rng.random() < 0.3:
            action: dict[str, Any] = self.env.action_space(agent).sample(info["action_mask"])
        else:
            action = self.stock[agent][int(self.rng.integers(400))]
        return {**action, "utterance": action["utterance"][: int(self.rng.integers(60))]}


@pytest.mark.slow
def test_ten_thousand_turns_of_anything(facade: ModuleType) -> None:
    env = facade.raw_env(images=False)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    sampler = Sampler(env, rng)
    turns = refused = ends = 0
    while turns < TURNS:
        if not env.agents:
            ends += 1
            env.reset()
        agent = env.agent_selection
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        action = sampler.draw(agent, info)
        if rng.random() < 0.1:
            refused += 1
            state = env.get_state()
            with pytest.raises(ValueError, match=r"expected|charset"):
                env.step(_spoiled(action, rng))
            assert env.get_state() == state
        env.step(action)
        turns += agent == env.possible_agents[-1]
        if turns % 500 == 0:
            assert env.observation_space(agent).contains(observation)
    assert refused > 1000
    assert ends > 300
