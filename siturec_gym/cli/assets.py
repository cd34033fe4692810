"""``siturec assets``: the shipped data files."""

import json
from typing import Annotated

import typer

from siturec_gym import assets
from siturec_gym.core.errors import DataError

app = typer.Typer()


@app.callback()
def group() -> None:
    """The shipped data files.

    Example: siturec assets verify
    """


@app.command()
def verify(as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False) -> None:
    """Prove that every shipped data file is unchanged (sha256).

    Example: siturec assets verify
    """
    problems = assets.verify()
    count = len(assets.manifest())
    if as_json:
        typer.echo(json.dumps({"files": count, "problems": problems}, indent=2))
        raise typer.Exit(1 if problems else 0)
    if problems:
        raise DataError("; ".join(problems))
    typer.echo(f"{count} data files, all unchanged")
