"""Which proxy a request goes through, and the deadline of what a thread has underway."""

import threading
import time

import openai
import pytest

from siturec_gym.llm.connection import Connections, through
from siturec_gym.llm.endpoint import Endpoint


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("environment", "url", "words"),
    [
        ({}, "http://models.example/v1", ""),
        ({"http_proxy": "http://me:pw@p:3128"}, "http://models.example/v1", " through the proxy http://p:3128"),
        ({"http_proxy": "http://p:3128"}, "https://models.example/v1", ""),
        ({"https_proxy": "http://p:3128"}, "https://models.example/v1", " through the proxy http://p:3128"),
        ({"all_proxy": "socks5://p:1080"}, "https://models.example/v1", " through the proxy socks5://p:1080"),
        ({"http_proxy": "http://p:3128", "no_proxy": ".example"}, "http://models.example/v1", ""),
        ({"http_proxy": "http://p:3128"}, "http://localhost:8000/v1", ""),
        ({"http_proxy": "http://p:3128"}, "http://127.1.2.3:8000/v1", ""),
        ({"http_proxy": "http://p:3128"}, "http://[::1]:8000/v1", ""),
        ({"http_proxy": "http://p:3128"}, "http://192.168.0.1:8000/v1", " through the proxy http://p:3128"),
    ],
)
def test_the_proxy_of_the_environment_is_told_where_it_is_used(monkeypatch, environment, url, words):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert through(url) == words


@pytest.fixture
def connections():
    made = Connections(openai, Endpoint("http://127.0.0.1:9/v1", timeout_s=7.0), lambda response: None)
    yield made
    made.http.close()


def test_a_request_has_its_timeout_from_when_it_begins_and_ends_with_its_block(connections):
    before = time.monotonic()
    with connections.request() as trip:
        assert before + 7.0 <= trip.deadline <= time.monotonic() + 7.0
        assert connections.trip() is trip
    assert connections.trip() is None


def test_a_request_that_fails_is_over_too(connections):
    with pytest.raises(OSError, match="gone"), connections.request():
        raise OSError("gone")
    assert connections.trip() is None


def test_each_thread_has_a_request_of_its_own(connections):
    seen = []
    with connections.request():
        thread = threading.Thread(target=lambda: seen.append(connections.trip()))
        thread.start()
        thread.join()
    assert seen == [None]
