"""``siturec resume``: finish a run that was interrupted."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from siturec_gym.cli import options
from siturec_gym.cli.model_options import ModelOptions, takes_models


@takes_models(without=("settings",), usual={})
def command(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    retry: Annotated[
        str, typer.Option(help="Kinds of failure to play again, with commas: transient, overflow, ...")
    ] = "",
    workers: options.Workers = 1,
    threads: options.Threads = 1,
    ray: options.Ray = None,
    *,
    models: ModelOptions,
    renderer_config: Annotated[
        str | None, typer.Option(help="File of an unrealcv store that moved, or is started otherwise: as for run.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Play exactly the episodes that an interrupted run still owes, then print its results.

    What was complete stays as it is. A run is refused where code, data, prompts or versions differ from those it
    began with. Models and an Unreal store are reached as the run reached them, but for what is given here. --retry
    moves failed episodes to set_aside.jsonl and plays their slots anew.

    Example: siturec resume runs/demo --workers 2

    Example: siturec resume runs/qwen --threads 32 --retry transient
    """
    from siturec_gym.cli.progress import play_with_progress  # noqa: PLC0415  loads the world; --help must not wait
    from siturec_gym.evaluation import runner  # noqa: PLC0415
    from siturec_gym.evaluation.workers import Crew  # noqa: PLC0415

    again = options.failure_kinds(retry)
    planned = runner.plan_rest(run, models.changing(runner.kept_models(run)), renderer_config)
    play_with_progress(partial(runner.resume, retry=again), planned, run, Crew(workers, threads, ray), as_json=as_json)
