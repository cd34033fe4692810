"""The consistency check over a whole bank: what ``siturec tasks check`` runs."""

from siturec_gym.catalog import load_products
from siturec_gym.tasks.conflicts import Case, conflicts_of
from siturec_gym.tasks.lexicon import load_lexicon
from siturec_gym.tasks.records import TaskBank
from siturec_gym.tasks.roles import load_roles


def check_bank(bank: TaskBank) -> list[str]:
    """One line for each conflict in the bank's tasks; empty for a sound bank.

    Profiles whose persona is that of an authored role are also checked against that role's life.

    Raises:
        DataError: The scene's own files are missing, changed or malformed.
    """
    catalog, lexicon = load_products(bank.scene), load_lexicon(bank.scene)
    roles = {role.persona: role for role in load_roles(bank.scene)}
    profiles = {profile.id: profile for profile in bank.profiles}
    problems = []
    for task in bank:
        profile = profiles[task.profile_id]
        problems += conflicts_of(Case(task, profile, roles.get(profile.persona), catalog, lexicon))
    return problems
