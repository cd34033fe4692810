"""Settings of the roles that models play, as they are typed (``assistant.temperature=0.7``) and kept."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from siturec_gym.llm.messages import Decoding
from siturec_gym.llm.roles.settings import RoleSettings

_DECODING = get_type_hints(Decoding)
_SEEING = {name: kind for name, kind in get_type_hints(RoleSettings).items() if name != "decoding"}
CONTEXT, IMAGES = "context_tokens", "images"


def read_settings(typed: Iterable[str]) -> dict[str, Any]:
    """Settings by "ROLE.NAME" from what was typed; of two with the same name the last holds.

    A value is JSON, the word none, or else a text as it stands.

    Raises:
        ValueError: One is not of the form ROLE.NAME=VALUE.
    """
    settings: dict[str, Any] = {}
    for word in typed:
        name, equals, value = word.partition("=")
        role, dot, setting = name.strip().partition(".")
        if not (equals and dot and role and setting):
            raise ValueError(f"--set takes ROLE.NAME=VALUE, such as assistant.temperature=0.7; got {word!r}")
        settings[f"{role}.{setting}"] = _value(value.strip())
    return settings


def _value(text: str) -> Any:
    try:
        return None if text.lower() == "none" else json.loads(text, parse_constant=str)
    except ValueError:
        return text


def settings_of(
    role: str, settings: Mapping[str, Any], decoding: Decoding | None = None, *, sees: bool = True
) -> RoleSettings:
    """The settings of one role: what was given for it, and what is usual for the rest.

    Args:
        role: "assistant", "user", "moderator" or "judge".
        settings: Values by "ROLE.NAME", of any role.
        decoding: What is usual for the role; None: what is usual for the two that act.
        sees: Whether the role acts in the store; one that does not has decoding settings alone.

    Raises:
        ValueError: A name is unknown for the role, or a value is of another type or out of range.
    """
    own = {name.partition(".")[2]: value for name, value in settings.items() if name.partition(".")[0] == role}
    known = _DECODING | (_SEEING if sees else {})
    own = {name: _checked(f"{role}.{name}", value, known.get(name), known) for name, value in own.items()}
    try:
        drawn = {name: value for name, value in own.items() if name in _DECODING}
        usual = RoleSettings() if decoding is None else RoleSettings(decoding=decoding)
        seen = {name: value for name, value in own.items() if name in _SEEING}
        made = replace(usual, decoding=replace(usual.decoding, **drawn), **seen)
        context, reply = made.context_tokens, made.decoding.max_tokens or 0
        if context is not None and context <= reply:
            raise ValueError(f"a context of {context} tokens leaves a prompt no room beside max_tokens {reply}")
    except ValueError as error:
        raise ValueError(f"--set {role}: {error}") from error
    return made


def _checked(name: str, value: Any, kind: Any, known: Mapping[str, Any]) -> Any:
    if kind is None:
        raise ValueError(f"--set {name}: no such setting; there are {', '.join(known)}")
    try:
        return TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        raise ValueError(f"--set {name}: {error.errors()[0]['msg']}, got {value!r}") from error


def check_roles_of(settings: Mapping[str, Any], names: Mapping[str, str], played: Iterable[str]) -> None:
    """Refuse settings of roles that there are not, or that no model plays.

    Args:
        settings: Values by "ROLE.NAME".
        names: Name of what plays each role.
        played: The roles that models play.

    Raises:
        ValueError: A setting that would change nothing.
    """
    models = set(played)
    for setting in settings:
        role = setting.partition(".")[0]
        if role not in names:
            raise ValueError(f"--set {setting}: no role {role!r} here; roles: {', '.join(names)}")
        if role not in models:
            raise ValueError(f"--set {setting}: the {role} {names[role]!r} is no model, so it has no settings")
