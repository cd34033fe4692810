"""``siturec scenes``: fill the shelves of a store, and prove that a store is sound."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym import assets
from siturec_gym.catalog import parse_catalog
from siturec_gym.core.errors import DataError
from siturec_gym.scenes import SCENES, load_scene
from siturec_gym.scenes.placement import instances_text, place_instances
from siturec_gym.scenes.validation import measure, validate

app = typer.Typer(help="Stores: fill their shelves, check them.", no_args_is_help=True)
SceneName = Annotated[str, typer.Option(help="Which store.")]


@app.command()
def build(
    scene: SceneName = "supermarket",
    out: Annotated[Path | None, typer.Option(help="File to write; the shipped file when left out.")] = None,
) -> None:
    """Place every item from the layout and the catalog; the same bytes each time.

    Example: siturec scenes build --scene supermarket --out instances.json
    """
    if scene not in SCENES:
        raise ValueError(f"unknown scene {scene!r}; known scenes: {', '.join(SCENES)}")
    folder = assets.DATA_FOLDER / scene
    layout = _read_json(folder / "scene.json")
    entries = place_instances(layout, parse_catalog((folder / "products.json").read_bytes()))
    target = folder / "instances.json" if out is None else out
    _write(target, instances_text(entries))
    typer.echo(f"placed {len(entries)} items: {target}")


@app.command()
def check(scene: SceneName = "supermarket") -> None:
    """Prove counts, ids, links, overlaps, clearances, reachability and sight lines of a store.

    Example: siturec scenes check --scene supermarket
    """
    store = load_scene(scene)
    problems = validate(store)
    for line in problems or measure(store):
        typer.echo(line)
    if problems:
        raise DataError(f"{len(problems)} problems in the {scene}")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        layout: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path}: {error}") from error
    return layout


def _write(target: Path, text: str) -> None:
    """Replace the file in one step, so that a failure leaves nothing half-written."""
    draft = target.with_name(f"{target.name}.tmp")
    try:
        draft.write_text(text)
        os.replace(draft, target)
    except OSError as error:
        raise DataError(f"cannot write {target}: {error.strerror}") from error
