"""A proxy between an UnrealCV client and its server that spoils some of what passes, on a seed.

It knows frames, so that it can hold, drop, repeat or shorten a whole message, and bytes, so that it can break in the
middle of one. Left out is what nobody could notice: changed bytes within a frame of the right length, and orders (all
but ``vget``) that arrive twice or shortened to other orders, which the server would rightly carry out.
"""

import contextlib
import itertools
import random
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Direction = Literal["request", "reply"]
Endpoint = str | tuple[str, int]
"""Path of a Unix socket, or host and port."""

MAGIC = 0x9E2B83C1
HEADER = struct.Struct("<II")
KINDS = ("delay", "late", "drop", "duplicate", "truncate", "lose", "noise", "garbage", "close", "half_close", "pieces")
_HARMLESS = frozenset(("delay", "pieces"))
_OF_REQUESTS = {"truncate": "lose"}
_OF_ORDERS = {"truncate": "lose", "duplicate": "drop"}
_SHORT_S = 0.003


@dataclass(frozen=True)
class Fault:
    """What was done to which frame: number of the connection, of the frame on it, and its first bytes."""

    kind: str
    direction: Direction
    connection: int
    frame: int
    start: bytes

    @property
    def is_harmless(self) -> bool:
        """Whether all bytes arrive, in order and soon."""
        return self.kind in _HARMLESS


class _Pair:
    """The two sockets of a client that passes through."""

    def __init__(self, client: socket.socket, server: socket.socket, number: int) -> None:
        self.sockets = (client, server)
        self.number = number
        self.gone = threading.Event()

    def close(self) -> None:
        self.gone.set()
        for sock in self.sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class FaultProxy:
    """Listens at ``endpoint`` and passes every client on to ``upstream``.

    Args:
        upstream: Where the server listens.
        listen: Path of the Unix socket to listen at; None for a free TCP port.
        seed: Of all choices. Each direction of each connection draws for itself, so threads do not change them.
        rate: Share of frames that are spoiled.
        kinds: What may be done.
        most: Faults after which everything passes; None for no end.
        late_s: How long a late frame is held; longer than the client waits.
    """

    def __init__(
        self, upstream: Endpoint, listen: str | None = None, *, seed: int, rate: float,
        kinds: Sequence[str] = KINDS, most: int | None = None, late_s: float = 1.0,
    ) -> None:  # fmt: skip
        self.faults: list[Fault] = []
        self.armed = True
        self.connections = 0
        self._upstream, self._seed, self._rate, self._kinds = upstream, seed, rate, tuple(kinds)
        self._most, self._late_s = most, late_s
        self._lock = threading.Lock()
        self._pairs: list[_Pair] = []
        self._threads: list[threading.Thread] = []
        self._listener = _listen(listen)
        self.endpoint: Endpoint = listen or ("127.0.0.1", self._listener.getsockname()[1])
        self._start(self._accept)

    def stop(self) -> None:
        """Close everything and wait for every thread."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            pairs, threads = list(self._pairs), list(self._threads)
        for pair in pairs:
            pair.close()
        for thread in threads:
            thread.join()

    def __enter__(self) -> "FaultProxy":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True, name="fault-proxy")
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = _connect(self._upstream)
            except OSError:
                client.close()
                continue
            self.connections += 1
            pair = _Pair(client, server, self.connections)
            self._pairs = [one for one in self._pairs if not one.gone.is_set()] + [pair]
            self._start(self._serve, pair)

    def _serve(self, pair: _Pair) -> None:
        client, server = pair.sockets
        asking = threading.Thread(target=self._pump, args=(client, server, "request", pair), daemon=True)
        asking.start()
        self._pump(server, client, "reply", pair)
        asking.join()
        client.close()
        server.close()

    def _pump(self, source: socket.socket, sink: socket.socket, direction: Direction, pair: _Pair) -> None:
        rng = random.Random(f"{self._seed} {pair.number} {direction}")
        try:
            for number, frame in enumerate(_frames(source)):
                kind = self._choose(rng, direction, pair.number, number, frame)
                if kind is None:
                    sink.sendall(frame)
                else:
                    self._spoil(kind, frame, sink, pair, rng)
        except OSError:
            pass
        finally:
            pair.close()

    def _choose(
        self, rng: random.Random, direction: Direction, connection: int, number: int, frame: bytes
    ) -> str | None:
        struck, kind = rng.random() < self._rate, rng.choice(self._kinds)
        start = frame[HEADER.size : HEADER.size + 40]
        if direction == "request":
            kind = _OF_REQUESTS.get(kind, kind) if b":vget" in start else _OF_ORDERS.get(kind, kind)
        with self._lock:
            if not (struck and self.armed) or (self._most is not None and len(self.faults) >= self._most):
                return None
            self.faults.append(Fault(kind, direction, connection, number, start))
        return kind

    def _spoil(self, kind: str, frame: bytes, sink: socket.socket, pair: _Pair, rng: random.Random) -> None:
        payload = frame[HEADER.size :]
        if kind in ("delay", "late"):
            pair.gone.wait(self._late_s if kind == "late" else rng.uniform(0.0, _SHORT_S))
            sink.sendall(frame)
        elif kind == "duplicate":
            sink.sendall(frame + frame)
        elif kind == "truncate":  # a whole frame with less in it
            sink.sendall(framed(payload[: rng.randrange(1, max(2, len(payload)))]))
        elif kind == "lose":  # fewer bytes than the header says
            start = rng.randrange(len(frame))
            sink.sendall(frame[:start] + frame[start + rng.randrange(1, 40) :])
        elif kind == "noise":
            sink.sendall(rng.randbytes(rng.randrange(1, 40)) + frame)
        elif kind == "garbage":  # a whole frame of nothing that can be understood
            sink.sendall(framed(b"\xff" + rng.randbytes(rng.randrange(1, 200))))
        elif kind in ("close", "half_close"):
            sink.sendall(frame[: rng.randrange(1, len(frame))] if kind == "half_close" else b"")
            pair.close()
        elif kind == "pieces":
            for piece in _pieces(frame, rng):
                sink.sendall(piece)
                pair.gone.wait(_SHORT_S / 3)


def framed(payload: bytes) -> bytes:
    """A payload as it goes over the wire."""
    return HEADER.pack(MAGIC, len(payload)) + payload


def _frames(source: socket.socket) -> Iterator[bytes]:
    """Whole frames, headers included, until the other side closes; then what is left of one."""
    kept = bytearray()
    while piece := source.recv(1 << 18):
        kept += piece
        while len(kept) >= HEADER.size:
            end = HEADER.size + HEADER.unpack_from(kept)[1]
            if len(kept) < end:
                break
            yield bytes(kept[:end])
            del kept[:end]


def _pieces(frame: bytes, rng: random.Random) -> list[bytes]:
    """The frame cut at up to five places, the first of them often in its header."""
    cuts = sorted({0, rng.randrange(1, 8), len(frame), *(rng.randrange(1, len(frame)) for _ in range(4))})
    return [frame[start:end] for start, end in itertools.pairwise(cuts)]


def _listen(path: str | None) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(path or ("127.0.0.1", 0))
    listener.listen(64)
    return listener


def _connect(endpoint: Endpoint) -> socket.socket:
    family = socket.AF_UNIX if isinstance(endpoint, str) else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.connect(endpoint)
    return sock
