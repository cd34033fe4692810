"""The shipped bank with everything it is judged by, and ways to break it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from siturec_gym.tasks import TaskBank, load_task_bank
from siturec_gym.tasks.builder import load_materials
from siturec_gym.tasks.conflicts import Case
from siturec_gym.tasks.targets import Materials


@pytest.fixture(scope="session")
def materials() -> Materials:
    return load_materials("supermarket")


@pytest.fixture(scope="session")
def bank() -> TaskBank:
    return load_task_bank("supermarket")


@pytest.fixture(scope="session")
def case_of(bank: TaskBank, materials: Materials) -> Callable[[str], Case]:
    roles = {role.persona: role for role in materials.roles}
    profiles = {profile.id: profile for profile in bank.profiles}

    def case(task_id: str) -> Case:
        task = next(task for task in bank if task.id == task_id)
        profile = profiles[task.profile_id]
        return Case(task, profile, roles[profile.persona], materials.catalog, materials.lexicon)

    return case


@pytest.fixture(scope="session")
def with_goal() -> Callable[..., Case]:
    def changed(case: Case, **fields: Any) -> Case:
        return replace(case, task=replace(case.task, goal=replace(case.task.goal, **fields)))

    return changed
