"""Reading a run folder: its manifest and its episodes."""

import json
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DataError
from siturec_gym.core.records import EpisodeRecord, from_json
from siturec_gym.core.storage.files import reason, whole_lines

MANIFEST = "manifest.json"
EPISODES = "episodes.jsonl"


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder.

    Raises:
        DataError: It is missing or not JSON.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"'{folder}' is no run folder: {MANIFEST}: {reason(error)}") from error
    if not isinstance(manifest, dict):
        raise DataError(f"'{folder}' is no run folder: {MANIFEST} holds no JSON object")
    return manifest


def read_episodes(folder: Path) -> list[EpisodeRecord]:
    """The episodes of a run folder, in file order. A last line that was cut off is no episode yet and is left out.

    Raises:
        DataError: The file is missing, or a line is no complete episode (its number is named).
    """
    path = folder / EPISODES
    try:
        lines = whole_lines(path)
    except (OSError, ValueError) as error:
        raise DataError(f"'{path}' cannot be read: {reason(error)}") from error
    return [_episode(path, number, line) for number, line in enumerate(lines, start=1)]


def _episode(path: Path, number: int, line: str) -> EpisodeRecord:
    try:
        return from_json(line)
    except DataError as error:
        raise DataError(f"'{path}', line {number}: {error}") from error
