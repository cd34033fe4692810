"""The four-step task builder: seeded, re-runnable, and checked for conflicts (SituRecBench, A.3; S10)."""

from collections.abc import Iterator
from pathlib import Path

from siturec_gym.core.errors import DataError
from siturec_gym.core.seeding import generator
from siturec_gym.scenes import load_scene, load_scene_folder
from siturec_gym.tasks.conflicts import Case, conflicts_of
from siturec_gym.tasks.goals import make_task
from siturec_gym.tasks.labels import Need, Wish, choose_labels
from siturec_gym.tasks.lexicon import load_lexicon
from siturec_gym.tasks.records import Profile, Task, TaskBank
from siturec_gym.tasks.roles import Role, draw_profile, draw_styles, load_roles
from siturec_gym.tasks.targets import Coverage, Materials, select_targets

BANK_SEED = 42
BANK_PROFILES = 25
_ATTEMPTS = 20


def load_materials(scene: str | Path) -> Materials:
    """Catalog, places, words and roles of a shipped scene, or of one of your own that lies in a folder.

    Raises:
        ValueError: There is no such scene.
        DataError: One of its files is missing, changed or malformed.
    """
    store = load_scene(scene) if isinstance(scene, str) else load_scene_folder(scene)
    return Materials(store.name, store.catalog, store.places_of_product, load_lexicon(scene), load_roles(scene))


def build_bank(
    materials: Materials, seed: int, profiles: int = BANK_PROFILES, prefix: str | None = None, digits: int = 2
) -> TaskBank:
    """Profiles with four tasks each; equal arguments give equal banks.

    Args:
        materials: What to build from.
        seed: Seed of every draw.
        profiles: How many shoppers; roles repeat in order when there are more of them than roles.
        prefix: What ids start with and random streams are named by; the scene's name if None.
        digits: How many digits a profile's number has at least. Its tasks depend on its id: with enough digits for
            both, the first tasks of a larger bank are those of a smaller one.

    Raises:
        DataError: A role allows no task free of conflicts.
    """
    prefix = materials.scene if prefix is None else prefix
    coverage = Coverage()
    people: list[Profile] = []
    tasks: list[Task] = []
    styles = draw_styles(profiles, generator(seed, prefix, "styles"))
    digits = max(digits, len(str(profiles)))
    for number in range(1, profiles + 1):
        role = materials.roles[(number - 1) % len(materials.roles)]
        profile_id, rng = f"{prefix}/{number:0{digits}d}", generator(seed, prefix, "profile", number)
        profile = draw_profile(role, profile_id, styles[number - 1], rng)
        people.append(profile)
        tasks.extend(_tasks_of(role, profile, materials, coverage, seed))
    return TaskBank(materials.scene, tuple(people), tuple(tasks))


def needs_of(bank: TaskBank) -> frozenset[Need]:
    """The needs that a bank's tasks are."""
    return frozenset(
        (task.target, frozenset(task.goal.required_labels), frozenset(task.goal.unwanted_labels)) for task in bank
    )


def _tasks_of(role: Role, profile: Profile, materials: Materials, coverage: Coverage, seed: int) -> Iterator[Task]:
    targets = select_targets(role, profile, materials, coverage, generator(seed, profile.id, "targets"))
    for number, (target, use) in enumerate(targets, start=1):
        yield _task(f"{profile.id}.{number}", profile, materials.wish(role, target, use), materials, seed)


def _task(task_id: str, profile: Profile, wish: Wish, materials: Materials, seed: int) -> Task:
    """The first draw that is free of conflicts."""
    problems: list[str] = []
    for attempt in range(_ATTEMPTS):
        rng = generator(seed, task_id, "task", attempt)
        choice = choose_labels(wish, rng)
        task = make_task(task_id, profile, wish.target, wish.use, choice, materials.catalog, materials.lexicon, rng)
        problems = conflicts_of(Case(task, profile, wish.role, materials.catalog, materials.lexicon))
        if not problems:
            return task
    raise DataError(f"task {task_id} of {wish.role.name!r} cannot be built: {problems[0]}")
