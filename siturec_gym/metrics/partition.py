"""The split of a scene's 100 tasks into four subsets of 25, one task of every profile in each (Appendix C.1)."""

from collections.abc import Iterable, Mapping

import numpy as np

PARTITION_SEED = 42
SUBSETS = 4
PROFILES = 25

Subsets = tuple[tuple[str, ...], ...]


def full_bank(scene: str) -> dict[str, str]:
    """Task id -> profile id of the 100 tasks of a scene's shipped bank."""
    return {
        f"{scene}/{profile:02d}.{task}": f"{scene}/{profile:02d}"
        for profile in range(1, PROFILES + 1)
        for task in range(1, SUBSETS + 1)
    }


def partition(profile_of_task: Mapping[str, str], seed: int = PARTITION_SEED) -> Subsets:
    """Four disjoint subsets: each profile's tasks are shuffled and dealt out, one to each subset.

    One stream per scene; profiles and their tasks are taken in id order, so the order of the mapping is of no
    consequence.

    Args:
        profile_of_task: Task id -> profile id; every profile must have four tasks.
        seed: Seed of the shuffle.

    Raises:
        ValueError: A profile has another number of tasks than four.
    """
    rng = np.random.default_rng(seed)
    hands = []
    for profile in sorted(set(profile_of_task.values())):
        tasks = sorted(task for task, owner in profile_of_task.items() if owner == profile)
        if len(tasks) != SUBSETS:
            raise ValueError(f"profile {profile!r} has {len(tasks)} tasks, but the partition needs {SUBSETS}")
        rng.shuffle(tasks)
        hands.append(tasks)
    return tuple(zip(*hands, strict=True))


def partition_of_run(scenes: Iterable[str], tasks: Iterable[str]) -> Subsets | None:
    """The subsets of a run that played every task of one scene's bank equally often; None for any other run.

    Args:
        scenes: Scene of each episode.
        tasks: Task id of each episode.
    """
    names, played = set(scenes), list(tasks)
    if len(names) != 1:
        return None
    bank = full_bank(names.pop())
    counts = {task: played.count(task) for task in set(played)}
    if counts.keys() != bank.keys() or len(set(counts.values())) != 1:
        return None
    return partition(bank)
