"""The progress bar of a run, and what is printed when it is over."""

import json
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
from rich import progress
from rich.console import Console

from siturec_gym.core.errors import (
    DataError,
    DeterministicModelError,
    RunInterruptedError,
    SituRecError,
    TransientModelError,
)
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.evaluation.runner import Plan, Watch
from siturec_gym.evaluation.table import results_table
from siturec_gym.evaluation.workers import Crew

ALL_FAILED = 1
"""Exit status of a run none of whose episodes could be played."""
_PLAYED_AGAIN = (TransientModelError.kind, DeterministicModelError.kind)


def play_with_progress(
    play: Callable[[Plan, Path, Crew, Watch], dict[str, Any]],
    planned: Plan,
    folder: Path,
    crew: Crew,
    *,
    as_json: bool,
) -> None:
    """Run a plan behind a progress bar on the error stream, then print its results.

    The bar appears when the folder is ready.

    Raises:
        RunError: Interrupted; the line says how many episodes are kept and how to go on.
        typer.Exit: With status 1: every episode of the run failed.
    """
    bar = progress_bar(shown=sys.stderr.isatty() or not as_json)
    shown = bar.add_task("", total=len(planned.slots))
    done = bought = 0

    def begin(present: int) -> None:
        nonlocal done
        done = present
        bar.update(shown, completed=done)
        bar.start()

    def advance(episode: Any) -> None:
        nonlocal done, bought
        done, bought = done + 1, bought + bool(episode.cart)
        bar.update(shown, completed=done, description=f"{bought} bought")

    try:
        summary = play(planned, folder, crew, Watch(begin, advance))
    except KeyboardInterrupt:
        raise RunInterruptedError(f"interrupted: {_kept(done, planned, folder)}") from None
    except SituRecError as error:
        if done:
            raise type(error)(f"{error}; {_kept(done, planned, folder)}") from error
        raise
    finally:
        stop(bar)
    failed = summary["counts"]["status"].get("failed", 0)
    lost = _lost(folder, summary) if failed else {}
    if as_json:
        typer.echo(json.dumps({"run": str(folder)} | lost | summary, indent=2))
    else:
        _print_results(folder, summary, lost)
    if failed and failed == summary["counts"]["episodes"]:
        raise typer.Exit(ALL_FAILED)


def progress_bar(*, shown: bool) -> progress.Progress:
    """A bar of episodes on the error stream, not yet started."""
    count, bought = progress.MofNCompleteColumn(), progress.TextColumn("{task.description}")
    columns = (progress.TextColumn("episodes"), progress.BarColumn(20), count, progress.TimeElapsedColumn(), bought)
    return progress.Progress(*columns, console=Console(stderr=True), disable=not shown)


def stop(bar: progress.Progress) -> None:
    """Stop a bar; one that was never started leaves no trace."""
    if bar.live.is_started:
        bar.stop()


def _kept(done: int, planned: Plan, folder: Path) -> str:
    with suppress(DataError):
        done = len(read_episodes(folder))
    return f"{done} of {len(planned.slots)} episodes are kept; go on with: siturec resume {folder}"


def _lost(folder: Path, summary: dict[str, Any]) -> dict[str, str]:
    """The first failed episode's error, and the command that plays again what endpoints of models lost or refused."""
    told = {"first_error": next(episode.error for episode in read_episodes(folder) if episode.error)}
    found = {failure.split()[-1] for failure in summary["failures"]}
    if kinds := ",".join(kind for kind in _PLAYED_AGAIN if kind in found):
        told["play_again"] = f"siturec resume {shlex.quote(str(folder))} --retry {kinds}"
    return told


def _print_results(folder: Path, summary: dict[str, Any], lost: dict[str, str]) -> None:
    console = Console(highlight=False)
    console.print(results_table(summary, read_manifest(folder)))
    for name, words in lost.items():
        console.print(f"{name.replace('_', ' ')}: {words}", style="red", soft_wrap=True, markup=False)
    console.print(f"run folder: {folder}", soft_wrap=True, markup=False)
