"""The tasks an environment plays: the shipped bank for testing, fresh ones for training, or a file of your own."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from siturec_gym import assets
from siturec_gym.core.errors import DataError
from siturec_gym.tasks.files import load_task_file, parse_bank
from siturec_gym.tasks.records import TaskBank

BANK = "bank"
BANK_FILE = "tasks.json"
TRAIN = "train"
TRAINING_PROFILES = 100
_TRAINING_DIGITS = 3
SCENES = ("supermarket", "home_furnishings")


@cache
def load_task_bank(scene: str) -> TaskBank:
    """The 100 shipped tasks of a scene, for testing; the same object at each call.

    Raises:
        ValueError: There is no such scene.
        DataError: A data file is missing, changed or malformed.
    """
    _check_scene(scene)
    profiles, tasks = (assets.read_asset(f"{scene}/{name}.json") for name in ("profiles", "tasks"))
    return parse_bank(scene, profiles, tasks)


@cache
def training_tasks(scene: str | Path, seed: int = 0, profiles: int = TRAINING_PROFILES) -> TaskBank:
    """Fresh shoppers with four tasks each, none of which has the need of a test task.

    Ids start with "<scene>-train/", so that no training task can pass for a test task. Of two banks of up to 999
    shoppers with the same seed, one is the beginning of the other.

    Args:
        scene: A shipped scene, or the folder of a scene of your own.
        seed: Equal seeds give equal tasks.
        profiles: How many shoppers, 1 or more.

    Raises:
        ValueError: There is no such scene, or ``profiles`` is below 1.
    """
    # Building needs the scene and the authored roles, which playing the shipped bank does not.
    from siturec_gym.tasks.builder import build_bank, load_materials, needs_of  # noqa: PLC0415

    if profiles < 1:
        raise ValueError(f"{profiles} training profiles; allowed: 1 or more")
    test_tasks = resolve_tasks(scene)
    materials = replace(load_materials(scene), taken=needs_of(test_tasks))
    return build_bank(materials, seed, profiles, f"{materials.scene}-train", _TRAINING_DIGITS)


def resolve_tasks(scene: str | Path, tasks: str | Path | TaskBank = BANK, seed: int = 0) -> TaskBank:
    """The bank that the ``tasks`` keyword of an environment means.

    Args:
        scene: The environment's scene: its name, or its folder.
        tasks: "bank" (the shipped tasks, or ``tasks.json`` in the scene's folder), "train" (built from ``seed``), the
            path of a task file, or a bank itself.
        seed: Seed of the training tasks.

    Raises:
        ValueError: The file is of another scene, or there is no such scene.
        DataError: The file cannot be read or is malformed.
    """
    if tasks == BANK and isinstance(scene, str):
        return load_task_bank(scene)
    if tasks == TRAIN:
        return training_tasks(scene, seed)
    name = scene if isinstance(scene, str) else scene.resolve().name
    if tasks == BANK:
        tasks = load_task_file(Path(scene) / BANK_FILE)
    elif not isinstance(tasks, TaskBank):
        tasks = _from_file(tasks)
    if tasks.scene != name:
        raise ValueError(f"tasks of the scene {tasks.scene!r} cannot be played in {name!r}")
    return tasks


def _from_file(path: str | Path) -> TaskBank:
    try:
        return load_task_file(path)
    except DataError as error:
        if isinstance(path, str) and not Path(path).exists():
            raise ValueError(f"tasks {path!r}: neither {BANK!r}, {TRAIN!r} nor a file") from error
        raise


def _check_scene(scene: str) -> None:
    if scene not in SCENES:
        raise ValueError(f"there are no tasks for the scene {scene!r}; known scenes: {', '.join(SCENES)}")
