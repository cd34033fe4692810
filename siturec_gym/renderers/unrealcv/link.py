"""One conversation with an UnrealCV server that survives what connections do.

The client is unrealcv's own: its framing, its numbers of requests, its reading of replies. Its receiving thread is
left out, because it outlives a broken connection by a minute and gives batches no timeout; here the socket has the
timeout, and the thread that asks also reads.

A client is never trusted after a timeout or a short read, since a late reply would answer the next request. It is
thrown away, a new one proves itself by an echo, the store is put back as it should be, and the request is made again.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from siturec_gym.core.errors import RendererError, words_of
from siturec_gym.renderers.unrealcv.client import BrokenLinkError, Endpoint, NobodyListensError, new_client, received
from siturec_gym.renderers.unrealcv.mapping import Connection

ValueT = TypeVar("ValueT")
Reply = str | bytes
Commands = Callable[[], Sequence[str]]
"""Gives what to send; called for each attempt, because a new connection may need other commands."""
Read = Callable[[list[Reply]], ValueT]
"""Makes a value of the replies, one for each command; a ValueError says that they cannot be right."""
Exchange = Callable[[Sequence[str]], list[Reply]]
"""Sends commands and gives their replies; raises ``BrokenLinkError`` where it cannot."""

_AT_ONCE = 200
"""Commands sent before their replies are read; so many fit into the buffers of any socket."""
_LAST_NUMBER = 99_000_000
"""The plugin reads numbers of at most eight digits."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 2.0


class Link:
    """A connection, renewed whenever it breaks. Used by one thread.

    Args:
        endpoint: Host and port, or the path of a Unix socket.
        settings: Timeouts and attempts.
        restore: Called on each new connection after its echo, with what asks over it.
        start: The command that starts a server there, told where nobody listens; None where that is another's work.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        settings: Connection,
        restore: Callable[[Exchange], None],
        start: str | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._restore = restore
        self._start = start
        self._client: Any = None
        self._failure = ""
        self.renewed = 0

    @property
    def address(self) -> str:
        """Where the server listens, for people."""
        return self._endpoint if isinstance(self._endpoint, str) else ":".join(map(str, self._endpoint))

    @property
    def is_open(self) -> bool:
        """Whether there is a connection that has not been found broken."""
        return self._client is not None

    def open(self) -> None:
        """Connect, if there is no connection. Raises RendererError after the last attempt."""
        self.ask(lambda: (), lambda _: None)

    def close(self) -> None:
        """Throw the client away with its socket; harmless when closed."""
        client, self._client = self._client, None
        if client is not None:
            client.disconnect()

    def ask(
        self,
        commands: Callable[[], Sequence[str]],
        read: Callable[[list[Reply]], ValueT],
        timeout_s: float | None = None,
    ) -> ValueT:
        """Send commands that may be repeated, in one batch, and read their replies.

        Args:
            commands: Gives the commands.
            read: Makes the value of the replies.
            timeout_s: For each reply; None for that of queries.

        Raises:
            RendererError: No attempt brought a usable answer.
        """
        for attempt in range(1, self._settings.attempts + 1):
            try:
                return self.once(commands, read, timeout_s)
            except BrokenLinkError as error:
                self.pause(attempt, error)
        raise AssertionError("the last pause raises")

    def once(
        self,
        commands: Callable[[], Sequence[str]],
        read: Callable[[list[Reply]], ValueT],
        timeout_s: float | None = None,
    ) -> ValueT:
        """Like ``ask``, but the commands are sent once, for what must not be repeated unseen.

        Raises:
            BrokenLinkError: No usable answer; the client is gone, and whether the commands took effect is unknown.
        """
        with self._trusted():
            self._connect()
        asked = commands()
        with self._trusted():
            return read(self._exchange(asked, timeout_s or self._settings.reply_timeout_s))
        raise AssertionError("a failure is raised")

    @contextmanager
    def _trusted(self) -> Iterator[None]:
        """After any failure within, the client is gone."""
        try:
            yield
        except NobodyListensError:
            self.close()
            raise
        except (BrokenLinkError, ValueError, OSError, AssertionError, MemoryError) as error:
            self.close()
            raise BrokenLinkError(words_of(error)) from error
        except BaseException:
            self.close()
            raise

    def pause(self, attempt: int, failure: BrokenLinkError) -> None:
        """Wait before the next attempt, a little longer each time. Raises RendererError after the last one."""
        self._failure = str(failure)
        if attempt >= self._settings.attempts:
            told = self._start is not None and isinstance(failure, NobodyListensError)
            hint = f"; a store of ours is started there by: {self._start}" if told else ""
            raise RendererError(f"{self.address}: {failure} (tried {attempt} times){hint}") from failure
        time.sleep(min(_FIRST_PAUSE_S * 2 ** (attempt - 1), _LONGEST_PAUSE_S))

    def forgotten(self) -> RendererError:
        """What to raise for a server that knows nothing after each new connection, with what broke the last one."""
        why = f"; what went wrong: {self._failure}" if self._failure else ""
        return RendererError(f"{self.address}: the server forgets again and again what it was told{why}")

    def _connect(self) -> None:
        if self._client is not None and self._client.send_message_id < _LAST_NUMBER:
            return
        self.close()
        self._client = new_client(self._endpoint, self._settings.connect_timeout_s)
        self.renewed += 1
        nonce = secrets.token_hex(8)
        (echo,) = self._exchange([f"vget /unrealcv/echo {nonce}"], self._settings.connect_timeout_s)
        if echo != nonce:
            raise BrokenLinkError(f"the echo of {nonce} was {echo[:40]!r}")
        self._restore(lambda commands: self._exchange(commands, self._settings.reply_timeout_s))

    def _exchange(self, commands: Sequence[str], timeout_s: float) -> list[Reply]:
        replies: list[Reply] = []
        for start in range(0, len(commands), _AT_ONCE):
            some = commands[start : start + _AT_ONCE]
            self._send(some)
            replies += [self._receive(command, timeout_s) for command in some]
        return replies

    def _send(self, commands: Sequence[str]) -> None:
        client = self._client
        client.sock.settimeout(self._settings.reply_timeout_s)
        for command in commands:
            if not client.send(b"%d:%s" % (client.send_message_id, command.encode())):
                raise BrokenLinkError(f"'{command}' could not be sent")
            client.send_message_id += 1

    def _receive(self, command: str, timeout_s: float) -> Reply:
        client = self._client
        client.sock.settimeout(timeout_s)
        payload = received(client)
        if payload is None:
            raise BrokenLinkError(f"no whole reply to '{command}' within {timeout_s:g} s")
        reply: Reply | None = client.raw_message_handler(payload)
        client.recv_message_id += 1
        if reply is None:
            raise BrokenLinkError(f"the reply to '{command}' has no number")
        if isinstance(reply, str) and reply.lower().startswith("error"):
            raise BrokenLinkError(f"'{command}' is answered with: {' '.join(reply.split())[:300]}")
        return reply
