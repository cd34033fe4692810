"""How much may be asked of an endpoint at once: places, pace and pauses, shared by all clients of a process."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from siturec_gym.llm.endpoint import Endpoint


class Gate:
    """Lets so many requests through at once and in a minute, and none while the endpoint wants to be left alone.

    Who comes first passes first.

    Args:
        concurrency: Most requests underway.
        per_minute: Most requests begun in a minute; they are spaced evenly.

    Attributes:
        lost: Whether the last request that came to an end was given up. Others are then tried once only, until one is
            answered again, so that a dead endpoint is not waited for anew by every caller.
    """

    def __init__(self, concurrency: int, per_minute: float | None = None) -> None:
        self._lock = threading.Lock()
        self._places = concurrency
        self._waiting: deque[threading.Event] = deque()
        self._space_s = 60.0 / per_minute if per_minute else 0.0
        self._next_at = self._closed_until = 0.0
        self.lost = False

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Holds a place while a request is underway."""
        self._enter()
        try:
            while (left := self._to_wait_s()) > 0:
                time.sleep(left)
            yield
        finally:
            self._leave()

    def close_for(self, seconds: float) -> None:
        """Begin no request for so long."""
        with self._lock:
            self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    def _enter(self) -> None:
        with self._lock:
            if self._places:
                self._places -= 1
                return
            called = threading.Event()
            self._waiting.append(called)
        try:
            called.wait()
        except BaseException:
            with self._lock:
                given_up = called in self._waiting
                if given_up:
                    self._waiting.remove(called)
            if not given_up:
                self._leave()
            raise

    def _leave(self) -> None:
        """Hand the place to who has waited longest; it is free only when nobody waits."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._places += 1

    def _to_wait_s(self) -> float:
        """Seconds until a request may begin; where it may at once, its moment is taken."""
        with self._lock:
            now = time.monotonic()
            begins = max(self._next_at, self._closed_until)
            if begins <= now:
                self._next_at = now + self._space_s
            return begins - now


_gates: dict[tuple[str, int, float | None], Gate] = {}
_gates_lock = threading.Lock()


def gate_of(endpoint: Endpoint) -> Gate:
    """The gate that every client of this process passes for that endpoint."""
    limits = endpoint.concurrency, endpoint.per_minute
    with _gates_lock:
        return _gates.setdefault((endpoint.url.rstrip("/"), *limits), Gate(*limits))
