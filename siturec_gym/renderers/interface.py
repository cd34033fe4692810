"""What every renderer offers: the six interfaces of SituRecBench, Table 6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose

Modality = Literal["rgb", "depth", "ids"]
ALL_MODALITIES: tuple[Modality, ...] = ("rgb", "depth", "ids")
VISIBILITY_SIZE = (320, 240)
"""Width and height of the id pass that decides what is visible, whatever size of image is asked for."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One capture. Modalities not asked for are None.

    Attributes:
        rgb: (height, width, 3) uint8.
        depth: (height, width) float32, metres along the view axis; inf where nothing is hit.
        ids: (height, width) uint16 object ids (``Scene.entity_of_object``); 0 where nothing is hit.
    """

    rgb: NDArray[np.uint8] | None
    depth: NDArray[np.float32] | None
    ids: NDArray[np.uint16] | None


@dataclass(frozen=True, slots=True)
class Visibility:
    """Which objects one 320x240 id pass shows.

    Attributes:
        object_ids: (n,) uint16, ascending, each with at least one pixel.
        pixels: (n,) int32 pixel counts.
        boxes: (n, 4) float32 x0, y0, x1, y1 as fractions of width and height, 0..1.
    """

    object_ids: NDArray[np.uint16]
    pixels: NDArray[np.int32]
    boxes: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ObjectState:
    """Where an object is and whether it is shown."""

    object_id: int
    position_m: tuple[float, float, float]
    yaw_deg: float
    visible: bool


class Renderer(Protocol):
    """A renderer of one scene, used by one thread."""

    def connect(self) -> None:
        """Open the connection; harmless when open. Raises RendererError when it cannot be had."""
        ...

    def close(self) -> None:
        """Release what it holds; harmless when closed."""
        ...

    @property
    def user_pose(self) -> Pose:
        """Where the embodied user is."""
        ...

    def set_user_pose(self, pose: Pose) -> None:
        """Place the user (and, with it, the camera)."""
        ...

    def execute(self, primitive: ToolCall) -> Pose:
        """Carry out one movement primitive from the user's pose by this backend's own motion; the pose reached."""
        ...

    def objects(self) -> Mapping[int, ObjectState]:
        """State of every movable object (instances), by object id."""
        ...

    def set_object(self, object_id: int, *, visible: bool) -> None:
        """Show or hide one instance: a held item leaves its shelf."""
        ...

    @property
    def camera_pose(self) -> Pose:
        """Where the camera is: the user's pose unless it was moved."""
        ...

    def set_camera_pose(self, pose: Pose) -> None:
        """Move the camera alone."""
        ...

    def capture(self, modalities: Sequence[Modality] = ALL_MODALITIES) -> Frame:
        """One image set from the camera pose. The arrays are the caller's own."""
        ...

    def render(self, pose: Pose) -> Frame:
        """RGB, depth and ids from ``pose``: places the user and captures everything."""
        ...

    def visibility(self, pose: Pose) -> Visibility:
        """Objects in view from ``pose`` in a 320x240 id pass, whatever the image size (S17)."""
        ...
