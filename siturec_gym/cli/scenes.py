"""``siturec scenes``: fill the shelves of a store, and prove that a store is sound."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from siturec_gym import assets
from siturec_gym.core.errors import DataError
from siturec_gym.scenes import SCENES, load_scene
from siturec_gym.scenes.loading import parse_catalog
from siturec_gym.scenes.placement import instances_text, place_instances
from siturec_gym.scenes.validation import measure, validate

app = typer.Typer(help="Stores: fill their shelves, check them.", no_args_is_help=True)
SceneName = Annotated[str, typer.Argument(help="Name of the store.")]


@app.command()
def build(
    scene: SceneName = "supermarket",
    out: Annotated[Path | None, typer.Option(help="File to write; the shipped file when left out.")] = None,
) -> None:
    """Place every item from the layout and the catalog; the same bytes each time.

    Example: siturec scenes build supermarket --out instances.json
    """
    _require_known(scene)
    folder = assets.DATA_FOLDER / scene
    target = folder / "instances.json" if out is None else out
    try:
        layout = json.loads((folder / "scene.json").read_bytes())
        entries = place_instances(layout, parse_catalog((folder / "products.json").read_bytes()))
        _write(target, instances_text(entries))
    except (DataError, OSError, ValueError) as error:
        raise _failure(str(error)) from None
    typer.echo(f"placed {len(entries)} items: {target}")


@app.command()
def check(scene: SceneName = "supermarket") -> None:
    """Prove counts, ids, links, overlaps, clearances, reachability and sight lines of a store.

    Example: siturec scenes check supermarket
    """
    _require_known(scene)
    try:
        store = load_scene(scene)
    except DataError as error:
        raise _failure(str(error)) from None
    problems = validate(store)
    for line in problems or measure(store):
        typer.echo(line)
    if problems:
        raise _failure(f"{len(problems)} problems")


def _require_known(scene: str) -> None:
    if scene not in SCENES:
        raise _failure(f"unknown scene {scene!r}; known scenes: {', '.join(SCENES)}")


def _failure(message: str) -> typer.Exit:
    typer.echo(f"error: {message}", err=True)
    return typer.Exit(1)


def _write(target: Path, text: str) -> None:
    """Replace the file in one step, so that a failure leaves nothing half-written."""
    draft = target.with_name(f"{target.name}.tmp")
    draft.write_text(text)
    os.replace(draft, target)
