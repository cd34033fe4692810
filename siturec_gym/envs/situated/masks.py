"""Which codes of the action space are legal now, in the form ``Space.sample(mask)`` takes.

Free text and numbers have no mask (None). Each argument's mask holds what some legal tool could take, so an action
drawn by masks can still pair a tool with another tool's target; it is then refused like any other.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import RANKING_LENGTH
from siturec_gym.core.legality import LegalActions
from siturec_gym.envs.situated.spaces import Vocabularies, Vocabulary

Mask = NDArray[np.int8]
_REMEMBERED = 256


class Masks:
    """Masks of one scene's action spaces.

    What never changes is made once, the rest once for each set of legal actions met lately; callers get copies.
    """

    def __init__(self, words: Vocabularies) -> None:
        self._words = words
        self._directions = _known(words.direction)
        self._fixed = _annotations(words)
        self._ranked = np.tile(_known(words.product, or_none=True), (RANKING_LENGTH, 1))
        self._made_before: dict[int, tuple[LegalActions, dict[str, dict[str, Any]]]] = {}

    def of(self, legal: LegalActions) -> dict[str, dict[str, Any]]:
        """The mask of each role's action space."""
        known = self._made_before.get(id(legal))  # held beside its masks, so no other object can have its number
        if known is None:
            if len(self._made_before) >= _REMEMBERED:
                self._made_before.clear()
            known = self._made_before[id(legal)] = legal, self._made(legal)
        made = known[1]
        return {
            "assistant": {**_copied(made["assistant"]), "ranking": tuple(self._ranked.copy())},
            "user": _copied(made["user"]),
        }

    def _made(self, legal: LegalActions) -> dict[str, dict[str, Any]]:
        targets = {target for named in legal.targets.values() for target in named}
        approaches = {approach for named in legal.approaches.values() for approach in named}
        arguments = {
            "direction": self._directions,
            "angle_deg": None,
            "distance_m": None,
            "duration_s": None,
            "target": _only(self._words.target, targets),
            "approach": _only(self._words.approach, approaches),
        }
        expected = {"tool": _only(self._words.expected_tool, legal.tools), **arguments}
        return {
            "assistant": {**self._fixed, "expected_user_action": expected},
            "user": {"utterance": None, "tool": _only(self._words.tool, legal.tools), **arguments},
        }


def _annotations(words: Vocabularies) -> dict[str, Any]:
    """The assistant's masks that no view changes."""
    return {
        "utterance": None,
        "act": np.ones(len(words.acts), np.int8),
        "recommendation": {
            "product": _known(words.product),
            "display_name": None,
            "visible_now": np.ones(2, np.int8),
            "reason": None,
        },
        "navigation": {
            "navigation_goal": _known(words.place),
            "next_waypoint": _known(words.next_waypoint, or_none=True),
            "target_approach": _known(words.approach, or_none=True),
            "reason": None,
        },
    }


def _known(words: Vocabulary, *, or_none: bool = False) -> Mask:
    mask = np.zeros(words.size, np.int8)
    mask[: len(words.names)] = 1
    if or_none:
        mask[words.none] = 1
    return mask


def _only(words: Vocabulary, names: Iterable[str]) -> Mask:
    flags = bytearray(words.size)
    for name in names:
        flags[words.encode(name)] = 1
    if words.optional and not any(flags):
        flags[words.none] = 1
    return np.frombuffer(bytes(flags), np.int8)


def _copied(mask: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value if value is None else _copied(value) if isinstance(value, dict) else value.copy()
        for key, value in mask.items()
    }
