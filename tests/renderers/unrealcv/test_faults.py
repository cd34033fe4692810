"""A spoiled connection never gives one request the reply of another."""

import itertools
import re
import secrets
from typing import Any

import pytest
from fault_proxy import KINDS, FaultProxy

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Connection

COSTLY = ("truncate", "lose")
"""A request that loses bytes may become another one, which the server refuses: a renderer error, no wrong reply."""


def linked(proxy: FaultProxy, quick: Connection) -> Link:
    return Link(proxy.endpoint, quick, lambda exchange: None)


def whole(replies: list[Any]) -> list[str]:
    """The replies, if each has the form of a nonce. Whose nonce it is, a reader cannot know."""
    if not all(isinstance(reply, str) and re.fullmatch("[0-9a-f]{16}", reply) for reply in replies):
        raise ValueError("a reply was cut short")
    return replies


def exchange_until(proxy: FaultProxy, link: Link, faults: int, rounds: int = 100_000) -> tuple[int, int]:
    """Ask batches of echoes until so many faults have struck; how many were answered, and how many failed."""
    answered = failed = 0
    for number in itertools.islice(itertools.count(), rounds):
        if len(proxy.faults) >= faults:
            break
        nonces = [secrets.token_hex(8) for _ in range(1 + number % 5)]
        commands = [f"vget /unrealcv/echo {nonce}" for nonce in nonces]
        try:
            replies = link.ask(lambda commands=commands: commands, whole)
        except RendererError:
            failed += 1
            continue
        answered += 1
        assert replies == nonces
    return answered, failed


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_fault_is_survived(serve, tiny_scene, between, quick, kind):
    served = serve(tiny_scene, 64, 48, light="plain")
    proxy = between(served, seed=5, rate=0.05, kinds=[kind])
    link = linked(proxy, quick)
    answered, failed = exchange_until(proxy, link, faults=5)
    link.close()
    assert answered >= 5
    assert failed == 0 or kind in COSTLY
    assert {fault.kind for fault in proxy.faults} <= {kind, "lose"}


def test_faults_of_every_kind_and_no_reply_out_of_place(serve, tiny_scene, between, quick):
    served = serve(tiny_scene, 64, 48, light="plain")
    proxy = between(served, seed=11, rate=0.05)
    link = linked(proxy, quick)
    answered, failed = exchange_until(proxy, link, faults=60)
    link.close()
    assert answered > 60
    assert failed < 6
    assert {fault.kind for fault in proxy.faults} == set(KINDS)


@pytest.mark.long
def test_a_thousand_faults_and_no_reply_out_of_place(serve, tiny_scene, between, quick):
    served = serve(tiny_scene, 64, 48, light="plain")
    proxy = between(served, seed=2026, rate=0.05)
    link = linked(proxy, quick)
    answered, failed = exchange_until(proxy, link, faults=1000)
    link.close()
    assert answered > 1000
    assert failed < 100


def test_a_client_that_goes_on_after_a_timeout_is_out_of_place(serve, tiny_scene, between):
    """What the link is there for: unrealcv's own client takes the late reply for the next one."""
    import unrealcv

    served = serve(tiny_scene, 64, 48, light="plain")
    proxy = between(served, seed=1, rate=1.0, kinds=["late"], most=1)
    proxy.armed = False
    client = unrealcv.Client(proxy.endpoint, "unix")
    assert client.connect()
    proxy.armed = True
    with pytest.raises(TimeoutError):
        client.request("vget /unrealcv/echo first", timeout=0.1)
    assert client.request("vget /unrealcv/echo second", timeout=1) == "first"
    client.disconnect()


def test_a_server_that_never_answers_is_a_renderer_error(serve, tiny_scene, between):
    served = serve(tiny_scene, 64, 48, light="plain")
    proxy = between(served, seed=1, rate=1.0, kinds=["drop"])
    link = Link(proxy.endpoint, Connection(connect_timeout_s=0.05, attempts=3), lambda exchange: None)
    with pytest.raises(RendererError, match=r"tried 3 times"):
        link.open()
    link.close()


def test_the_same_seed_strikes_the_same_frames(serve, tiny_scene, between):
    """With faults that break no connection, whatever else the machine does."""
    struck = []
    for _ in range(2):
        served = serve(tiny_scene, 64, 48, light="plain")
        proxy = between(served, seed=3, rate=0.1, kinds=["delay", "pieces"])
        link = Link(proxy.endpoint, Connection(), lambda exchange: None)
        exchange_until(proxy, link, faults=100_000, rounds=40)
        link.close()
        struck.append(sorted((fault.connection, fault.direction, fault.frame, fault.kind) for fault in proxy.faults))
    assert struck[0] == struck[1]
    assert len(struck[0]) >= 10
