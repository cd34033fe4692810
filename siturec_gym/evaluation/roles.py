"""The policies of a run, built by name for each task."""

from siturec_gym.core.policy import AssistantPolicy, Moderator, UserPolicy
from siturec_gym.tasks.records import Task

PRIVILEGED = "privileged"
SCRIPTED = "scripted"


def make_assistant_for(name: str, task: Task) -> AssistantPolicy:
    """The assistant named ``name``. Only the privileged one is told anything about the task."""
    from siturec_gym.policies import make_assistant  # noqa: PLC0415  kept off the path of --help

    if name == PRIVILEGED:
        return make_assistant(name, reference_set=task.reference_set)
    return make_assistant(name)


def make_user_for(name: str) -> UserPolicy:
    """The simulated user named ``name``."""
    from siturec_gym.users import make_user  # noqa: PLC0415

    return make_user(name)


def make_moderator_for(name: str) -> Moderator | None:
    """The moderator named ``name``; None for "none"."""
    from siturec_gym.judges.moderator import make_moderator  # noqa: PLC0415

    return make_moderator(name)


def check_roles(assistant: str, user: str, moderator: str, task: Task, *, allow_privileged: bool) -> None:
    """Build every role once, so that a wrong name is found before anything is written.

    Raises:
        ValueError: A name is unknown, or the privileged assistant was not allowed.
    """
    if assistant == PRIVILEGED and not allow_privileged:
        raise ValueError(
            "assistant 'privileged' knows the shopper's goal, so its results are an upper bound and no result: "
            "add --allow-privileged to run it all the same"
        )
    make_assistant_for(assistant, task)
    make_user_for(user)
    make_moderator_for(moderator)
