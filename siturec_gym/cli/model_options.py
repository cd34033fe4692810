"""The options by which models are reached: written once, and one argument of every command that takes them."""

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siturec_gym.cli.options import Set

if TYPE_CHECKING:
    from siturec_gym.evaluation.models import ModelSettings

PLAYED = ("assistant", "user", "moderator")
"""Roles of a run."""
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_OPTIONS: dict[str, Any] = {
    "base_url": Annotated[str | None, typer.Option(help="Address of llm: models, such as http://HOST:8000/v1.")],
    "assistant_url": Annotated[str | None, typer.Option(help="Address of the assistant's model.")],
    "user_url": Annotated[str | None, typer.Option(help="Address of the user's model.")],
    "moderator_url": Annotated[str | None, typer.Option(help="Address of the moderator's model.")],
    "key_from": Annotated[
        list[str] | None, typer.Option(help="VARIABLE or ROLE=VARIABLE that holds an address's key; OPENAI_API_KEY.")
    ],
    "settings": Set,
    "cache": Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder where models' replies are kept and found again.")
    ],
    "prices": Annotated[Path | None, typer.Option(help="JSON: dollars per million tokens by model.")],
    "concurrency": Annotated[int | None, typer.Option(min=1, help="Most requests at one address at once.")],
    "requests_per_minute": Annotated[
        float | None, typer.Option(min=0.001, help="Most requests to one address in a minute.")
    ],
    "timeout": Annotated[float | None, typer.Option(min=0.1, help="Most seconds for one reply of a model.")],
    "device": Annotated[str | None, typer.Option(help="Where hf: models run: auto, cpu, cuda:1, mps.")],
    "dtype": Annotated[str | None, typer.Option(help="Numbers of hf: models: auto, bfloat16, float16, float32.")],
}
"""Every option in the order of --help, by the parameter that it becomes."""
EVERY = frozenset(_OPTIONS)
URLS = frozenset(("assistant_url", "user_url", "moderator_url"))
_USUAL = {"concurrency": 64, "timeout": 120.0}
_FIELDS = {"timeout": "timeout_s", "requests_per_minute": "per_minute"}
"""Fields of ``ModelSettings`` that are named otherwise than their options."""


@dataclass(frozen=True)
class ModelOptions:
    """What was typed of models.

    Attributes:
        typed: Value by parameter; None where nothing was typed.
        roles: Those that may have a key of their own.
    """

    typed: Mapping[str, Any] = field(default_factory=dict)
    roles: tuple[str, ...] = PLAYED

    def of_roles(self) -> dict[str, Any]:
        """How models play their roles, by "ROLE.NAME".

        Raises:
            ValueError: One is not of the form ROLE.NAME=VALUE.
        """
        from siturec_gym.evaluation.role_settings import read_settings  # noqa: PLC0415  --help must not wait for it

        return read_settings(self.typed.get("settings") or ())

    def reached(self) -> "ModelSettings":
        """How models are reached.

        Raises:
            ValueError: A key's variable is named in another form, or a value is wrong.
        """
        from siturec_gym.evaluation.models import ModelSettings  # noqa: PLC0415  --help must not wait for it
        from siturec_gym.llm.endpoint import usual_url  # noqa: PLC0415

        return self.changing(ModelSettings(base_url=usual_url()))

    def changing(self, kept: "ModelSettings") -> "ModelSettings":
        """How models are reached: as before, but for what was typed.

        Args:
            kept: As before.

        Raises:
            ValueError: A key's variable is named in another form, or a value is wrong.
        """
        urls = {name.removesuffix("_url"): self.typed.get(name) for name in URLS}
        apart = {*URLS, "key_from", "settings"}
        fields = {_FIELDS.get(name, name): value for name, value in self.typed.items() if name not in apart}
        return kept.changed(urls, key_variables(self.typed.get("key_from") or (), self.roles), **fields)


def takes_models(
    *, without: Collection[str] = (), usual: Mapping[str, Any] = _USUAL, roles: tuple[str, ...] = PLAYED
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put the options of models in place of a command's keyword ``models``, which then is what was typed.

    Args:
        without: Parameters that the command does not take.
        usual: What holds where nothing is typed, by parameter.
        roles: Those of the command that a model may play.
    """
    names = [name for name in _OPTIONS if name not in without]

    def taking(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            command(models=ModelOptions({name: given.pop(name) for name in names}, roles), **given)

        shown = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=usual.get(name), annotation=_OPTIONS[name])
            for name in names
        ]
        parameters = list[Parameter]()
        for parameter in signature(command).parameters.values():
            own = parameter.replace(kind=Parameter.KEYWORD_ONLY)
            parameters += shown if parameter.name == "models" else [own]
        # Typer reads a command's options from these two.
        run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return taking


def key_variables(typed: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """Role and environment variable; the role "" for a variable of every role that has none of its own.

    What was typed is never shown, since it may be a key.

    Args:
        typed: As typed, VARIABLE or ROLE=VARIABLE.
        roles: Those that may have one.

    Raises:
        ValueError: One is not of the form, or no such variable is set.
    """
    variables: dict[str, str] = {}
    for word in typed:
        role, _, variable = word.rpartition("=")
        if role not in ("", *roles) or not _VARIABLE.fullmatch(variable):
            raise ValueError(
                "--key-from takes the name of an environment variable in capital letters, or ROLE=NAME with the role "
                f"{', '.join(roles)}"
            )
        if not os.environ.get(variable):
            raise ValueError(f"--key-from: the environment variable of {role or 'every role'} is not set or empty")
        variables[role] = variable
    return variables
