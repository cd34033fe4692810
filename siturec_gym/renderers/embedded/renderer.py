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
from siturec_gym.renderers.embedded.camera import NEAR_M, view_from
from siturec_gym.renderers.embedded.layout import Canvas, Light, new_canvas, new_scratch
from siturec_gym.renderers.embedded.light import plain_light, shipped_light
from siturec_gym.renderers.embedded.raster import rasterise
from siturec_gym.renderers.embedded.shade import halve, shade, write_depth, write_ids
from siturec_gym.renderers.embedded.store import Store, store_of
from siturec_gym.renderers.embedded.tally import tally
from siturec_gym.renderers.interface import ALL_MODALITIES, Frame, Modality, ObjectState, Visibility
from siturec_gym.scenes.scene import Scene

PRESETS = ("rl", "vlm")
LIGHTS = ("auto", "baked", "plain")
VISIBILITY_SIZE = (320, 240)
_SMALLEST, _LARGEST = 16, 4096
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
        _check("preset", preset, PRESETS)
        _check("light", light, LIGHTS)
        for name, value in (("width", width), ("height", height)):
            if not isinstance(value, int) or not _SMALLEST <= value <= _LARGEST:
                raise ValueError(f"{name} must be an integer from {_SMALLEST} to {_LARGEST}, received {value!r}")
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

    def capture(self, modalities: Sequence[Modality] = ALL_MODALITIES) -> Frame:
        """One image set from the camera pose. Raises ValueError for an unknown modality."""
        for modality in modalities:
            _check("modality", modality, ALL_MODALITIES)
        wanted = frozenset(modalities)
        target, shape = self._image, (self._image.height, self._image.width)
        ids: NDArray[np.uint16] = np.empty(shape, np.uint16)
        rgb = depth = None
        supersampled = "rgb" in wanted and self._large is not None
        if wanted - {"rgb"} or not supersampled:
            self._rasterise(target)
        if "depth" in wanted:
            depth = np.empty(shape, np.float32)
            write_depth(target.canvas.inverse_depth, depth)
        if "rgb" in wanted and not supersampled:
            rgb = self._shade(target, ids)
        elif "ids" in wanted:
            write_ids(target.canvas, self._store.geometry, self._scratch, ids)
        if "rgb" in wanted and self._large is not None:
            rgb = self._supersample(self._large)
        return Frame(rgb, depth, ids if "ids" in wanted else None)

    def render(self, pose: Pose) -> Frame:
        """RGB, depth and ids from ``pose``."""
        self.set_user_pose(pose)
        return self.capture()

    def visibility(self, pose: Pose) -> Visibility:
        """Objects in view from ``pose`` in a 320x240 id pass."""
        target = self._id_pass
        records = self._rasterise(target, pose)
        tally(target.canvas, self._store.geometry, self._scratch, records, self._found, self._tally)
        seen = np.flatnonzero(self._tally[:, 0])
        rows = self._tally[seen]
        boxes = rows[:, 1:].astype(np.float32)
        boxes[:, 2:] += 1.0
        boxes /= np.array((target.width, target.height) * 2, np.float32)
        return Visibility(self._store.object_ids[seen], rows[:, 0].copy(), boxes)

    def _rasterise(self, target: _Target, pose: Pose | None = None) -> Any:
        view = view_from(pose or self._camera, target.width, target.height)
        geometry = self._store.geometry
        return rasterise(geometry, self._shown, view, NEAR_M, target.tile_shift, target.canvas, self._scratch)

    def _shade(self, target: _Target, ids: NDArray[np.uint16]) -> NDArray[np.uint8]:
        view = view_from(self._camera, target.width, target.height)
        rgb = np.empty(3 * target.height * target.width + 1, np.uint8)[:-1].reshape(target.height, -1)
        store = self._store
        shade(store.geometry, store.textures, self._light, view, target.canvas, self._scratch, rgb, ids)
        return rgb.reshape(target.height, target.width, 3)

    def _supersample(self, large: _Target) -> NDArray[np.uint8]:
        self._rasterise(large)
        ids = np.empty((large.height, large.width), np.uint16)
        fine = self._shade(large, ids).reshape(large.height, 3 * large.width)
        rgb = np.empty((large.height // 2, 3 * large.width // 2), np.uint8)
        halve(fine, rgb)
        return rgb.reshape(large.height // 2, large.width // 2, 3)


def _check(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, received {value!r}")


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
