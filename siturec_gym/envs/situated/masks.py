"""Which codes of the action space are legal now, in the form ``Space.sample(mask)`` takes.

Free text and numbers have no mask (None). Each argument's mask holds what some legal tool could take, so an action
drawn by masks can still pair a tool with another tool's target; it is then refused like any other.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.legality import LegalActions
from siturec_gym.envs.situated.spaces import RANKING_LENGTH, Vocabularies, Vocabulary

Mask = NDArray[np.int8]


def action_masks(legal: LegalActions, words: Vocabularies) -> dict[str, dict[str, Any]]:
    """The mask of each role's action space."""
    return {"assistant": _assistant(legal, words), "user": {"utterance": None, **_call(legal, words, words.tool)}}


def _assistant(legal: LegalActions, words: Vocabularies) -> dict[str, Any]:
    ranked = _known(words.product, or_none=True)
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
        "expected_user_action": _call(legal, words, words.expected_tool),
        "ranking": (ranked,) * RANKING_LENGTH,
    }


def _call(legal: LegalActions, words: Vocabularies, tools: Vocabulary) -> dict[str, Any]:
    targets = {target for named in legal.targets.values() for target in named}
    approaches = {approach for named in legal.approaches.values() for approach in named}
    return {
        "tool": _only(tools, legal.tools),
        "direction": _known(words.direction),
        "angle_deg": None,
        "distance_m": None,
        "duration_s": None,
        "target": _only(words.target, targets),
        "approach": _only(words.approach, approaches),
    }


def _known(words: Vocabulary, *, or_none: bool = False) -> Mask:
    mask = np.zeros(words.size, np.int8)
    mask[: len(words.names)] = 1
    if or_none:
        mask[words.none] = 1
    return mask


def _only(words: Vocabulary, names: set[str] | frozenset[str]) -> Mask:
    flags = bytearray(words.size)
    for name in names:
        flags[words.encode(name)] = 1
    if not names and words.optional:
        flags[words.none] = 1
    return np.frombuffer(flags, np.int8)
