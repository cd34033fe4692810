"""A server of UnrealCV's framing whose every reply, delay and cut a test decides."""

import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

MAGIC = 0x9E2B83C1


def framed(payload: bytes, magic: int = MAGIC) -> bytes:
    return struct.pack("<II", magic, len(payload)) + payload


class ScriptedServer:
    """Serves one connection after the other, or several at once, each on a thread.

    Args:
        answer: Called with the connection's number, from 0, and each command; gives the reply's body, raw frames as
            ``Raw``, or None to close the connection.
        greeting: The first payload of a connection; None sends none.
        port: Where it listens; 0 for a free port.
    """

    def __init__(
        self, answer: Callable[[int, str], Any], greeting: bytes | None = b"connected to a test", port: int = 0
    ) -> None:
        self._answer = answer
        self._greeting = greeting
        self.commands: list[tuple[int, str]] = []
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", port))
        self.endpoint = "127.0.0.1", self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def said(self, connection: int | None = None) -> list[str]:
        """Commands received, without echoes."""
        return [
            command
            for number, command in self.commands
            if connection in (None, number) and not command.startswith("vget /unrealcv/echo")
        ]

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # closing alone would leave its thread waiting
        self._listener.close()
        for sock in self._sockets:
            sock.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._sockets = [sock for sock in self._sockets if sock.fileno() >= 0] + [client]
            thread = threading.Thread(target=self._serve, args=(client, self.connections), daemon=True)
            self.connections += 1
            thread.start()

    def _serve(self, client: socket.socket, number: int) -> None:
        try:
            if self._greeting is not None:
                client.sendall(framed(self._greeting))
            while (command := self._received(client)) is not None:
                id_, text = command
                self.commands.append((number, text))
                reply = self._reply(number, text)
                if reply is None:
                    break
                time.sleep(reply.after_s)
                client.sendall(reply.sent(id_))
        except OSError:
            pass
        finally:
            client.close()

    def _reply(self, number: int, text: str) -> Any:
        reply = self._answer(number, text)
        if reply is ECHO:
            reply = text.rsplit(maxsplit=1)[-1]
        return Body(reply) if isinstance(reply, str | bytes) else reply

    def _received(self, client: socket.socket) -> tuple[int, str] | None:
        header = self._exactly(client, 8)
        if header is None:
            return None
        _, length = struct.unpack("<II", header)
        payload = self._exactly(client, length)
        if payload is None:
            return None
        number, _, command = payload.decode().partition(":")
        return int(number), command

    @staticmethod
    def _exactly(client: socket.socket, count: int) -> bytes | None:
        received = b""
        while len(received) < count:
            piece = client.recv(count - len(received))
            if not piece:
                return None
            received += piece
        return received


ECHO = object()
"""The answer of an echo."""


class Body:
    """A reply with the right number, perhaps late."""

    def __init__(self, body: str | bytes, after_s: float = 0.0) -> None:
        self._body = body.encode() if isinstance(body, str) else body
        self.after_s = after_s

    def sent(self, number: int) -> bytes:
        return framed(b"%d:%s" % (number, self._body))


class Twice(Body):
    """A reply that comes a second time."""

    def sent(self, number: int) -> bytes:
        return super().sent(number) * 2


class Raw:
    """Bytes sent as they are."""

    after_s = 0.0

    def __init__(self, frames: bytes) -> None:
        self._frames = frames

    def sent(self, _: int) -> bytes:
        return self._frames
