"""The run folder: what was run, its episodes, its frames and its figures (DESIGN: Runs and evaluation).

``manifest.json`` is written first and never changed. ``episodes.jsonl`` only grows: a line is one complete episode,
on disk (fsync) before the next is begun. ``frames/`` holds each image once, under the hash of its PNG.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.core.records import EpisodeRecord, from_json, to_json

MANIFEST = "manifest.json"
EPISODES = "episodes.jsonl"
SUMMARY = "summary.json"
FRAMES = "frames"


class FrameStore:
    """PNG files named by the sha256 of their bytes, so that equal images are kept once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FRAMES

    def save(self, rgb: NDArray[np.uint8]) -> str:
        """Store a (height, width, 3) image; its content hash.

        Raises:
            RunError: The file cannot be written.
        """
        from PIL import Image  # noqa: PLC0415  only runs that save frames need it

        buffer = io.BytesIO()
        Image.fromarray(rgb).save(buffer, "PNG")
        content = buffer.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{digest}.png"
        if not path.exists():
            _write(path, content)
        return digest


class RunStore:
    """A run folder open for writing. Only ``RunStore.create`` makes one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: list[str] = []

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any]) -> "RunStore":
        """Begin a run in a new or empty folder.

        Raises:
            RunError: The folder holds something already or cannot be written; nothing is left behind then.
        """
        made = _empty_folder(folder)
        try:
            _write(folder / MANIFEST, _pretty(manifest))
            (folder / EPISODES).touch()
        except (OSError, RunError) as error:
            _undo(folder, made)
            raise RunError(f"run folder '{folder}' cannot be written: {_reason(error)}") from error
        return cls(folder)

    def append(self, episode: EpisodeRecord) -> None:
        """Add a complete episode and wait until the disk has it.

        Raises:
            RunError: The disk does not take it.
        """
        line = to_json(episode)
        try:
            with (self.folder / EPISODES).open("a", encoding="utf-8") as file:
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise RunError(f"cannot write to '{self.folder / EPISODES}': {error.strerror}") from error
        self._written.append(line)

    def put_in_order(self, lines: Iterable[str]) -> None:
        """Replace the episodes by the same ones in slot order, in one step, if they came in another order."""
        ordered = list(lines)
        if ordered != self._written:
            _write(self.folder / EPISODES, "".join(line + "\n" for line in ordered).encode())
            self._written = ordered

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Keep the figures of the run."""
        _write(self.folder / SUMMARY, _pretty(summary))


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder.

    Raises:
        DataError: It is missing or not JSON.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"'{folder}' is no run folder: {MANIFEST}: {_reason(error)}") from error
    return manifest


def read_episodes(folder: Path) -> list[EpisodeRecord]:
    """The episodes of a run folder, in file order.

    Raises:
        DataError: The file is missing, or a line is no complete episode (its number is named).
    """
    path = folder / EPISODES
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"'{path}' cannot be read: {_reason(error)}") from error
    return [_episode(path, number, line) for number, line in enumerate(lines, start=1)]


def _episode(path: Path, number: int, line: str) -> EpisodeRecord:
    try:
        return from_json(line)
    except DataError as error:
        raise DataError(f"'{path}', line {number}: {error}") from error


def _empty_folder(folder: Path) -> list[Path]:
    """Make ``folder`` where it is missing; the folders that were made, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()][::-1]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        occupied = any(folder.iterdir())
    except OSError as error:
        _undo(folder, missing)
        raise RunError(f"run folder '{folder}' cannot be used: {_reason(error)}") from error
    if occupied:
        raise RunError(f"run folder '{folder}' is not empty; choose another or remove it")
    return missing


def _undo(folder: Path, made: Iterable[Path]) -> None:
    for path in (folder / MANIFEST, folder / EPISODES):
        if path.is_file():
            path.unlink()
    for path in reversed(list(made)):
        if path.is_dir():
            path.rmdir()


def _write(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: into a draft beside it, then moved over it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise RunError(f"cannot write '{path}': {_reason(error)}") from error


def _pretty(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=2) + "\n").encode()


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
