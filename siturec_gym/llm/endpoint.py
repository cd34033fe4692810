"""An endpoint: where a model is served, and how much may be asked of it at once."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from siturec_gym.llm.retry import Retries

DEFAULT_URL = "https://api.openai.com/v1"
URL_VARIABLE = "OPENAI_BASE_URL"
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
        per_minute: Most requests that this process begins there in a minute, evenly spaced; None sets no limit.
    """

    url: str = DEFAULT_URL
    concurrency: int = 64
    timeout_s: float = 120.0
    connect_s: float = 10.0
    retries: Retries = field(default_factory=Retries)
    key_variable: str = KEY_VARIABLE
    per_minute: float | None = None

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            raise ValueError(f"base URL {public_url(self.url)!r} must begin with http:// or https:// and name a host")
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {self.concurrency}")
        if self.timeout_s <= 0:
            raise ValueError(f"timeout must be above 0 seconds, got {self.timeout_s}")
        if self.per_minute is not None and not 0 < self.per_minute < float("inf"):
            raise ValueError(f"requests per minute must be above 0, got {self.per_minute}")


def usual_url() -> str:
    """The address where none was given: that of the environment variable OPENAI_BASE_URL, else OpenAI's own."""
    return os.environ.get(URL_VARIABLE) or DEFAULT_URL


def public_url(url: str) -> str:
    """The URL without user, password, query and fragment, fit for records and messages."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class Gate:
    """Lets so many requests through at once and in a minute, and none while the endpoint wants to be left alone.

    Args:
        concurrency: Most requests underway.
        per_minute: Most requests begun in a minute; they are spaced evenly.
    """

    def __init__(self, concurrency: int, per_minute: float | None = None) -> None:
        self._places = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()
        self._space_s = 60.0 / per_minute if per_minute else 0.0
        self._next_at = self._closed_until = 0.0

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Holds a place while a request is underway."""
        with self._places:
            while (left := self._to_wait_s()) > 0:
                time.sleep(left)
            yield

    def _to_wait_s(self) -> float:
        """Seconds until a request may begin; where it may at once, its moment is taken."""
        with self._lock:
            now = time.monotonic()
            begins = max(self._next_at, self._closed_until)
            if begins <= now:
                self._next_at = now + self._space_s
            return begins - now

    def close_for(self, seconds: float) -> None:
        """Begin no request for so long."""
        with self._lock:
            self._closed_until = max(self._closed_until, time.monotonic() + seconds)


_gates: dict[tuple[str, int, float | None], Gate] = {}
_gates_lock = threading.Lock()


def gate_of(endpoint: Endpoint) -> Gate:
    """The gate that every client of this process passes for that endpoint."""
    key = endpoint.url.rstrip("/"), endpoint.concurrency, endpoint.per_minute
    with _gates_lock:
        return _gates.setdefault(key, Gate(endpoint.concurrency, endpoint.per_minute))
