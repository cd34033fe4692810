"""The roles of a run, built by name for each episode."""

from typing import Any

from siturec_gym.core.policy import AssistantPolicy, Moderator, UserPolicy
from siturec_gym.evaluation.models import ModelSettings, client_for, model_name
from siturec_gym.llm.meter import Meter
from siturec_gym.tasks.records import Task

PRIVILEGED = "privileged"
SCRIPTED = "scripted"
MODEL = "model"


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


def make_moderator_for(
    name: str, models: ModelSettings | None = None, meter: Meter | None = None, seed: int = 0, trial: int = 0
) -> Moderator | None:
    """The moderator named ``name``; None for "none".

    Args:
        name: "rules", "none" or "llm:MODEL".
        models: How a model is reached.
        meter: Where a model's usage is counted.
        seed: Seed of the episode.
        trial: Attempt at the task.
    """
    model = model_name(name)
    if model is None:
        from siturec_gym.judges.moderator import make_moderator  # noqa: PLC0415

        return make_moderator(name)
    from siturec_gym.judges.llm_moderator import LLMModerator  # noqa: PLC0415
    from siturec_gym.llm.structured import Asker  # noqa: PLC0415

    return LLMModerator(Asker(client_for(models or ModelSettings(), "moderator", model), meter), seed, trial)


def describe_roles(assistant: str, user: str, moderator: str) -> dict[str, dict[str, Any]]:
    """What a manifest says of each role: name, kind, and for a model its settings and prompt hash."""
    roles: dict[str, dict[str, Any]] = {
        role: {"name": name, "kind": SCRIPTED}
        for role, name in (("assistant", assistant), ("user", user), ("moderator", moderator))
    }
    model = model_name(moderator)
    if model is not None:
        from siturec_gym.judges.llm_moderator import describe  # noqa: PLC0415

        roles["moderator"] |= {"kind": MODEL, "model": model} | describe()
    return roles


def models_of(assistant: str, user: str, moderator: str) -> dict[str, str]:
    """Role and model of every role that a model plays."""
    names = {"assistant": assistant, "user": user, "moderator": moderator}
    return {role: model for role, name in names.items() if (model := model_name(name)) is not None}


def check_roles(
    assistant: str,
    user: str,
    moderator: str,
    task: Task,
    *,
    allow_privileged: bool,
    models: ModelSettings | None = None,
) -> None:
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
    make_moderator_for(moderator, models)
