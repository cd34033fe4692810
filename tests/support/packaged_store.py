"""A stand-in for a packaged Unreal Engine 5 project with UnrealCV's plugin, such as mappings/template.yaml describes.

Our store behind another table of commands, that of the plugin's branch for Unreal Engine 5: one camera, no poses,
numbers in and out with the digits that the plugin keeps, depth in half precision, ``vbp`` for any function of an actor,
whose outputs come back as texts. ``python packaged_store.py FOLDER SCENE`` is a program with its ``unrealcv.ini`` in
the folder.
"""

import re
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from packaged_body import Character
from packaged_commands import COMMANDS, LEVEL, USER
from scripted_server import ScriptedServer

from siturec_gym.renderers.unrealcv.server.commands.command import Commands
from siturec_gym.renderers.unrealcv.server.world import World
from siturec_gym.scenes import load_scene
from siturec_gym.scenes.scene import Scene


class PackagedStore:
    """The program; ends with ``close``.

    Args:
        scene: The store that the level shows.
        name: Gives an item's or a place's name in the level, by its id and whether it is an item.
        radial: Depth is measured from the camera's centre.
        port: Where it listens; 0 for a free port.
    """

    def __init__(
        self,
        scene: Scene,
        name: Callable[[str, bool], str] = lambda id_, item: f"SM_{id_}" if item else f"BP_{id_}",
        radial: bool = False,
        port: int = 0,
    ) -> None:
        self.world = World(scene, 640, 480, light="plain")
        self.camera = self.world.cameras[0]
        self.camera.lens = replace(self.camera.lens, fov_deg=75.0)
        self.character = Character(scene)
        self.radial = radial
        items = {item.id for item in scene.instances}
        parts = {part.id: f"StaticMeshActor_{number}" for number, part in enumerate(scene.structures)}
        self.things = {parts.get(id_) or name(id_, id_ in items): thing for id_, thing in self.world.things.items()}
        self.kinds = {place.id: place.kind for place in scene.navigation_targets}
        self._commands = Commands(COMMANDS)
        self._server = ScriptedServer(self._answer, f"connected to {scene.name}".encode(), port)
        self.endpoint = self._server.endpoint

    def said(self) -> list[str]:
        """Every command received."""
        return self._server.said()

    def close(self) -> None:
        self._server.close()

    def listed(self) -> str:
        return "".join(f"{name} " for name in (*LEVEL, *self.things, USER))

    def commands(self) -> str:
        return "".join(f"{command.template}\n{command.meaning}\n" for command in self._commands.listed)

    def _answer(self, _: int, text: str) -> Any:
        reply = self._commands.reply(self, text)
        return reply if isinstance(reply, str) else b"".join(map(bytes, reply))


def main() -> None:
    """As a packaged program: its port stands in ``unrealcv.ini``; what else it is told is for the engine."""
    folder = Path(sys.argv[1])
    port = re.search(r"^Port=(\d+)$", (folder / "unrealcv.ini").read_text(), re.MULTILINE)
    assert port is not None
    PackagedStore(load_scene(sys.argv[2]), port=int(port[1]))
    signal.pause()


if __name__ == "__main__":
    main()
