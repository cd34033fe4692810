"""Writing so that a crash, a full disk or a second writer cannot spoil what is there."""

import json
import os
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import RunError

_DRAFT = re.compile(r"\..+\.\d+\.\d+")


def write_whole(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: into a draft beside it, then moved over it.

    Raises:
        RunError: The file cannot be written; what was there before is untouched.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(exist_ok=True)
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        _forget(draft)
        raise RunError(f"cannot write '{path}': {reason(error)}") from error


def append_line(path: Path, line: str) -> None:
    """Add a line to a file and wait until the disk has it; the file is as it was if that fails.

    Raises:
        RunError: The disk does not take it.
    """
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            before = os.fstat(file).st_size
            try:
                _write_all(file, line.encode() + b"\n")
                os.fsync(file)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file, before)
                raise
        finally:
            os.close(file)
    except OSError as error:
        raise RunError(f"cannot write to '{path}': {reason(error)}") from error


def cut_partial_line(path: Path) -> bool:
    """Bring a file of lines that a crash cut off back to whole lines; whether something was cut off.

    A last line that is complete JSON but for its line end is kept.

    Raises:
        RunError: The file cannot be read or written.
    """
    try:
        content = path.read_bytes()
        last = content[content.rfind(b"\n") + 1 :]
        if not last:
            return False
        if _is_json(last):
            append_line(path, "")
            return False
        os.truncate(path, len(content) - len(last))
    except OSError as error:
        raise RunError(f"cannot mend '{path}': {reason(error)}") from error
    return True


def whole_lines(path: Path) -> list[str]:
    """The lines of a file, without a last one that was cut off, or is being written now.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no text.
    """
    content = path.read_bytes()
    last = content[content.rfind(b"\n") + 1 :]
    if last and not _is_json(last):
        content = content[: -len(last)]
    return content.decode().removesuffix("\n").split("\n") if content else []  # JSON may hold other line ends


def remove_drafts(folder: Path) -> None:
    """Take away drafts that a crash left behind. Only who holds the folder's lock may do so."""
    if folder.is_dir():
        for path in folder.iterdir():
            if is_draft(path):
                _forget(path)


def is_draft(path: Path) -> bool:
    """Whether a file is what ``write_whole`` leaves when it is killed."""
    return _DRAFT.fullmatch(path.name) is not None


def pretty(content: Mapping[str, Any]) -> bytes:
    """JSON for a person to read."""
    return (json.dumps(content, indent=2) + "\n").encode()


def reason(error: Exception) -> str:
    """What the system says about a failure, without its number and path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _write_all(file: int, content: bytes) -> None:
    """Without a buffer, which would try to write its rest once more when the file is closed."""
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _forget(path: Path) -> None:
    with suppress(OSError):  # what kept it from being written may keep it from being removed
        path.unlink(missing_ok=True)
