"""Clients that come, stay, misbehave and leave."""

import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.server.server import Server

ECHO = b"vget /unrealcv/echo "


def answers(client, number: int = 0, word: bytes = b"hello") -> bool:
    """Whether the server answers this client's next request."""
    client.send(b"%d:%s%s" % (number, ECHO, word))
    return client.take() == b"%d:%s" % (number, word)


@pytest.fixture
def tiny(serve, tiny_scene):
    """A server of the tiny store."""
    return serve(tiny_scene, 32, 24, light="plain")


@pytest.fixture
def many(serve, tiny_scene):
    """A server of the tiny store for many clients."""
    return serve(tiny_scene, 32, 24, light="plain", multi=True, patience_s=0.5)


def test_greets_and_answers_in_order_on_both_kinds_of_socket(tiny, plain):
    for address in (("127.0.0.1", tiny.port), tiny.path):
        client = plain(address)
        assert client.take() == b"connected to tiny"
        client.send(*(b"%d:%s%d" % (number, ECHO, number) for number in range(300)))
        assert [client.take() for _ in range(300)] == [b"%d:%d" % (number, number) for number in range(300)]
        client.close()


def test_listens_on_one_loopback_address_alone(tiny):
    """A socket bound to every address would be found at 127.0.0.2, too."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", tiny.port), timeout=5.0)


def test_takes_one_client_at_a_time(tiny, plain):
    first, second = plain(tiny.path), plain(("127.0.0.1", tiny.port))
    assert first.take().startswith(b"connected")
    assert second.take() == b"error there is no room: this server takes 1 at a time; with --multi it takes more"
    assert second.ended()
    assert answers(first)


def test_who_comes_as_another_leaves_is_let_in(tiny, plain):
    for _ in range(20):
        client = plain(tiny.path)
        assert client.take().startswith(b"connected")
        client.close()


def test_the_world_outlives_its_clients(tiny, plain):
    for yaw in (b"-10", b"-20"):
        client = plain(tiny.path)
        client.take()
        client.send(b"0:vbp User turn left 10")
        assert client.take().startswith(b'0:{"pose": [100, -100, 160, 0, %s, 0]' % yaw)
        client.close()


def test_many_clients_have_worlds_of_their_own(many, plain):
    first, second = plain(many.path), plain(("127.0.0.1", many.port))
    for client in (first, second):
        assert client.take().startswith(b"connected")
    first.send(
        b"0:vset /camera/0/pose 200 -100 160 0 -45 0", b"1:vset /object/I0001/hide", b"2:vset /object/F01/color 9 9 9"
    )
    assert [first.take() for _ in range(3)] == [b"0:ok", b"1:ok", b"2:ok"]
    second.send(b"0:vget /camera/0/pose", b"1:vget /object/F01/color")
    assert second.take() == b"0:100 -100 160 0 -0 0"
    assert second.take() != b"1:(R=9,G=9,B=9,A=255)"
    assert len({id(world) for world in many.worlds}) == 3


def test_many_clients_draw_at_once_what_they_would_alone(many, plain):
    def draw(number: int) -> list[bytes]:
        client = plain(many.path)
        client.take()
        client.send(*(b"%d:%s" % pair for pair in enumerate((
            b"vset /camera/0/rotation 0 %d 0" % (10 * number), b"vget /camera/0/lit npy",
            b"vget /camera/0/object_mask bmp", b"vget /camera/1/depth npy",
        ))))  # fmt: skip
        return [client.take() for _ in range(4)]

    alone = [draw(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, range(8))) == alone
    assert len({replies[1] for replies in alone}) == 8


BAD = {
    "no magic": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "absurd length": struct.pack("<II", 0x9E2B83C1, 0x7FFFFFFF),
    "empty": struct.pack("<II", 0x9E2B83C1, 0),
    "big-endian": struct.pack(">II", 0x9E2B83C1, 4) + b"0:ok",
    "no number": struct.pack("<II", 0x9E2B83C1, 5) + b"hello",
    "zeros": bytes(4096),
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_malformed_input_ends_that_connection_only(many, plain, sent):
    good, bad = plain(many.path), plain(many.path)
    assert good.take()
    assert bad.take()
    bad.send(b"0:" + ECHO + b"still-fine")
    bad.socket.sendall(sent)
    assert bad.take() == b"0:still-fine"
    assert bad.ended()
    assert answers(good)


def test_after_malformed_input_the_next_client_is_served(tiny, plain):
    for sent in BAD.values():
        client = plain(tiny.path)
        client.take()
        client.socket.sendall(sent)
        assert client.ended()
    client = plain(tiny.path)
    assert client.take().startswith(b"connected")
    assert answers(client)


@pytest.mark.parametrize(
    "command", [b"\xff\xfe\x00", b"", b" ", b"vget", b"x" * 100_000, b"vget /object/\xc3\x28/color"]
)
def test_a_command_that_makes_no_sense_is_answered_and_the_next_one_is_too(tiny, plain, command):
    client = plain(tiny.path)
    client.take()
    client.send(b"5:" + command, b"6:" + ECHO + b"on")
    assert client.take().startswith(b"5:error ")
    assert client.take() == b"6:on"


def test_silent_slow_and_deaf_clients_hold_up_nobody_else(many, plain, framed):
    silent, half, deaf, good = (plain(many.path) for _ in range(4))
    half.socket.sendall(framed(b"0:" + ECHO + b"word")[:11])
    for number in range(40):
        deaf.send(b"%d:vset /camera/0/size 400 400" % number, b"%d:vget /camera/0/lit npy" % number)
    good.take()
    start = time.monotonic()
    assert all(answers(good, number) for number in range(200))
    assert time.monotonic() - start < 10.0
    assert silent.take().startswith(b"connected")
    assert half.take().startswith(b"connected")
    half.socket.sendall(framed(b"0:" + ECHO + b"word")[11:])
    assert half.take() == b"0:word"


def test_a_client_that_breaks_off_within_a_picture_leaves_the_server_well(tiny, plain):
    for _ in range(5):
        client = plain(("127.0.0.1", tiny.port))
        client.take()
        client.send(b"0:vset /camera/0/size 1000 1000", b"1:vget /camera/0/lit npy")
        client.exactly(1000)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    client = plain(("127.0.0.1", tiny.port))
    assert client.take().startswith(b"connected")


def test_stopping_ends_every_client_and_thread(serve, tiny_scene, plain):
    served = serve(tiny_scene, 32, 24, light="plain", multi=True)
    clients = [plain(served.path) for _ in range(6)]
    for client in clients:
        client.take()
    clients[0].send(*(b"%d:vget /camera/0/lit npy" % number for number in range(500)))
    served.server.stop()
    assert all(client.ended() for client in clients[1:])
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("unrealcv-")]
    served.server.stop()


def test_a_server_that_cannot_have_its_port_leaves_no_socket_behind(serve, tiny_scene, tiny, short_folder):
    with pytest.raises(RendererError, match=f"port {tiny.port} of 127.0.0.1 is in use"):
        serve(tiny_scene, 32, 24, light="plain", port=tiny.port)
    assert [path.name for path in short_folder.iterdir()] == ["0.socket"]


def test_a_server_needs_somewhere_to_listen():
    with pytest.raises(ValueError, match="a port or the path"):
        Server(lambda: None, port=None)


def test_tells_who_comes_and_why_they_leave(serve, tiny_scene, plain):
    lines: list[str] = []
    served = serve(tiny_scene, 32, 24, light="plain", report=lines.append)
    client = plain(served.path)
    client.take()
    client.socket.sendall(bytes(8))
    assert client.ended()
    served.server.stop()
    assert lines == [
        "a client has come",
        "a client was cut off: expected a frame that starts with 0x9E2B83C1, got 0x00000000",
    ]


@pytest.mark.parametrize("failure", [OSError("Too many open files"), RuntimeError("can't start new thread")])
def test_where_the_system_has_nothing_left_one_client_is_turned_away(serve, tiny_scene, plain, monkeypatch, failure):
    lines: list[str] = []
    served = serve(tiny_scene, 32, 24, light="plain", report=lines.append)

    def fail(*_):
        monkeypatch.undo()
        raise failure

    monkeypatch.setattr("siturec_gym.renderers.unrealcv.server.server.Connection", fail)
    assert plain(served.path).ended()
    assert lines == [f"a client was turned away: {failure}"]
    assert plain(served.path).take().startswith(b"connected")
