"""Which tasks of a bank a run plays: ``--tasks``."""

from collections.abc import Sequence

from siturec_gym.metrics.partition import partition
from siturec_gym.tasks.records import Task, TaskBank

ONE_PER_PROFILE = "one-per-profile"
FORMS = "a range such as 0:20, ids such as supermarket/01.1,03.2, or one-per-profile"


def select_tasks(selection: str, bank: TaskBank) -> tuple[Task, ...]:
    """The tasks that ``selection`` names, in bank order for ranges and in the order given for ids.

    Args:
        selection: ``0:20`` (positions in the bank, as Python slices count), task ids separated by commas (the
            scene's name may be left out), or ``one-per-profile``: the first task of each profile after the paper's
            seed-42 shuffle.
        bank: The tasks to choose from.

    Raises:
        ValueError: Nothing of these, an id the bank does not hold, an id named twice, or a range without tasks.
    """
    if selection == ONE_PER_PROFILE:
        chosen = set(partition({task.id: task.profile_id for task in bank})[0])
        return tuple(task for task in bank if task.id in chosen)
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
