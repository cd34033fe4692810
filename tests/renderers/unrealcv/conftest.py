"""A proxy that spoils connections, and a client that does not wait long."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fault_proxy import FaultProxy

from siturec_gym.renderers.unrealcv.mapping import Connection

LATE_S = 0.3
"""Longer than the client waits, so that what comes late comes after the client has given up."""


@pytest.fixture(scope="session")
def quick() -> Connection:
    return Connection(connect_timeout_s=0.3, reply_timeout_s=0.15, action_timeout_s=0.3, attempts=20)


@pytest.fixture
def between(serve, short_folder) -> Iterator[Callable[..., FaultProxy]]:
    """Puts a proxy before a server's Unix socket."""
    running: list[FaultProxy] = []

    def put(served: Any, **settings: Any) -> FaultProxy:
        listen = str(short_folder / f"proxy{len(running)}.socket")
        running.append(FaultProxy(served.path, listen, **{"late_s": LATE_S, **settings}))
        return running[-1]

    yield put
    for proxy in running:
        proxy.stop()
