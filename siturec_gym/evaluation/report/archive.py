"""A run in one file: the same bytes for the same run, and a report from it is the report from the folder."""

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.evaluation.judgments import JUDGMENTS
from siturec_gym.evaluation.report.runs import read_runs
from siturec_gym.evaluation.run_store import EPISODES, FRAMES, MANIFEST, SUMMARY

CONTENTS = "contents.json"
FORMAT = 1
_EPOCH = (1980, 1, 1, 0, 0, 0)
_PERMISSIONS = 0o644 << 16


def write_archive(folder: Path, target: Path, *, frames: bool = True) -> dict[str, int]:
    """Pack a run: manifest, episodes, judgments and summary, and the saved images.

    Times, owners and the folder's name are not kept, and names are in order, so equal runs give equal archives.

    Args:
        folder: Run folder.
        target: File to write.
        frames: Whether saved images come along.

    Returns:
        Name -> size in bytes of each file packed.

    Raises:
        DataError: The folder is no run, or damaged.
        RunError: The archive cannot be written.
    """
    read_runs([folder])
    names = _names(folder, frames=frames)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sizes = _pack(folder, names, draft)
        os.replace(draft, target)
    except OSError as error:
        with suppress(OSError):  # what kept it from being written may keep it from being removed
            draft.unlink()
        raise RunError(f"cannot write '{target}': {error.strerror}") from error
    return sizes


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The run folder at ``path``; an archive is unpacked for as long as it is needed.

    Raises:
        DataError: Neither a folder nor an archive of a run, or the archive is damaged.
    """
    if path.is_dir():
        yield path
        return
    if not path.exists():
        raise DataError(f"'{path}' does not exist; give a run folder or an archive of one")
    with tempfile.TemporaryDirectory() as folder:
        _unpack(path, Path(folder))
        check_contents(Path(folder))
        yield Path(folder)


def check_contents(folder: Path) -> None:
    """Prove that an unpacked archive holds what was packed.

    Raises:
        DataError: A file is missing or another one than was packed, or there is no list of contents.
    """
    try:
        listed: dict[str, str] = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"no archive of a run: its {CONTENTS} cannot be read") from error
    for name, digest in listed.items():
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise DataError(f"the archive is damaged: {name!r} is not what was packed")


def _names(folder: Path, *, frames: bool) -> list[str]:
    names = [name for name in (MANIFEST, EPISODES, SUMMARY, JUDGMENTS) if (folder / name).is_file()]
    images = sorted(path.name for path in (folder / FRAMES).glob("*.png")) if frames else []
    return [*names, *(f"{FRAMES}/{name}" for name in images)]


def _pack(folder: Path, names: list[str], target: Path) -> dict[str, int]:
    digests, sizes = {}, {}
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            content = (folder / name).read_bytes()
            digests[name], sizes[name] = hashlib.sha256(content).hexdigest(), len(content)
            archive.writestr(_entry(name), content, compresslevel=9)
        listed = json.dumps({"format": FORMAT, "sha256": digests}, indent=2) + "\n"
        archive.writestr(_entry(CONTENTS), listed.encode(), compresslevel=9)
    return sizes


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
    entry.external_attr = _PERMISSIONS
    entry.create_system = 3
    return entry


def _unpack(path: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(f"'{path}' is no archive of a run: {error}") from error
