"""A connection to the store that is looked at, with all that speaks over it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from siturec_gym.renderers.unrealcv.body import Body
from siturec_gym.renderers.unrealcv.boxes import boxes_of
from siturec_gym.renderers.unrealcv.client import serve_command
from siturec_gym.renderers.unrealcv.colors import Paint, paints_of
from siturec_gym.renderers.unrealcv.eyes import Eyes
from siturec_gym.renderers.unrealcv.instances import Instance
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.setup import SetUp
from siturec_gym.renderers.unrealcv.shelves import Shelves
from siturec_gym.scenes.scene import Scene


@dataclass(frozen=True)
class Visit:
    """What an inspection uses.

    Attributes:
        mapping: The mapping that is looked at.
        scene: The store it should show.
        names: Names on the wire.
        paints: Segmentation colours.
        shelves: What the server is told about things.
        eyes: Its cameras.
        link: The connection.
        body: The user.
        set_up: What prepares the server.
    """

    mapping: Mapping
    scene: Scene
    names: Names
    paints: list[Paint]
    shelves: Shelves
    eyes: Eyes
    link: Link
    body: Body
    set_up: SetUp

    def ask(self, command: str) -> str:
        """The answer to one command. Raises RendererError where it is refused or does not come."""
        return self.link.ask(lambda: [command], lambda replies: str(replies[0]))

    def listed(self) -> list[str]:
        """Names of all objects that the server has. Raises RendererError."""
        return self.ask("vget /objects").split()


@contextmanager
def visited(mapping: Mapping, scene: Scene, size: tuple[int, int]) -> Iterator[Visit]:
    """Start the instance where the mapping says how; it ends with the visit. Nothing is connected yet.

    Raises:
        DataError: The mapping does not fit the scene.
        RendererError: The instance does not start.
    """
    names = Names(scene, mapping.objects)
    paints = paints_of(scene, names, mapping.colors.per)
    shelves = Shelves(mapping.objects, names, paints)
    eyes = Eyes(mapping, size, boxes_of(scene) if mapping.colors.per == "product" else None)
    instance = None if mapping.launch is None else Instance(mapping, size)
    endpoint = mapping.connection.endpoint if instance is None else instance.endpoint
    start = serve_command(scene, endpoint) if instance is None else None
    link = Link(endpoint, mapping.connection, lambda _: None, start)
    body = Body(mapping, names, link)
    try:
        set_up = SetUp(mapping, scene, names, shelves, body, link, eyes)
        yield Visit(mapping, scene, names, paints, shelves, eyes, link, body, set_up)
    finally:
        link.close()
        if instance is not None:
            instance.stop()
