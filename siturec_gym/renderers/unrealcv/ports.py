"""Ports for instances on this machine: no two of ours take the same one, whichever process starts them."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siturec_gym.core.errors import RendererError

_HOST = "127.0.0.1"


class Port:
    """A TCP port that no other instance of ours is given until it is released.

    A file for each port, locked by its holder, keeps processes apart; the system lets go of it when the holder dies,
    however it dies. That nothing else listens there is tried out.

    Args:
        first: Lowest port.
        last: Highest port.

    Raises:
        RendererError: Every one of them is in use.
    """

    def __init__(self, first: int, last: int) -> None:
        for number in range(first, last + 1):
            lock = _locked(str(number), wait=False)
            if lock is None:
                continue
            if _is_free(number):
                self.number, self._lock = number, lock
                return
            os.close(lock)
        raise RendererError(f"no port from {first} to {last} is free for an instance; see launch.first_port")

    def release(self) -> None:
        """Let others have it; harmless when released."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait until no other process of this user is within the same name."""
    lock = _locked(name, wait=True)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _locked(name: str, *, wait: bool) -> int | None:
    """The open file of a name, locked, or None where another holds it."""
    import fcntl  # noqa: PLC0415  a POSIX module; only launching needs it

    folder = Path(tempfile.gettempdir()) / f"siturec-unreal-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(file)
        return None
    return file


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError:
            return False
    return True
