"""The assistant's observation as one row of numbers, for learners that take a fixed Box."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from siturec_gym.wrappers.discrete_actions import CANDIDATES, check_form
from siturec_gym.wrappers.structured.features import Layout, names_of, values_of
from siturec_gym.wrappers.structured.outlook import outlook_of

MARKS = 8


class VectorFeatures(gym.ObservationWrapper[NDArray[np.float32], Any, dict[str, Any]], gym.utils.RecordConstructorArgs):
    """Describes the turn by columns within [-1, 1], named in ``feature_names``.

    They hold what an assistant may know: turn and recommendations left, pose, the item in hand, the latest reply (tool,
    acceptance, rejection, questions), what was asked about, the belief about needs, budget and category from the user's
    words, the candidates that ``DiscreteAssistantActions`` offers, every place of the map, and the nearest visible
    products. docs/training.md lists the columns.

    Before: the assistant's Dict of text, arrays and images.
    After: ``Box(-1, 1, (len(feature_names),), float32)``. Actions stay as they are.

    Args:
        env: The Gymnasium form, or ``DiscreteAssistantActions`` over it.
        candidates: How many candidates are described; take as many as there are to choose from.
        marks: How many of the nearest visible products are described.

    Raises:
        ValueError: A number is out of range, or the observations lack the text that the features follow from.

    Example:
        >>> from siturec_gym import supermarket_v0
        >>> env = VectorFeatures(supermarket_v0.gym_env(images=False))
        >>> env.observation_space
        Box(-1.0, 1.0, (472,), float32)
        >>> observation, info = env.reset(seed=7)
        >>> [name for name, value in zip(env.feature_names, observation, strict=True) if value == 1.0][:2]
        ['recommendations_left', 'pose.yaw.sin']
    """

    def __init__(self, env: gym.Env[dict[str, Any], Any], candidates: int = CANDIDATES, marks: int = MARKS) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, candidates=candidates, marks=marks)
        super().__init__(env)
        check_form(env, self)
        scene = env.get_wrapper_attr("aec").unwrapped.scene
        for name, value in (("candidates", candidates), ("marks", marks)):
            if not 1 <= value <= len(scene.catalog):
                raise ValueError(f"{name} must be 1 to {len(scene.catalog)} (the catalog), got {value}")
        self._layout = _layout(env, scene, candidates, marks)
        self.feature_names = names_of(self._layout)
        self.observation_space = spaces.Box(-1.0, 1.0, (len(self.feature_names),), np.float32)
        self._static: dict[str, Any] = {}
        if env.has_wrapper_attr("action_masks"):  # where MaskablePPO looks for it
            self.action_masks = env.get_wrapper_attr("action_masks")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start an episode."""
        seen: Any
        seen, info = self.env.reset(seed=seed, options=options)
        self._static = info.get("static_observations", {})
        return self.observation(seen), info

    def observation(self, observation: dict[str, Any]) -> NDArray[np.float32]:
        """The row that describes ``observation``."""
        return values_of(outlook_of(observation, self._static, self._layout.candidates), self._layout)


def _layout(env: gym.Env[dict[str, Any], Any], scene: Any, candidates: int, marks: int) -> Layout:
    space: Any = env.observation_space
    return Layout(
        tools=tuple(str(tool) for tool in scene.tools),
        places=tuple(place.name for place in scene.navigation_targets),
        categories=tuple(dict.fromkeys(product.category for product in scene.catalog)),
        candidates=candidates,
        marks=marks,
        turn_limit=int(space["turn"].n) - 1,
        bounds_m=scene.bounds_m,
    )
