"""Train an assistant with MaskablePPO of sb3-contrib and compare it with the random masked policy.

Run: pip install 'siturec-gym[rl]' && python examples/train_maskable_ppo.py --steps 20000
"""

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym.wrappers import DiscreteAssistantActions, VectorFeatures


def make() -> gym.Env[Any, Any]:
    """Training tasks, rewards by terms (1 for a product that fits, 0.25 for another, 0.01 a turn), no images."""
    env = gym.make("SituRec-Supermarket-v0", tasks="train", images=False)
    return VectorFeatures(DiscreteAssistantActions(env))


def evaluate(choose: Callable[[Any, Any], Any], episodes: int, seed: int = 10_000) -> dict[str, float]:
    """Mean reward of an episode, and mean SR, RPR (per cent) and turns."""
    env = make()
    env.action_space.seed(seed)
    rewards, metrics = [], []
    for number in range(episodes):
        observation, info = env.reset(seed=seed + number)
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, info = env.step(choose(env, observation))
            total, over = total + float(reward), terminated or truncated
        rewards.append(total)
        metrics.append(info["episode_metrics"])
    means = {name: float(np.mean([metric[name] for metric in metrics])) for name in ("SR", "RPR", "Turn")}
    return {"reward": float(np.mean(rewards)), **means}


def by_chance(env: Any, _: Any) -> Any:
    sizes = np.cumsum(env.action_space.nvec)[:-1]
    masks = np.split(env.action_masks().astype(np.int8), sizes)
    return env.action_space.sample(tuple(masks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--episodes", type=int, default=100)
    options = parser.parse_args()
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(make, n_envs=4, seed=0),
        n_steps=128,
        batch_size=256,
        n_epochs=8,
        learning_rate=1e-3,
        seed=0,
        device="cpu",
    )
    print("random:", evaluate(by_chance, options.episodes))
    model.learn(options.steps)

    def trained(env: Any, observation: Any) -> Any:
        return model.predict(observation, action_masks=env.action_masks(), deterministic=True)[0]

    print("trained:", evaluate(trained, options.episodes))


if __name__ == "__main__":
    main()
