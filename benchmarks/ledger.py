"""Precision and recall of the ledger that watches a simulated user, and how often it blames one that keeps the rules.

    python benchmarks/ledger.py [--mistakes] [--episodes 200]

Replies labelled by hand are in ``tests/users/llm/data``. Only the development half was tuned on, and ``--mistakes``
lists those of that half alone. The agenda user tells one detail a turn and never speaks of itself, so whatever is
flagged in its episodes (half of them in each store, three in four with the heuristic assistant, the others with the
random one) is a mistake.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.actions import UserAction
from siturec_gym.judges.moderator import make_moderator
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.users.llm.ledger import breaches

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from shopper_lines import lines_of, measured, observation_of

_FIRST_SEED = 100


def print_corpus(half: str) -> None:
    lines = list(lines_of(half))
    counts = measured(lines)
    flagged = sum(bool(line.flags) for line in lines)
    print(f"{half}: {len(lines)} replies, {flagged} with a flag")
    for flag in (*sorted(counts.right), None):
        print(f"  {flag or 'all':24}precision {counts.precision(flag):.2f}  recall {counts.recall(flag):.2f}")


def print_mistakes() -> None:
    for line in lines_of("development"):
        found = set(breaches(observation_of(line.goal, line.heard, line.before), UserAction(line.said)))
        if found != line.flags:
            print(f"  {line.said!r}: found {sorted(found)}, labelled {sorted(line.flags)}")


def blamed(env: Any, seed: int, flags: Counter[str]) -> int:
    """Adds the flags of the agenda user's episode to ``flags``; how many turns it had."""
    policies = {"assistant": make_assistant("heuristic" if seed % 4 else "random"), "user": make_user("agenda")}
    states = {role: policy.initial_state(seed) for role, policy in policies.items()}
    env.reset(seed=seed)
    turns = 0
    for role in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        action, states[role] = policies[role].step(observation, states[role])
        if role == "user":
            flags.update(breaches(observation, action))
            turns += 1
        env.step(env.encode_action(role, action))
    return turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--episodes", type=int, default=200)
    arguments = parser.parse_args()
    for half in ("development", "held_out"):
        print_corpus(half)
    if arguments.mistakes:
        print_mistakes()
    flags, turns = Counter[str](), 0
    for store in (supermarket_v0, home_furnishings_v0):
        env = store.env(images=False, moderator=make_moderator("rules"))
        for seed in range(_FIRST_SEED, _FIRST_SEED + arguments.episodes // 2):
            turns += blamed(env, seed, flags)
    print(f"agenda user: {turns} turns of {arguments.episodes} episodes, flagged: {dict(flags) or 'none'}")


if __name__ == "__main__":
    main()
