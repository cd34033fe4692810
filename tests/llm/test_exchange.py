"""What a connection can do to a request: drip, stay silent, close, lead elsewhere; and no message tells the key."""

import pickle
import socket
import threading
import time
import traceback
from collections.abc import Callable

import pytest
from raw_server import REPLY, RawServer, full_listener, http, read_request

from siturec_gym.core.errors import DeterministicModelError, ModelError, TransientModelError
from siturec_gym.llm import ChatRequest, Message
from siturec_gym.llm.retry import Retries

ASK = ChatRequest((Message.of("user", "Hello?"),))
ONCE = Retries(attempts=1)


@pytest.fixture
def raw():
    started = []

    def start(handle: Callable) -> RawServer:
        started.append(RawServer(handle))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def dripping(start: bytes, drop: bytes) -> Callable:
    def handle(connection, number):
        read_request(connection)
        connection.sendall(start)
        while True:
            connection.sendall(drop)
            time.sleep(0.02)

    return handle


@pytest.mark.parametrize(
    ("start", "drop", "words"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x", "no answer within 0.4 s"),
        (b"", b"HTTP/1.1 102 Processing\r\n\r\n", "no answer within 0.4 s"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b" ", "more than 0.4 s to reply"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 9999\r\n\r\n", b" ", "more than 0.4 s to reply"),
    ],
)
def test_whatever_drips_is_left_at_the_deadline(raw, make_client, start, drop, words):
    client = make_client(url=raw(dripping(start, drop)).url, timeout_s=0.4, retries=ONCE)
    begun = time.monotonic()
    with pytest.raises(TransientModelError, match=words):
        client.complete(ASK)
    assert 0.3 < time.monotonic() - begun < 2.0


def test_an_endless_error_is_read_no_further_than_it_is_told(raw, make_client):
    sent = 0

    def handle(connection, number):
        nonlocal sent
        read_request(connection)
        connection.sendall(b"HTTP/1.1 500 Oh\r\nContent-Length: 9999999999\r\n\r\nNothing works.")
        while True:
            sent += connection.send(b" " * 65536)

    with pytest.raises(TransientModelError, match="answered 500: Nothing works"):
        make_client(url=raw(handle).url, retries=ONCE).complete(ASK)
    assert sent < 20_000_000


def test_a_connection_closed_under_a_request_is_replaced_at_once(raw, make_client):
    """The server answers one request on each connection and takes a second one without an answer."""

    def handle(connection, number):
        read_request(connection)
        connection.sendall(http(REPLY))
        read_request(connection)

    server = raw(handle)
    client = make_client(url=server.url, retries=Retries(attempts=1, first_wait_s=60.0))
    replies = [client.complete(ASK) for _ in range(4)]
    assert [reply.usage.retries for reply in replies] == [0, 1, 1, 1]
    assert server.connections == 4


def test_a_server_that_always_closes_is_not_asked_for_ever(raw, make_client):
    server = raw(lambda connection, number: read_request(connection))
    with pytest.raises(TransientModelError, match=r"cannot be reached: .*\(2 attempts\)"):
        make_client(url=server.url, retries=Retries(attempts=2, first_wait_s=0.01)).complete(ASK)
    assert server.connections == 2


def test_one_connection_serves_one_request_after_the_other(raw, make_client):
    def handle(connection, number):
        while read_request(connection):
            connection.sendall(http(REPLY))

    server = raw(handle)
    client = make_client(url=server.url)
    threads = [threading.Thread(target=lambda: [client.complete(ASK) for _ in range(5)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.connections <= 8


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_told_and_not_followed(raw, make_client, monkeypatch, status):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    asked = []
    elsewhere = raw(lambda connection, number: asked.append(read_request(connection)))
    there = elsewhere.url.replace("127.0.0.1", "localhost")
    reply = http(b"", b"%d Moved" % status, b"Location: " + there.replace("//", "//me:pw@").encode() + b"/sk-canary")

    def handle(connection, number):
        read_request(connection)
        connection.sendall(reply)

    with pytest.raises(DeterministicModelError, match=f"answered {status} and points to '{there}/\\*\\*\\*'"):
        make_client(url=raw(handle).url).complete(ASK)
    assert asked == []


def test_a_server_that_accepts_and_is_silent_is_left(raw, make_client):
    client = make_client(url=raw(lambda connection, number: time.sleep(5)).url, timeout_s=0.3, retries=ONCE)
    for call in (client.check, lambda: client.complete(ASK)):
        begun = time.monotonic()
        with pytest.raises(TransientModelError, match=r"gave no answer within 0\.3 s"):
            call()
        assert time.monotonic() - begun < 2.0


def test_an_address_that_does_not_even_refuse_is_left(make_client):
    """Its queue of connections is full, so that the system answers nothing, as a switched-off machine does."""
    begun = time.monotonic()
    with full_listener() as url:
        client = make_client(url=url, connect_s=60.0, timeout_s=0.3, retries=ONCE)
        with pytest.raises(TransientModelError, match=f"{url} cannot be reached: timed out"):
            client.complete(ASK)
    assert time.monotonic() - begun < 2.0


def test_this_machine_is_asked_past_the_proxy_and_others_through_it(server, make_client, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("http_proxy", f"http://me:sk-canary@127.0.0.1:{port}")
    assert make_client().complete(ASK).text == "hello"
    with pytest.raises(TransientModelError) as caught:
        make_client(url="http://models.example/v1", retries=ONCE).complete(ASK)
    assert f"http://models.example/v1 cannot be reached through the proxy http://127.0.0.1:{port}" in str(caught.value)
    assert "canary" not in "".join(traceback.format_exception(caught.value))


def test_a_proxy_that_cannot_be_used_is_one_line(make_client, monkeypatch):
    monkeypatch.setenv("http_proxy", "gopher://old")
    with pytest.raises(DeterministicModelError, match=r"models\.example/v1 cannot be asked through the proxy"):
        make_client(url="http://models.example/v1")


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_used_are_named(make_client, monkeypatch, tmp_path, content):
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with pytest.raises(DeterministicModelError, match=rf"/v1 cannot be asked: .*SSL_CERT_FILE is '{path}'"):
        make_client()


def test_a_request_that_no_header_or_body_can_carry_is_refused_before_it_is_sent(server, make_client):
    with pytest.raises(ModelError, match=f"{server.url} cannot be asked"):
        make_client().complete(ChatRequest((Message.of("user", "\ud83d"),)))


@pytest.mark.parametrize(
    "answer", [(401, b'{"error": {"message": "bad key sk-canary"}}', {}), "reset", 2.0, b"sk-canary"]
)
def test_no_failure_tells_the_key(server, make_client, monkeypatch, answer):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary\n")
    server.script = lambda number, body: answer
    client = make_client(timeout_s=0.3, retries=ONCE)
    with pytest.raises(ModelError) as caught:
        client.complete(ASK)
    assert server.headers[0]["authorization"] == "Bearer sk-canary"
    copy = pickle.loads(pickle.dumps(caught.value))
    for told in ("".join(traceback.format_exception(caught.value)), repr(client), repr(vars(client)), str(copy)):
        assert "canary" not in told


def test_a_key_in_a_reply_is_hidden(server, make_client, body_of, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    server.script = lambda number, body: body_of("<think>Bearer sk-canary?</think>It is sk-canary.")
    reply = make_client().complete(ASK)
    assert (reply.reasoning, reply.text) == ("Bearer ***?", "It is ***.")


def test_after_a_request_was_given_up_others_are_tried_once_until_one_is_answered(server, make_client):
    server.script = lambda number, body: (500, b"", {}) if number < 6 else "hello"
    client = make_client(retries=Retries(attempts=4, first_wait_s=0.01))
    for attempts in (4, 1, 1):
        with pytest.raises(TransientModelError, match=rf"\({attempts} attempts?\)"):
            client.complete(ASK)
    assert client.complete(ASK).usage.retries == 0
    server.script = lambda number, body: (500, b"", {}) if number < 9 else "hello"
    assert client.complete(ASK).usage.retries == 2
