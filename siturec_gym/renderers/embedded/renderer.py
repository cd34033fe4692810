"""The embedded renderer: the six interfaces of Table 6 over the kernels of this folder."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.camera import NEAR_M
from siturec_gym.renderers.embedded.draw import draw
from siturec_gym.renderers.embedded.layout import POLYGON, Canvas, Light, new_canvas, new_scratch
from siturec_gym.renderers.embedded.lens import EYES, Lens, view_through
from siturec_gym.renderers.embedded.light import plain_light, shipped_light
from siturec_gym.renderers.embedded.raster import rasterise
from siturec_gym.renderers.embedded.shade import halve, write_depth, write_ids
from siturec_gym.renderers.embedded.store import Store, store_of
from siturec_gym.renderers.embedded.tally import tally
from siturec_gym.renderers.interface import (
    ALL_MODALITIES,
    VISIBILITY_SIZE,
    Frame,
    Modality,
    ObjectState,
    Visibility,
)
from siturec_gym.renderers.views import check_choice, check_modalities, check_view
from siturec_gym.scenes.scene import Scene

LIGHTS = ("auto", "baked", "plain")
_SMALL_WIDTH = 240


@dataclass(frozen=True)
class _Target:
    """Buffers of one image size."""

    width: int
    height: int
    tile_shift: int
    canvas: Canvas


def _target(width: int, height: int, culling: bool) -> _Target:
    shift = (2 if width < _SMALL_WIDTH else 3) if culling else 0
    return _Target(width, height, shift, new_canvas(width, height, shift))


class EmbeddedRenderer:
    """Draws a scene with no system package; one thread, exact ids, equal bytes in every process.

    Args:
        scene: The store.
        width: Image width, pixels, 16 to 4096.
        height: Image height, pixels, 16 to 4096.
        preset: "rl" (bilinear textures, baked light) or "vlm" (colour from 2x2 samples; depth and ids as in "rl").
        light: "auto" (baked light where it fits the scene, else plain light with a warning), "baked" (an error where
            it does not fit) or "plain".
        culling: False draws what is known to be hidden, too: the same images, later.

    Raises:
        ValueError: An argument is outside its range.
        RendererError: ``light="baked"`` and no baked light fits.
    """

    def __init__(
        self,
        scene: Scene,
        width: int,
        height: int,
        preset: str = "rl",
        light: str = "auto",
        culling: bool = True,
    ) -> None:
        check_view(width, height, preset)
        check_choice("light", light, LIGHTS)
        self._scene = scene
        self._preset = preset
        self._store = store_of(scene)
        self._light = _light_of(self._store, scene.name, light)
        self._shown = np.ones(len(self._store.geometry.radii), np.uint8)
        self._scratch = new_scratch(self._store.geometry)
        self._image = _target(width, height, culling)
        self._large = _target(2 * width, 2 * height, culling) if preset == "vlm" else None
        self._id_pass = _target(*VISIBILITY_SIZE, culling)
        self._found = np.zeros((len(self._store.geometry.planes) + 1, 5), np.int32)
        self._tally = np.zeros((len(self._store.object_ids), 5), np.int32)
        self._user = self._camera = scene.start_pose
        self._lens = EYES
        self._motion: Any = None

    def connect(self) -> None:
        """Nothing to open: the renderer lives in this process."""

    def close(self) -> None:
        """Nothing to release."""

    @property
    def user_pose(self) -> Pose:
        """Where the embodied user is."""
        return self._user

    def set_user_pose(self, pose: Pose) -> None:
        """Place the user and the camera."""
        self._user = self._camera = pose

    def execute(self, primitive: ToolCall) -> Pose:
        """Carry out one movement primitive by ``world.motion``; the pose reached."""
        if self._motion is None:
            from siturec_gym.world.motion import Motion  # noqa: PLC0415 (only worlds that move need it)

            self._motion = Motion(self._scene)
        self.set_user_pose(self._motion.execute(self._user, primitive))
        return self._user

    def objects(self) -> Mapping[int, ObjectState]:
        """State of every instance, by object id."""
        return {
            item.object_id: ObjectState(item.object_id, item.position_m, item.yaw_deg, bool(self._shown[index]))
            for index, item in enumerate(self._scene.instances)
        }

    def set_object(self, object_id: int, *, visible: bool) -> None:
        """Show or hide one instance: one byte. Raises ValueError for what is no instance."""
        if not 1 <= object_id <= len(self._scene.instances):
            raise ValueError(f"object {object_id} is no instance; instances are 1 to {len(self._scene.instances)}")
        self._shown[object_id - 1] = visible

    @property
    def camera_pose(self) -> Pose:
        """Where the camera is."""
        return self._camera

    def set_camera_pose(self, pose: Pose) -> None:
        """Move the camera alone."""
        self._camera = pose

    def set_lens(self, lens: Lens) -> None:
        """Look from another height, tilted, or with another field of view; ``EYES`` is what the user has.

        What is visible to the user (``visibility``) does not depend on it.

        Raises:
            ValueError: The field of view is not between 0 and 180 degrees.
        """
        if not 0.0 < lens.fov_deg < 180.0:
            raise ValueError(f"a field of view lies between 0 and 180 degrees, received {lens.fov_deg}")
        self._lens = lens

    def normals(self) -> NDArray[np.float32]:
        """(height, width, 3) unit normals of what the camera sees, in the axes of the store; 0 where nothing is hit."""
        self._rasterise(self._image, self._camera, self._lens)
        record = self._image.canvas.record
        seen: NDArray[np.float32] = self._store.geometry.planes[self._scratch.sources[record, POLYGON], :3].astype(
            np.float32
        )
        seen[record == 0] = 0.0
        return seen

    def capture(self, modalities: Sequence[Modality] = ALL_MODALITIES) -> Frame:
        """One image set from the camera pose. Raises ValueError for an unknown modality."""
        check_modalities(modalities)
        wanted = frozenset(modalities)
        if wanted == frozenset(ALL_MODALITIES) and self._large is None:
            return self._draw(self._image)
        depth = self._depth(self._image) if "depth" in wanted else None
        ids = self._ids(self._image) if "ids" in wanted else None
        return Frame(self._colour() if "rgb" in wanted else None, depth, ids)

    def render(self, pose: Pose) -> Frame:
        """RGB, depth and ids from ``pose``."""
        self.set_user_pose(pose)
        return self.capture()

    def visibility(self, pose: Pose) -> Visibility:
        """Objects in view from ``pose`` in a 320x240 id pass."""
        target = self._id_pass
        records = self._rasterise(target, pose, EYES)
        tally(target.canvas, self._store.geometry, self._scratch, records, self._found, self._tally)
        seen = np.flatnonzero(self._tally[:, 0])
        rows = self._tally[seen]
        boxes = rows[:, 1:].astype(np.float32)
        boxes[:, 2:] += 1.0
        boxes /= np.array((target.width, target.height) * 2, np.float32)
        return Visibility(self._store.object_ids[seen], rows[:, 0].copy(), boxes)

    def _rasterise(self, target: _Target, pose: Pose, lens: Lens) -> Any:
        view = view_through(lens, pose, target.width, target.height)
        geometry = self._store.geometry
        return rasterise(geometry, self._shown, view, NEAR_M, target.tile_shift, target.canvas, self._scratch)

    def _draw(self, target: _Target) -> Frame:
        """All three modalities of one image size."""
        store, shape = self._store, (target.height, target.width)
        view = view_through(self._lens, self._camera, target.width, target.height)
        rgb, depth, ids = _empty_rgb(*shape), np.empty(shape, np.float32), np.empty(shape, np.uint16)
        still = store.geometry, store.textures, self._light, self._shown
        draw(*still, view, NEAR_M, target.tile_shift, target.canvas, self._scratch, rgb, depth, ids)
        return Frame(rgb.reshape(*shape, 3), depth, ids)

    def _depth(self, target: _Target) -> NDArray[np.float32]:
        depth = np.empty((target.height, target.width), np.float32)
        self._rasterise(target, self._camera, self._lens)
        write_depth(target.canvas.inverse_depth, depth)
        return depth

    def _ids(self, target: _Target) -> NDArray[np.uint16]:
        ids = np.empty((target.height, target.width), np.uint16)
        self._rasterise(target, self._camera, self._lens)
        write_ids(target.canvas, self._store.geometry, self._scratch, ids)
        return ids

    def _colour(self) -> NDArray[np.uint8] | None:
        """RGB of the preset: as it is, or the means of 2x2 pixels of an image twice as large."""
        if self._large is None:
            return self._draw(self._image).rgb
        fine = self._draw(self._large).rgb
        height, width = self._image.height, self._image.width
        rgb = np.empty((height, width, 3), np.uint8)
        if fine is not None:
            halve(fine.reshape(2 * height, 6 * width), rgb.reshape(height, 3 * width))
        return rgb


def _empty_rgb(height: int, width: int) -> NDArray[np.uint8]:
    """(height, 3 * width), followed by the byte that colouring the last pixel may touch."""
    return np.empty(3 * height * width + 1, np.uint8)[:-1].reshape(height, 3 * width)


def _light_of(store: Store, scene_name: str, choice: str) -> Light:
    if choice == "plain":
        return plain_light(store)
    try:
        return shipped_light(store, scene_name)
    except RendererError as error:
        if choice == "baked":
            raise
        warnings.warn(f"{error}; drawing with plain light", RuntimeWarning, stacklevel=3)
        return plain_light(store)
