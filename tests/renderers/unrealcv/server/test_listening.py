"""Ports and socket files: what is taken, what is refused, what is left behind."""

import os
import socket
import subprocess
import sys

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.server.listening import UnixListener, listen_tcp


def test_a_free_port():
    with listen_tcp("127.0.0.1", 0) as listener:
        host, port = listener.getsockname()
        assert (host, port > 0) == ("127.0.0.1", True)


def test_a_name_stands_for_its_ipv4_address():
    with listen_tcp("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_port_in_use_is_one_clear_line():
    with listen_tcp("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(RendererError, match=rf"^port {port} of 127\.0\.0\.1 is in use; [^\n]*$"):
            listen_tcp("127.0.0.1", port)


def test_an_address_that_is_not_ours():
    with pytest.raises(RendererError, match=r"cannot listen on port 0 of 192\.0\.2\.1"):
        listen_tcp("192.0.2.1", 0)


def test_a_socket_file_lives_as_long_as_its_listener(short_folder):
    path = short_folder / "s"
    listener = UnixListener(path)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    listener.socket.close()
    listener.remove()
    assert not path.exists()
    listener.remove()


def test_a_file_left_by_a_killed_server_is_taken_over(short_folder):
    path = short_folder / "s"
    program = f"import socket, os; s = socket.socket(socket.AF_UNIX); s.bind({str(path)!r}); s.listen(); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    assert path.exists()
    listener = UnixListener(path)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    listener.socket.close()
    listener.remove()


def test_a_live_socket_is_refused_and_stays(short_folder):
    path = short_folder / "s"
    listener = UnixListener(path)
    with pytest.raises(RendererError, match="a server listens on the socket"):
        UnixListener(path)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    listener.socket.close()
    listener.remove()


def test_a_file_that_is_no_socket_is_never_removed(short_folder):
    path = short_folder / "notes"
    path.write_text("dear diary")
    with pytest.raises(RendererError, match="is no socket"):
        UnixListener(path)
    assert path.read_text() == "dear diary"
    link = short_folder / "link"
    link.symlink_to(path)
    with pytest.raises(RendererError, match="is no socket"):
        UnixListener(link)


def test_a_path_that_cannot_be_had_is_one_line(short_folder):
    for path in (short_folder / "missing" / "s", short_folder / ("x" * 200)):
        with pytest.raises(RendererError, match=r"^cannot listen on the socket [^\n]*$"):
            UnixListener(path)


def test_another_servers_file_is_not_removed(short_folder):
    path = short_folder / "s"
    first = UnixListener(path)
    os.unlink(path)
    second = UnixListener(path)
    first.socket.close()
    first.remove()
    assert path.exists()
    second.socket.close()
    second.remove()
