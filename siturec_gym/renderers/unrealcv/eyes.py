"""What the cameras see: the commands of a batch, and the frames that its replies hold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.interface import VISIBILITY_SIZE, Frame, Modality, Visibility
from siturec_gym.renderers.unrealcv.boxes import Boxes, camera_axes, focal_px, items_at
from siturec_gym.renderers.unrealcv.colors import ColorTable
from siturec_gym.renderers.unrealcv.decoding import depth_of, pixels_of, rgb_of
from siturec_gym.renderers.unrealcv.link import Reply
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.pixels import look_up, visibility_of

View = tuple[int, str]
"""A camera and what it is asked for: "rgb", "depth" or "mask"."""


@dataclass
class Seen:
    """What was captured from one pose with the same items hidden; grows as more is asked for.

    Attributes:
        key: Pose, and what was hidden.
        images: rgb, depth and ids at the image size.
        visibility: From 320x240 pixels.
    """

    key: Any
    images: dict[Modality, NDArray[Any]] = field(default_factory=dict)
    visibility: Visibility | None = None

    def frame(self, wanted: Sequence[Modality]) -> Frame:
        """The images asked for, as arrays of the caller's own."""
        made = {name: self.images[name].copy() for name in wanted}
        return Frame(made.get("rgb"), made.get("depth"), made.get("ids"))


class Eyes:
    """The cameras of one store.

    Args:
        mapping: Cameras and formats.
        size: Width and height of the user's camera.
        boxes: The store's items, to tell them apart where they share colours; None where they do not.
    """

    def __init__(self, mapping: Mapping, size: tuple[int, int], boxes: Boxes | None) -> None:
        self._images = mapping.images
        self._eye_height_m = mapping.user.eye_height_m
        self._boxes = boxes
        self.user = mapping.cameras.user
        small = mapping.cameras.visibility
        self.small = self.user if small is None or size == VISIBILITY_SIZE else small
        self.sizes = {self.small: VISIBILITY_SIZE, self.user: size}

    def views(self, modalities: Sequence[Modality], visibility: bool) -> list[View]:
        """What must be captured, each once, the picture first: some servers draw the rest along with it."""
        with_depth = self._boxes is not None
        views: dict[View, None] = {}
        if "rgb" in modalities:
            views[self.user, "rgb"] = None
        if "depth" in modalities or ("ids" in modalities and with_depth):
            views[self.user, "depth"] = None
        if "ids" in modalities:
            views[self.user, "mask"] = None
        if visibility:
            views[self.small, "mask"] = None
            if with_depth:
                views[self.small, "depth"] = None
        return list(views)

    def commands(self, views: Sequence[View]) -> list[str]:
        """The commands of views."""
        return [self._command(*view) for view in views]

    def _command(self, camera: int, what: str) -> str:
        if what == "depth":
            return f"vget /camera/{camera}/{self._images.depth.name} npy"
        picture = self._images.rgb if what == "rgb" else self._images.mask
        return f"vget /camera/{camera}/{picture.name} {picture.format}"

    def read(
        self,
        seen: Seen,
        views: Sequence[View],
        replies: Sequence[Reply],
        table: ColorTable,
        pose: Pose,
        modalities: Sequence[Modality],
        visibility: bool,
    ) -> None:
        """Add what the replies to ``views`` hold to ``seen``.

        Args:
            seen: What is filled.
            views: What was asked for.
            replies: The answers.
            table: What colours stand for.
            pose: Where the cameras were.
            modalities: Images to add.
            visibility: Whether to add visibility, too.

        Raises:
            ValueError: A reply is no such picture.
        """
        got = dict(zip(views, replies, strict=True))
        depths = {
            camera: depth_of(reply, self._images.depth, self.sizes[camera])
            for (camera, what), reply in got.items()
            if what == "depth"
        }
        ids = {
            camera: self._ids(camera, reply, table, pose, depths)
            for (camera, what), reply in got.items()
            if what == "mask"
        }
        if (self.user, "rgb") in got:
            pixels = pixels_of(got[self.user, "rgb"], self._images.rgb, self.sizes[self.user])
            seen.images["rgb"] = rgb_of(*pixels)
        if "depth" in modalities:
            seen.images["depth"] = depths[self.user]
        if "ids" in modalities:
            seen.images["ids"] = ids[self.user]
        if visibility:
            seen.visibility = visibility_of(_sampled(ids[self.small]))

    def _ids(
        self, camera: int, mask: Reply, table: ColorTable, pose: Pose, depths: dict[int, NDArray[np.float32]]
    ) -> NDArray[np.uint16]:
        width, height = self.sizes[camera]
        pixels, red = pixels_of(mask, self._images.mask, (width, height))
        ids = np.empty((height, width), np.uint16)
        look_up(pixels, red, table.offsets, table.codes, ids)
        if self._boxes is not None:
            axes, boxes = camera_axes(pose, self._eye_height_m), self._boxes
            items_at(ids, depths[camera], axes, focal_px(width), boxes.boxes, boxes.object_ids, boxes.starts)
        return ids


def _sampled(ids: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """An id image at 320x240: the pixels at the middles of an even grid."""
    width, height = VISIBILITY_SIZE
    if ids.shape == (height, width):
        return ids
    rows = ((np.arange(height) + 0.5) * ids.shape[0] / height).astype(np.int64)
    columns = ((np.arange(width) + 0.5) * ids.shape[1] / width).astype(np.int64)
    return np.ascontiguousarray(ids[rows[:, None], columns[None, :]])
