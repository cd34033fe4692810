"""``siturec run``: play episodes into a run folder and print their results."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym.core.errors import RunError


def command(
    out: Annotated[Path, typer.Option(help="Run folder: new or empty.")],
    env: Annotated[str, typer.Option(help="Environment id.")] = "SituRec-Supermarket-v0",
    assistant: Annotated[str, typer.Option(help="Assistant by name.")] = "heuristic",
    user: Annotated[str, typer.Option(help="Simulated user by name.")] = "agenda",
    moderator: Annotated[str, typer.Option(help="rules, or none.")] = "rules",
    tasks: Annotated[str, typer.Option(help="0:20, ids with commas, or one-per-profile.")] = ":",
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same episodes.")] = 0,
    trials: Annotated[int, typer.Option(min=1, help="Attempts at each task.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes to play in.")] = 1,
    save_frames: Annotated[bool, typer.Option("--save-frames", help="Keep the image of every turn.")] = False,
    allow_privileged: Annotated[
        bool, typer.Option("--allow-privileged", help="Let an assistant play that knows the goal.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
) -> None:
    """Play episodes, keep them in a run folder, print their results.

    The folder gets manifest.json, episodes.jsonl, summary.json and, with --save-frames, the images. The number of
    workers changes nothing but the time it takes.

    Example: siturec run --assistant heuristic --tasks 0:20 --out runs/demo
    """
    from siturec_gym.evaluation import runner  # noqa: PLC0415  loads the world; --help must not wait for it
    from siturec_gym.evaluation.manifest import RunConfig  # noqa: PLC0415

    config = RunConfig(env, assistant, user, moderator, tasks, seed, trials, save_frames, allow_privileged)
    plan = runner.plan(config)
    summary = _with_progress(plan, out, workers, shown=sys.stderr.isatty() or not as_json)
    if as_json:
        typer.echo(json.dumps({"run": str(out)} | summary, indent=2))
    else:
        _print_results(out, summary)


def _with_progress(plan: Any, out: Path, workers: int, *, shown: bool) -> dict[str, Any]:
    """Run the plan behind a progress bar on the error stream; the bar appears when the folder is ready."""
    from siturec_gym.evaluation import runner  # noqa: PLC0415

    progress = _progress_bar(shown=shown)
    bar = progress.add_task("0 bought", total=len(plan.slots))
    done = bought = 0

    def advance(episode: Any) -> None:
        nonlocal done, bought
        done, bought = done + 1, bought + bool(episode.cart)
        progress.update(bar, completed=done, description=f"{bought} bought")

    try:
        return runner.run(plan, out, workers, progress.start, advance)
    except KeyboardInterrupt:
        raise RunError(f"interrupted: {done} of {len(plan.slots)} episodes are kept in '{out}'") from None
    finally:
        progress.stop()


def _progress_bar(*, shown: bool) -> Any:
    from rich import progress  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    count, bought = progress.MofNCompleteColumn(), progress.TextColumn("{task.description}")
    columns = (progress.TextColumn("episodes"), progress.BarColumn(20), count, progress.TimeElapsedColumn(), bought)
    return progress.Progress(*columns, console=Console(stderr=True), disable=not shown)


def _print_results(out: Path, summary: dict[str, Any]) -> None:
    from rich.console import Console  # noqa: PLC0415

    from siturec_gym.evaluation.run_store import read_manifest  # noqa: PLC0415
    from siturec_gym.evaluation.table import results_table  # noqa: PLC0415

    console = Console(highlight=False)
    console.print(results_table(summary, read_manifest(out)))
    console.print(f"run folder: {out}", soft_wrap=True, markup=False)
