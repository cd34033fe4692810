"""Turns per second of scripted episodes without images, and where the time goes.

    python benchmarks/episode.py [--assistant heuristic] [--user agenda] [--episodes 60] [--json]

One process, one thread, counted in CPU time, so that a busy machine does not change the result; wall time is shown
beside it. Each wrapped call is charged with what it spends outside the calls below it, so the shares add up to the
whole. The wrapping itself costs some microseconds a call; the turns per second come from a second pass without it.
"""

import argparse
import json
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


def measure(assistant_name: str, user_name: str, episodes: int) -> dict[str, Any]:
    def parts() -> tuple[Any, Any, Any]:
        return supermarket_v0.raw_env(images=False), make_assistant(assistant_name), make_user(user_name)

    play(*parts(), range(3))
    clock = Clock()
    timed = parts()
    instrument(clock, *timed)
    clock.restart()
    timed_turns = play(*timed, range(3, 3 + episodes))
    clock.stop()
    fresh = parts()
    wall, start = time.perf_counter(), time.process_time()
    turns = play(*fresh, range(3 + episodes, 3 + 2 * episodes))
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    whole = sum(clock.seconds.values())
    shares = {
        part: {"share": spent / whole, "us_per_turn": 1e6 * spent / timed_turns, "calls": clock.calls[part]}
        for part, spent in sorted(clock.seconds.items(), key=lambda item: -item[1])
    }
    return {
        "assistant": assistant_name,
        "user": user_name,
        "episodes": episodes,
        "turns": turns,
        "turns_per_cpu_second": turns / seconds,
        "turns_per_wall_second": turns / wall,
        "parts": shares,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assistant", default="heuristic")
    parser.add_argument("--user", default="agenda")
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = measure(options.assistant, options.user, options.episodes)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{result['assistant']} with {result['user']}: {result['episodes']} episodes, {result['turns']} turns")
    speeds = result["turns_per_cpu_second"], result["turns_per_wall_second"]
    print(f"{speeds[0]:.0f} turns per second of one core ({speeds[1]:.0f} by the clock on the wall)\n")
    for part, figures in result["parts"].items():
        print(f"{part:34s} {figures['share']:6.1%} {figures['us_per_turn']:8.1f} us/turn {figures['calls']:8d} calls")


if __name__ == "__main__":
    main()
