"""The roles of a run, built by name for each episode."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.core.policy import AssistantPolicy, Moderator, UserPolicy
from siturec_gym.evaluation.models import ModelSettings, client_for
from siturec_gym.evaluation.role_settings import check_roles_of, settings_of
from siturec_gym.llm.clients import look_at
from siturec_gym.llm.names import LOADED, ModelName, model_name
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.tasks.records import Task

PRIVILEGED = "privileged"
SCRIPTED = "scripted"
MODEL = "model"
ACTING = ("assistant", "user")


def make_assistant_for(
    name: str, task: Task, asker: Asker | None = None, settings: RoleSettings | None = None, trial: int = 0
) -> AssistantPolicy:
    """The assistant named ``name``. Only the privileged one is told anything about the task.

    Args:
        name: "random", "random_product", "heuristic", "privileged", "llm:MODEL" or "hf:PATH".
        task: What will be played.
        asker: The model behind the role, if it has one.
        settings: How the model plays.
        trial: Attempt at the task.
    """
    if asker is not None:
        from siturec_gym.policies.llm import LLMAssistant  # noqa: PLC0415  only roles with a model need it

        return LLMAssistant(asker, settings or RoleSettings(), trial)
    from siturec_gym.policies import make_assistant  # noqa: PLC0415  kept off the path of --help

    if name == PRIVILEGED:
        return make_assistant(name, reference_set=task.reference_set)
    return make_assistant(name)


def make_user_for(
    name: str, asker: Asker | None = None, settings: RoleSettings | None = None, trial: int = 0
) -> UserPolicy:
    """The simulated user named ``name``; arguments as for the assistant."""
    if asker is not None:
        from siturec_gym.users.llm import LLMUser  # noqa: PLC0415

        return LLMUser(asker, settings or RoleSettings(), trial)
    from siturec_gym.users import make_user  # noqa: PLC0415

    return make_user(name)


def make_moderator_for(
    name: str,
    asker: Asker | None = None,
    settings: RoleSettings | None = None,
    seed: int = 0,
    trial: int = 0,
) -> Moderator | None:
    """The moderator named ``name``; None for "none".

    Args:
        name: "rules", "none", "llm:MODEL" or "hf:PATH".
        asker: The model behind the role, if it has one.
        settings: How the model is asked.
        seed: Seed of the episode.
        trial: Attempt at the task.
    """
    if asker is None:
        from siturec_gym.judges.moderator import make_moderator  # noqa: PLC0415

        return make_moderator(name)
    from siturec_gym.judges.llm_moderator import LLMModerator  # noqa: PLC0415

    return LLMModerator(asker, seed, trial, (settings or model_settings("moderator", {})).decoding)


def models_of(names: Mapping[str, str]) -> dict[str, ModelName]:
    """Role and model of every role that a model plays.

    Args:
        names: Role and name of what plays it.
    """
    return {role: model for role, name in names.items() if (model := model_name(name)) is not None}


def model_settings(role: str, settings: Mapping[str, Any]) -> RoleSettings:
    """How a model plays ``role``.

    Args:
        role: "assistant", "user", "moderator" or "judge".
        settings: Values by "ROLE.NAME", of any role.

    Raises:
        ValueError: A name is unknown for the role, or a value is wrong.
    """
    if role in ACTING:
        return settings_of(role, settings)
    if role == "moderator":
        from siturec_gym.judges.llm_moderator import MODERATOR_DECODING  # noqa: PLC0415

        return settings_of(role, settings, MODERATOR_DECODING, sees=False)
    from siturec_gym.judges.llm_conversation import JUDGE_DECODING  # noqa: PLC0415

    return settings_of(role, settings, JUDGE_DECODING, sees=False)


def askers_of(names: Mapping[str, str], models: ModelSettings) -> dict[str, Asker]:
    """The model behind every role that has one, each with a meter of its own at the model's price.

    Raises:
        ModelError: A package is not installed, or a model cannot be loaded.
        DataError: The price file cannot be read.
    """
    return {role: Asker(client_for(models, role, name), models.meter(name)) for role, name in models_of(names).items()}


def describe_roles(names: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a manifest says of each role: name, kind, and for a model its settings and prompt hash.

    Raises:
        ModelError: A model's folder cannot be read.
    """
    roles: dict[str, dict[str, Any]] = {role: {"name": name, "kind": SCRIPTED} for role, name in names.items()}
    for role, name in models_of(names).items():
        roles[role] |= {"kind": MODEL, "model": name.label} | _described(role, model_settings(role, settings))
        if name.kind == LOADED:
            roles[role]["fingerprint"] = look_at(name).fingerprint
    return roles


def _described(role: str, settings: RoleSettings) -> dict[str, Any]:
    if role == "assistant":
        from siturec_gym.policies.llm import describe  # noqa: PLC0415

        return describe(settings)
    if role == "user":
        from siturec_gym.users.llm import describe as describe_user  # noqa: PLC0415

        return describe_user(settings)
    from siturec_gym.judges.llm_moderator import describe as describe_moderator  # noqa: PLC0415

    return describe_moderator(settings.decoding)


def check_roles(names: Mapping[str, str], task: Task, settings: Mapping[str, Any], *, allow_privileged: bool) -> None:
    """Find a wrong name or setting before anything is written. Models are not asked.

    Raises:
        ValueError: A name or setting is unknown, or the privileged assistant was not allowed.
    """
    if names["assistant"] == PRIVILEGED and not allow_privileged:
        raise ValueError(
            "assistant 'privileged' knows the shopper's goal, so its results are an upper bound and no result: "
            "add --allow-privileged to run it all the same"
        )
    models = models_of(names)
    check_roles_of(settings, names, models)
    for role in models:
        model_settings(role, settings)
    if "assistant" not in models:
        make_assistant_for(names["assistant"], task)
    if "user" not in models:
        make_user_for(names["user"])
    if "moderator" not in models:
        make_moderator_for(names["moderator"])
