"""Listens on a TCP port and a Unix socket, and serves each client that comes on a thread of its own."""

import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from siturec_gym.renderers.unrealcv.server.commands import commands_of
from siturec_gym.renderers.unrealcv.server.commands.command import Context
from siturec_gym.renderers.unrealcv.server.connection import PATIENCE_S, Connection, GoneError
from siturec_gym.renderers.unrealcv.server.framing import FrameError
from siturec_gym.renderers.unrealcv.server.listening import UnixListener, listen_tcp
from siturec_gym.renderers.unrealcv.server.world import World

MOST_CLIENTS = 64
"""Clients that are served at once with ``multi``."""
_MOST_WAITING = 32
_HANDOVER_S = 2.0
"""How long a client waits for the one before it to be gone, where there is room for one."""
_SEND_BUFFER = 4 << 20
_KEEPALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


class Server:
    """Serves a store over UnrealCV's protocol.

    Without ``multi`` there is one world and room for one client, as with Unreal: who comes while another is there is
    turned away, and the world stays as the last client left it. With ``multi`` each client has a fresh world of its
    own, which ends with its connection.

    Args:
        make_world: Makes a world; called once here, and then for each client if there may be many.
        port: TCP port, 0 for a free one, None for no TCP.
        host: Address to listen on; loopback unless told otherwise.
        socket_path: Unix socket, None for none.
        multi: Whether many clients are served at once.
        report: Told, in a line, of who comes and why they leave.
        patience_s: Seconds after which a client that takes nothing of its reply is given up.

    Raises:
        ValueError: Neither a port nor a path.
    """

    def __init__(
        self,
        make_world: Callable[[], World],
        *,
        port: int | None = 9000,
        host: str = "127.0.0.1",
        socket_path: Path | None = None,
        multi: bool = False,
        report: Callable[[str], None] = lambda _: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        if port is None and socket_path is None:
            raise ValueError("a server needs a port or the path of a socket")
        self._make_world = make_world
        self._world = make_world()
        self._world.warm_up()
        self._commands = commands_of(self._world.scene)
        self._where = port, host, socket_path
        self._multi = multi
        self._report = report
        self._patience_s = patience_s
        self._most = MOST_CLIENTS if multi else 1
        self._room = threading.Semaphore(self._most)
        self._clients: dict[threading.Thread, Connection] = {}
        self._unix: UnixListener | None = None
        self._listeners: list[socket.socket] = []
        self._port = 0
        self._stopping = threading.Event()

    @property
    def port(self) -> int:
        """The TCP port that it listens on, 0 if none."""
        return self._port

    def start(self) -> None:
        """Listen, and serve on threads from now on.

        Raises:
            RendererError: The port or the socket cannot be had.
        """
        port, host, path = self._where
        if path is not None:
            self._unix = UnixListener(path)
            self._listeners.append(self._unix.socket)
        try:
            if port is not None:
                tcp = listen_tcp(host, port)
                self._port = tcp.getsockname()[1]
                self._listeners.append(tcp)
        except BaseException:
            self._close_listeners()
            raise
        for listener in self._listeners:
            listener.setblocking(False)  # a client that is gone again may not keep the others waiting
        self._wake, woken = socket.socketpair()
        self._accepting = threading.Thread(target=self._accept, args=(woken,), name="unrealcv-accept")
        self._accepting.start()

    def stop(self) -> None:
        """Turn everybody away, wait for every thread to end, remove the socket; harmless when stopped."""
        if self._stopping.is_set() or not self._listeners:
            return
        self._stopping.set()
        self._wake.close()
        self._accepting.join()
        for connection in self._clients.values():
            connection.hang_up()
        for thread in self._clients:
            thread.join()

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _accept(self, woken: socket.socket) -> None:
        """Hand every client that comes to a thread, until ``woken`` is."""
        with selectors.DefaultSelector() as selector, woken:
            for listener in (*self._listeners, woken):
                selector.register(listener, selectors.EVENT_READ)
            while not self._stopping.is_set():
                for key, _ in selector.select():
                    if key.fileobj is not woken:
                        self._take(key.fileobj)  # type: ignore[arg-type]
        self._close_listeners()

    def _take(self, listener: socket.socket) -> None:
        """Give a client that has come a thread, or turn it away where the system has no descriptor or thread left."""
        try:
            client, _ = listener.accept()
        except OSError:
            self._stopping.wait(0.01)
            return
        self._clients = {thread: connection for thread, connection in self._clients.items() if thread.is_alive()}
        try:
            if len(self._clients) >= MOST_CLIENTS + _MOST_WAITING:
                raise RuntimeError("enough are waiting")
            _tune(client)
            connection = Connection(client, self._patience_s)
            thread = threading.Thread(target=self._attend, args=(connection,), name="unrealcv-client")
            thread.start()
        except (OSError, RuntimeError) as error:
            self._report(f"a client was turned away: {error}")
            client.close()
        else:
            self._clients[thread] = connection

    def _attend(self, connection: Connection) -> None:
        """A client's thread."""
        try:
            if self._room.acquire(timeout=_HANDOVER_S):
                self._admit(connection)
            else:
                self._report("a client was turned away: there is no room")
                more = "" if self._multi else "; with --multi it takes more"
                connection.greet(f"error there is no room: this server takes {self._most} at a time{more}")
        except GoneError:
            self._report("a client has left")
        except FrameError as error:
            self._report(f"a client was cut off: {error}")
        finally:
            connection.close()

    def _admit(self, connection: Connection) -> None:
        try:
            self._report("a client has come")
            self._serve(connection)
        finally:
            self._room.release()

    def _serve(self, connection: Connection) -> None:
        world = self._make_world() if self._multi else self._world
        context = Context(world, self._status, self._commands.listed)
        connection.greet(f"connected to {world.scene.name}")
        while True:
            number, command = connection.request()
            connection.reply(number, self._commands.reply(context, command.decode(errors="replace")))

    def _status(self) -> str:
        port, host, path = self._where
        lines = [
            "Is Listening",
            "Client Connected",
            str(self._port),
            "Configuration",
            f"scene {self._world.scene.name}",
        ]
        lines += [f"host {host}"] * (port is not None) + [f"socket {path}"] * (path is not None)
        return "\n".join([*lines, f"multi {'yes' if self._multi else 'no'}"])

    def _close_listeners(self) -> None:
        for listener in self._listeners:
            listener.close()
        if self._unix is not None:
            self._unix.remove()


def _tune(client: socket.socket) -> None:
    """Replies leave at once, a whole picture fits on its way, and a peer that vanished is noticed."""
    with suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    if client.family in (socket.AF_INET, socket.AF_INET6):
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                client.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
