"""``siturec view``: one episode of a run, turn by turn, as a page."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(help="Run folder or archive.")],
    episode: Annotated[str, typer.Argument(help="Task id, such as 03.2.")],
    trial: Annotated[int, typer.Option(min=0, help="Which attempt at the task.")] = 0,
    out: Annotated[Path | None, typer.Option(help="File to write; named after the task when left out.")] = None,
    no_images: Annotated[bool, typer.Option("--no-images", help="Leave out views that were not saved.")] = False,
) -> None:
    """Write a page of one episode: views, marks, dialogue, hidden annotation, walk, metrics.

    Views that were not saved are drawn again from the record. Arrow keys, Home and End go through the turns. The page
    needs no network; it holds the shopper's private goal under a label.

    Example: siturec view runs/demo 03.2 --out episode.html
    """
    from siturec_gym.evaluation.report import opened, write_files  # noqa: PLC0415  loads the world; --help must not wait
    from siturec_gym.evaluation.report.viewing import view_page  # noqa: PLC0415

    with opened(run) as folder:
        name, page = view_page(folder, episode, trial, images=not no_images)
    path = out or Path(f"{name}.html")
    write_files(path.parent, {path.name: page.encode()})
    typer.echo(f"open {path}")
