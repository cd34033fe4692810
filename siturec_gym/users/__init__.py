"""Simulated users, chosen by name."""

from collections.abc import Callable
from functools import partial
from typing import Any

from siturec_gym.core.options import check_options
from siturec_gym.core.policy import UserPolicy
from siturec_gym.llm.names import ModelName, model_name
from siturec_gym.llm.roles.settings import RoleSettings


def _agenda() -> UserPolicy:
    from siturec_gym.users.agenda import AgendaUser  # noqa: PLC0415

    return AgendaUser()


_USERS: dict[str, Callable[[], UserPolicy]] = {"agenda": _agenda}


def make_user(name: str, **options: Any) -> UserPolicy:
    """The user policy with this name.

    Args:
        name: "agenda", or a language model as "llm:MODEL" or "hf:PATH".
        options: Of a model: ``base_url`` (None: OPENAI_BASE_URL), ``settings`` (how it plays, ``RoleSettings``).

    Raises:
        ValueError: Unknown name, or an option that it does not take.
        ModelError: A package is missing, or a model cannot be loaded.
    """
    model = model_name(name)
    if model is None and name not in _USERS:
        raise ValueError(f"unknown user {name!r}; valid names: {', '.join(sorted(_USERS))}, llm:MODEL, hf:PATH")
    build: Callable[..., UserPolicy] = _USERS[name] if model is None else partial(_model_user, model)
    check_options(f"user {name!r}", build, options)
    return build(**options)


def _model_user(model: ModelName, *, base_url: str | None = None, settings: RoleSettings | None = None) -> UserPolicy:
    from siturec_gym.llm.clients import make_asker  # noqa: PLC0415  only users that are models need it
    from siturec_gym.users.llm import LLMUser  # noqa: PLC0415

    return LLMUser(make_asker(model, base_url), RoleSettings.given(settings))


__all__ = ["make_user"]
