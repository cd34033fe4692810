"""What an assistant is worth without its eyes: the two ablations of SituRecBench, Appendix D.4 (S20).

They change the assistant's side alone. Map and pose, catalog, location index, dialogue, cart and held item stay; the
user sees and does what it always does.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from siturec_gym.core.actions import Approach
from siturec_gym.core.text import dump_lines
from siturec_gym.envs.situated.spaces import FoldedText
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.wrappers.base import SituatedWrapper, spaces_with, spaces_without

PLACE_INDEX = "place_index"
_ASSISTANT = "assistant"
_IMAGES = frozenset(("rgb", "som_image"))
_STATIC = "static_observations"
_INDEX_LIMIT = 1 << 16


class WithoutEgocentricView(SituatedWrapper):
    """The assistant is shown no picture of the view; marks as text stay.

    Before: the assistant's observation holds ``rgb`` and maybe ``som_image``.
    After: it holds neither. Without images there is nothing to take away.

    Example:
        >>> from siturec_gym.supermarket_v0 import raw_env
        >>> env = WithoutEgocentricView(raw_env(image_size=(160, 120)))
        >>> ["rgb" in env.observation_space(role).spaces for role in ("assistant", "user")]
        [False, True]
    """

    STAGE = "ablation"

    def _observation_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:
        return spaces_without(space, _IMAGES) if agent == _ASSISTANT else space

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:
        if agent == _ASSISTANT:
            for key in _IMAGES:
                observation.pop(key, None)
        return observation


class WithoutViewAndCaption(WithoutEgocentricView):
    """The assistant is shown neither pictures nor marks: it does not know what is in view.

    It is given ``place_index`` instead, every place with the approaches it has anywhere, and may expect the user to
    pick something up without naming it. Its action mask tells nothing of the view either.

    Before: ``rgb`` and maybe ``som_image``; ``marks`` and ``marks_array`` of what is in view.
    After: no pictures; both marks empty; ``place_index``, one JSON object a line (in the infos of ``reset`` where
    static observations are left out).

    Example:
        >>> from siturec_gym.supermarket_v0 import raw_env
        >>> env = WithoutViewAndCaption(raw_env(images=False))
        >>> env.reset(options={"task": "supermarket/01.1"})
        >>> observation = env.observe("assistant")
        >>> observation["marks"], observation["place_index"].count("approaches")
        ('', 29)
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._index = place_index(env.scene)
        self._static = "catalog" in env.observation_space(_ASSISTANT).spaces

    def _observation_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:
        space = super()._observation_space(agent, space)
        if agent != _ASSISTANT or not self._static:
            return space
        return spaces_with(space, {PLACE_INDEX: FoldedText(_INDEX_LIMIT)})

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:
        observation = super()._observation(agent, observation)
        if agent != _ASSISTANT:
            return observation
        shown = {"marks": "", "marks_array": np.zeros_like(observation["marks_array"])}
        if self._static:
            shown[PLACE_INDEX] = self._index
        return {**observation, **shown}

    def _info(self, agent: str, info: Mapping[str, Any]) -> dict[str, Any]:
        told = dict(info)
        if agent == _ASSISTANT and "action_mask" in info:
            mask = info["action_mask"]
            told["action_mask"] = {**mask, "expected_user_action": self._blind(mask["expected_user_action"])}
        if agent == _ASSISTANT and _STATIC in info:
            told[_STATIC] = {**info[_STATIC], PLACE_INDEX: self._index}
        return told

    def _blind(self, mask: Mapping[str, Any]) -> dict[str, Any]:
        """The mask of an expected call that depends on nothing in view: any tool, any place, or no target."""
        tool, target, approach = (np.ones_like(mask[key]) for key in ("tool", "target", "approach"))
        tool[-2:] = 0  # neither unknown nor none: an expected action is required
        target[len(self.env.scene.navigation_targets) : -1] = 0
        approach[-2] = 0
        return {**mask, "tool": tool, "target": target, "approach": approach}


ABLATIONS: Mapping[str, type[WithoutEgocentricView]] = {
    "without_egocentric_view": WithoutEgocentricView,
    "without_view_and_caption": WithoutViewAndCaption,
}


def ablated(env: Any, name: str) -> WithoutEgocentricView:
    """``env`` under an ablation.

    Raises:
        ValueError: An unknown name.
    """
    check_ablation(name)
    return ABLATIONS[name](env)


def check_ablation(name: str) -> None:
    """Raises ValueError for what is no ablation."""
    if name not in ABLATIONS:
        raise ValueError(f"ablation: expected none or one of {', '.join(ABLATIONS)}, got {name!r}")


def place_index(scene: Scene) -> str:
    """Every place of a scene with the approaches it supports from somewhere, one JSON object a line."""
    return dump_lines(
        {"place": place.id, "kind": place.kind, "name": place.name, "approaches": _approaches(place)}
        for place in scene.navigation_targets
    )


def _approaches(place: Place) -> list[str]:
    """Names of approaches a move to the place may take; none for an area, which has one fixed point."""
    own = [approach.value for approach in Approach if approach in place.approaches and approach is not Approach.FIXED]
    return [Approach.NEAREST.value, *own] if place.kind == "fixture" else own
