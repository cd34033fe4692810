"""A TCP server whose every connection is handled by a function of the socket: for answers that no HTTP server gives."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

REPLY = b'{"choices": [{"message": {"content": "hello"}}]}'


def http(body: bytes, status: bytes = b"200 OK", *headers: bytes) -> bytes:
    lines = (b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class RawServer:
    """Calls ``handle(connection, number)`` in a thread of its own for each connection, then closes it."""

    def __init__(self, handle: Callable[[socket.socket, int], None]) -> None:
        self._handle = handle
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection, self.connections), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError), connection:
            self._handle(connection, number)


@contextlib.contextmanager
def full_listener() -> Iterator[str]:
    """The address of a socket whose queue of connections is full: it neither answers nor refuses a further one."""
    with contextlib.ExitStack() as open_sockets:
        listener = open_sockets.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = open_sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


def read_request(connection: socket.socket) -> bytes:
    """One whole request; empty when the other side has closed."""
    content = b""
    while b"\r\n\r\n" not in content:
        piece = connection.recv(65536)
        if not piece:
            return b""
        content += piece
    head, _, body = content.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while len(body) < int(lengths[0] if lengths else 0):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
