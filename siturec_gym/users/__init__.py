"""Simulated users, chosen by name."""

from collections.abc import Callable
from typing import Any

from siturec_gym.core.policy import UserPolicy


def _agenda() -> UserPolicy:
    from siturec_gym.users.agenda import AgendaUser  # noqa: PLC0415

    return AgendaUser()


_USERS: dict[str, Callable[[], UserPolicy]] = {"agenda": _agenda}


def make_user(name: str, **options: Any) -> UserPolicy:
    """The user policy with this name.

    Raises:
        ValueError: Unknown name, or an option that it does not take.
    """
    if name not in _USERS:
        raise ValueError(f"unknown user {name!r}; valid names: {', '.join(sorted(_USERS))}")
    if options:
        raise ValueError(f"user {name!r} takes no options, got {sorted(options)}")
    return _USERS[name]()


__all__ = ["make_user"]
