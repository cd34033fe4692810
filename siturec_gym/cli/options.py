"""Options that several commands share."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from siturec_gym.evaluation.models import ModelSettings

Workers = Annotated[int, typer.Option(min=1, help="Processes to play in.")]
Threads = Annotated[int, typer.Option(min=1, help="Episodes at once in each process; for models.")]
Ray = Annotated[str | None, typer.Option(help="auto, or a Ray cluster's address: workers play there.")]
BaseUrl = Annotated[str | None, typer.Option(help="Address of the models, such as http://HOST:8000/v1.")]
ModeratorUrl = Annotated[str | None, typer.Option(help="Address of the moderator's model.")]
Cache = Annotated[Path | None, typer.Option(help="Folder where models' replies are kept and found again.")]
Prices = Annotated[Path | None, typer.Option(help="JSON: dollars per million tokens by model.")]
Concurrency = Annotated[int, typer.Option(min=1, help="Most requests at one address at once.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Most seconds for one reply of a model.")]
SceneName = Annotated[str, typer.Option(help="supermarket, home_furnishings, or the folder of a scene of your own.")]
NewConcurrency = Annotated[int | None, typer.Option(min=1, help="Most requests at one address at once.")]
NewTimeout = Annotated[float | None, typer.Option(min=0.1, help="Most seconds for one reply of a model.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")]


def model_settings(
    base_url: str | None,
    urls: Mapping[str, str | None],
    cache: Path | None,
    prices: Path | None,
    concurrency: int,
    timeout: float,
) -> "ModelSettings":
    """How models are reached, from what was typed.

    Args:
        base_url: Address for roles without one of their own; None is the default.
        urls: Role and address, or None.
        cache: Folder of kept replies.
        prices: Price file.
        concurrency: Most requests underway at one address.
        timeout: Most seconds for one reply.
    """
    from siturec_gym.evaluation.models import ModelSettings  # noqa: PLC0415  --help must not wait for it
    from siturec_gym.llm.endpoint import DEFAULT_URL  # noqa: PLC0415

    given = tuple(sorted((role, url) for role, url in urls.items() if url is not None))
    return ModelSettings(
        base_url=base_url or DEFAULT_URL,
        urls=given,
        cache=None if cache is None else str(cache),
        prices=None if prices is None else str(prices),
        concurrency=concurrency,
        timeout_s=timeout,
    )


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
