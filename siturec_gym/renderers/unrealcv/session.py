"""The time between connecting and closing: an instance or a server, a link to it, and a store set up behind it."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv.body import Body
from siturec_gym.renderers.unrealcv.client import Endpoint, serve_command
from siturec_gym.renderers.unrealcv.eyes import Eyes
from siturec_gym.renderers.unrealcv.instances import Instance
from siturec_gym.renderers.unrealcv.link import Commands, Exchange, Link, Read
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.pool import InstancePool
from siturec_gym.renderers.unrealcv.setup import SetUp
from siturec_gym.renderers.unrealcv.shelves import LostStateError, Shelves
from siturec_gym.scenes.scene import Scene

ValueT = TypeVar("ValueT")


class Session:
    """A server in use. Between ``open`` and ``close`` there are ``body`` and ``set_up``.

    Args:
        mapping: How it is found, started and spoken to.
        scene: The store it shows.
        names: Names on the wire.
        shelves: What it is to be told about things.
        eyes: Its cameras.
        pool: Where the instance comes from; None starts one where the mapping says how.
    """

    def __init__(
        self, mapping: Mapping, scene: Scene, names: Names, shelves: Shelves, eyes: Eyes, pool: InstancePool | None
    ) -> None:
        self._mapping, self._scene, self._names = mapping, scene, names
        self._shelves, self._eyes, self._pool = shelves, eyes, pool
        self._instance: Instance | None = None
        self._link: Link | None = None
        self.body: Body
        self.set_up: SetUp

    @property
    def is_open(self) -> bool:
        """Whether it was opened and not closed since; its connection may be broken."""
        return self._link is not None

    @property
    def link(self) -> Link:
        """The connection. Raises RendererError if there is none."""
        if self._link is None:
            raise RendererError("the unrealcv renderer is closed: call connect")
        return self._link

    def open(self) -> None:
        """Start or find the server and set the store up. Raises RendererError."""
        endpoint = self._endpoint()
        start = serve_command(self._scene, endpoint) if self._instance is None else None
        self._link = link = Link(endpoint, self._mapping.connection, self._renewed, start)
        self.body = Body(self._mapping, self._names, link)
        self.set_up = SetUp(self._mapping, self._scene, self._names, self._shelves, self.body, link, self._eyes)
        try:
            self.set_up.begin()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Tell the server what is shown again, and let go of it; harmless when closed."""
        link, self._link = self._link, None
        if link is not None:
            if link.is_open:
                with suppress(RendererError, LostStateError):
                    link.ask(self._shelves.commands, lambda _: self._shelves.confirm())
            link.close()
        instance, self._instance = self._instance, None
        if instance is not None and self._pool is not None:
            self._pool.release(instance)
        elif instance is not None:
            instance.stop()

    def ask(self, commands: Commands, read: Read[ValueT]) -> ValueT:
        """Ask what may be asked again; the store is set up anew first where the server turns out to have lost it.

        Raises:
            RendererError: As ``Link.ask``, or the store is lost every time.
        """
        return self._kept_up(lambda: self.link.ask(commands, read))

    def execute(self, start: Pose, call: ToolCall) -> Pose:
        """Carry out a tool from ``start``; the pose reached. Raises as ``Body.execute``."""
        return self._kept_up(lambda: self.body.execute(start, call, lambda: bool(self._shelves.pending(1))))

    def _kept_up(self, use: Callable[[], ValueT]) -> ValueT:
        """Use the server. An instance of ours that has died, or answers no more, is started anew, once."""
        try:
            return self._set_up_for(use)
        except RendererError:
            if self._instance is None or self._instance.answers():
                raise
        self._instance.stop()
        self.close()
        self.open()
        return self._set_up_for(use)

    def _set_up_for(self, use: Callable[[], ValueT]) -> ValueT:
        for _ in range(self._mapping.connection.attempts):
            self.set_up.finish()
            with suppress(LostStateError):
                return use()
        raise self.link.forgotten()

    def _renewed(self, exchange: Exchange) -> None:
        self.body.forget()
        self._shelves.renewed(exchange)

    def _endpoint(self) -> Endpoint:
        if self._pool is not None:
            self._instance = self._pool.acquire()
        elif self._mapping.launch is not None:
            self._instance = Instance(self._mapping, self._eyes.sizes[self._eyes.user])
        return self._mapping.connection.endpoint if self._instance is None else self._instance.endpoint
