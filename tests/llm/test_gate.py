"""The pace at which an endpoint is asked."""

import threading
import time
from itertools import pairwise

import pytest

from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.gate import Gate, gate_of
from siturec_gym.llm.messages import ChatRequest, Message

HELLO = ChatRequest((Message.of("user", "Hello?"),))


def begun(gate, requests):
    """When each of several callers was let through, in order."""
    moments, lock = [], threading.Lock()

    def ask():
        with gate.passing(), lock:
            moments.append(time.monotonic())

    callers = [threading.Thread(target=ask) for _ in range(requests)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return moments


def test_requests_of_a_minute_are_spaced_evenly_whoever_makes_them():
    moments = begun(Gate(concurrency=8, per_minute=1200), 6)
    gaps = [later - earlier for earlier, later in pairwise(sorted(moments))]
    assert min(gaps) >= 0.0499
    assert moments[-1] - moments[0] >= 0.249


def test_without_a_limit_nobody_waits():
    moments = begun(Gate(concurrency=8), 200)
    assert moments[-1] - moments[0] < 1.0


def test_clients_of_an_endpoint_share_its_pace(server, make_client):
    clients = [make_client(per_minute=600, concurrency=63) for _ in range(3)]
    started = time.monotonic()
    for client in clients:
        client.complete(HELLO)
    assert time.monotonic() - started >= 0.2


def test_endpoints_with_other_limits_have_gates_of_their_own():
    assert gate_of(Endpoint("http://a/v1", per_minute=5)) is gate_of(Endpoint("http://a/v1/", per_minute=5))
    assert gate_of(Endpoint("http://a/v1", per_minute=5)) is not gate_of(Endpoint("http://a/v1"))


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_limit_that_is_none_is_one_clear_line(limit):
    with pytest.raises(ValueError, match="requests per minute must be above 0"):
        Endpoint("http://a/v1", per_minute=limit)
