"""What judges said of a run: ``judgments.jsonl``, one line for each task, trial and judge."""

from collections.abc import Iterable
from pathlib import Path

from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import append_line, cut_partial_line, reason, whole_lines, write_whole
from siturec_gym.judges.judgment import Judgment, from_line, to_line

JUDGMENTS = "judgments.jsonl"


def read_judgments(folder: Path) -> list[Judgment]:
    """The judgments in a run folder, in file order; none where no judge was asked. A last line that was cut off is left
    out.

    Raises:
        DataError: A line is no judgment; its number is named.
    """
    path = folder / JUDGMENTS
    if not path.exists():
        return []
    try:
        lines = whole_lines(path)
    except (OSError, ValueError) as error:
        raise DataError(f"'{path}' cannot be read: {reason(error)}") from error
    return [_judgment(path, number, line) for number, line in enumerate(lines, start=1)]


def mend_judgments(folder: Path) -> None:
    """Take away a last line that a crash cut off."""
    path = folder / JUDGMENTS
    if path.exists():
        cut_partial_line(path)


def append_judgment(folder: Path, judgment: Judgment) -> None:
    """Add a judgment and wait until the disk has it."""
    append_line(folder / JUDGMENTS, to_line(judgment))


def replace_judgments(folder: Path, judgments: Iterable[Judgment]) -> None:
    """Write all judgments anew, in one step."""
    write_whole(folder / JUDGMENTS, "".join(to_line(judgment) + "\n" for judgment in judgments).encode())


def _judgment(path: Path, number: int, line: str) -> Judgment:
    try:
        return from_line(line)
    except DataError as error:
        raise DataError(f"'{path}', line {number}: {error}") from error
