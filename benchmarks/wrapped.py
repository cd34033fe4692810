"""Turns a second of the environments that learners step, and their memory over many episodes.

Run: python benchmarks/wrapped.py [--turns 1000] [--batches 4] [--profile] [--memory 10000] [--json]

Each row is one process on one core: the assistant's actions are drawn by the mask, one step is a whole turn (the
assistant's move, the simulated user's reply, and resets in between). Turns are counted in CPU time, with wall time
beside it. Other work on the machine still slows the CPU down, so of several warm batches of new episodes the best and
the median are shown; the first batch, which fills what is remembered of words and views, is shown as cold. After it,
what stays is taken out of the garbage collector's sight (``gc.freeze``). ``--memory`` plays that many episodes in 16
environments of one vector and prints the resident memory as it goes.
"""

import argparse
import cProfile
import gc
import json
import pstats
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import psutil

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym import supermarket_v0
from siturec_gym.wrappers import DiscreteAssistantActions, TokenizeText, VectorFeatures

IMAGE_SIZE = (160, 120)
TARGETS = {"state": 400.0, "rgb": 250.0}


def bare() -> gym.Env[Any, Any]:
    """Discrete actions alone: what the wrapped environments are compared with."""
    return DiscreteAssistantActions(supermarket_v0.gym_env(images=False, tasks="train"))


def state() -> gym.Env[Any, Any]:
    return VectorFeatures(bare())


def tokens() -> gym.Env[Any, Any]:
    return TokenizeText(bare())


def rgb() -> gym.Env[Any, Any]:
    """Pictures and text: the view and the map."""
    return DiscreteAssistantActions(supermarket_v0.gym_env(image_size=IMAGE_SIZE, som=False, tasks="train"))


def marked() -> gym.Env[Any, Any]:
    """The same with each role's marks drawn into its view."""
    return DiscreteAssistantActions(supermarket_v0.gym_env(image_size=IMAGE_SIZE, tasks="train"))


FORMS: dict[str, Callable[[], gym.Env[Any, Any]]] = {
    "bare": bare,
    "state": state,
    "tokens": tokens,
    "rgb": rgb,
    "marked": marked,
}


def play(env: gym.Env[Any, Any], turns: int, seed: int) -> int:
    """Play episodes, one seed each, until ``turns`` turns are over; the seed after the last one."""
    _, info = env.reset(seed=seed)
    for _ in range(turns):
        *_, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        if terminated or truncated:
            seed += 1
            _, info = env.reset(seed=seed)
    return seed + 1


def speed(name: str, turns: int, batches: int) -> dict[str, float]:
    """Turns a second of one form, by processor time and by the clock. No two forms play the same episodes, so that
    nothing is remembered from one to the next."""
    env = FORMS[name]()
    number_of_form = list(FORMS).index(name)
    env.action_space.seed(number_of_form)
    seed, cpu, wall = 100_000 * number_of_form, list[float](), list[float]()
    for number in range(1 + batches):
        clock, start = time.perf_counter(), time.process_time()
        seed = play(env, turns, seed)
        cpu.append(turns / (time.process_time() - start))
        wall.append(turns / (time.perf_counter() - clock))
        if number == 0:
            gc.collect()
            gc.freeze()
    env.close()
    return {"cold": cpu[0], "best": max(cpu[1:]), "median": statistics.median(cpu[1:]), "wall_best": max(wall[1:])}


def memory(episodes: int) -> list[tuple[int, float]]:
    """(episodes over, resident MiB) at ten moments of a run in a vector of 16 environments."""
    vector = gym.make_vec(
        "SituRec-Supermarket-v0",
        num_envs=16,
        vectorization_mode="sync",
        wrappers=(DiscreteAssistantActions, VectorFeatures),
        images=False,
        tasks="train",
    )
    vector.action_space.seed(0)
    vector.reset(seed=0)
    rows: list[tuple[int, float]] = []
    over = 0
    while over < episodes:
        *_, terminated, truncated, _ = vector.step(vector.action_space.sample())
        over += int((terminated | truncated).sum())
        if over >= (len(rows) + 1) * episodes / 10:
            rows.append((over, psutil.Process().memory_info().rss / 2**20))
    vector.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=1000, help="in a batch")
    parser.add_argument("--batches", type=int, default=4, help="warm ones")
    parser.add_argument("--forms", nargs="*", choices=FORMS, default=list(FORMS))
    parser.add_argument("--profile", action="store_true", help="print where the state form spends its time")
    parser.add_argument("--memory", type=int, default=0, metavar="EPISODES")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {name: speed(name, options.turns, options.batches) for name in options.forms}
    rows = memory(options.memory) if options.memory else []
    if options.json:
        print(json.dumps({"speed": figures, "memory": rows}, indent=2))
        return
    for name, figure in figures.items():
        wanted = f" (at least {TARGETS[name]:.0f} wanted)" if name in TARGETS else ""
        print(
            f"{name:8s} turns per second of one core: best {figure['best']:.0f}, median {figure['median']:.0f}, "
            f"cold {figure['cold']:.0f}; {figure['wall_best']:.0f} by the clock{wanted}"
        )
    for over, mebibytes in rows:
        print(f"{over:7d} episodes {mebibytes:8.1f} MiB")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(play, state(), options.turns, 0)
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
