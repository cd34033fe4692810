"""What a caller may pass to the environment, checked before anything is built or changed."""

import reprlib
from collections.abc import Mapping
from typing import Any

from siturec_gym.envs.situated.state import Snapshot
from siturec_gym.tasks.records import Task, TaskBank

MOST_TURNS = 2**31
RENDER_MODES = ("human", "rgb_array")
_TESTED_OPTION = "options"  # PettingZoo's api_test sends this key to see that reset takes options


def check_arguments(
    tasks: TaskBank, image_size: tuple[int, int], render_mode: str | None, max_cycles: int, moderator: Any = None
) -> None:
    """Check the keywords of the environment.

    Raises:
        ValueError: One of them is outside what is allowed.
    """
    if not len(tasks):
        raise ValueError("tasks: the bank is empty")
    check_image_size(image_size)
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected None or one of {', '.join(RENDER_MODES)}, got {render_mode!r}")
    if type(max_cycles) is not int or not 1 <= max_cycles <= MOST_TURNS:
        raise ValueError(f"max_cycles: expected at least 1 and at most {MOST_TURNS}, got {max_cycles!r}")
    if moderator is not None and not callable(moderator):
        raise ValueError(f"moderator: expected a name, a callable or None, got {moderator!r}")


def check_image_size(image_size: Any) -> None:
    """Check that it is a width and a height; how large they may be, the renderer says.

    Raises:
        ValueError: It is anything else.
    """
    pair = isinstance(image_size, tuple | list) and len(image_size) == 2
    if not pair or any(type(side) is not int or side < 1 for side in image_size):
        raise ValueError(f"image_size: expected (width, height) in pixels, got {reprlib.repr(image_size)}")


def check_snapshot(snapshot: Any, tasks: TaskBank) -> None:
    """Check that a state can be gone on from in an environment that plays ``tasks``.

    Raises:
        ValueError: It is no state of this environment, or the state of another store.
    """
    if not isinstance(snapshot, Snapshot):
        kind = type(snapshot).__name__
        raise ValueError(f"set_state: expected what get_state of a like environment gave, got {kind}")
    store, other = (task.id.partition("/")[0] for task in (tasks[0], snapshot.episode.task))
    if other != store:
        raise ValueError(f"set_state: expected a state of the store {store!r}, got one of {other!r}")


def chosen_task(tasks: TaskBank, options: Mapping[str, Any]) -> Task | None:
    """The task that the options of ``reset`` name; None leaves the choice to the generator.

    Raises:
        ValueError: An unknown option or task.
    """
    if not isinstance(options, Mapping):
        raise ValueError(f"reset options: expected a dict such as {{'task': id}}, got {reprlib.repr(options)}")
    unknown = sorted(set(options) - {"task", _TESTED_OPTION}, key=str)
    if unknown:
        raise ValueError(f"unknown reset option {unknown[0]!r}; allowed: 'task'")
    if "task" not in options:
        return None
    for task in tasks:
        if task.id == options["task"]:
            return task
    asked = reprlib.repr(options["task"])
    raise ValueError(f"unknown task {asked}; this bank holds {tasks[0].id!r} to {tasks[-1].id!r}")
