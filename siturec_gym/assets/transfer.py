"""One HTTP request for the rest of a file: what the server offers, and its bytes onto the disk."""

import errno
import http.client
import io
import os
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import reason

_CHUNK = 1 << 18
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_UNUSABLE_RANGE = 416
_NETWORK = {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.ENETRESET}


class DroppedError(Exception):
    """The connection broke or the server was busy; another request may get the rest.

    Attributes:
        wait_s: Seconds that the server asked to wait, or None.
        anew: Whether what is kept is of no use to the next request.
    """

    def __init__(self, message: str, *, wait_s: float | None = None, anew: bool = False) -> None:
        super().__init__(message)
        self.wait_s = wait_s
        self.anew = anew


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server answers to a request.

    Attributes:
        start: Offset of the first byte it sends.
        total: Size of the whole file, or None where the server does not say.
        validator: What names this state of the file in a later ``If-Range``, or "".
        body: The bytes from ``start`` on.
    """

    start: int
    total: int | None
    validator: str
    body: IO[bytes]


@contextmanager
def request(url: str, offset: int, validator: str, timeout_s: float) -> Iterator[Offer]:
    """Ask for a file from an offset on; a server that cannot do that offers it from 0.

    Args:
        url: http or https address.
        offset: First byte wanted.
        validator: Of the file that the bytes before ``offset`` came from, or "".
        timeout_s: Most seconds without an answer.

    Raises:
        DroppedError: Another request may do better.
        DataError: The server refuses.
    """
    headers = {"User-Agent": "siturec-gym", "Accept-Encoding": "identity"}
    if offset:
        headers |= {"Range": f"bytes={offset}-"} | ({"If-Range": validator} if validator else {})
    try:
        offer = _open(urllib.request.Request(url, headers=headers), offset, timeout_s)
        with offer.body:
            yield offer
    except urllib.error.URLError as error:
        if isinstance(error.reason, str | ssl.SSLCertVerificationError):
            raise DataError(f"'{url}': {error.reason}") from error
        raise DroppedError(str(error.reason)) from error
    except (http.client.HTTPException, ssl.SSLError, TimeoutError, ConnectionError) as error:
        raise DroppedError(str(error) or type(error).__name__) from error
    except OSError as error:
        if error.errno in _NETWORK:
            raise DroppedError(reason(error)) from error
        raise


def receive(offer: Offer, file: int, most: int | None, report: Callable[[int], None]) -> None:
    """Write what a server offers into an open file, at its place.

    Bytes that the file has already are compared, and written from the first difference on: a server that begins anew
    costs nothing of what is kept when the connection breaks again.

    Args:
        offer: The answer.
        file: Descriptor, readable and writable.
        most: Bytes that the whole file has at most, or None.
        report: Called with the bytes at their place so far.

    Raises:
        DroppedError: The body ended early.
        DataError: The body is longer than it may be.
        OSError: The disk does not take it.
    """
    kept, at = os.fstat(file).st_size, offer.start
    while chunk := offer.body.read1(_CHUNK):  # type: ignore[attr-defined]  # whatever has come, so that no byte is lost
        if most is not None and at + len(chunk) > most:
            raise DataError(f"the server sends more than the {most:,} bytes expected")
        if at < kept and os.pread(file, len(chunk), at) != chunk[: kept - at]:
            os.ftruncate(file, at)
            kept = at
        if at + len(chunk) > kept:
            _write_all(file, chunk[max(kept - at, 0) :], max(kept, at))
            kept = at + len(chunk)
        at += len(chunk)
        report(at)
    if offer.total is not None:
        if at < offer.total:
            raise DroppedError(f"the connection ended after {at:,} of {offer.total:,} bytes")
        os.ftruncate(file, at)  # what is kept may be of a longer file


def _open(asked: urllib.request.Request, offset: int, timeout_s: float) -> Offer:
    try:
        response = _opener().open(asked, timeout=timeout_s)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == _UNUSABLE_RANGE and error.headers.get("Content-Range") == f"bytes */{offset}":
            return Offer(offset, offset, "", io.BytesIO())  # all of it is there
        raise _refusal(asked.full_url, error) from error
    return _offer(response, offset)


def _offer(response: http.client.HTTPResponse, offset: int) -> Offer:
    tag, date = response.headers.get("ETag", ""), response.headers.get("Last-Modified", "")
    validator = date if not tag or tag.startswith("W/") else tag  # a weak tag may not stand in If-Range
    if response.status != http.client.PARTIAL_CONTENT:
        return Offer(0, response.length, validator, response)
    found = _RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if found is None or int(found[1]) > offset:
        raise DataError(f"the server sends another part of the file than the one from byte {offset:,} on")
    start = int(found[1])
    end = None if response.length is None else start + response.length
    return Offer(start, end if found[2] == "*" else int(found[2]), validator, response)


def _refusal(url: str, error: urllib.error.HTTPError) -> Exception:
    if error.code == _UNUSABLE_RANGE:
        return DroppedError("the server's file is shorter than what is kept", wait_s=0.0, anew=True)
    if error.code in _TRY_AGAIN:
        return DroppedError(f"status {error.code}", wait_s=_seconds(error.headers.get("Retry-After")))
    return DataError(f"'{url}': the server answers {error.code} {error.reason}")


def _opener() -> urllib.request.OpenerDirector:
    """One that knows http and https only, so that no redirect leads to a file of this machine."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler,
        urllib.request.HTTPRedirectHandler, urllib.request.HTTPDefaultErrorHandler, urllib.request.HTTPErrorProcessor,
        urllib.request.UnknownHandler,
    ):  # fmt: skip
        opener.add_handler(handler())
    return opener


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() else None


def _write_all(file: int, content: bytes, at: int) -> None:
    left = memoryview(content)
    while left:
        written = os.pwrite(file, left, at)
        left, at = left[written:], at + written
