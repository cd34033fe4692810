"""Looking at the store through a renderer, and not looking again while nothing in view has changed."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.envs.situated.observe import Sighting, sighting
from siturec_gym.envs.situated.spaces import Vocabulary
from siturec_gym.renderers.interface import ALL_MODALITIES, Frame, Modality, Renderer
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.state import WorldState
from siturec_gym.world.view import build_view

_KEPT_SIGHTINGS = 256
_KEPT_FRAMES = 4

ValueT = TypeVar("ValueT")


class Sight:
    """Views and frames of one scene, by pose and by what is off its shelf.

    Both depend on nothing else, so a view that was seen before is taken from memory, whatever episode it was in.
    """

    def __init__(self, scene: Scene, renderer: Renderer, targets: Vocabulary) -> None:
        self.renderer = renderer
        self._scene = scene
        self._targets = targets
        self._hidden: frozenset[str] = frozenset()
        self._sightings: OrderedDict[Hashable, Sighting] = OrderedDict()
        self._last: tuple[Pose, frozenset[str], Sighting] | None = None
        self._frames: OrderedDict[Hashable, Frame] = OrderedDict()
        self._modalities: tuple[Modality, ...] = ("rgb",)

    def sighting(self, world: WorldState) -> Sighting:
        """What can be seen, from one 320x240 id pass."""
        last = self._last
        if last is not None and last[0] is world.pose and last[1] is world.removed:
            return last[2]
        seen = _kept(self._sightings, (world.pose, world.removed), _KEPT_SIGHTINGS, lambda: self._look(world))
        self._last = world.pose, world.removed, seen
        return seen

    def frame(self, world: WorldState) -> NDArray[np.uint8]:
        """The picture from the user's eyes, (height, width, 3) uint8; a copy for the caller."""
        rgb = self._captured(world).rgb
        if rgb is None:
            raise ValueError("the renderer gave no rgb image")
        return rgb.copy()

    def picture(self, world: WorldState) -> Frame:
        """RGB, depth and ids of the same view; from now on every pass draws all three."""
        if self._modalities != ALL_MODALITIES:
            self._modalities = ALL_MODALITIES
            self._frames.clear()
        return self._captured(world)

    def mover(self, pose: Pose) -> Callable[[ToolCall], Pose]:
        """Carries out a movement from ``pose`` by the renderer's own motion."""

        def move(call: ToolCall) -> Pose:
            self.renderer.set_user_pose(pose)
            return self.renderer.execute(call)

        return move

    def open(self) -> None:
        """Connect the renderer."""
        self.renderer.connect()

    def close(self) -> None:
        """Put everything back on its shelf and close the renderer."""
        self._hide(frozenset())
        self.renderer.close()

    def _look(self, world: WorldState) -> Sighting:
        self._hide(world.removed)
        return sighting(build_view(self._scene, world.pose, self.renderer.visibility(world.pose)), self._targets)

    def _captured(self, world: WorldState) -> Frame:
        return _kept(self._frames, (world.pose, world.removed), _KEPT_FRAMES, lambda: self._capture(world))

    def _capture(self, world: WorldState) -> Frame:
        self._hide(world.removed)
        self.renderer.set_user_pose(world.pose)
        return self.renderer.capture(self._modalities)

    def _hide(self, removed: frozenset[str]) -> None:
        for instance in sorted(removed ^ self._hidden):
            self.renderer.set_object(self._scene.instance_by_id[instance].object_id, visible=instance not in removed)
        self._hidden = removed


def _kept(memory: OrderedDict[Any, ValueT], key: Hashable, limit: int, make: Callable[[], ValueT]) -> ValueT:
    if key in memory:
        memory.move_to_end(key)
        return memory[key]
    value = memory[key] = make()
    if len(memory) > limit:
        memory.popitem(last=False)
    return value
