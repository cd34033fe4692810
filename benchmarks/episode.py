"""Turns per second of scripted episodes without images, and where the time goes.

    python benchmarks/episode.py [--assistant heuristic] [--user agenda] [--episodes 100] [--batches 5] [--json]

One process, one thread, counted in CPU time, with wall time beside it. Other work on the machine still slows the CPU
down (shared caches and cores), so several batches are played, each of episodes that were not played before, and the
best and the median are shown. The first batch is cold: it fills what is remembered of words and views. After it, what
stays is taken out of the garbage collector's sight (``gc.freeze``), as ``siturec run`` does.

The shares come from a last batch in which each part's calls are wrapped: a call is charged with what it spends outside
the calls below it, so the shares add up to the whole. The wrapping itself costs some microseconds a call.
"""

import argparse
import gc
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from siturec_gym import supermarket_v0
from siturec_gym.core.seeding import role_seed
from siturec_gym.envs.situated import env as env_module
from siturec_gym.envs.situated import sight, transition
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user


class Clock:
    """Exclusive time of named parts."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: defaultdict[str, int] = defaultdict(int)
        self._running: list[str] = ["rest"]
        self._since = time.process_time()
        self._undo: list[Callable[[], None]] = []

    def wrap(self, owner: Any, name: str, part: str) -> None:
        """Charge calls of ``owner.name`` to ``part``."""
        plain = getattr(owner, name)
        own = name in vars(owner)

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._running.append(part)
            self.calls[part] += 1
            try:
                return plain(*args, **kwargs)
            finally:
                self._switch()
                self._running.pop()

        setattr(owner, name, timed)
        self._undo.append(lambda: setattr(owner, name, plain) if own else delattr(owner, name))

    def restart(self) -> None:
        self.seconds.clear()
        self.calls.clear()
        self._since = time.process_time()

    def stop(self) -> None:
        self._switch()
        for undo in reversed(self._undo):
            undo()

    def _switch(self) -> None:
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now


def instrument(clock: Clock, env: Any, assistant: Any, user: Any) -> None:
    """Name the parts of a turn."""
    clock.wrap(assistant, "step", "assistant policy")
    clock.wrap(user, "step", "user policy")
    for name, module in sorted(sys.modules.items()):
        if name.startswith("siturec_gym.users.") and callable(getattr(module, "understand", None)):
            clock.wrap(module, "understand", "text understanding")
    clock.wrap(env._sight.renderer, "visibility", "visibility pass")
    clock.wrap(sight, "build_view", "view from pixels")
    clock.wrap(sight, "sighting", "marks as text and array")
    clock.wrap(transition, "apply", "rules and motion")
    clock.wrap(env._transition, "assistant_speaks", "records and history")
    clock.wrap(env._transition, "user_acts", "records and history")
    if env._transition._moderator is not None:
        clock.wrap(env._transition, "_moderator", "moderator")
    for method in ("encode_assistant", "encode_user", "decode_assistant", "decode_user"):
        clock.wrap(env._codec, method, "spaces: encode, validate, decode")
    clock.wrap(env_module, "legal_actions", "action masks")
    clock.wrap(env._masks, "of", "action masks")
    clock.wrap(env, "observe", "observe")


def play(env: Any, assistant: Any, user: Any, seeds: range) -> int:
    """Play an episode for each seed, tasks in bank order; the number of turns. No seed is played twice, so that nothing
    said before is remembered by a cache."""
    turns = 0
    policies = {"assistant": assistant, "user": user}
    for number in seeds:
        env.reset(seed=number, options={"task": env.tasks[number % len(env.tasks)].id})
        states = {role: policy.initial_state(role_seed(number, role)) for role, policy in policies.items()}
        while env.episode.end is None:
            role = env.agent_selection
            action, states[role] = policies[role].step(env.observe(role), states[role])
            env.step(env.encode_action(role, action))
        turns += env.episode.turn
    return turns


def batch(parts: tuple[Any, Any, Any], seeds: range) -> dict[str, float]:
    """Turns of a batch, and turns a second by the processor's time and by the clock."""
    wall, start = time.perf_counter(), time.process_time()
    turns = play(*parts, seeds)
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    return {"turns": turns, "cpu": turns / seconds, "wall": turns / wall}


def shares(parts: tuple[Any, Any, Any], seeds: range) -> dict[str, dict[str, float]]:
    """What each part of a turn takes of the whole, the costliest first."""
    clock = Clock()
    instrument(clock, *parts)
    clock.restart()
    turns = play(*parts, seeds)
    clock.stop()
    whole = sum(clock.seconds.values())
    return {
        part: {"share": spent / whole, "us_per_turn": 1e6 * spent / turns, "calls": clock.calls[part]}
        for part, spent in sorted(clock.seconds.items(), key=lambda item: -item[1])
    }


def measure(assistant_name: str, user_name: str, episodes: int, batches: int) -> dict[str, Any]:
    """Speed of a cold batch and of warm ones, and the shares in one more."""
    parts = supermarket_v0.raw_env(images=False), make_assistant(assistant_name), make_user(user_name)
    seeds = [range(start, start + episodes) for start in range(0, (batches + 2) * episodes, episodes)]
    cold = batch(parts, seeds[0])
    gc.collect()
    gc.freeze()
    warm = [batch(parts, seeds[1 + number]) for number in range(batches)]
    best = max(warm, key=lambda figures: figures["cpu"])
    return {
        "assistant": assistant_name,
        "user": user_name,
        "episodes_per_batch": episodes,
        "batches": batches,
        "cold": cold,
        "warm_best": best,
        "warm_median_cpu": statistics.median(figures["cpu"] for figures in warm),
        "parts": shares(parts, seeds[-1]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assistant", default="heuristic")
    parser.add_argument("--user", default="agenda")
    parser.add_argument("--episodes", type=int, default=100, help="in a batch")
    parser.add_argument("--batches", type=int, default=5, help="warm ones")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = measure(options.assistant, options.user, options.episodes, options.batches)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    cold, best = result["cold"], result["warm_best"]
    print(f"{result['assistant']} with {result['user']}, batches of {result['episodes_per_batch']} new episodes")
    print("turns per second of one core, by its own (CPU) time; in brackets by the clock on the wall:")
    print(f"  cold, the first batch: {cold['cpu']:.0f} ({cold['wall']:.0f})")
    print(f"  warm, best of {result['batches']}: {best['cpu']:.0f} ({best['wall']:.0f})", end="")
    print(f"; median {result['warm_median_cpu']:.0f}\n")
    for part, figures in result["parts"].items():
        print(f"{part:34s} {figures['share']:6.1%} {figures['us_per_turn']:8.1f} us/turn {figures['calls']:8d} calls")


if __name__ == "__main__":
    main()
