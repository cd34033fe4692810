"""Gymnasium's vector forms step it, in every autoreset mode."""

from typing import Any

import gymnasium
import pytest
from gymnasium.vector import AutoresetMode

CASES = [("sync", mode) for mode in AutoresetMode] + [("async", AutoresetMode.NEXT_STEP)]


@pytest.mark.parametrize(("vectorization", "autoreset"), CASES)
def test_two_environments_step_together(
    env_id: str, small: dict[str, Any], vectorization: Any, autoreset: AutoresetMode
) -> None:
    shared = {} if vectorization == "sync" else {"shared_memory": False}
    if shared and "renderer" in small:
        shared["context"] = "spawn"  # the server's threads here are not to be forked
    vector = gymnasium.make_vec(
        env_id,
        num_envs=2,
        vectorization_mode=vectorization,
        vector_kwargs={**shared, "autoreset_mode": autoreset},
        images=False,
        max_cycles=2,
        **small,
    )
    vector.action_space.seed(0)
    observations, _ = vector.reset(seed=1)
    for _ in range(5):
        observations, _, terminated, truncated, _ = vector.step(vector.action_space.sample())
        over = terminated | truncated
        if autoreset == AutoresetMode.DISABLED and over.any():
            observations, _ = vector.reset(options={"reset_mask": over})
        assert len(observations["history"]) == 2
        assert vector.single_observation_space["history"].contains(observations["history"][0])
    vector.close()
