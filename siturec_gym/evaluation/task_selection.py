"""Which tasks a run plays: ``--tasks``."""

import re
from collections.abc import Sequence

from siturec_gym.evaluation.environments import environment, task_bank
from siturec_gym.metrics.partition import SUBSETS, partition
from siturec_gym.tasks.records import Task, TaskBank

ONE_PER_PROFILE = "one-per-profile"
FORMS = "a range such as 0:20, ids such as supermarket/01.1,03.2, one-per-profile, or train:N"
MOST_TRAINING_TASKS = 10_000
_TRAIN = re.compile(r"train:(\d+)")


def bank_for(selection: str, env_id: str) -> TaskBank:
    """The bank that a selection chooses from: the shipped tasks, or for ``train:N`` as many training tasks.

    Training tasks are built from seed 0, so ``train:20`` holds the first 20 of ``train:40``, and of ``tasks="train"``.

    Raises:
        ValueError: There is no such environment, or N is 0 or above ``MOST_TRAINING_TASKS``.
    """
    training = _TRAIN.fullmatch(selection)
    if training is None:
        return task_bank(env_id)
    from siturec_gym.tasks import training_tasks  # noqa: PLC0415  reading data takes time that --help must not pay

    wanted = int(training[1])
    if not 1 <= wanted <= MOST_TRAINING_TASKS:
        raise ValueError(f"--tasks {selection!r}: give train:1 to train:{MOST_TRAINING_TASKS}")
    return training_tasks(environment(env_id).scene, profiles=-(-wanted // SUBSETS))


def select_tasks(selection: str, bank: TaskBank) -> tuple[Task, ...]:
    """The tasks that ``selection`` names, in bank order for ranges and in the order given for ids.

    Args:
        selection: ``0:20`` (positions in the bank, as Python slices count), task ids separated by commas (the
            scene's name may be left out), ``one-per-profile``: the first task of each profile after the paper's
            seed-42 shuffle, or ``train:N``: the first N of the bank, which ``bank_for`` then builds.
        bank: The tasks to choose from.

    Raises:
        ValueError: Nothing of these, an id the bank does not hold, an id named twice, or a range without tasks.
    """
    if selection == ONE_PER_PROFILE:
        chosen = set(partition({task.id: task.profile_id for task in bank})[0])
        return tuple(task for task in bank if task.id in chosen)
    if training := _TRAIN.fullmatch(selection):
        return bank.tasks[: int(training[1])]
    if ":" in selection:
        return _range(selection, bank)
    return _by_id([part.strip() for part in selection.split(",")], bank)


def _range(selection: str, bank: TaskBank) -> tuple[Task, ...]:
    try:
        bounds = [int(part) if part.strip() else None for part in selection.split(":")]
        tasks = tuple(bank.tasks[slice(*bounds)])
    except (ValueError, TypeError):
        raise ValueError(f"--tasks {selection!r} is not understood; give {FORMS}") from None
    if not tasks:
        raise ValueError(
            f"--tasks {selection!r} names no task; the bank has {len(bank)}, numbered 0 to {len(bank) - 1}"
        )
    return tasks


def _by_id(names: Sequence[str], bank: TaskBank) -> tuple[Task, ...]:
    by_id = {task.id: task for task in bank}
    ids = [name if "/" in name else f"{bank.scene}/{name}" for name in names]
    unknown = [name for name, task_id in zip(names, ids, strict=True) if task_id not in by_id]
    if unknown:
        raise ValueError(f"unknown task {unknown[0]!r}; give {FORMS}")
    repeated = [task_id for index, task_id in enumerate(ids) if task_id in ids[:index]]
    if repeated:
        raise ValueError(f"task {repeated[0]!r} is named twice; use --trials to play a task several times")
    return tuple(by_id[task_id] for task_id in ids)
