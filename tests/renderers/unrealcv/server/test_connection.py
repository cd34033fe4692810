"""A connection by itself, over a pair of sockets."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from siturec_gym.renderers.unrealcv.server.connection import Connection, GoneError
from siturec_gym.renderers.unrealcv.server.framing import FrameError, FrameReader


@contextmanager
def pair(patience_s: float = 20.0) -> Iterator[tuple[Connection, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(20.0)
    connection = Connection(ours, patience_s)
    try:
        yield connection, theirs
    finally:
        connection.close()
        theirs.close()


def take(sock: socket.socket, count: int) -> list[bytes]:
    """The next ``count`` payloads."""
    reader, taken = FrameReader(1 << 30), []
    while len(taken) < count:
        reader.feed(sock.recv(1 << 16))
        while (payload := reader.take()) is not None:
            taken.append(payload)
    return taken


def test_a_request_and_its_reply(framed):
    with pair() as (connection, client):
        client.sendall(framed(b"17:vget /objects"))
        assert connection.request() == (b"17", b"vget /objects")
        connection.reply(b"17", "a b")
        connection.reply(b"18", (b"\x93NUMPY", memoryview(bytes(100_000))))
        assert take(client, 2) == [b"17:a b", b"18:\x93NUMPY" + bytes(100_000)]


def test_a_command_may_hold_colons_and_new_lines(framed):
    with pair() as (connection, client):
        client.sendall(framed(b"3:a:b\nc"))
        assert connection.request() == (b"3", b"a:b\nc")


@pytest.mark.parametrize("payload", [b"vget /objects", b":x", b"-1:x", b" 1:x", b"1", b"\xff:x", b"1" * 30 + b":x"])
def test_a_payload_without_a_number_is_an_error(framed, payload):
    with pair() as (connection, client):
        client.sendall(framed(payload))
        with pytest.raises(FrameError, match="number:command"):
            connection.request()


def test_replies_reach_a_client_that_has_stopped_sending(framed):
    with pair() as (connection, client):
        client.sendall(framed(b"1:a") + framed(b"2:b"))
        client.shutdown(socket.SHUT_WR)
        body = bytes(3_000_000)
        with ThreadPoolExecutor(1) as pool:
            taken = pool.submit(take, client, 2)
            connection.reply(connection.request()[0], (body,))
            connection.reply(connection.request()[0], "done")
            with pytest.raises(GoneError):
                connection.request()
            assert taken.result() == [b"1:" + body, b"2:done"]


@pytest.mark.parametrize(("count", "size"), [(60, 100_000), (5_000, 1_200)])
def test_a_long_batch_may_be_sent_before_a_reply_is_read(framed, count, size):
    """Both directions hold more than sockets buffer, so whoever only waited to send would wait for ever."""

    def serve() -> None:
        for _ in range(count):
            connection.reply(connection.request()[0], (bytes(size),))
        with pytest.raises(GoneError):
            connection.request()

    with pair() as (connection, client):
        serving = threading.Thread(target=serve)
        serving.start()
        for number in range(count):
            client.sendall(framed(b"%d:" % number + bytes(size)))
        assert [payload.partition(b":")[0] for payload in take(client, count)] == [b"%d" % n for n in range(count)]
        client.shutdown(socket.SHUT_WR)
        serving.join()


def test_a_client_that_takes_nothing_is_given_up():
    with pair(patience_s=0.05) as (connection, _), pytest.raises(GoneError):
        connection.reply(b"1", (bytes(20_000_000),))


def test_a_client_that_asks_for_ever_and_takes_nothing_is_given_up(framed):
    """What it asks meanwhile is taken in up to a limit, and does not count as taking."""
    request = framed(b"1:" + bytes(1_000_000))

    def flood() -> None:
        try:
            while True:
                client.sendall(request)
        except OSError:
            pass

    with pair(patience_s=0.2) as (connection, client):
        flooding = threading.Thread(target=flood)
        flooding.start()
        with pytest.raises(GoneError):
            connection.reply(b"1", (bytes(20_000_000),))
        connection.close()
        flooding.join()


def test_hanging_up_ends_the_wait_for_a_request():
    with pair() as (connection, _):
        gone: list[bool] = []

        def serve() -> None:
            with pytest.raises(GoneError):
                connection.request()
            gone.append(True)

        waiting = threading.Thread(target=serve)
        waiting.start()
        connection.hang_up()
        waiting.join(10.0)
        assert gone == [True]


def test_short_replies_leave_together_before_a_long_one_and_before_waiting(framed):
    with pair() as (connection, client):
        client.sendall(framed(b"1:a") + framed(b"2:b") + framed(b"3:c") + framed(b"4:d"))
        client.setblocking(False)
        for _ in range(2):
            connection.reply(connection.request()[0], "ok")
            with pytest.raises(BlockingIOError):
                client.recv(1)
        connection.reply(connection.request()[0], (memoryview(bytes(70_000)),))
        client.settimeout(20.0)
        assert [payload[:4] for payload in take(client, 3)] == [b"1:ok", b"2:ok", b"3:\0\0"]
        connection.reply(connection.request()[0], "last")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(connection.request)
            assert take(client, 1) == [b"4:last"]
            client.sendall(framed(b"5:e"))
            assert waiting.result() == (b"5", b"e")


def test_what_came_before_a_broken_frame_is_answered(framed):
    with pair() as (connection, client):
        client.sendall(framed(b"1:a") + bytes(8))
        connection.reply(connection.request()[0], "fine")
        with pytest.raises(FrameError):
            connection.request()
        assert take(client, 1) == [b"1:fine"]
