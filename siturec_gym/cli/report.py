"""``siturec report``: a page, tables and plots of one or more runs."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run folders or archives.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write to; RUN/report for one run, ./report for several.")
    ] = None,
) -> None:
    """Write a page with tables and plots, our rows beside the published ones.

    The page (index.html) needs no network. Beside it: tables/figures.csv, tables/*.tex, plots/*.svg and plots/*.png.
    The same runs give the same bytes.

    Example: siturec report runs/demo runs/random --out reports/first
    """
    from siturec_gym.evaluation.report import (  # noqa: PLC0415  loads the world; --help must not wait for it
        PAGE,
        opened,
        read_runs,
        report_files,
        write_files,
    )

    folder = out or (runs[0] / "report" if len(runs) == 1 and runs[0].is_dir() else Path("report"))
    with ExitStack() as stack:
        files = report_files(read_runs([stack.enter_context(opened(run)) for run in runs], runs))
    write_files(folder, files)
    typer.echo(f"{len(files)} files; open {folder / PAGE}")
