"""An endpoint: where a model is served, and how much may be asked of it at once."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from siturec_gym.llm.retry import Retries

DEFAULT_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served.

    Attributes:
        url: Base URL of the API, such as "http://127.0.0.1:8000/v1".
        concurrency: Most requests that this process has underway there at once.
        timeout_s: Most seconds from sending a request to the last byte of its reply.
        connect_s: Most seconds until the connection stands.
        retries: When to give up after transient failures.
        key_variable: Environment variable that holds the key; the key itself is kept nowhere.
    """

    url: str = DEFAULT_URL
    concurrency: int = 64
    timeout_s: float = 120.0
    connect_s: float = 10.0
    retries: Retries = field(default_factory=Retries)
    key_variable: str = KEY_VARIABLE

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            raise ValueError(f"base URL {public_url(self.url)!r} must begin with http:// or https:// and name a host")
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {self.concurrency}")
        if self.timeout_s <= 0:
            raise ValueError(f"timeout must be above 0 seconds, got {self.timeout_s}")


def public_url(url: str) -> str:
    """The URL without user, password, query and fragment, fit for records and messages."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class Gate:
    """Lets so many requests through at once, and none while the endpoint wants to be left alone."""

    def __init__(self, concurrency: int) -> None:
        self._places = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()
        self._closed_until = 0.0

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Holds a place while a request is underway."""
        with self._places:
            while (left := self._closed_until - time.monotonic()) > 0:
                time.sleep(left)
            yield

    def close_for(self, seconds: float) -> None:
        """Begin no request for so long."""
        with self._lock:
            self._closed_until = max(self._closed_until, time.monotonic() + seconds)


_gates: dict[tuple[str, int], Gate] = {}
_gates_lock = threading.Lock()


def gate_of(endpoint: Endpoint) -> Gate:
    """The gate that every client of this process passes for that endpoint."""
    with _gates_lock:
        return _gates.setdefault((endpoint.url.rstrip("/"), endpoint.concurrency), Gate(endpoint.concurrency))
