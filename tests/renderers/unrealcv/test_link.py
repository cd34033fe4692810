"""What a link does when the other side is late, cuts short, mixes up, lies or is not there."""

import socket
import threading
import time

import psutil
import pytest
from scripted_server import ECHO, Body, Raw, ScriptedServer, Twice, framed

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Connection

QUICK = Connection(connect_timeout_s=0.3, reply_timeout_s=0.2, action_timeout_s=0.4, attempts=3)


@pytest.fixture
def scripted():
    """Starts scripted servers; a link that leaves a thread or a socket behind fails the test."""
    running = []
    before = threading.active_count()

    def start(answer, **settings):
        running.append(ScriptedServer(answer, **settings))
        return running[-1]

    yield start
    for server in running:
        server.close()
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def linked(server, restore=lambda exchange: None, settings=QUICK):
    return Link(server.endpoint, settings, restore)


def asked(link, *commands):
    return link.ask(lambda: commands, list)


def answering(**special):
    """Echoes echoes, answers what is special, and says the command back else."""

    def answer(connection, command):
        if command.startswith("vget /unrealcv/echo"):
            return ECHO
        reply = special.get(command.replace(" ", "_"), command)
        return reply(connection) if callable(reply) else reply

    return answer


def test_replies_in_the_order_of_the_commands(scripted):
    link = linked(scripted(answering()))
    assert asked(link, "a", "b", "c") == ["a", "b", "c"]
    assert asked(link) == []
    link.close()


def test_bytes_that_are_no_text_stay_bytes(scripted):
    link = linked(scripted(answering(a=b"\xff\x00\xfe", b="text")))
    assert asked(link, "a", "b") == [b"\xff\x00\xfe", "text"]
    link.close()


def test_more_commands_than_a_socket_holds(scripted):
    link = linked(scripted(answering()))
    commands = [f"{number} {'x' * 500}" for number in range(5000)]
    assert asked(link, *commands) == commands
    link.close()


def test_a_late_reply_answers_nothing(scripted):
    """The reply to the first question comes after its time; the second question must not get it."""
    server = scripted(answering(slow=lambda connection: Body("late", 0.4 if connection == 0 else 0.0)))
    link = linked(server)
    assert asked(link, "slow") == ["late"]
    assert link.renewed == 2
    time.sleep(0.4)
    assert asked(link, "next") == ["next"]
    assert server.connections == 2
    link.close()


BREAKS = {
    "closed before the reply": None,
    "closed within the header": Raw(b"\xc1\x83"),
    "another magic number": Raw(framed(b"0:x", magic=0xDEADBEEF)),
    "a length that never arrives": Raw(framed(b"x" * 5)[:8] + b"x"),
    "a length of four gigabytes": Raw(b"\xc1\x83\x2b\x9e\xff\xff\xff\xff"),
    "another request's number": Raw(framed(b"7:other")),
    "no number": Raw(framed(b"hello")),
    "an empty frame": Raw(framed(b"")),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_reply_is_asked_for_again_over_a_new_connection(scripted, kind):
    server = scripted(answering(x=lambda connection: BREAKS[kind] if connection == 0 else "fine"))
    link = linked(server)
    assert asked(link, "a", "x", "b") == ["a", "fine", "b"]
    assert server.connections == 2
    link.close()


def test_a_reply_that_comes_twice_answers_one_request(scripted):
    """The second copy stands where the next reply should be; its number gives it away."""

    def twice(connection):
        return Twice("first") if connection == 0 else "first"

    link = linked(scripted(answering(x=twice)))
    assert asked(link, "x") == ["first"]
    assert asked(link, "y") == ["y"]
    assert link.renewed == 2
    link.close()


def test_what_a_reader_cannot_read_is_asked_for_again(scripted):
    server = scripted(answering(n=lambda connection: "twelve" if connection == 0 else "12"))
    link = linked(server)
    assert link.ask(lambda: ["n"], lambda replies: int(replies[0])) == 12
    link.close()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("error Can not find\na handler for URI 'bad'", "error Can not find a handler for URI 'bad'"),  # up to 4.27
        ("error No handler found for URI 'bad'", "error No handler found for URI 'bad'"),  # for Unreal Engine 5
        ("error Argument Invalid", "error Argument Invalid"),
        ("Error: no", "Error: no"),
    ],
)
def test_an_error_that_stays_is_told_with_address_and_command(scripted, error, told):
    link = linked(scripted(answering(bad=error)))
    with pytest.raises(RendererError, match=rf"127\.0\.0\.1:\d+: 'bad' is answered with: {told} \(tried 3 times\)"):
        asked(link, "bad")
    assert asked(link, "good") == ["good"]
    link.close()


def test_an_error_that_goes_away_is_a_fault(scripted):
    """A request that lost bytes on its way is another request, which the server does not know."""
    link = linked(scripted(answering(x=lambda connection: "error what?" if connection == 0 else "yes")))
    assert asked(link, "x") == ["yes"]
    link.close()


