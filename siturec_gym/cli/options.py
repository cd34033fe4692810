"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from siturec_gym.scenes import Scene

Workers = Annotated[int, typer.Option(min=1, help="Processes to play in.")]
Threads = Annotated[int, typer.Option(min=1, help="Episodes at once in each process; for models.")]
Ray = Annotated[str | None, typer.Option(help="auto, or a Ray cluster's address: workers play there.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="ROLE.NAME=VALUE for a role that a model plays: assistant.temperature=0.7."),
]
SceneName = Annotated[str, typer.Option(help="supermarket, home_furnishings, or the folder of a scene of your own.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")]


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
