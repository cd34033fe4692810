"""The episodes a run owes: one slot for each task and trial."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.core.seeding import generator

MOST_SLOTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Slot:
    """One episode to play. ``seed`` depends on the run's seed, the task and the trial, and on nothing else."""

    task: str
    trial: int
    seed: int


def slots(task_ids: Sequence[str], trials: int, seed: int) -> tuple[Slot, ...]:
    """All slots in the order their episodes are kept: the first trial of every task, then the second, and so on.

    Raises:
        ValueError: Less than one trial, or more than ``MOST_SLOTS`` episodes.
    """
    if trials < 1:
        raise ValueError(f"trials must be at least 1, got {trials}")
    if len(task_ids) * trials > MOST_SLOTS:
        raise ValueError(f"a run holds at most {MOST_SLOTS} episodes, got {len(task_ids)} tasks x {trials} trials")
    return tuple(Slot(task, trial, slot_seed(seed, task, trial)) for trial in range(trials) for task in task_ids)


def slot_seed(seed: int, task: str, trial: int) -> int:
    """The seed of one episode, 0 <= seed < 2**31."""
    return int(generator(seed, "episode", task, trial).integers(2**31))
