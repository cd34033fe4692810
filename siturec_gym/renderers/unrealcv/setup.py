"""What a server is told and asked before the first picture: its things, their colours, its cameras."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import HORIZONTAL_FOV_DEG
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.body import Body
from siturec_gym.renderers.unrealcv.calibration import measured, unchanged
from siturec_gym.renderers.unrealcv.client import BrokenLinkError
from siturec_gym.renderers.unrealcv.colors import Color, ColorTable, Paint
from siturec_gym.renderers.unrealcv.decoding import pixels_of, rgb_of
from siturec_gym.renderers.unrealcv.eyes import Eyes
from siturec_gym.renderers.unrealcv.link import Link, Reply
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.shelves import Shelves
from siturec_gym.scenes.scene import Scene

_AT_ONCE = 100
"""Commands of one batch of the setup; a fault costs no more than that."""
_FOV_SLACK_DEG = 0.01


class SetUp:
    """Prepares a server for a scene.

    Args:
        mapping: How it is spoken to.
        scene: The store it shows.
        names: Names on the wire.
        shelves: What is to be told about things.
        body: The user.
        link: The connection.
        eyes: The cameras.
    """

    def __init__(
        self, mapping: Mapping, scene: Scene, names: Names, shelves: Shelves, body: Body, link: Link, eyes: Eyes
    ) -> None:
        self._mapping, self._scene, self._names = mapping, scene, names
        self._shelves, self._body, self._link, self._eyes = shelves, body, link, eyes

    def begin(self) -> None:
        """Check that what the mapping names is there, then paint and show everything.

        Raises:
            RendererError: Something is not there, a camera has another field of view, or the server fails.
        """
        listed = self._link.ask(lambda: ["vget /objects"], lambda replies: str(replies[0]).split())
        absent = self._names.absent(listed)
        if absent:
            more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
            raise RendererError(
                f"{self._link.address}: no object is called {absent[0]}{more}; see objects in the mapping"
            )
        cameras = [command for camera in self._eyes.sizes for command in self.camera_commands(camera)]
        self._shelves.begin(self.strangers(listed), [*self.user_commands(), *cameras])
        self.finish()
        self._check_field_of_view()

    def finish(self) -> None:
        """Carry out what is left of the setup, in smaller batches after a fault.

        A server that forgets it all with each connection begins anew; what it did before is then no progress.

        Raises:
            RendererError: It comes no further.
        """
        size, attempt, furthest = _AT_ONCE, 0, 0
        while self._shelves.pending(1):
            try:
                self._shelves.done(self._link.once(lambda: self._shelves.pending(size), len))  # noqa: B023  called at once
            except BrokenLinkError as error:
                attempt += 1
                self._link.pause(attempt, error)
                size = max(1, size // 4)
            else:
                size = min(2 * size, _AT_ONCE)
                if self._shelves.carried_out > furthest:
                    furthest, attempt = self._shelves.carried_out, 0

    def color_table(self, paints: Sequence[Paint]) -> ColorTable:
        """Codes of the colours as they are seen.

        Raises:
            RendererError: Colours come out alike, or the probe is not in view.
        """
        colors = self._mapping.colors
        if colors.probe is None:
            return ColorTable(paints, unchanged, colors.tolerance)
        probe = colors.probe.format(floor=self._names.floor)
        for _ in range(self._mapping.connection.attempts):
            transfer = measured(paints, lambda probed: self.look(probe, probed), probe)
            if not self._shelves.pending(1):
                return ColorTable(paints, transfer, colors.tolerance)
            self.finish()  # the server lost its colours while they were looked at
        raise self._link.forgotten()

    def look(self, probe: str, probed: Sequence[Color]) -> list[NDArray[np.uint8]]:
        """The mask from the start pose for each colour of the probe, which gets its own colour back."""
        camera = self._eyes.small
        picture, size = self._mapping.images.mask, self._eyes.sizes[camera]
        view = self._eyes.commands([(camera, "mask")])
        own = self._shelves.color_of(probe)

        def mask_of(color: Color) -> NDArray[np.uint8]:
            def commands() -> list[str]:
                return [*self._body.placing(self._scene.start_pose), self._shelves.color_command(probe, color), *view]

            def read(replies: list[Reply]) -> NDArray[np.uint8]:
                return rgb_of(*pixels_of(replies[-1], picture, size))

            return self._link.ask(commands, read)

        masks = [mask_of(color) for color in probed]
        self._link.ask(lambda: [self._shelves.color_command(probe, own)], lambda _: None)
        self._body.forget()
        return masks

    def strangers(self, listed: Sequence[str]) -> list[str]:
        """Objects, of those that a server lists, that the mapping knows nothing of."""
        known = {name for _, name in self._names.all} | {self._mapping.user.object}
        return [name for name in listed if name not in known]

    def user_commands(self) -> list[str]:
        """What the user is prepared with."""
        return [command.format(object=self._mapping.user.object) for command in self._mapping.user.prepare]

    def camera_commands(self, camera: int) -> list[str]:
        """What a camera is prepared with."""
        width, height = self._eyes.sizes[camera]
        words = {"camera": camera, "width": width, "height": height}
        pose = self._body.eyes_text(self._scene.start_pose)
        return [pattern.format(**words, pose=pose) for pattern in self._mapping.cameras.prepare]

    def _check_field_of_view(self) -> None:
        pattern, cameras = self._mapping.cameras.fov, list(self._eyes.sizes)
        if pattern is None:
            return
        commands = [pattern.format(camera=camera) for camera in cameras]
        angles = self._link.ask(lambda: commands, lambda replies: [axes.number_of(str(reply)) for reply in replies])
        for camera, angle in zip(cameras, angles, strict=True):
            if problem := width_problem(angle):
                raise RendererError(f"{self._link.address}: camera {camera} {problem}")


def width_problem(angle_deg: float) -> str:
    """What is wrong with a camera's horizontal field of view, or ""."""
    right = abs(angle_deg - HORIZONTAL_FOV_DEG) <= _FOV_SLACK_DEG
    return "" if right else f"is {angle_deg:g} degrees wide; it must be {HORIZONTAL_FOV_DEG:g}"
