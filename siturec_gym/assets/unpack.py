"""Unpack an archive into a folder of its own, whatever the archive holds.

No member can be written outside the folder, through a link or over another member. Files are written first and links
last, so that none of the archive's own links is ever followed; at the end every link must lead to a place inside.
Nothing here removes what was written: the caller unpacks into a draft folder and drops it when this raises.
"""

import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from siturec_gym.assets.archives import BROKEN, Member, members
from siturec_gym.core.errors import DataError

MOST_MEMBERS = 1_000_000
_CHUNK = 1 << 20
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\:\ud800-\udfff]")  # the last ones stand for bytes that are no text


@dataclass(frozen=True, slots=True)
class Unpacked:
    """One file that was written.

    Attributes:
        path: Where, relative to the folder, with "/" between parts.
        bytes: Its size.
        sha256: Of its content.
    """

    path: str
    bytes: int
    sha256: str


def safe_name(name: str) -> str:
    """A member's name as a path inside the folder; "" is the folder itself.

    Raises:
        DataError: It is absolute, leads outside, or holds what no file name should.
    """
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or _UNSAFE.search(name):
        raise DataError(f"it holds the unsafe name {name!r}")
    return "/".join(parts)


def unpack(archive: Path, folder: Path, limit: int, report: Callable[[int], None]) -> tuple[Unpacked, ...]:
    """Write the content of an archive into an existing, empty folder.

    Args:
        archive: A zip or tar file, the latter plain or compressed.
        folder: Where to.
        limit: Most bytes that all files together may have.
        report: Called with the bytes written so far.

    Returns:
        The files written, links left out, by path.

    Raises:
        DataError: It is damaged, holds too much, or something that is not to be unpacked.
        OSError: The folder cannot be written.
    """
    writer = _Writer(folder, limit, report)
    try:
        for member in members(archive):
            writer.take(member)
        if not writer.files:
            raise DataError("it holds no file")
        writer.link()
    except BROKEN as error:
        raise DataError(f"'{archive}' cannot be unpacked: {error}") from error
    except DataError as error:
        raise DataError(f"'{archive}' is not unpacked: {error}") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise DataError(f"'{archive}' cannot be unpacked: {error}") from error  # so do gzip and bz2 say it
    return tuple(writer.files[path] for path in sorted(writer.files))


@dataclass(slots=True)
class _Writer:
    folder: Path
    limit: int
    report: Callable[[int], None]
    files: dict[str, Unpacked] = field(default_factory=dict)
    links: dict[str, Member] = field(default_factory=dict)
    declared: int = 0
    written: int = 0
    count: int = 0

    def take(self, member: Member) -> None:
        """Write one member, or note it when it is a link."""
        name = safe_name(member.name)
        self.count += 1
        self.declared += member.size
        if self.count > MOST_MEMBERS:
            raise DataError(f"it holds more than {MOST_MEMBERS:,} members")
        if self.declared > self.limit:
            raise DataError(f"its files have more than the {self.limit:,} bytes that were declared")
        if member.kind == "folder":
            self._make_folder(name)
        elif not name:
            raise DataError(f"it holds {member.name!r} in place of its folder")
        elif member.kind == "file":
            self._write(member, name)
        elif name in self.links:
            raise DataError(f"it holds {name!r} twice")
        else:
            self.links[name] = member

    def link(self) -> None:
        """Make the links, once every folder is there, and prove that each leads to a place inside."""
        for name in self.links:
            self._make_folder(name.rpartition("/")[0])
        for name, member in self.links.items():
            try:
                self._link(name, member)
            except FileExistsError:
                raise DataError(f"it holds {name!r} twice") from None
        root = os.path.realpath(self.folder)
        for name in self.links:
            place = os.path.realpath(self.folder / name)
            if place != root and not place.startswith(root + os.sep):
                raise DataError(f"the link {name!r} leads outside")

    def _link(self, name: str, member: Member) -> None:
        if member.kind == "symlink":
            if not member.target or member.target.startswith("/") or _UNSAFE.search(member.target):
                raise DataError(f"the link {name!r} leads to {member.target!r}")
            os.symlink(member.target, self.folder / name)
            return
        target = safe_name(member.target)
        if target not in self.files:
            raise DataError(f"the link {name!r} leads to {target!r}, which is no file in it")
        os.link(self.folder / target, self.folder / name)

    def _make_folder(self, name: str) -> None:
        try:
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise DataError(f"it holds {name!r} as a file and as a folder") from None

    def _write(self, member: Member, name: str) -> None:
        self._make_folder(name.rpartition("/")[0])
        digest, size = hashlib.sha256(), 0
        mode = 0o755 if member.executable else 0o644
        try:
            number = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except (FileExistsError, IsADirectoryError):
            raise DataError(f"it holds {name!r} twice") from None
        with os.fdopen(number, "wb") as file, member.open() as content:
            while chunk := content.read(_CHUNK):  # never more than the member declares
                size += len(chunk)
                digest.update(chunk)
                file.write(chunk)
                self.report(self.written + size)
            file.flush()
            os.fsync(file.fileno())
        self.written += size
        self.files[name] = Unpacked(name, size, digest.hexdigest())
