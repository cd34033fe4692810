"""A server of one file, and folders to fetch it into."""

from collections.abc import Callable, Iterator

import pytest
from file_server import Answer, FileServer

from siturec_gym.assets.download import Patience

Serve = Callable[[Callable[[int], Answer]], FileServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    monkeypatch.setenv("no_proxy", "*")
    running: list[FileServer] = []

    def start(script: Callable[[int], Answer]) -> FileServer:
        running.append(FileServer(script))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def hasty() -> Patience:
    return Patience(timeout_s=1.0, attempts=3, first_wait_s=0.01, longest_wait_s=0.02)
