"""MaskablePPO on the discrete form: a learning curve against the random masked policy, with figures and a picture.

Run: python benchmarks/training.py [--steps 20000] [--seeds 0 1 2] [--plot docs/images/maskable_ppo.png] [--json FILE]

Needs ``pip install 'siturec-gym[rl]'``. Trains on procedurally built tasks and evaluates on other episodes of them and
on the shipped bank, greedily and by sampling. The curve is the mean reward of the latest 100 training episodes.
"""

import argparse
import json
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym.wrappers import DiscreteAssistantActions, VectorFeatures

SETTINGS = {"n_steps": 128, "batch_size": 256, "n_epochs": 8, "learning_rate": 1e-3}
ENVIRONMENTS = 4
HELD_OUT = 1_000_000  # first seed of the evaluation episodes

WIDTH, HEIGHT, LEFT, BOTTOM = 1440, 800, 110, 100  # of the picture, drawn at twice its size
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")

Choose = Callable[[Any, Any], Any]


def make(tasks: str = "train") -> gym.Env[Any, Any]:
    """What is learned on: rewards by terms at their default weights, no images."""
    return VectorFeatures(DiscreteAssistantActions(gym.make("SituRec-Supermarket-v0", tasks=tasks, images=False)))


def evaluate(choose: Choose, tasks: str, episodes: int) -> dict[str, float]:
    """Mean reward of an episode, and the mean of its metrics."""
    env = make(tasks)
    env.action_space.seed(HELD_OUT)
    rewards, metrics = [], []
    for seed in range(HELD_OUT, HELD_OUT + episodes):
        observation, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, info = env.step(choose(env, observation))
            total, over = total + float(reward), terminated or truncated
        rewards.append(total)
        metrics.append(info["episode_metrics"])
    means = {name: float(np.mean([metric[name] for metric in metrics])) for name in ("SR", "RPR", "Turn")}
    return {"reward": float(np.mean(rewards)), **means}


def by_chance(env: Any, _: Any) -> Any:
    parts = np.split(env.action_masks().astype(np.int8), np.cumsum(env.action_space.nvec)[:-1])
    return env.action_space.sample(tuple(parts))


def by_model(model: MaskablePPO, deterministic: bool) -> Choose:
    return lambda env, observation: model.predict(
        observation, action_masks=env.action_masks(), deterministic=deterministic
    )[0]


class Curve(BaseCallback):
    """Keeps (steps, mean reward of the latest 100 episodes) after each rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.points: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.model.ep_info_buffer:
            rewards = [episode["r"] for episode in self.model.ep_info_buffer]
            self.points.append((self.num_timesteps, float(np.mean(rewards))))


def train(steps: int, seed: int) -> tuple[MaskablePPO, dict[str, Any]]:
    """A model, and what training it gave."""
    environments = make_vec_env(partial(make, "train"), n_envs=ENVIRONMENTS, seed=seed * 1000)
    model = MaskablePPO("MlpPolicy", environments, seed=seed, device="cpu", **SETTINGS)
    curve, start = Curve(), time.perf_counter()
    model.learn(steps, callback=curve)
    return model, {"seed": seed, "seconds": time.perf_counter() - start, "curve": curve.points}


def run(steps: int, seed: int, episodes: int) -> dict[str, Any]:
    """Train once and evaluate in every way."""
    model, result = train(steps, seed)
    for tasks in ("train", "bank"):
        for name, deterministic in (("greedy", True), ("sampled", False)):
            result[f"{tasks}.{name}"] = evaluate(by_model(model, deterministic), tasks, episodes)
    return result


def plot(results: list[dict[str, Any]], chance: float, path: Path) -> None:
    """Draw the curves and, dashed, the mean reward of chance."""
    points = [point for result in results for point in result["curve"]]
    most = max(steps for steps, _ in points)
    low, high = min(-0.1, chance), max(0.1, *(reward for _, reward in points))
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(26)

    def at(steps: float, reward: float) -> tuple[float, float]:
        across, up = steps / most, (reward - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - 40), HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - 70)

    for tenth in range(math.ceil(low * 10), math.floor(high * 10) + 1):
        draw.line([at(0, tenth / 10), at(most, tenth / 10)], "#dddddd", 2)
        draw.text((LEFT - 16, at(0, tenth / 10)[1]), f"{tenth / 10:.1f}", "black", font, anchor="rm")
    for quarter in range(5):
        draw.text((at(most * quarter / 4, 0)[0], HEIGHT - BOTTOM + 14), f"{most * quarter // 4:,}", "black", font, "mt")
    draw.text((WIDTH // 2, HEIGHT - 14), "turns of training", "black", font, anchor="mb")
    draw.text((20, 14), "mean reward of the latest 100 episodes", "black", font)
    for result, color in zip(results, COLORS, strict=False):
        draw.line([at(*point) for point in result["curve"]], color, 5, joint="curve")
        x, y = at(*result["curve"][-1])
        draw.text((x, y - 8), f"seed {result['seed']}", color, font, anchor="rb")
    for dash in range(0, 100, 2):
        draw.line([at(most * dash / 100, chance), at(most * (dash + 1) / 100, chance)], "black", 3)
    x, y = at(most, chance)
    draw.text((x, y + 10), "random masked policy", "black", font, anchor="rt")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.resize((WIDTH // 2, HEIGHT // 2), Image.Resampling.LANCZOS).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    chance = {tasks: evaluate(by_chance, tasks, options.episodes) for tasks in ("train", "bank")}
    print("random", json.dumps(chance))
    results: list[dict[str, Any]] = []
    for seed in options.seeds:
        results.append(run(options.steps, seed, options.episodes))
        print(json.dumps({key: value for key, value in results[-1].items() if key != "curve"}), flush=True)
        if options.json:
            options.json.write_text(json.dumps({"random": chance, "trained": results}, indent=2) + "\n", "utf-8")
        if options.plot:
            plot(results, chance["train"]["reward"], options.plot)


if __name__ == "__main__":
    main()
