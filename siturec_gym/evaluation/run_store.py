"""The run folder: what was run, its episodes, its frames and its figures (docs/records.md).

``manifest.json`` is written first and never changed. ``episodes.jsonl`` only grows: a line is one complete episode,
on disk (fsync) before the next is begun. ``frames/`` holds each image once, under the hash of its PNG. One process
writes at a time (``.lock``).
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import RunError
from siturec_gym.core.records import EpisodeRecord, to_json
from siturec_gym.core.storage.episodes import EPISODES, MANIFEST, read_episodes, read_manifest
from siturec_gym.core.storage.files import (
    append_line,
    cut_partial_line,
    is_draft,
    pretty,
    reason,
    remove_drafts,
    whole_lines,
    write_whole,
)
from siturec_gym.core.storage.frames import FRAMES, FrameStore
from siturec_gym.core.storage.lock import LOCK, RunLock

SUMMARY = "summary.json"
SET_ASIDE = "set_aside.jsonl"

__all__ = ["EPISODES", "FRAMES", "MANIFEST", "SUMMARY", "FrameStore", "RunStore", "read_episodes", "read_manifest"]


class RunStore:
    """A run folder open for writing, and closed to others. ``RunStore.create`` and ``RunStore.reopen`` make one.

    Attributes:
        folder: Where it is.
        cut_off: Whether a last line that a crash had left unfinished was taken away on reopening.
    """

    def __init__(self, folder: Path, lock: RunLock, written: Iterable[str] = (), *, cut_off: bool = False) -> None:
        self.folder = folder
        self.cut_off = cut_off
        self._lock = lock
        self._written = list(written)

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any]) -> "RunStore":
        """Begin a run in a new or empty folder.

        Raises:
            RunError: The folder holds something already, is in use or cannot be written; nothing is left behind then.
        """
        made = _new_folders(folder)
        try:
            lock = RunLock(folder)
        except RunError:
            _remove(made)
            raise
        try:
            _refuse_content(folder)
        except RunError:
            lock.release()
            raise
        try:
            write_whole(folder / MANIFEST, pretty(manifest))
            (folder / EPISODES).touch()
        except (OSError, RunError) as error:
            for path in (folder / MANIFEST, folder / EPISODES, folder / LOCK):
                path.unlink(missing_ok=True)
            lock.release()
            _remove(made)
            raise RunError(f"run folder '{folder}' cannot be written: {reason(error)}") from error
        return cls(folder, lock)

    @classmethod
    def reopen(cls, folder: Path) -> "RunStore":
        """Go on with a run. A last line that was cut off is taken away: it was no complete episode.

        Raises:
            RunError: The folder is in use or cannot be written.
            DataError: It is no run folder.
        """
        read_manifest(folder)
        lock = RunLock(folder)
        path = folder / EPISODES
        try:
            for place in (folder, folder / FRAMES):
                remove_drafts(place)
            cut_off = path.exists() and cut_partial_line(path)
            path.touch()
            lines = whole_lines(path)
        except (OSError, RunError, UnicodeDecodeError) as error:
            lock.release()
            raise RunError(f"run folder '{folder}' cannot be continued: {reason(error)}") from error
        return cls(folder, lock, lines, cut_off=cut_off)

    def append(self, episode: EpisodeRecord) -> None:
        """Add a complete episode and wait until the disk has it.

        Raises:
            RunError: The disk does not take it.
        """
        line = to_json(episode)
        append_line(self.folder / EPISODES, line)
        self._written.append(line)

    def set_aside(self, unwanted: Callable[[EpisodeRecord], bool]) -> None:
        """Move episodes to ``set_aside.jsonl``, so that their slots can be played again and nothing is forgotten."""
        episodes = read_episodes(self.folder)
        moved = [to_json(episode) for episode in episodes if unwanted(episode)]
        for line in moved:
            append_line(self.folder / SET_ASIDE, line)
        if moved:
            self.put_in_order([line for line in map(to_json, episodes) if line not in set(moved)])

    def put_in_order(self, lines: Iterable[str]) -> None:
        """Replace the episodes by the same ones in slot order, in one step, if they came in another order."""
        ordered = list(lines)
        if ordered != self._written:
            write_whole(self.folder / EPISODES, "".join(line + "\n" for line in ordered).encode())
            self._written = ordered

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Keep the figures of the run."""
        write_whole(self.folder / SUMMARY, pretty(summary))

    def close(self) -> None:
        """Let others write."""
        self._lock.release()


def _new_folders(folder: Path) -> list[Path]:
    """Make ``folder`` where it is missing; the folders that were made, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()][::-1]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove(missing)
        raise RunError(f"run folder '{folder}' cannot be used: {reason(error)}") from error
    return missing


def _refuse_content(folder: Path) -> None:
    content = {path.name for path in folder.iterdir() if not is_draft(path)} - {LOCK}
    if MANIFEST in content:
        raise RunError(f"run folder '{folder}' holds a run; finish it with: siturec resume {folder}")
    if content:
        with suppress(OSError):
            (folder / LOCK).unlink()
        raise RunError(f"run folder '{folder}' is not empty; choose another or remove it")


def _remove(made: Iterable[Path]) -> None:
    for path in reversed(list(made)):
        with suppress(OSError):
            path.rmdir()
