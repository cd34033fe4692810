"""A camera of the served store: what it last drew, kept until something moves."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.lens import EYES, Lens
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer
from siturec_gym.renderers.interface import ALL_MODALITIES
from siturec_gym.renderers.unrealcv.server.images import Pictures

MOST_PIXELS = 1 << 21
"""Largest picture that a client may ask for: 1920x1080 and a little more."""
_CM_PER_M = np.float32(100.0)
MakeRenderer = Callable[[int, int], EmbeddedRenderer]


class Camera:
    """The user's eyes, as long as its lens is theirs, at one image size.

    Args:
        make_renderer: Makes a renderer, which is then this camera's alone, of a width and a height.
        width: Pixels.
        height: Pixels.
        fused: Whether colour brings depth and ids along at no cost.

    Raises:
        ValueError: The size is outside the renderer's range.
    """

    def __init__(self, make_renderer: MakeRenderer, width: int, height: int, *, fused: bool) -> None:
        self._make_renderer = make_renderer
        self._fused = fused
        self._most_pixels = max(MOST_PIXELS, width * height)
        self._lens = EYES
        self._hidden: frozenset[int] = frozenset()
        self._pose: Pose | None = None
        self._drawn: dict[str, NDArray[Any]] = {}
        self._in_metres = False
        self.resize(width, height)

    @property
    def lens(self) -> Lens:
        """How it differs from the eyes."""
        return self._lens

    @lens.setter
    def lens(self, lens: Lens) -> None:
        self.renderer.set_lens(lens)
        self._lens = lens
        self._drawn.clear()

    def resize(self, width: int, height: int) -> None:
        """Take pictures of another size.

        Raises:
            ValueError: The renderer does not draw it, or it is larger than ``MOST_PIXELS`` and than at first: clients
                ask for sizes, and share the machine's memory.
        """
        if width * height > self._most_pixels:
            raise ValueError(f"pictures have at most {self._most_pixels} pixels here, received {width}x{height}")
        renderer = self._make_renderer(width, height)
        renderer.set_lens(self._lens)
        for object_id in self._hidden:
            renderer.set_object(object_id, visible=False)
        self.size = width, height
        self.renderer = renderer
        self.pictures = Pictures(width, height)
        self._pose = None

    def hide(self, object_ids: Iterable[int]) -> None:
        """Hide exactly these items from now on."""
        hidden = frozenset(object_ids)
        for object_id in hidden ^ self._hidden:
            self.renderer.set_object(object_id, visible=object_id not in hidden)
        self._hidden = hidden
        self._drawn.clear()

    def image(self, name: str, pose: Pose) -> NDArray[Any]:
        """What it sees from ``pose``; not to be written to.

        Args:
            name: "rgb" or "ids", as in ``Frame``; "depth", the same in centimetres; or "normals".
            pose: Where the user is.
        """
        if self._pose != pose:  # also after a change of size, when the renderer is another
            self._pose = pose
            self._drawn.clear()
            self.renderer.set_camera_pose(pose)
        if name not in self._drawn:
            self._draw(name)
        if name == "depth" and self._in_metres:
            self._drawn[name] *= _CM_PER_M
            self._in_metres = False
        return self._drawn[name]

    def _draw(self, name: str) -> None:
        if name == "normals":
            self._drawn[name] = self.renderer.normals()
            return
        frame = self.renderer.capture([m for m in ALL_MODALITIES if m == name or (self._fused and name == "rgb")])
        if frame.depth is not None:
            self._in_metres = True  # until it is asked for
        drawn = {"rgb": frame.rgb, "depth": frame.depth, "ids": frame.ids}
        self._drawn.update({kind: image for kind, image in drawn.items() if image is not None})
