"""One client's connection: requests come in, replies go out in the order of the requests."""

import re
import selectors
import socket
from collections.abc import Sequence
from contextlib import suppress

from siturec_gym.renderers.unrealcv.server.framing import FrameError, FrameReader, header

Buffer = bytes | memoryview
Reply = str | Sequence[Buffer]
"""The body of a reply: text, or buffers that follow each other on the wire."""

PATIENCE_S = 60.0
"""How long a client may take nothing of a reply before its connection is closed."""
_MOST_AHEAD = 16 << 20
"""Bytes of further requests that are taken in while a reply waits for a client that is still asking."""
_PIECE = 1 << 16
_REQUEST = re.compile(rb"(\d{1,18}):(.*)", re.DOTALL)


class GoneError(Exception):
    """The client has closed the connection, or takes no replies any more."""


class Connection:
    """Framed requests and replies over a connected socket, which it owns.

    A client may send a batch of up to 16 MiB before it reads a single reply: while a reply cannot be sent, further
    requests are taken in, so that neither side waits for the other.

    Args:
        sock: The socket.
        patience_s: Seconds without progress after which a reply is given up.
    """

    def __init__(self, sock: socket.socket, patience_s: float = PATIENCE_S) -> None:
        sock.setblocking(False)
        self._socket = sock
        self._patience_s = patience_s
        self._frames = FrameReader()
        self._piece = bytearray(_PIECE)
        self._outgoing = bytearray()
        self._ended = False
        # One for each thing to wait for: changing what one of them waits for, twice a wait, took a seventh of sending.
        self._to_read, self._to_send, self._to_do_either = (
            _waiting(sock, events)
            for events in (selectors.EVENT_READ, selectors.EVENT_WRITE, selectors.EVENT_READ | selectors.EVENT_WRITE)
        )

    def greet(self, text: str) -> None:
        """Send the frame that comes before all replies. Raises GoneError."""
        self._send(header(len(text.encode())) + text.encode())

    def request(self) -> tuple[bytes, bytes]:
        """Wait for the next request: its number, as it was written, and its command.

        Raises:
            FrameError: What arrived is no frame, or holds no ``number:command``; what came before it is answered.
            GoneError: The client has gone.
        """
        try:
            while (payload := self._frames.take()) is None:
                if self._outgoing:
                    self._flush()  # which may take the next request in
                else:
                    self._receive()
            match = _REQUEST.fullmatch(payload)
            if match is None:
                raise FrameError(f"expected 'number:command', got {payload[:40]!r}")
        except FrameError:
            self._flush()
            raise
        return match[1], match[2]

    def reply(self, number: bytes, body: Reply) -> None:
        """Answer the request of that number. Raises GoneError.

        Short replies are kept until a long one follows or nothing more is asked, and then leave together.
        """
        buffers = (body.encode(),) if isinstance(body, str) else body
        self._outgoing += header(len(number) + 1 + sum(map(len, buffers))) + number + b":"
        for buffer in buffers:
            if len(buffer) < _PIECE:
                self._outgoing += buffer
            else:
                self._flush()
                self._send(buffer)
        if len(self._outgoing) >= _PIECE:
            self._flush()

    def close(self) -> None:
        """Close the socket; only for the thread that serves it."""
        for selector in (self._to_read, self._to_send, self._to_do_either):
            selector.close()
        self._socket.close()

    def hang_up(self) -> None:
        """Make the serving thread, whatever it waits for, find the client gone; for other threads."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _flush(self) -> None:
        """Send what was kept."""
        if self._outgoing:
            kept, self._outgoing = self._outgoing, bytearray()
            self._send(kept)

    def _receive(self) -> None:
        """Take in what has arrived, or wait until something does."""
        if self._ended:
            raise GoneError
        if not self._take_in():
            self._to_read.select()

    def _take_in(self) -> bool:
        """Whether anything had arrived; it is with the frames now, or it was the end."""
        try:
            count = self._socket.recv_into(self._piece)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as error:
            raise GoneError from error
        self._ended = count == 0
        self._frames.feed(memoryview(self._piece)[:count])
        return True

    def _send(self, buffer: Buffer | bytearray) -> None:
        rest = memoryview(buffer)
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except (BlockingIOError, InterruptedError):
                self._wait_to_send()
            except OSError as error:
                raise GoneError from error

    def _wait_to_send(self) -> None:
        """Wait until the client takes more, or take in what it asks meanwhile."""
        listening = not self._ended and self._frames.waiting_bytes < _MOST_AHEAD
        ready = (self._to_do_either if listening else self._to_send).select(self._patience_s)
        if not ready:
            raise GoneError
        if any(events & selectors.EVENT_READ for _, events in ready):
            self._take_in()


def _waiting(sock: socket.socket, events: int) -> selectors.BaseSelector:
    selector = selectors.DefaultSelector()
    selector.register(sock, events)
    return selector
