"""``siturec unreal serve``: a real process that starts, says where it is, and ends cleanly."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from siturec_gym.cli.main import run_command_line


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ucv") as name:
        yield Path(name)


@pytest.fixture
def started() -> Iterator[Callable[..., tuple[subprocess.Popen[str], int]]]:
    """Starts the command; the process and the port it tells."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], int]:
        command = [sys.executable, "-m", "siturec_gym.cli.main", "unreal", "serve", "--port", "0", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout.readline() == "loading supermarket ...\n"
        line = process.stdout.readline()
        match = re.match(r"serving Supermarket at 127\.0\.0\.1:(\d+)", line)
        assert match, line + process.stderr.read()
        return process, int(match[1])

    yield start
    for process in running:
        process.kill()
        process.communicate()


def greeting(sock: socket.socket) -> bytes:
    sock.settimeout(20.0)
    return sock.recv(200)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_with_a_client_there(started, folder, number):
    path = folder / "store.socket"
    process, port = started("--socket", str(path), "--width", "64", "--height", "48")
    with socket.create_connection(("127.0.0.1", port)) as client:
        assert greeting(client).endswith(b"connected to supermarket")
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0
        assert out == "stopped\n"
        assert err.splitlines() == ["a client has come", "a client has left"]
        assert client.recv(1) == b""
    assert not path.exists()


def test_after_kill_9_the_same_socket_is_served_again(started, folder):
    path = folder / "store.socket"
    first, _ = started("--socket", str(path), "--width", "64", "--height", "48")
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert path.exists()
    started("--socket", str(path), "--width", "64", "--height", "48")
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        assert greeting(client).endswith(b"connected to supermarket")


@pytest.fixture
def siturec(capsys):
    def run(*arguments: str) -> tuple[int, str]:
        status = run_command_line(("unreal", "serve", *arguments))
        return status, capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--scene", "bazaar"), 2, "bazaar"),
        (("--preset", "hd"), 2, "preset must be one of rl, vlm"),
        (("--no-tcp",), 2, "--no-tcp needs --socket"),
        (("--port", "99999"), 2, "--port"),
        (("--width", "8"), 2, "--width"),
        (("--port", "0", "--socket", "/nowhere/at/all"), 1, "cannot listen on the socket /nowhere/at/all"),
        (("--port", "0", "--host", "no.such.host.invalid"), 1, "cannot listen on port 0 of no.such.host.invalid"),
    ],
)
def test_mistakes_are_one_clear_line(siturec, arguments, status, message):
    answer = siturec(*arguments)
    assert answer[0] == status
    assert message in answer[1]
    assert answer[1].count("\n") == 1


def test_a_port_in_use_is_one_clear_line(siturec):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, err = siturec("--port", str(port))
    assert status == 1
    assert err == f"siturec: port {port} of 127.0.0.1 is in use; stop what listens there or take another{os.linesep}"


def test_clients_are_served_though_nobody_reads_what_is_told(started):
    process, port = started("--width", "64", "--height", "48")
    process.stderr.close()
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port)) as client:
            assert greeting(client).endswith(b"connected to supermarket")
    process.stderr = None
