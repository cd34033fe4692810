"""Connections to an endpoint: which proxy, how many, no redirects, and one deadline for all of a request."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from siturec_gym.core.errors import DeterministicModelError
from siturec_gym.llm.endpoint import Endpoint, public_url

KEPT_FOR_S = 30.0
"""An idle connection is kept so long. One that the server closed first is noticed, or replaced at once."""
_SOONEST_S = 0.001


@dataclass
class Trip:
    """One request on its way.

    Attributes:
        deadline: When its last byte must be there, by the monotonic clock.
        way: Whether it goes over a connection that was kept, or one is being made for it, or was made.
    """

    deadline: float
    way: Literal["kept", "connecting", "connected"] = "kept"


class Connections:
    """Keeps connections to one endpoint and bounds what a request does on them.

    The HTTP library bounds each single wait, so that a server which sends a byte now and then is never left. Here
    every wait is also bounded by the request's deadline, headers and the bodies of errors included.

    Args:
        openai: The package, whose HTTP client is used.
        endpoint: Where to.
        on_response: Called with each response before its body is read; may raise.

    Raises:
        DeterministicModelError: The environment names a proxy or certificates that cannot be used.
    """

    def __init__(self, openai: Any, endpoint: Endpoint, on_response: Callable[[Any], None]) -> None:
        self._underway = threading.local()
        self._timeout_s = endpoint.timeout_s
        # httpx, or what this version of the package has in its place
        library = sys.modules[openai.DefaultHttpxClient.__base__.__module__.partition(".")[0]]
        try:
            self.http = openai.DefaultHttpxClient(
                timeout=openai.Timeout(endpoint.timeout_s, connect=min(endpoint.connect_s, endpoint.timeout_s)),
                limits=library.Limits(
                    max_connections=None,  # the gate knows how many
                    max_keepalive_connections=endpoint.concurrency,
                    keepalive_expiry=KEPT_FOR_S,
                ),
                follow_redirects=False,  # neither key nor prompts go where nobody sent them
                mounts=_past_proxies(endpoint.url),
                event_hooks={"request": [self._watch], "response": [on_response]},
            )
        except Exception as error:  # whatever a wrong proxy makes the library raise
            address = public_url(endpoint.url)
            why = f"{error}{_certificates() if isinstance(error, OSError) else ''}"
            raise DeterministicModelError(f"{address} cannot be asked{through(endpoint.url)}: {why}") from error

    @contextmanager
    def request(self) -> Iterator[Trip]:
        """What this thread does on a connection in here must be over in time."""
        trip = Trip(time.monotonic() + self._timeout_s)
        self._underway.trip = trip
        try:
            yield trip
        finally:
            self._underway.trip = None

    def _watch(self, request: Any) -> None:
        request.extensions["trace"] = self._on_event

    def _on_event(self, name: str, info: Mapping[str, Any]) -> None:
        """Told by the library of each step of a request; new streams are bounded from the start."""
        trip = self.trip()
        if trip and name.endswith("connect_tcp.started"):
            trip.way = "connecting"
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._bound(info["return_value"])
            if trip:
                trip.way = "connected"

    def _bound(self, stream: Any) -> None:
        read, write = stream.read, stream.write
        stream.read = lambda size, timeout=None: read(size, timeout=self._left(timeout))
        stream.write = lambda content, timeout=None: write(content, timeout=self._left(timeout))

    def _left(self, timeout: float | None) -> float | None:
        trip = self.trip()
        if trip is None:
            return timeout
        left = max(_SOONEST_S, trip.deadline - time.monotonic())
        return left if timeout is None else min(left, timeout)

    def trip(self) -> Trip | None:
        """What this thread has underway."""
        return getattr(self._underway, "trip", None)


def through(url: str) -> str:
    """The proxy that the environment sends requests through, in words for a message; empty without one."""
    parts = urlsplit(url)
    if _past_proxies(url) or proxy_bypass(parts.hostname or ""):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return f" through the proxy {public_url(proxy)}" if proxy else ""


def _certificates() -> str:
    """The file of certificates that the environment names, in words for a message: the library's own do not name it."""
    path = os.environ.get("SSL_CERT_FILE")
    return f" (SSL_CERT_FILE is {path!r})" if path else ""


def _past_proxies(url: str) -> dict[str, None]:
    """Which addresses are asked directly: this machine's own, which a proxy elsewhere cannot mean."""
    host = urlsplit(url).hostname or ""
    if host != "localhost" and not _is_loopback(host):
        return {}
    return {f"all://[{host}]" if ":" in host else f"all://{host}": None}


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
