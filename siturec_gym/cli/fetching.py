"""The progress bar of a download."""

from pathlib import Path

from rich import filesize, progress
from rich.console import Console
from rich.text import Text

from siturec_gym.assets.builds import cache_folder
from siturec_gym.assets.installation import Source, install
from siturec_gym.core.errors import RunInterruptedError


class SizeColumn(progress.DownloadColumn):
    """How much there is of how much, and the first alone where the second is unknown."""

    def render(self, task: progress.Task) -> Text:
        """The column's text."""
        if task.total is not None:
            return super().render(task)
        return Text(filesize.decimal(int(task.completed)), style="progress.download")


class SpeedColumn(progress.TransferSpeedColumn):
    """The speed once it is known, and nothing before, where rich shows a question mark."""

    def render(self, task: progress.Task) -> Text:
        """The column's text."""
        return Text() if task.finished_speed is None and task.speed is None else super().render(task)


def fetch_with_progress(source: Source) -> Path:
    """Install a build behind a progress bar on the error stream; its folder.

    Raises:
        DataError: It cannot be had, or is not what was expected.
        RunInterruptedError: A person stopped it; what was downloaded is kept.
    """
    columns = (
        progress.TextColumn("{task.description}"), progress.BarColumn(20), SizeColumn(),
        SpeedColumn(), progress.TimeRemainingColumn(),
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
