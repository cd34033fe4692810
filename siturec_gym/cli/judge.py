"""``siturec judge``: score the dialogues of a run."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym.cli import options
from siturec_gym.cli.model_options import URLS, ModelOptions, takes_models
from siturec_gym.core.errors import RunInterruptedError


@takes_models(without=URLS, roles=("judge",))
def command(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    judge: Annotated[str, typer.Option(help="offline, llm:MODEL or hf:PATH.")] = "offline",
    again: Annotated[bool, typer.Option("--again", help="Replace what this judge said before.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Episodes judged at once; for a model.")] = 1,
    *,
    models: ModelOptions,
    as_json: options.AsJson = False,
) -> None:
    """Score a run's dialogues on seven scales of 1 to 5, without playing anything again.

    Scores go to judgments.jsonl, their means to summary.json. Episodes that the judge has scored are left alone;
    those it could not score are asked for again. Scores of different judges or prompts never mix.

    Example: siturec judge runs/demo --judge offline

    Example: siturec judge runs/demo --judge llm:qwen --base-url http://127.0.0.1:8000/v1 --threads 16
    """
    from siturec_gym.cli.progress import progress_bar, stop  # noqa: PLC0415
    from siturec_gym.evaluation import judging  # noqa: PLC0415  loads the world; --help must not wait for it

    planned = judging.plan_judging(run, judge, models.reached(), models.of_roles(), again=again)
    progress = progress_bar(shown=sys.stderr.isatty() or not as_json)
    bar = progress.add_task("", total=len(planned.owed))
    try:
        summary = judging.judge_run(planned, run, threads, progress.start, lambda _: progress.advance(bar))
    except KeyboardInterrupt:
        done = int(progress.tasks[0].completed)
        raise RunInterruptedError(f"interrupted: {done} of {len(planned.owed)} judgments are kept in '{run}'") from None
    finally:
        stop(progress)
    if as_json:
        typer.echo(json.dumps({"run": str(run), "judge": planned.judge.name} | summary["judges"], indent=2))
    else:
        _print(planned.judge.name, summary["judges"].get(planned.judge.name), run)


def _print(name: str, figures: dict[str, Any] | None, run: Path) -> None:
    from rich.console import Console  # noqa: PLC0415

    from siturec_gym.evaluation.table import judge_table  # noqa: PLC0415

    console = Console(highlight=False)
    if figures is None:
        console.print(f"'{run}' holds no episode to judge", markup=False)
        return
    console.print(judge_table(name, figures))
    console.print(f"run folder: {run}", soft_wrap=True, markup=False)
