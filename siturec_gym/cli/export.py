"""``siturec export``: a run in a form for elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from siturec_gym.core.errors import RunError

app = typer.Typer(help="A run in a form for elsewhere.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """A run in a form for elsewhere."""


@app.command()
def archive(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    out: Annotated[Path | None, typer.Option(help="File to write; RUN.zip when left out.")] = None,
    no_frames: Annotated[bool, typer.Option("--no-frames", help="Leave saved images out.")] = False,
) -> None:
    """Pack a run into one file with manifest, episodes, judgments, summary and saved images.

    The same run gives the same bytes. siturec report and siturec view take the file in place of the folder, and the
    report from it is the same to the last bit. It holds the shoppers' private reference sets.

    Example: siturec export archive runs/demo --out demo.zip
    """
    from siturec_gym.evaluation.report import write_archive  # noqa: PLC0415  loads the world; --help must not wait

    if not run.is_dir():
        raise ValueError(f"'{run}' is no run folder")
    target = out or run.resolve().with_suffix(".zip")
    sizes = write_archive(run, target, frames=not no_frames)
    typer.echo(f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB before packing: {target}")


@app.command()
def minari(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    dataset_id: Annotated[str, typer.Option("--id", help="Such as siturec/supermarket/heuristic-v0.")],
    images: Annotated[bool, typer.Option("--images", help="Keep pictures too; many times the size.")] = False,
) -> None:
    """Write a Minari dataset of what the assistant saw and did.

    Every episode is played again from its record and compared with it. Load the dataset with
    minari.load_dataset(ID). Needs the extra: pip install 'siturec-gym[minari]'

    Example: siturec export minari runs/demo --id siturec/supermarket/heuristic-v0
    """
    from siturec_gym.evaluation.datasets import export_minari  # noqa: PLC0415  loads the world; --help must not wait

    if not run.is_dir():
        raise ValueError(f"'{run}' is no run folder")
    try:
        dataset = export_minari(run, dataset_id, images=images)
    except ImportError as error:
        raise RunError(str(error)) from error
    typer.echo(f"{dataset.total_episodes} episodes, {dataset.total_steps} turns: {dataset.spec.data_path}")
