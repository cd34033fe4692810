"""stable-baselines3 trains on the wrapped environment as it is (make test-rl)."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym.wrappers import DiscreteAssistantActions, TokenizeText, VectorFeatures

pytestmark = pytest.mark.rl
STEPS = 20_000
EPISODES = 100
MARGIN = 0.2
ADVICE = "marks_array has an unconventional shape"  # a table is no image: extractors flatten it


def make(wrapper: Any = VectorFeatures, **keywords: Any) -> Any:
    env = gym.make("SituRec-Supermarket-v0", **{"images": False, "tasks": "train", **keywords})
    return wrapper(DiscreteAssistantActions(env))


@pytest.mark.parametrize(
    ("wrapper", "keywords"),
    [
        (VectorFeatures, {}),
        (TokenizeText, {}),
        (VectorFeatures, {"images": True, "image_size": (160, 120), "som": False}),
        (TokenizeText, {"images": True, "image_size": (160, 120), "som": False}),
    ],
)
def test_check_env_is_clean(wrapper: Any, keywords: dict[str, Any]) -> None:
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(make(wrapper, **keywords))
    surprising = [str(warning.message) for warning in caught if ADVICE not in str(warning.message)]
    assert not surprising


def test_a_policy_of_text_and_arrays_learns_without_an_error() -> None:
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MultiInputPolicy", make(TokenizeText), n_steps=32, batch_size=32, seed=0, device="cpu")
    model.learn(64)
    assert model.num_timesteps == 64


def test_twenty_thousand_turns_of_maskable_ppo_beat_chance() -> None:
    """Mean reward of an episode on training tasks: at least ``MARGIN`` above the random masked policy."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    model = MaskablePPO(
        "MlpPolicy", make_vec_env(make, n_envs=4, seed=0), n_steps=128, batch_size=256, n_epochs=8,
        learning_rate=1e-3, seed=0, device="cpu",
    )  # fmt: skip
    model.learn(STEPS)
    trained = mean_reward(
        lambda env, row: model.predict(row, action_masks=env.action_masks(), deterministic=True)[0],
    )
    chance = mean_reward(by_chance)
    print(f"MaskablePPO {trained:.3f}, chance {chance:.3f}")
    assert trained >= chance + MARGIN


def test_the_example_runs_as_its_header_says() -> None:
    script = Path(__file__).resolve().parents[2] / "examples" / "train_maskable_ppo.py"
    command = [sys.executable, str(script), "--steps", "512", "--episodes", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "random: {" in done.stdout
    assert "trained: {" in done.stdout


def by_chance(env: Any, _: Any) -> Any:
    parts = np.split(env.action_masks().astype(np.int8), np.cumsum(env.action_space.nvec)[:-1])
    return env.action_space.sample(tuple(parts))


def mean_reward(choose: Any) -> float:
    env = make()
    env.action_space.seed(1)
    total = 0.0
    for seed in range(10_000, 10_000 + EPISODES):
        row, _ = env.reset(seed=seed)
        over = False
        while not over:
            row, reward, terminated, truncated, _ = env.step(choose(env, row))
            total, over = total + float(reward), terminated or truncated
    return total / EPISODES
