"""Commands asked without a socket, and a plain socket for what no client would send."""

import io
import re
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from siturec_gym.renderers.unrealcv.server.commands import commands_of
from siturec_gym.renderers.unrealcv.server.commands.command import Context
from siturec_gym.renderers.unrealcv.server.world import World
from siturec_gym.scenes.scene import Scene

MAGIC = 0x9E2B83C1


class Asked:
    """A world and what its commands answer: text, or bytes."""

    def __init__(self, scene: Scene, width: int, height: int, **settings: Any) -> None:
        self.world = World(scene, width, height, **settings)
        self._commands = commands_of(scene)
        self._context = Context(self.world, lambda: "status", self._commands.listed)

    def __call__(self, command: str) -> Any:
        body = self._commands.reply(self._context, command)
        return body if isinstance(body, str) else b"".join(map(bytes, body))

    def numbers(self, command: str) -> list[float]:
        return [float(word) for word in self(command).split()]

    def image(self, command: str) -> np.ndarray:
        """Pixels of a reply; pictures as OpenCV reads them, blue first."""
        body = self(command)
        assert isinstance(body, bytes), body
        if body.startswith(b"\x93NUMPY"):
            return np.load(io.BytesIO(body))
        return cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_UNCHANGED)

    def color(self, name: str) -> tuple[int, ...]:
        match = re.fullmatch(r"\(R=(\d+),G=(\d+),B=(\d+),A=255\)", self(f"vget /object/{name}/color"))
        return tuple(map(int, match.groups()))


@pytest.fixture
def ask(tiny_scene: Scene) -> Asked:
    """Commands of the tiny store at 160x120."""
    return Asked(tiny_scene, 160, 120, light="plain")


@pytest.fixture
def ask_in() -> Callable[..., Asked]:
    return Asked


def frame(payload: bytes) -> bytes:
    return struct.pack("<II", MAGIC, len(payload)) + payload


class Plain:
    """A client made of a socket alone."""

    def __init__(self, address: Any) -> None:
        kind = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(kind, socket.SOCK_STREAM)
        self.socket.settimeout(20.0)
        self.socket.connect(address)

    def send(self, *payloads: bytes) -> None:
        self.socket.sendall(b"".join(map(frame, payloads)))

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def take(self) -> bytes:
        """The next payload; EOFError once the server has closed the connection."""
        magic, length = struct.unpack("<II", self.exactly(8))
        assert magic == MAGIC
        return self.exactly(length)

    def ended(self) -> bool:
        """Whether the server closes the connection and sends nothing more."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def plain() -> Iterator[Callable[[Any], Plain]]:
    """Opens plain clients at a path or at ("127.0.0.1", port)."""
    opened: list[Plain] = []

    def connect(address: Any) -> Plain:
        opened.append(Plain(address))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


@pytest.fixture
def framed() -> Callable[[bytes], bytes]:
    return frame
