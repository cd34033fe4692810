"""Zip and tar archives as one stream of members, without trusting any of them."""

import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from siturec_gym.core.errors import DataError

Kind = Literal["file", "folder", "symlink", "hardlink"]
BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError, OverflowError,
)  # fmt: skip
"""What reading a damaged, encrypted or unknown archive raises, beside an OSError without a number."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive.

    Attributes:
        name: As the archive writes it.
        kind: What it is.
        size: Bytes of a file as the archive declares them, else 0.
        executable: Whether its owner may run it.
        target: Where a link points, else "".
        open: Its content, to be read before the next member is taken.
    """

    name: str
    kind: Kind
    size: int
    executable: bool
    target: str
    open: Callable[[], IO[bytes]]


def members(path: Path) -> Iterator[Member]:
    """The members of an archive, in its order.

    Raises:
        DataError: It is no zip or tar archive, or holds a device.
        OSError: The file cannot be read.
        Exception: One of ``BROKEN``, or an OSError without a number, where the archive is damaged.
    """
    with path.open("rb") as file:
        is_zip = file.read(4) == b"PK\x03\x04"
    if not is_zip and not tarfile.is_tarfile(path):
        raise DataError("it is no zip or tar archive")
    return _zip_members(path) if is_zip else _tar_members(path)


def _zip_members(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind = _kind_of_zip(info, mode)
            target = archive.read(info).decode() if kind == "symlink" and info.file_size <= 4096 else ""

            def content(info: zipfile.ZipInfo = info) -> IO[bytes]:
                return archive.open(info)

            # Old tools of Windows write its own separator.
            name = info.filename.replace("\\", "/")
            size = info.file_size if kind == "file" else 0
            yield Member(name, kind, size, bool(mode & stat.S_IXUSR), target, content)


def _kind_of_zip(info: zipfile.ZipInfo, mode: int) -> Kind:
    if info.is_dir() or stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISLNK(mode):
        return "symlink"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise DataError(f"it holds {info.filename!r}, which is neither file nor folder")
    return "file"


def _tar_members(path: Path) -> Iterator[Member]:
    with tarfile.open(path, "r:*") as archive:
        for info in archive:

            def content(info: tarfile.TarInfo = info) -> IO[bytes]:
                file = archive.extractfile(info)
                if file is None:
                    raise DataError(f"it holds {info.name!r}, which has no content")
                return file

            kind = _kind_of_tar(info)
            size = info.size if kind == "file" else 0
            yield Member(info.name, kind, size, bool(info.mode & stat.S_IXUSR), info.linkname, content)


def _kind_of_tar(info: tarfile.TarInfo) -> Kind:
    if info.isreg():
        return "file"
    if info.isdir():
        return "folder"
    if info.issym():
        return "symlink"
    if info.islnk():
        return "hardlink"
    raise DataError(f"it holds {info.name!r}, which is neither file nor folder")
