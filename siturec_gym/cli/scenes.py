"""``siturec scenes``: fill the shelves of a store, and prove that a store is sound."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym import assets
from siturec_gym.catalog import parse_catalog
from siturec_gym.cli.options import SceneName, scene_source
from siturec_gym.core.errors import DataError
from siturec_gym.scenes import Scene, load_scene, load_scene_folder
from siturec_gym.scenes.placement import instances_text, place_instances
from siturec_gym.scenes.validation import measure, validate

app = typer.Typer(no_args_is_help=True)


@app.callback()
def group() -> None:
    """Stores: fill their shelves, check them.

    Example: siturec scenes check --scene home_furnishings
    """


@app.command()
def build(
    scene: SceneName = "supermarket",
    out: Annotated[Path | None, typer.Option(help="File to write; the scene's own file when left out.")] = None,
) -> None:
    """Place every item from the layout (scene.json) and the catalog (products.json); the same bytes each time.

    Example: siturec scenes build --scene supermarket --out instances.json
    """
    source = scene_source(scene)
    folder = assets.DATA_FOLDER / source if isinstance(source, str) else source
    layout, products = _read_json(folder / "scene.json"), assets.read_scene_file(folder, "products.json")
    entries = place_instances(layout, parse_catalog(products, f"{folder.name}/products.json"))
    target = folder / "instances.json" if out is None else out
    _write(target, instances_text(entries))
    typer.echo(f"placed {len(entries)} items: {target}")


@app.command()
def check(
    store_name: Annotated[str | None, typer.Argument(metavar="[SCENE]", help="The same as --scene.")] = None,
    scene: SceneName = "supermarket",
) -> None:
    """Prove counts, ids, links, overlaps, clearances, reachability and sight lines of a store, and draw its shapes.

    Example: siturec scenes check --scene home_furnishings
    """
    source = scene_source(store_name or scene)
    store = load_scene(source) if isinstance(source, str) else load_scene_folder(source)
    problems = validate(store) + _undrawable(store)
    for line in problems or measure(store):
        typer.echo(line)
    if problems:
        raise DataError(f"{len(problems)} problems in the {store.name}")


def _undrawable(store: Scene) -> list[str]:
    """What the embedded renderer has no builder for, if anything."""
    from siturec_gym.renderers.embedded.store import bodies_of  # noqa: PLC0415  numba loads only when it is needed

    try:
        bodies_of(store)
    except ValueError as error:
        return [str(error)]
    return []


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
