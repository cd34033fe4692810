"""Our UnrealCV server, on a free port and a Unix socket, in threads of the test."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from siturec_gym.renderers.unrealcv.server.server import Server
from siturec_gym.renderers.unrealcv.server.world import World
from siturec_gym.scenes.scene import Scene


class Served:
    """A running server.

    Attributes:
        server: The server.
        port: Its TCP port on 127.0.0.1.
        path: Its Unix socket, as text.
        worlds: Every world it made, the first one being what a server without ``multi`` serves.
    """

    def __init__(self, scene: Scene, path: Path, width: int, height: int, **settings: Any) -> None:
        self.worlds: list[World] = []
        world_settings = {name: settings.pop(name) for name in ("preset", "light") if name in settings}

        def make_world() -> World:
            self.worlds.append(World(scene, width, height, **world_settings))
            return self.worlds[-1]

        self.path = str(path)
        self.server = Server(make_world, **{"port": 0, "socket_path": path, **settings})
        self.server.start()
        self.port = self.server.port


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path is short enough for a Unix socket."""
    with tempfile.TemporaryDirectory(prefix="ucv") as folder:
        yield Path(folder)


@pytest.fixture
def serve(short_folder: Path) -> Iterator[Callable[..., Served]]:
    """Starts servers: ``serve(scene, width=640, height=480, multi=False, preset="rl", light="auto", ...)``.

    All of them have ended when the test has; a thread that outlives them fails it.
    """
    running: list[Served] = []

    def start(scene: Scene, width: int = 640, height: int = 480, **settings: Any) -> Served:
        served = Served(scene, short_folder / f"{len(running)}.socket", width, height, **settings)
        running.append(served)
        return served

    before = set(threading.enumerate())
    yield start
    for served in running:
        served.server.stop()
    left = [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("unrealcv-")]
    assert left == []
    assert [served.path for served in running if Path(served.path).exists()] == []
