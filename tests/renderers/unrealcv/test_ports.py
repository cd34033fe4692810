"""Ports that are held, taken by others, and let go of."""

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.ports import Port, alone

FIRST = 19_500
HOLD = """
import sys, time
from siturec_gym.renderers.unrealcv.ports import Port
port = Port(int(sys.argv[1]), int(sys.argv[1]))
print(port.number, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    """Locks of this test alone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_the_lowest_one_is_given_and_the_next_while_it_is_held():
    first, second = Port(FIRST, FIRST + 5), Port(FIRST, FIRST + 5)
    assert second.number > first.number >= FIRST
    number = first.number
    first.release()
    first.release()
    third = Port(FIRST, FIRST + 5)
    assert third.number == number
    second.release()
    third.release()


def test_a_port_that_something_else_listens_at_is_passed_over_and_not_kept_locked():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(RendererError, match=rf"no port from {taken} to {taken} is free .* launch\.first_port"):
            Port(taken, taken)
    port = Port(taken, taken)
    assert port.number == taken
    port.release()


def test_every_port_held_is_an_error():
    held = Port(FIRST + 10, FIRST + 20)
    with pytest.raises(RendererError, match=f"no port from {held.number} to {held.number} is free"):
        Port(held.number, held.number)
    held.release()


def test_a_holder_that_is_killed_holds_no_more():
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(FIRST + 30)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline().strip() == str(FIRST + 30)
    with pytest.raises(RendererError):
        Port(FIRST + 30, FIRST + 30)
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    other.stdout.close()
    Port(FIRST + 30, FIRST + 30).release()


def test_one_after_the_other_within_a_name_and_at_once_within_two():
    within, leave, order = threading.Event(), threading.Event(), []

    def hold():
        with alone("a"):
            within.set()
            leave.wait(20)
            order.append("first")

    def follow():
        with alone("a"):
            order.append("second")

    threads = [threading.Thread(target=hold), threading.Thread(target=follow)]
    threads[0].start()
    assert within.wait(20)
    threads[1].start()
    with alone("b"):
        order.append("other")
    threads[1].join(0.1)
    leave.set()
    for thread in threads:
        thread.join(20)
    assert order == ["other", "first", "second"]
