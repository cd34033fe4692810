"""Download a file over http so that nothing that arrived is lost, and nothing wrong is taken for it.

What has arrived lies in a partial file; the next attempt, in this process or a later one, asks for the rest. The file
is renamed into place only when its size and sha256 are the ones expected.
"""

import hashlib
import os
import random
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from siturec_gym.assets.transfer import DroppedError, Offer, receive, request
from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import reason

Report = Callable[[str, int, int | None], None]
"""Called with what is being done ("downloading", "checking", "unpacking"), bytes done, and bytes in all or None."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to download.

    Attributes:
        url: http or https address.
        sha256: Of its content, 64 hexadecimal digits.
        bytes: Its size; None where it is not known.
    """

    url: str
    sha256: str
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try.

    Attributes:
        timeout_s: Most seconds without a byte.
        attempts: Most attempts one after the other that bring no byte.
        first_wait_s: Seconds before the second attempt; doubled each time.
        longest_wait_s: Most seconds between attempts, whatever the server asks for.
    """

    timeout_s: float = 30.0
    attempts: int = 6
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0

    def wait_s(self, failures: int, asked_s: float | None) -> float:
        """Seconds to wait after so many attempts without a byte: what the server asks for, else ever longer."""
        wait = self.first_wait_s * 2 ** max(failures - 1, 0) * random.uniform(0.5, 1.0) if asked_s is None else asked_s
        return min(wait, self.longest_wait_s)


PATIENT = Patience()


def download(wanted: Wanted, target: Path, report: Report, patience: Patience = PATIENT) -> None:
    """Bring a file to ``target``, going on from ``target`` + ".partial" where there is one.

    Only one process may do so at a time. A target that is there already was complete once and is left alone.

    Raises:
        DataError: The server refuses, sends something else, or is not to be had; or the disk does not take it. Bytes
            that may still be of use are kept.
    """
    if target.exists():
        return
    partial = Partial(target.with_name(f"{target.name}.partial"))
    try:
        resumed = _complete(wanted, partial, report, patience)
        found = _sha256(partial.path, report)
        if found != wanted.sha256 and resumed:  # pieces of two states of the file: once more, from its beginning
            partial.forget()
            _complete(wanted, partial, report, patience)
            found = _sha256(partial.path, report)
        if found != wanted.sha256:
            partial.forget()
            raise DataError(f"'{wanted.url}' is another file: sha256 {found[:12]}..., expected {wanted.sha256[:12]}...")
        os.replace(partial.path, target)
        partial.forget()
    except OSError as error:
        where = error.filename or partial.path
        raise DataError(f"cannot write '{where}': {reason(error)}{partial.kept()}") from error


class Partial:
    """A file that is not complete, and beside it what names the state it was taken from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}.state")

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def validator(self) -> str:
        """What the server called the file that the bytes are from; "" where that is not known."""
        try:
            return self._note.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def note(self, validator: str) -> None:
        """Keep what the server calls its file."""
        if validator != self.validator:
            self._note.write_text(validator, encoding="utf-8")

    def forget(self) -> None:
        """Drop what is kept."""
        for path in (self.path, self._note):
            path.unlink(missing_ok=True)

    def kept(self) -> str:
        """What to say about the bytes that are kept, after another sentence."""
        with suppress(OSError):
            if size := self.size:
                return f"; {size:,} bytes are kept and the next fetch goes on from there"
        return ""


def _complete(wanted: Wanted, partial: Partial, report: Report, patience: Patience) -> bool:
    """Ask until the partial file is whole; whether any of it was there before a request.

    Raises:
        DataError: It cannot be had.
        OSError: The disk does not take it.
    """
    failures, resumed = 0, False
    while wanted.bytes is None or partial.size != wanted.bytes:
        before = partial.size
        resumed = resumed or before > 0
        try:
            _ask(wanted, partial, report, patience.timeout_s)
            return resumed
        except DroppedError as error:
            failures = 1 if partial.size > before else failures + 1
            if failures >= patience.attempts:
                raise DataError(f"'{wanted.url}' cannot be had: {error}{partial.kept()}") from error
            if error.anew:
                partial.forget()
            time.sleep(patience.wait_s(failures, error.wait_s))
    return True


def _ask(wanted: Wanted, partial: Partial, report: Report, timeout_s: float) -> None:
    offset, validator = partial.size, partial.validator
    if wanted.bytes is not None and offset > wanted.bytes:
        partial.forget()
        offset, validator = 0, ""
    with request(wanted.url, offset, validator, timeout_s) as offer:
        _check(wanted, offer, partial, validator)
        partial.note(offer.validator)
        file = os.open(partial.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            total = wanted.bytes or offer.total
            receive(offer, file, total, lambda done: report("downloading", done, total))
            os.fsync(file)
        finally:
            os.close(file)
    if wanted.bytes is not None and partial.size < wanted.bytes:
        raise DroppedError(f"the connection ended after {partial.size:,} of {wanted.bytes:,} bytes")


def _check(wanted: Wanted, offer: Offer, partial: Partial, validator: str) -> None:
    """Refuse an offer that cannot become the file wanted."""
    if None not in (wanted.bytes, offer.total) and offer.total != wanted.bytes:
        raise DataError(f"'{wanted.url}' is another file: {offer.total:,} bytes, expected {wanted.bytes:,}")
    if offer.total is not None and offer.total - partial.size > (free := shutil.disk_usage(partial.path.parent).free):
        raise DataError(f"the file has {offer.total:,} bytes and '{partial.path.parent}' has room for {free:,}")
    if offer.start and validator and offer.validator and offer.validator != validator:
        raise DroppedError("the file changed on the server", wait_s=0.0, anew=True)


def _sha256(path: Path, report: Report) -> str:
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            report("checking", done, total)
    return digest.hexdigest()
