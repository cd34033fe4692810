"""Builds in the user's cache folder: fetched, unpacked, put there whole, and proven unchanged.

``NAME-PLATFORM/`` holds ``files/`` and a receipt of what was unpacked. It appears in one step, so whoever sees it sees
all of it. What is not complete lies in ``.work/`` under the archive's sha256, where one process at a time holds a lock.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from siturec_gym.assets.builds import Build
from siturec_gym.assets.download import PATIENT, Patience, Report, Wanted, download
from siturec_gym.assets.receipts import FILES, RECEIPT, Receipt, read_receipt
from siturec_gym.assets.unpack import unpack
from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import reason

_TIMES_THE_ARCHIVE = 20
"""How many times its archive a build may be unpacked where that is not declared. Its data is compressed already."""


@dataclass(frozen=True, slots=True)
class Source:
    """What to fetch and what to call it.

    Attributes:
        folder_name: Name of its folder among the installed builds.
        file: The archive.
        unpacked_bytes: Size of all files in it, or None where that is not known.
        executable: The program to start, as a path in it, or None.
    """

    folder_name: str
    file: Wanted
    unpacked_bytes: int | None = None
    executable: str | None = None


def source_of(build: Build, url: str | None = None) -> Source:
    """What a manifest says, from another address where one is given."""
    file = Wanted(url or build.url, build.sha256, build.bytes)
    return Source(f"{build.name}-{build.platform}", file, build.unpacked_bytes, build.executable)


def install(source: Source, cache: Path, report: Report, patience: Patience = PATIENT) -> Path:
    """Fetch a build into a cache folder unless it is there; its folder.

    Args:
        source: What to fetch.
        cache: Folder of installed builds; made where it is missing.
        report: Told how far it is. Also told "waiting" while another process fetches the same.
        patience: How long to try.

    Raises:
        DataError: It cannot be had, is not what was expected, cannot be unpacked or written, or another build has its
            name. What was downloaded is kept where it may be of use.
    """
    folder, work = cache / source.folder_name, cache / ".work"
    archive, draft = work / source.file.sha256, work / f"{source.file.sha256}.draft"
    try:
        work.mkdir(parents=True, exist_ok=True)
        with _held(work / f"{source.file.sha256}.lock", report):
            if not _is_installed(folder, source):
                download(source.file, archive, report, patience)
                shutil.rmtree(draft, ignore_errors=True)
                _unpack(source, archive, draft, report)
                _publish(draft, folder, source)
            archive.unlink(missing_ok=True)
    except OSError as error:
        kept = f"; the archive is kept as '{archive}'" if archive.exists() else ""
        raise DataError(f"cannot write '{error.filename or folder}': {reason(error)}{kept}") from error
    return folder


def _is_installed(folder: Path, source: Source) -> bool:
    if not folder.exists():
        return False
    if read_receipt(folder).sha256 != source.file.sha256:
        raise DataError(f"'{folder}' holds another build; remove it or fetch this one under another name")
    return True


def _unpack(source: Source, archive: Path, draft: Path, report: Report) -> None:
    """Into a draft folder, with a receipt."""
    limit = source.unpacked_bytes or _TIMES_THE_ARCHIVE * archive.stat().st_size
    (draft / FILES).mkdir(parents=True)
    try:
        files = unpack(archive, draft / FILES, limit, lambda done: report("unpacking", done, source.unpacked_bytes))
        if source.executable and source.executable not in {file.path for file in files}:
            raise DataError(f"the archive holds no {source.executable!r}, its executable")
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    receipt = Receipt(sha256=source.file.sha256, executable=source.executable, files=files)
    with (draft / RECEIPT).open("w", encoding="utf-8") as file:
        file.write(receipt.model_dump_json(indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _publish(draft: Path, folder: Path, source: Source) -> None:
    """Put a draft in its place in one step. Another archive of the same name may have come first."""
    try:
        draft.rename(folder)
    except OSError:
        if not folder.exists():
            raise
        _is_installed(folder, source)
        shutil.rmtree(draft)
    descriptor = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _held(path: Path, report: Report) -> Iterator[None]:
    """Hold a lock file; wait while another process does. The system lets go of it when its holder dies."""
    import fcntl  # noqa: PLC0415  a POSIX module; only fetching needs it

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("waiting", 0, None)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
