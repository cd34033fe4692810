"""What ``siturec tasks build`` does: build a bank, check it, write it."""

import os
from collections import Counter
from pathlib import Path
from statistics import median

from siturec_gym import assets
from siturec_gym.core.errors import DataError
from siturec_gym.tasks.bank import BANK_FILE
from siturec_gym.tasks.budgets import TIERS
from siturec_gym.tasks.builder import BANK_PROFILES, BANK_SEED, build_bank, load_materials
from siturec_gym.tasks.files import dump_bank, dump_profiles, dump_tasks
from siturec_gym.tasks.records import TaskBank

__all__ = ["BANK_PROFILES", "BANK_SEED", "build_files", "report_of"]


def build_files(scene: str | Path, seed: int, profiles: int, out: Path | None) -> tuple[TaskBank, tuple[Path, ...]]:
    """Build a bank and write it.

    Args:
        scene: A shipped scene, or the folder of a scene of your own.
        seed: Seed of every draw.
        profiles: How many shoppers.
        out: A folder, a file name ending in .json, or None for the scene's own files: the shipped ones, which are
            pinned anew, or ``tasks.json`` in the folder of a scene of your own.

    Returns:
        The bank and the files written.

    Raises:
        ValueError: There is no such scene, or the shipped files would be overwritten by another bank.
        DataError: The bank cannot be built, or a file cannot be written.
    """
    if out is None and isinstance(scene, Path):
        out = scene / BANK_FILE
    if out is None and (seed, profiles) != (BANK_SEED, BANK_PROFILES):
        raise ValueError(
            f"the shipped tasks have seed {BANK_SEED} and {BANK_PROFILES} profiles, not {seed} and {profiles}; "
            "give --out for a bank of your own"
        )
    bank = build_bank(load_materials(scene), seed, profiles)
    folder = assets.DATA_FOLDER / scene if out is None else out
    if folder.suffix == ".json":
        contents = {folder: dump_bank(bank)}
    else:
        contents = {folder / "profiles.json": dump_profiles(bank), folder / "tasks.json": dump_tasks(bank)}
    for path, content in contents.items():
        _write(path, content)
    if out is None:
        assets.pin()
    return bank, tuple(contents)


def report_of(bank: TaskBank) -> str:
    """The figures of a bank in one line."""
    sizes = [len(task.reference_set) for task in bank]
    tiers = Counter(task.goal.budget_tier for task in bank)
    return (
        f"{len(bank.profiles)} profiles, {len(bank)} tasks in {len({task.goal.category for task in bank})} categories; "
        f"reference sets of {min(sizes)} to {max(sizes)} products, median {median(sizes):g}; "
        f"budgets: {', '.join(f'{tiers[tier]} {tier}' for tier in TIERS)}"
    )


def _write(path: Path, content: str) -> None:
    """Write ``content`` whole or not at all."""
    draft = path.with_name(path.name + ".tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(content)
        os.replace(draft, path)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}") from error
