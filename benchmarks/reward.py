"""What MetricReward adds to a turn, in microseconds of processor time, at first and once it knows the words.

Run: python benchmarks/reward.py [--episodes 40] [--mode scalar|vector|shaping]
"""

import argparse
import statistics
import time
from typing import Any

from siturec_gym import supermarket_v0
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.wrappers.metric_reward import MODES, MetricReward


class Watched(MetricReward):
    """Times its own part of every step: all of it, less what the environment inside took."""

    def __init__(self, env: Any, mode: str) -> None:
        super().__init__(env, mode=mode)
        self.own: list[float] = []
        self.inside: list[float] = []
        step = env.step

        def timed(action: Any) -> None:
            started = time.thread_time()
            step(action)
            self.inside.append(time.thread_time() - started)

        env.step = timed

    def step(self, action: Any) -> None:
        started = time.thread_time()
        super().step(action)
        self.own.append(time.thread_time() - started - self.inside[-1])


def of_turns(steps: list[float]) -> float:
    """Median over turns, each of two steps, in microseconds."""
    return statistics.median(1e6 * (said + did) for said, did in zip(steps[::2], steps[1::2], strict=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--mode", choices=MODES, default="scalar")
    arguments = parser.parse_args()
    env = Watched(supermarket_v0.raw_env(images=False), arguments.mode)
    assistant, user = make_assistant("heuristic"), make_user("agenda")
    for words in ("new", "known"):
        env.own, env.inside = [], []
        for number in range(arguments.episodes):
            play(env, assistant, user, env.tasks[number % len(env.tasks)].id, seed=number)
        print(f"{words} words: {of_turns(env.own):.0f} us on top of {of_turns(env.inside):.0f} us a turn (medians)")


if __name__ == "__main__":
    main()
