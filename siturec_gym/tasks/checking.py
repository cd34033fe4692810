"""The consistency check over a whole bank: what ``siturec tasks check`` runs."""

from pathlib import Path

from siturec_gym.tasks.builder import load_materials
from siturec_gym.tasks.conflicts import Case, conflicts_of
from siturec_gym.tasks.records import TaskBank


def check_bank(bank: TaskBank, folder: Path | None = None) -> list[str]:
    """One line for each conflict in the bank's tasks; empty for a sound bank.

    Profiles whose persona is that of an authored role are also checked against that role's life.

    Args:
        bank: The tasks.
        folder: Where the scene's files lie; None for a shipped scene.

    Raises:
        DataError: The scene's own files are missing, changed or malformed.
    """
    materials = load_materials(folder or bank.scene)
    catalog, lexicon = materials.catalog, materials.lexicon
    roles = {role.persona: role for role in materials.roles}
    profiles = {profile.id: profile for profile in bank.profiles}
    problems = []
    for task in bank:
        profile = profiles[task.profile_id]
        problems += conflicts_of(Case(task, profile, roles.get(profile.persona), catalog, lexicon))
    return problems
