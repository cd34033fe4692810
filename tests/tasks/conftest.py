"""The shipped banks with everything they are judged by, and ways to break them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from siturec_gym.tasks import TaskBank, load_task_bank
from siturec_gym.tasks.bank import SCENES
from siturec_gym.tasks.builder import load_materials
from siturec_gym.tasks.conflicts import Case
from siturec_gym.tasks.targets import Materials


@pytest.fixture(scope="session", params=SCENES)
def scene(request: pytest.FixtureRequest) -> str:
    """Each shipped scene; a test about the goods of one names it by ``parametrize("scene", [...], indirect=True)``."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def materials(scene: str) -> Materials:
    return load_materials(scene)


@pytest.fixture(scope="session")
def bank(scene: str) -> TaskBank:
    return load_task_bank(scene)


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
