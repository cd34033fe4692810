"""What a caller may pass to the environment, checked before anything is built or changed."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.tasks.records import Task, TaskBank

RENDER_MODES = ("human", "rgb_array")
_TESTED_OPTION = "options"  # PettingZoo's api_test sends this key to see that reset takes options


def check_arguments(tasks: TaskBank, image_size: tuple[int, int], render_mode: str | None, max_cycles: int) -> None:
    """Check the keywords of the environment.

    Raises:
        ValueError: One of them is outside what is allowed.
    """
    if not len(tasks):
        raise ValueError("tasks: the bank is empty")
    if len(image_size) != 2 or any(type(side) is not int or side < 1 for side in image_size):
        raise ValueError(f"image_size: expected (width, height) in pixels, got {image_size!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected None or one of {', '.join(RENDER_MODES)}, got {render_mode!r}")
    if type(max_cycles) is not int or max_cycles < 1:
        raise ValueError(f"max_cycles: expected at least 1, got {max_cycles!r}")


def chosen_task(tasks: TaskBank, options: Mapping[str, Any]) -> Task | None:
    """The task that the options of ``reset`` name; None leaves the choice to the generator.

    Raises:
        ValueError: An unknown option or task.
    """
    unknown = sorted(set(options) - {"task", _TESTED_OPTION})
    if unknown:
        raise ValueError(f"unknown reset option {unknown[0]!r}; allowed: 'task'")
    if "task" not in options:
        return None
    for task in tasks:
        if task.id == options["task"]:
            return task
    raise ValueError(f"unknown task {options['task']!r}; this bank holds {tasks[0].id!r} to {tasks[-1].id!r}")
