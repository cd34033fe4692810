"""``siturec tasks``: build task banks and check them."""

from pathlib import Path
from typing import Annotated

import typer

from siturec_gym.cli.options import SceneName, scene_source
from siturec_gym.core.errors import DataError
from siturec_gym.tasks import resolve_tasks
from siturec_gym.tasks.checking import check_bank
from siturec_gym.tasks.writing import BANK_PROFILES, BANK_SEED, build_files, report_of

app = typer.Typer(no_args_is_help=True)


@app.callback()
def group() -> None:
    """Shopping tasks: build and check.

    Example: siturec tasks check --scene home_furnishings
    """


@app.command()
def build(
    scene: SceneName = "supermarket",
    seed: Annotated[int, typer.Option(min=0, help="Seed of every draw.")] = BANK_SEED,
    profiles: Annotated[int, typer.Option(min=1, help="How many shoppers; each has four tasks.")] = BANK_PROFILES,
    out: Annotated[
        Path | None,
        typer.Option(help="A folder for profiles.json and tasks.json, or a name ending in .json for one task file."),
    ] = None,
) -> None:
    """Build shoppers and their tasks; without --out, the scene's own files are written anew.

    Example: siturec tasks build --scene supermarket --seed 42 --out /tmp/bank
    """
    bank, written = build_files(scene_source(scene), seed, profiles, out)
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo(report_of(bank))


@app.command()
def check(
    scene: SceneName = "supermarket",
    tasks: Annotated[str, typer.Option(help="bank, train, or the path of a task file.")] = "bank",
) -> None:
    """Check every task for conflicts; say what is wrong and exit with 1, or report the figures.

    Example: siturec tasks check --scene supermarket
    """
    source = scene_source(scene)
    bank = resolve_tasks(source, tasks)
    problems = check_bank(bank, None if isinstance(source, str) else source)
    for line in problems:
        typer.echo(line)
    if problems:
        raise DataError(f"{len(problems)} conflicts in {len(bank)} tasks")
    typer.echo(report_of(bank))
