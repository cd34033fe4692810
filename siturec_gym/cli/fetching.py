"""The progress bar of a download."""

from pathlib import Path
from typing import TYPE_CHECKING

from siturec_gym.core.errors import RunInterruptedError

if TYPE_CHECKING:
    from siturec_gym.assets.installation import Source


def fetch_with_progress(source: "Source") -> Path:
    """Install a build behind a progress bar on the error stream; its folder.

    Raises:
        DataError: It cannot be had, or is not what was expected.
        RunInterruptedError: A person stopped it; what was downloaded is kept.
    """
    from rich import progress  # noqa: PLC0415  --help must not wait for it
    from rich.console import Console  # noqa: PLC0415

    from siturec_gym.assets.builds import cache_folder  # noqa: PLC0415
    from siturec_gym.assets.installation import install  # noqa: PLC0415

    columns = (
        progress.TextColumn("{task.description}"), progress.BarColumn(20), progress.DownloadColumn(),
        progress.TransferSpeedColumn(), progress.TimeRemainingColumn(),
    )  # fmt: skip
    bar = progress.Progress(*columns, console=Console(stderr=True))
    tasks: dict[str, progress.TaskID] = {}

    def report(stage: str, done: int, total: int | None) -> None:
        if not tasks:
            bar.start()  # not before: an empty bar is a blank line
        if stage not in tasks:
            tasks[stage] = bar.add_task(stage, total=total)
        bar.update(tasks[stage], completed=done, total=total)

    try:
        return install(source, cache_folder(), report)
    except KeyboardInterrupt:
        raise RunInterruptedError("interrupted; what was downloaded is kept, the same command goes on") from None
    finally:
        if tasks:
            bar.stop()
