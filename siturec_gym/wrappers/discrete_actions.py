"""Discrete actions for the assistant: an intent, a place and a candidate, with a flat mask of what makes sense."""

from dataclasses import replace
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from siturec_gym.core.actions import AssistantAction
from siturec_gym.wrappers.structured.intents import INTENTS, Choice, carried_out, open_places, sensible_intents, usable
from siturec_gym.wrappers.structured.outlook import Outlook, outlook_of

TEXT_READ = ("history", "held", "pose")
CANDIDATES = 8
Observation = dict[str, Any]


class DiscreteAssistantActions(
    gym.ActionWrapper[Observation, NDArray[np.int64], dict[str, Any]], gym.utils.RecordConstructorArgs
):
    """Chooses the assistant's turn by three numbers: intent, place, candidate.

    The candidates are ranked from what an assistant may know: the words in the history, the catalog and the marks. A
    place or candidate that the intent does not take is not read; a candidate that the intent cannot be about gives way
    to the best one that it can. The annotation, the ranking and ``expected_user_action`` are always filled in, and what
    is expected is legal. Actions without text are worded by the environment.

    ``action_masks()`` gives the concatenated boolean masks of the three dimensions, as sb3-contrib's MaskablePPO reads
    them; ``info["action_mask"]`` gives them as the tuple that ``action_space.sample`` takes.

    Before: ``action_space`` is the assistant's Dict (utterance, act, annotation, ranking).
    After: ``MultiDiscrete([len(INTENTS), places of the store, candidates])``. Observations stay as they are.

    Args:
        env: The Gymnasium form, or wrappers of it that leave the text observations alone.
        candidates: How many products can be chosen from, at least 1.

    Raises:
        ValueError: ``candidates`` is out of range, or the observations lack the text that the candidates follow from.

    Example:
        >>> from siturec_gym import supermarket_v0
        >>> env = DiscreteAssistantActions(supermarket_v0.gym_env(images=False))
        >>> env.action_space
        MultiDiscrete([32 29  8])
        >>> observation, info = env.reset(seed=7)
        >>> [INTENTS[code] for code in np.flatnonzero(env.action_masks()[:32])][:3]
        ['greet', 'ask_category', 'ask_use']
        >>> observation, *_ = env.step([INTENTS.index("ask_budget"), 0, 0])
        >>> "What is your budget?" in observation["history"]
        True
    """

    def __init__(self, env: gym.Env[Observation, dict[str, Any]], candidates: int = CANDIDATES) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, candidates=candidates)
        super().__init__(env)
        check_form(env, self)
        scene = env.get_wrapper_attr("aec").unwrapped.scene
        if not 1 <= candidates <= len(scene.catalog):
            raise ValueError(f"candidates must be 1 to {len(scene.catalog)} (the catalog), got {candidates}")
        self._sizes = (len(INTENTS), len(scene.navigation_targets), candidates)
        self.action_space = spaces.MultiDiscrete(list(self._sizes))
        self._encode = env.get_wrapper_attr("encode_action")
        self._static: dict[str, Any] = {}
        self._outlook: Outlook | None = None
        self._parts: tuple[NDArray[np.bool_], ...] = ()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._static = info.get("static_observations", {})
        return observation, self._see(observation, info)

    def step(self, action: Any) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play one turn.

        Raises:
            ValueError: ``action`` is not three codes within their ranges; nothing has changed.
        """
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward, terminated, truncated, self._see(observation, info)

    def action(self, action: Any) -> dict[str, Any]:
        """The element of the assistant's Dict that ``action`` stands for in the current turn."""
        encoded: dict[str, Any] = self._encode(self.record(action))
        return encoded

    def record(self, action: Any) -> AssistantAction:
        """The action record that ``action`` stands for in the current turn."""
        intent_code, place_code, slot = self._codes(action)
        intent, outlook = INTENTS[intent_code], self.outlook
        about = usable(intent, outlook) or outlook.candidates
        wanted = outlook.candidates[min(slot, len(outlook.candidates) - 1)]
        item = wanted if wanted in about else about[0]
        place = tuple(outlook.situation.store.places.values())[place_code]
        return replace(carried_out(intent, Choice(outlook, place, item)), ranking=outlook.standing.scores.ranking)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which intents, places and candidates make sense now, in one row: (sum of the dimensions' sizes,)."""
        return np.concatenate(self._parts or self._masks())

    def get_state(self) -> Any:
        """An exact copy of the running episode; see ``GymnasiumForm``."""
        return self.env.get_wrapper_attr("get_state")()

    def set_state(self, snapshot: Any) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken, with its choices."""
        self.env.get_wrapper_attr("set_state")(snapshot)
        self._see(self.env.get_wrapper_attr("aec").observe("assistant"), {})

    @property
    def outlook(self) -> Outlook:
        """What the actions of this turn are made from.

        Raises:
            ValueError: No episode was started yet.
        """
        if self._outlook is None:
            raise ValueError("no episode: call reset first")
        return self._outlook

    def _see(self, observation: Observation, info: dict[str, Any]) -> dict[str, Any]:
        self._outlook = outlook_of(observation, self._static, self._sizes[2])
        self._parts = self._masks()
        if "action_mask" not in info:
            return info
        return {**info, "action_mask": tuple(mask.astype(np.int8) for mask in self._parts)}

    def _masks(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        outlook = self.outlook
        intents = np.array(sensible_intents(outlook))
        places = open_places(outlook)
        slots = np.arange(self._sizes[2]) < len(outlook.candidates)
        return intents, places if places.any() else ~places, slots

    def _codes(self, action: Any) -> tuple[int, int, int]:
        codes = np.asarray(action)
        if codes.shape != (3,) or codes.dtype.kind not in "iu" or (codes < 0).any() or (codes >= self._sizes).any():
            raise ValueError(f"expected three codes below {self._sizes} (intent, place, candidate), got {action!r}")
        intent, place, slot = codes.tolist()
        return intent, place, slot


def check_form(env: gym.Env[Any, Any], wrapper: gym.Env[Any, Any]) -> None:
    """Check that ``env`` is a Gymnasium form whose text observations are still there.

    Raises:
        ValueError: It is not; the message names the wrapper and the order.
    """
    name = type(wrapper).__name__
    if not env.has_wrapper_attr("aec"):
        raise ValueError(f"{name} wraps the Gymnasium form (gymnasium.make, gym_env), got {env}")
    space = env.observation_space
    missing = [key for key in TEXT_READ if not isinstance(space, spaces.Dict) or key not in space.spaces]
    if not missing and not isinstance(space["history"], spaces.Text):  # type: ignore[index]
        missing = ["history"]
    if missing:
        raise ValueError(
            f"{name} reads the text observations, but {', '.join(missing)} of them cannot be read any more: "
            "apply DiscreteAssistantActions first, VectorFeatures or TokenizeText last"
        )
