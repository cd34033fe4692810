"""Sockets that a server listens on: a TCP port, and a Unix socket whose file is taken over only from the dead."""

import errno
import socket
import stat
from contextlib import suppress
from pathlib import Path

from siturec_gym.core.errors import RendererError

_BACKLOG = 64
_PROBE_S = 1.0


def listen_tcp(host: str, port: int) -> socket.socket:
    """Listen on a port; 0 takes a free one. A name with both kinds of address stands for the IPv4 one.

    Raises:
        RendererError: The port is in use or may not be used, or the host is not this machine's.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        return socket.create_server((str(address[0]), port), family=family, backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise RendererError(f"port {port} of {host} is in use; stop what listens there or take another") from error
        raise RendererError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from error


class UnixListener:
    """Listens on a Unix socket and removes its file at the end.

    A file that a server left behind when it was killed is taken over; one that is in use is not.

    Args:
        path: Where the socket is.

    Raises:
        RendererError: A server listens there, the path is no socket, too long or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        if not hasattr(socket, "AF_UNIX"):
            raise RendererError("this system has no Unix sockets; use a TCP port")
        self._path = path
        _clear(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.bind(str(path))
            self.socket.listen(_BACKLOG)
            self._inode = path.stat().st_ino
        except OSError as error:
            self.socket.close()
            raise RendererError(f"cannot listen on the socket {path}: {error.strerror or error}") from error

    def remove(self) -> None:
        """Remove the file, unless somebody has put another in its place."""
        with suppress(OSError):
            if self._path.stat().st_ino == self._inode:
                self._path.unlink()


def _clear(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(mode):
        raise RendererError(f"{path} exists and is no socket; choose another path")
    if _answers(path):
        raise RendererError(f"a server listens on the socket {path} already")
    with suppress(FileNotFoundError):
        path.unlink()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
    return True
