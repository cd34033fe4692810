"""Task banks as files: two JSON lists for a shipped scene, or one JSON object for a bank of your own.

A bank of your own is ``{"scene": ..., "profiles": [...], "tasks": [...]}`` with the same entries as the shipped
``profiles.json`` and ``tasks.json``.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from siturec_gym.core.errors import DataError
from siturec_gym.tasks.budgets import TIERS
from siturec_gym.tasks.habits import LEVELS, STYLES
from siturec_gym.tasks.records import Profile, Task, TaskBank

_T = TypeVar("_T")
# Settings that take low, medium or high.
_LEVELLED = ("patience", "price_sensitivity", "explanation_seeking", "substitute_willingness", "talkativeness")


def load_task_file(path: str | Path) -> TaskBank:
    """The bank in a file of your own.

    Raises:
        DataError: The file cannot be read, or is not a complete and consistent bank; one line that names the file.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"task file {str(path)!r} cannot be read: {error.strerror}") from error
    bank = _validated(_adapter(TaskBank), content, f"task file {str(path)!r}")
    return _consistent(bank, f"task file {str(path)!r}")


def parse_bank(scene: str, profiles: bytes, tasks: bytes) -> TaskBank:
    """The bank in the bytes of a profile file and a task file.

    Raises:
        DataError: One of them is malformed, or they do not fit together.
    """
    people = _validated(_adapter(tuple[Profile, ...]), profiles, f"{scene}/profiles.json")
    needs = _validated(_adapter(tuple[Task, ...]), tasks, f"{scene}/tasks.json")
    return _consistent(TaskBank(scene, people, needs), f"{scene}/tasks.json")


def dump_profiles(bank: TaskBank) -> str:
    """The content of ``profiles.json``: one profile a line."""
    return _dump_list(bank.profiles)


def dump_tasks(bank: TaskBank) -> str:
    """The content of ``tasks.json``: one task a line."""
    return _dump_list(bank.tasks)


def dump_bank(bank: TaskBank) -> str:
    """The content of a task file of your own, which ``load_task_file`` reads."""
    profiles, tasks = dump_profiles(bank).rstrip("\n"), dump_tasks(bank).rstrip("\n")
    return f'{{\n"scene": {json.dumps(bank.scene)},\n"profiles": {profiles},\n"tasks": {tasks}\n}}\n'


def _dump_list(records: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(asdict(record)) for record in records) + "\n]\n"


@cache
def _adapter(kind: type[_T]) -> TypeAdapter[_T]:
    return TypeAdapter(kind)


def _validated(adapter: TypeAdapter[_T], content: bytes, source: str) -> _T:
    try:
        return adapter.validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DataError(f"{source}: {where + ': ' if where else ''}{first['msg']}") from error


def _consistent(bank: TaskBank, source: str) -> TaskBank:
    problem = next(_problems(bank), None)
    if problem:
        raise DataError(f"{source}: {problem}")
    return bank


def _problems(bank: TaskBank) -> Iterator[str]:
    if not bank.tasks:
        yield "there are no tasks"
    for ids, what in (([profile.id for profile in bank.profiles], "profile"), ([task.id for task in bank], "task")):
        seen: set[str] = set()
        for name in ids:
            if name in seen:
                yield f"two {what}s share the id {name!r}"
            seen.add(name)
    for profile in bank.profiles:
        yield from _setting_problems(profile)
    known = {profile.id for profile in bank.profiles}
    for task in bank:
        yield from _task_problems(task, known)


def _setting_problems(profile: Profile) -> Iterable[str]:
    settings = profile.settings
    if settings.behavior_style not in STYLES:
        yield f"profile {profile.id}: behavior_style {settings.behavior_style!r}; allowed: {', '.join(STYLES)}"
    for name in _LEVELLED:
        if (value := getattr(settings, name)) not in LEVELS:
            yield f"profile {profile.id}: {name} {value!r}; allowed: {', '.join(LEVELS)}"
    if not 0 <= settings.navigation_following <= 1:
        yield f"profile {profile.id}: navigation_following {settings.navigation_following}; allowed: 0 to 1"


def _task_problems(task: Task, profiles: set[str]) -> Iterable[str]:
    goal = task.goal
    if task.profile_id not in profiles:
        yield f"task {task.id} is of profile {task.profile_id!r}, which does not exist"
    if not 0 < goal.budget < float("inf"):
        yield f"task {task.id}: budget {goal.budget}; it must be above 0"
    if goal.budget_tier not in TIERS:
        yield f"task {task.id}: budget_tier {goal.budget_tier!r}; allowed: {', '.join(TIERS)}"
    if goal.required_labels[:1] != (goal.category,):
        yield f"task {task.id}: required_labels must start with the category {goal.category!r}"
    if task.target not in task.reference_set:
        yield f"task {task.id}: reference_set lacks the target {task.target!r}"
    for label in (*goal.required_labels, *goal.unwanted_labels):
        if label not in goal.needs:
            yield f"task {task.id}: needs has no words for the label {label!r}"
