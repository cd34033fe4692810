"""Options that several commands share."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from siturec_gym.evaluation.models import ModelSettings
    from siturec_gym.scenes import Scene

MODEL_ROLES = ("assistant", "user", "moderator", "judge")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")

Workers = Annotated[int, typer.Option(min=1, help="Processes to play in.")]
Threads = Annotated[int, typer.Option(min=1, help="Episodes at once in each process; for models.")]
Ray = Annotated[str | None, typer.Option(help="auto, or a Ray cluster's address: workers play there.")]
BaseUrl = Annotated[str | None, typer.Option(help="Address of llm: models, such as http://HOST:8000/v1.")]
AssistantUrl = Annotated[str | None, typer.Option(help="Address of the assistant's model.")]
UserUrl = Annotated[str | None, typer.Option(help="Address of the user's model.")]
ModeratorUrl = Annotated[str | None, typer.Option(help="Address of the moderator's model.")]
KeyFrom = Annotated[
    list[str] | None, typer.Option(help="VARIABLE or ROLE=VARIABLE that holds an address's key; OPENAI_API_KEY.")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="ROLE.NAME=VALUE for a role that a model plays: assistant.temperature=0.7."),
]
Cache = Annotated[Path | None, typer.Option(help="Folder where models' replies are kept and found again.")]
Prices = Annotated[Path | None, typer.Option(help="JSON: dollars per million tokens by model.")]
Concurrency = Annotated[int, typer.Option(min=1, help="Most requests at one address at once.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Most seconds for one reply of a model.")]
PerMinute = Annotated[float | None, typer.Option(min=0.001, help="Most requests to one address in a minute.")]
Device = Annotated[str | None, typer.Option(help="Where hf: models run: auto, cpu, cuda:1, mps.")]
DType = Annotated[str | None, typer.Option(help="Numbers of hf: models: auto, bfloat16, float16, float32.")]
SceneName = Annotated[str, typer.Option(help="supermarket, home_furnishings, or the folder of a scene of your own.")]
NewConcurrency = Annotated[int | None, typer.Option(min=1, help="Most requests at one address at once.")]
NewTimeout = Annotated[float | None, typer.Option(min=0.1, help="Most seconds for one reply of a model.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")]


def model_settings(**given: Any) -> "ModelSettings":
    """How models are reached, from what was typed.

    Args:
        **given: As for ``changed_settings``.

    Raises:
        ValueError: A key's variable is named in another form.
    """
    from siturec_gym.evaluation.models import ModelSettings  # noqa: PLC0415  --help must not wait for it
    from siturec_gym.llm.endpoint import usual_url  # noqa: PLC0415

    usual = ModelSettings(base_url=usual_url())
    return changed_settings(usual, **given)


def changed_settings(
    kept: "ModelSettings",
    *,
    urls: Mapping[str, str | None] | None = None,
    keys: Sequence[str] | None = None,
    **fields: Any,
) -> "ModelSettings":
    """How models are reached: as before, but for what was typed.

    Args:
        kept: As before.
        urls: Role and address, or None.
        keys: Variables of keys, as typed.
        **fields: Fields of ``ModelSettings``, or None.

    Raises:
        ValueError: A key's variable is named in another form.
    """
    return kept.changed(urls or {}, key_variables(keys or ()), **fields)


def key_variables(typed: Sequence[str]) -> dict[str, str]:
    """Role and environment variable; the role "" for a variable of every role that has none of its own.

    What was typed is never shown, since it may be a key.

    Raises:
        ValueError: One is not of the form, or no such variable is set.
    """
    variables: dict[str, str] = {}
    for word in typed:
        role, _, variable = word.rpartition("=")
        if role not in ("", *MODEL_ROLES) or not _VARIABLE.fullmatch(variable):
            raise ValueError(
                "--key-from takes the name of an environment variable in capital letters, or ROLE=NAME with the role "
                f"{', '.join(MODEL_ROLES)}"
            )
        if not os.environ.get(variable):
            raise ValueError(f"--key-from: the environment variable of {role or 'every role'} is not set or empty")
        variables[role] = variable
    return variables


def scene_source(typed: str) -> str | Path:
    """The name of a shipped scene, or the folder of a scene of your own.

    Raises:
        ValueError: It is neither.
    """
    from siturec_gym.scenes import SCENES  # noqa: PLC0415  loads the world; --help must not wait for it

    if typed in SCENES:
        return typed
    if Path(typed).is_dir():
        return Path(typed).resolve()
    raise ValueError(
        f"unknown scene {typed!r}; known scenes: {', '.join(SCENES)}, or the folder of a scene of your own"
    )


def store_of(typed: str) -> "Scene":
    """A shipped scene by name, or one of your own by its folder.

    Raises:
        ValueError: It is neither.
        DataError: A file of it is missing or wrong.
    """
    from siturec_gym.scenes import load_scene, load_scene_folder  # noqa: PLC0415  --help must not wait for it

    source = scene_source(typed)
    return load_scene(source) if isinstance(source, str) else load_scene_folder(source)


def failure_kinds(listed: str) -> frozenset[str]:
    """The kinds of failure in a list with commas.

    Raises:
        ValueError: A kind that does not exist.
    """
    known = ("transient", "deterministic", "parse", "overflow", "model", "error")
    kinds = frozenset(part.strip() for part in listed.split(",") if part.strip())
    unknown = sorted(kinds - set(known))
    if unknown:
        raise ValueError(f"unknown kind of failure {unknown[0]!r}; choose from {', '.join(known)}")
    return kinds
