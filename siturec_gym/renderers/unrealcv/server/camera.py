"""A camera of the served store: what it last drew, kept until something moves."""

from collections.abc import Hashable
from typing import Any

from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer
from siturec_gym.renderers.interface import ALL_MODALITIES, Modality
from siturec_gym.renderers.unrealcv.server.images import Pictures


class Camera:
    """The user's eyes at one image size.

    Args:
        renderer: Draws for this camera alone.
        width: Pixels.
        height: Pixels.
        fused: Whether colour brings depth and ids along at no cost.
    """

    def __init__(self, renderer: EmbeddedRenderer, width: int, height: int, fused: bool) -> None:
        self.renderer = renderer
        self.pictures = Pictures(width, height)
        self.size = width, height
        self._fused = fused
        self._drawn: dict[str, NDArray[Any]] = {}
        self._of: Hashable = None

    def image(self, modality: Modality, pose: Pose, shown: Hashable) -> NDArray[Any]:
        """A modality of the view from ``pose``; not to be written to.

        Args:
            modality: What to see.
            pose: Where the user is.
            shown: Equal only while the same objects are shown.
        """
        if self._of != (pose, shown):
            self._drawn, self._of = {}, (pose, shown)
        if modality not in self._drawn:
            self.renderer.set_camera_pose(pose)
            frame = self.renderer.capture(ALL_MODALITIES if self._fused and modality == "rgb" else (modality,))
            drawn = {"rgb": frame.rgb, "depth": frame.depth, "ids": frame.ids}
            self._drawn.update({name: image for name, image in drawn.items() if image is not None})
        if modality not in self._drawn:
            raise RendererError(f"the renderer gave no {modality} image")
        return self._drawn[modality]
