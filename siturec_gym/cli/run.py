"""``siturec run``: play episodes into a run folder and print their results."""

from pathlib import Path
from typing import Annotated

import typer

from siturec_gym.cli import options
from siturec_gym.cli.model_options import ModelOptions, takes_models


@takes_models()
def command(
    out: Annotated[Path, typer.Option(help="Run folder: new or empty.")],
    env: Annotated[str, typer.Option(help="Environment id.")] = "SituRec-Supermarket-v0",
    assistant: Annotated[str, typer.Option(help="Assistant by name, llm:MODEL or hf:PATH.")] = "heuristic",
    user: Annotated[str, typer.Option(help="Simulated user: agenda, llm:MODEL or hf:PATH.")] = "agenda",
    moderator: Annotated[str, typer.Option(help="rules, none, llm:MODEL or hf:PATH.")] = "rules",
    tasks: Annotated[str, typer.Option(help="0:20, ids with commas, one-per-profile, or train:N.")] = ":",
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same episodes.")] = 0,
    trials: Annotated[int, typer.Option(min=1, help="Attempts at each task.")] = 1,
    workers: options.Workers = 1,
    threads: options.Threads = 1,
    ray: options.Ray = None,
    *,
    models: ModelOptions,
    save_frames: Annotated[bool, typer.Option("--save-frames", help="Keep the image of every turn.")] = False,
    allow_privileged: Annotated[
        bool, typer.Option("--allow-privileged", help="Let an assistant play that knows the goal.")
    ] = False,
    ablation: Annotated[
        str | None, typer.Option(help="without_egocentric_view or without_view_and_caption: what the assistant lacks.")
    ] = None,
    renderer: Annotated[str, typer.Option(help="embedded, or unrealcv for Unreal Engine.")] = "embedded",
    renderer_config: Annotated[
        str | None, typer.Option(help="Mapping file of unrealcv, ours, or a file such as {mapping: ours, port: 9071}.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Play episodes, keep them in a run folder, print their results.

    The folder gets manifest.json, episodes.jsonl, summary.json and, with --save-frames, the images. How many play at
    once changes nothing but the time it takes. An interrupted run is finished by siturec resume.

    Example: siturec run --assistant heuristic --tasks 0:20 --out runs/demo

    Example: siturec run --renderer unrealcv --renderer-config my_store.yaml --tasks 0:20 --out runs/unreal

    Example: siturec run --assistant llm:qwen --base-url http://127.0.0.1:8000/v1 --threads 32 --out runs/qwen
    """
    from siturec_gym.cli.progress import play_with_progress  # noqa: PLC0415  loads the world; --help must not wait
    from siturec_gym.evaluation import runner  # noqa: PLC0415
    from siturec_gym.evaluation.manifest import RunConfig  # noqa: PLC0415
    from siturec_gym.evaluation.renderer_choice import renderer_settings  # noqa: PLC0415
    from siturec_gym.evaluation.workers import Crew  # noqa: PLC0415

    config = RunConfig(
        env,
        assistant,
        user,
        moderator,
        tasks,
        seed,
        trials,
        save_frames,
        allow_privileged,
        ablation,
        models.of_roles(),
        renderer,
        renderer_settings(renderer, renderer_config),
    )
    planned = runner.plan(config, models.reached())
    play_with_progress(runner.run, planned, out, Crew(workers, threads, ray), as_json=as_json)
