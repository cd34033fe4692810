"""The chat server of ``tests/support`` and clients for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from chat_server import ChatServer, completion

from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.openai_client import OpenAIClient
from siturec_gym.llm.retry import Retries


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.stop()


@pytest.fixture
def quick() -> Retries:
    return Retries(attempts=4, first_wait_s=0.01, longest_wait_s=0.05, patience_s=10.0)


@pytest.fixture
def make_client(server: ChatServer, quick: Retries) -> Callable[..., OpenAIClient]:
    def make(**changes: Any) -> OpenAIClient:
        settings = {"url": server.url, "timeout_s": 5.0, "retries": quick} | changes
        return OpenAIClient("tiny", Endpoint(**settings))

    return make


@pytest.fixture
def body_of() -> Callable[..., dict[str, Any]]:
    return completion
