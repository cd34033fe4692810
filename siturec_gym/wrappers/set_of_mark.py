"""Pictures with marks that both sides can point at: Set-of-Mark (SituRecBench, Section 3.3; S13)."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from siturec_gym.core.handles import PlaceKey, assign_handles
from siturec_gym.renderers.interface import Frame
from siturec_gym.world.view import View
from siturec_gym.wrappers.base import SituatedWrapper, spaces_with
from siturec_gym.wrappers.marking.drawing import draw_labels, draw_marks
from siturec_gym.wrappers.marking.regions import Mark, find_marks, owners_of

SMALLEST = (160, 120)
PRODUCTS_WITHIN_M = 6.0
PLACES_WITHIN_M = 20.0
_KEPT = 4


class SetOfMark(SituatedWrapper):
    """Adds ``som_image``: the view with contours around products and boxes around places, each with its label.

    Each role sees its own handles as labels. Instances of a product that stand close in the image share a contour,
    others have their own; a product has one label. The same marks are in ``marks`` as data, without the limits of
    distance. A picture is drawn when it is first asked for and kept while the view stays.

    Before: ``rgb`` and the other keys.
    After: the same, and ``som_image``, a Box of the shape of ``rgb``.

    Args:
        env: Anything up to ``MetricReward``, with images of at least 160x120 pixels.
        products_within_m: How far away products are marked, metres along the view axis.
        places_within_m: How far away places are marked.
        handles: False labels with entity ids, to go with marks that ``RoleHandles`` does not translate.

    Raises:
        ValueError: No images, images too small for labels, or a distance that is not positive.

    Example:
        >>> from siturec_gym.supermarket_v0 import raw_env
        >>> env = SetOfMark(raw_env(image_size=(320, 240)))
        >>> env.reset(options={"task": "supermarket/01.1"})
        >>> env.observe("user")["som_image"].shape
        (240, 320, 3)
    """

    STAGE = "SetOfMark"

    def __init__(
        self,
        env: Any,
        *,
        products_within_m: float = PRODUCTS_WITHIN_M,
        places_within_m: float = PLACES_WITHIN_M,
        handles: bool = True,
    ) -> None:
        super().__init__(env)
        for name, limit in (("products_within_m", products_within_m), ("places_within_m", places_within_m)):
            if not limit > 0:
                raise ValueError(f"{name}: expected a distance above 0, got {limit!r}")
        _check_images(env)
        self._within = products_within_m, places_within_m
        self._handles = handles
        self._keys = [PlaceKey(place.id, place.kind, place.store_id) for place in env.scene.navigation_targets]
        self._found: OrderedDict[int, _Found] = OrderedDict()
        self._pictures: OrderedDict[tuple[str, int], tuple[View, NDArray[np.uint8]]] = OrderedDict()

    def marks(self) -> list[Mark]:
        """What is marked now, by entity ids."""
        return self._look().marks

    def _look(self) -> "_Found":
        view = self.env.view
        if id(view) not in self._found:
            frame: Frame = self.env.picture()
            marks = find_marks(self.env.scene, view, frame, *self._within)
            goods = owners_of(self.env.scene, frame) > 0
            _keep(self._found, id(view), _Found(view, marks, goods, draw_marks(frame, marks)))
        return self._found[id(view)]

    def _observation_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:  # noqa: ARG002  both agents alike
        return spaces_with(space, {"som_image": spaces.Box(0, 255, space["rgb"].shape, np.uint8)})

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:
        key = agent, id(self.env.view)
        if key not in self._pictures:
            found = self._look()
            _keep(self._pictures, key, (found.view, self._drawn(agent, found)))
        observation["som_image"] = self._pictures[key][1].copy()
        return observation

    def _drawn(self, agent: str, found: "_Found") -> NDArray[np.uint8]:
        names = assign_handles(agent, self._keys, sorted(found.view.products)).handle_of if self._handles else {}
        labels = [names.get(mark.entity_id, mark.entity_id) for mark in found.marks]
        return draw_labels(found.marked, found.goods, found.marks, labels)


@dataclass(frozen=True, slots=True)
class _Found:
    """The marks of a view, where goods are seen in it, and its picture with marks but no labels."""

    view: View
    marks: list[Mark]
    goods: NDArray[np.bool_]
    marked: NDArray[np.uint8]


def _check_images(env: Any) -> None:
    pictured = env.observation_space("user").spaces.get("rgb")
    if pictured is None:
        raise ValueError("SetOfMark draws on images: build the environment with images=True")
    height, width, _ = pictured.shape
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise ValueError(f"image_size: marks need at least {SMALLEST[0]}x{SMALLEST[1]} pixels, got {width}x{height}")


def _keep(memory: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    memory[key] = value
    if len(memory) > 2 * _KEPT:
        memory.popitem(last=False)