def test_after_the_last_attempt_it_is_a_renderer_error(scripted):
    server = scripted(answering(x=lambda connection: None))
    link = linked(server)
    with pytest.raises(RendererError, match=r"^127\S+: no whole reply to 'x' within 0\.2 s \(tried 3 times\)$"):
        asked(link, "x")
    assert server.connections == 3
    assert not link.is_open
    link.close()


def test_once_is_once(scripted):
    from siturec_gym.renderers.unrealcv.client import BrokenLinkError

    server = scripted(answering(move=lambda connection: None))
    link = linked(server)
    with pytest.raises(BrokenLinkError):
        link.once(lambda: ["move"], list)
    assert server.said() == ["move"]
    link.close()


@pytest.mark.parametrize("echo", ["another", "", b"\xff"])
def test_a_connection_that_does_not_echo_is_not_used(scripted, echo):
    server = scripted(lambda connection, command: echo if "echo" in command and connection < 2 else ECHO)
    link = linked(server)
    assert asked(link, "x") == ["x"]
    assert [command for number, command in server.commands if "echo" not in command] == ["x"]
    link.close()


@pytest.mark.parametrize("greeting", [None, b"", b"error another client is connected", b"\xff\xfe"])
def test_a_server_that_does_not_greet_is_refused_in_time(scripted, greeting):
    server = scripted(answering(), greeting=greeting)
    link = linked(server)
    start = time.monotonic()
    with pytest.raises(RendererError, match=r"no greeting: .*\(tried 3 times\)"):
        link.open()
    assert time.monotonic() - start < 3
    link.close()


def test_nothing_listens():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = listener.getsockname()
    link = Link(endpoint, QUICK, lambda exchange: None)
    with pytest.raises(RendererError, match=r"127\.0\.0\.1:\d+: no connection: Connection refused \(tried 3 times\)"):
        link.open()


def test_where_nobody_listens_the_command_that_starts_a_server_is_told(tmp_path, scripted):
    command = "siturec unreal serve --port 9071"
    link = Link(str(tmp_path / "none.socket"), QUICK, lambda exchange: None, command)
    with pytest.raises(RendererError, match=rf"tried 3 times\); a store of ours is started there by: {command}$"):
        link.open()
    silent = scripted(answering(), greeting=b"error no room")
    link = Link(silent.endpoint, QUICK, lambda exchange: None, command)
    with pytest.raises(RendererError, match=r"no room \(tried 3 times\)$"):
        link.open()


def test_no_such_socket(tmp_path):
    link = Link(str(tmp_path / "none.socket"), QUICK, lambda exchange: None)
    with pytest.raises(RendererError, match=r"none\.socket: no connection: No such file or directory"):
        link.open()


def test_each_new_connection_is_restored_before_it_is_used(scripted):
    server = scripted(answering(x=lambda connection: None if connection < 2 else "yes"))
    link = linked(server, restore=lambda exchange: exchange(["restore", "more"]))
    assert asked(link, "x") == ["yes"]
    assert [server.said(number) for number in range(3)] == [["restore", "more", "x"]] * 3
    link.close()


def test_what_is_asked_may_depend_on_the_connection(scripted):
    server = scripted(answering(a=lambda connection: None))
    told = []

    def commands():
        told.append(1)
        return ["a"] if len(told) == 1 else ["b"]

    link = linked(server)
    assert link.ask(commands, list) == ["b"]
    link.close()


def test_numbers_begin_elsewhere_on_each_connection_and_have_eight_digits(scripted):
    numbers = []
    for _ in range(3):
        link = linked(scripted(answering()))
        link.open()
        numbers.append(link._client.send_message_id)
        link.close()
    assert len(set(numbers)) == 3
    assert all(len(str(number)) == 8 for number in numbers)


def test_numbers_that_run_out_begin_anew(scripted):
    server = scripted(answering())
    link = linked(server)
    link.open()
    link._client.send_message_id = link._client.recv_message_id = 99_500_000
    assert asked(link, "x") == ["x"]
    assert server.connections == 2
    link.close()


def test_a_hundred_broken_connections_leave_no_thread_and_no_socket(scripted):
    server = scripted(answering(x=lambda connection: None if connection < 100 else "yes"))
    link = linked(server, settings=QUICK.model_copy(update={"attempts": 2}))
    link.open()
    process = psutil.Process()
    threads, files = threading.active_count(), process.num_fds()
    for _ in range(60):
        try:
            asked(link, "x")
        except RendererError:
            continue
    assert server.connections > 100
    link.close()
    deadline = time.monotonic() + 5
    while process.num_fds() >= files and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.num_fds() <= files
    assert threading.active_count() <= threads


def test_the_client_prints_nothing_and_logs_where_it_is_heard(scripted, capfd, caplog):
    """Its prints would stand between the lines of JSON that a command writes."""
    server = scripted(answering(x=lambda connection: BREAKS["another magic number"] if connection == 0 else "yes"))
    link = linked(server)
    assert asked(link, "x") == ["yes"]
    link.close()
    assert capfd.readouterr() == ("", "")
    assert "malformat message" in caplog.text
