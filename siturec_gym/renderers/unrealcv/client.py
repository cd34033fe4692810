"""Clients of unrealcv, connected in time and heard only where somebody listens."""

import logging
import secrets
import shlex
import socket
from typing import Any

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.reading import INSTALL
from siturec_gym.scenes import SCENES
from siturec_gym.scenes.scene import Scene

Endpoint = tuple[str, int] | str
"""Host and port, or the path of a Unix socket."""
_FIRST_NUMBERS = range(10_000_000, 40_000_000)


class BrokenLinkError(Exception):
    """No usable answer came: a timeout, a short read, another request's reply, or an answer that cannot be one.

    An error that the server reports counts, too: a request that lost bytes on its way is answered so.
    """


class NobodyListensError(BrokenLinkError):
    """There is no server at the endpoint."""


def new_client(endpoint: Endpoint, timeout_s: float) -> Any:
    """A client of unrealcv, connected and greeted. Raises BrokenLinkError."""
    unrealcv = _unrealcv()
    client = unrealcv.Client(endpoint, "unix" if isinstance(endpoint, str) else "inet")
    try:
        client.sock = _socket(endpoint, timeout_s)
        greeting = unrealcv.SocketMessage.ReceivePayload(client.sock)
    except OSError as error:
        client.disconnect()
        kind = NobodyListensError if isinstance(error, ConnectionRefusedError | FileNotFoundError) else BrokenLinkError
        raise kind(f"no connection: {error.strerror or error}") from error
    if greeting is None or not greeting.startswith(b"connected"):
        client.disconnect()
        said = "nothing came" if greeting is None else greeting[:200].decode(errors="replace")
        raise BrokenLinkError(f"no greeting: {said}")
    client.send_message_id = client.recv_message_id = secrets.choice(_FIRST_NUMBERS)
    return client


def serve_command(scene: Scene, endpoint: Endpoint) -> str:
    """What a person types to serve a store of ours at an endpoint."""
    name = scene.name if scene.name in SCENES else "FOLDER"
    if isinstance(endpoint, str):
        return f"siturec unreal serve --scene {name} --no-tcp --socket {shlex.quote(endpoint)}"
    host, port = endpoint
    elsewhere = "" if host in ("127.0.0.1", "localhost") else f" --host {host}"
    return f"siturec unreal serve --scene {name} --port {port}{elsewhere}"


def received(client: Any) -> bytes | None:
    """The next payload, or None where it was cut short, late or no frame at all."""
    payload: bytes | None = _unrealcv().SocketMessage.ReceivePayload(client.sock)
    return payload


def _socket(endpoint: Endpoint, timeout_s: float) -> socket.socket:
    if not isinstance(endpoint, str):
        sock = socket.create_connection(endpoint, timeout_s)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout_s)
        sock.connect(endpoint)
    except OSError:
        sock.close()
        raise
    return sock


def _unrealcv() -> Any:
    try:
        import unrealcv  # noqa: PLC0415  an extra
    except ImportError as error:
        raise RendererError(f"the unrealcv renderer needs the unrealcv client: {INSTALL} ({error})") from error
    if "print" not in vars(unrealcv):
        _hush(unrealcv)
    return unrealcv


def _hush(unrealcv: Any) -> None:
    """Leave it to applications whether they hear the client.

    It prints, which would mix into what a command writes as JSON, and has its log written to the error stream for each
    fault that is mended here.
    """
    log = logging.getLogger("unrealcv")
    log.handlers[:], log.propagate = [logging.NullHandler()], True
    vars(unrealcv)["print"] = lambda *words: log.debug(" ".join(map(str, words)))
