"""Action records to elements of the action space and back.

``decode`` reads nothing but what the record of that act or tool holds: a recommendation with a Recommend act, a
navigation with a Navigate act, and of a known tool the arguments it takes. ``encode`` and ``decode`` are exact inverses
on records of that form. A name that stands for nothing here becomes ``UNKNOWN``, text is folded to the charset, a
number above the representable range goes to its end, which no tool accepts, and a negative one counts as not given.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from siturec_gym.core.actions import (
    RANKING_LENGTH,
    TOOL_ARGUMENTS,
    UNKNOWN,
    Act,
    AssistantAction,
    Navigation,
    Recommendation,
    ToolCall,
    UserAction,
)
from siturec_gym.core.text import CHARSET, NAME_LIMIT, REASON_LIMIT, UTTERANCE_LIMIT, normalise
from siturec_gym.envs.situated.spaces import (
    ANGLE_CEILING_DEG,
    NOT_GIVEN,
    WALK_CEILING,
    Vocabularies,
    Vocabulary,
)

_CHARACTERS = frozenset(CHARSET)
_CEILINGS = {"angle_deg": ANGLE_CEILING_DEG, "distance_m": WALK_CEILING, "duration_s": WALK_CEILING}
_CALL_KEYS = ("tool", "direction", "angle_deg", "distance_m", "duration_s", "target", "approach")
_USER_KEYS = frozenset(("utterance", *_CALL_KEYS))
_ASSISTANT_KEYS = frozenset(("utterance", "act", "recommendation", "navigation", "expected_user_action", "ranking"))
_RECOMMENDATION_KEYS = frozenset(("product", "display_name", "visible_now", "reason"))
_NAVIGATION_KEYS = frozenset(("navigation_goal", "next_waypoint", "target_approach", "reason"))
_EXPECTED_KEYS = frozenset(_CALL_KEYS)

SpaceAction = Mapping[str, Any]


class ActionCodec:
    """Turns the records of one scene into elements of its action spaces and back."""

    def __init__(self, words: Vocabularies) -> None:
        self._words = words

    def encode_assistant(self, action: AssistantAction) -> dict[str, Any]:
        """The element of the assistant's action space.

        Raises:
            ValueError: The act is none of the ten.
        """
        if action.act not in self._words.acts:
            raise ValueError(f"unknown act {action.act!r}; the acts are {', '.join(self._words.acts)}")
        expected = action.expected_user_action
        return {
            "utterance": normalise(action.utterance),
            "act": self._words.acts.index(action.act),
            "recommendation": self._encode_recommendation(action.recommendation or Recommendation(None)),
            "navigation": self._encode_navigation(action.navigation or Navigation(None)),
            "expected_user_action": self._encode_call(expected, self._words.expected_tool),
            "ranking": self._encode_ranking(action.ranking),
        }

    def encode_user(self, action: UserAction) -> dict[str, Any]:
        """The element of the user's action space."""
        return {"utterance": normalise(action.utterance), **self._encode_call(action.call, self._words.tool)}

    def decode_assistant(self, action: Any) -> AssistantAction:
        """The record of an element of the assistant's action space.

        Raises:
            ValueError: ``action`` is no such element; the message names the key.
        """
        _check_keys(action, _ASSISTANT_KEYS, "action")
        act = self._words.acts[_code(action["act"], len(self._words.acts), "act")]
        recommendation = self._decode_recommendation(action["recommendation"])
        navigation = self._decode_navigation(action["navigation"])
        expected = action["expected_user_action"]
        _check_keys(expected, _EXPECTED_KEYS, "expected_user_action")
        return AssistantAction(
            utterance=_text(action["utterance"], UTTERANCE_LIMIT, "utterance"),
            act=act,
            expected_user_action=self._decode_call(expected, self._words.expected_tool, "expected_user_action."),
            recommendation=recommendation if act == Act.RECOMMEND else None,
            navigation=navigation if act == Act.NAVIGATE else None,
            ranking=self._decode_ranking(action["ranking"]),
        )

    def decode_user(self, action: Any) -> UserAction:
        """The record of an element of the user's action space.

        Raises:
            ValueError: ``action`` is no such element; the message names the key.
        """
        _check_keys(action, _USER_KEYS, "action")
        call = self._decode_call(action, self._words.tool, "")
        utterance = _text(action["utterance"], UTTERANCE_LIMIT, "utterance")
        return UserAction(utterance, call or ToolCall(UNKNOWN))

    def _encode_recommendation(self, given: Recommendation) -> dict[str, Any]:
        return {
            "product": self._words.product.encode(given.product),
            "display_name": normalise(given.display_name, NAME_LIMIT),
            "visible_now": int(given.visible_now),
            "reason": normalise(given.reason, REASON_LIMIT),
        }

    def _decode_recommendation(self, given: Any) -> Recommendation:
        _check_keys(given, _RECOMMENDATION_KEYS, "recommendation")
        return Recommendation(
            product=_name(given, "product", self._words.product, "recommendation."),
            display_name=_text(given["display_name"], NAME_LIMIT, "recommendation.display_name"),
            visible_now=bool(_code(given["visible_now"], 2, "recommendation.visible_now")),
            reason=_text(given["reason"], REASON_LIMIT, "recommendation.reason"),
        )

    def _encode_navigation(self, given: Navigation) -> dict[str, Any]:
        return {
            "navigation_goal": self._words.place.encode(given.navigation_goal),
            "next_waypoint": self._words.next_waypoint.encode(given.next_waypoint),
            "target_approach": self._words.approach.encode(given.target_approach),
            "reason": normalise(given.reason, REASON_LIMIT),
        }

    def _decode_navigation(self, given: Any) -> Navigation:
        _check_keys(given, _NAVIGATION_KEYS, "navigation")
        return Navigation(
            navigation_goal=_name(given, "navigation_goal", self._words.place, "navigation."),
            next_waypoint=_name(given, "next_waypoint", self._words.next_waypoint, "navigation."),
            target_approach=_name(given, "target_approach", self._words.approach, "navigation."),
            reason=_text(given["reason"], REASON_LIMIT, "navigation.reason"),
        )

    def _encode_call(self, call: ToolCall | None, tools: Vocabulary) -> dict[str, Any]:
        given = call or ToolCall("")
        return {
            "tool": tools.none if call is None else tools.encode(call.tool),
            "direction": self._words.direction.encode(given.direction),
            "angle_deg": _encode_number(given.angle_deg, ANGLE_CEILING_DEG),
            "distance_m": _encode_number(given.distance_m, WALK_CEILING),
            "duration_s": _encode_number(given.duration_s, WALK_CEILING),
            "target": self._words.target.encode(given.target),
            "approach": self._words.approach.encode(given.approach),
        }

    def _decode_call(self, given: SpaceAction, tools: Vocabulary, where: str) -> ToolCall | None:
        arguments: dict[str, Any] = {
            "direction": _name(given, "direction", self._words.direction, where),
            "target": _name(given, "target", self._words.target, where),
            "approach": _name(given, "approach", self._words.approach, where),
            **{key: _number(given[key], ceiling, where + key) for key, ceiling in _CEILINGS.items()},
        }
        tool = _name(given, "tool", tools, where)
        if tool is None:
            return None
        taken = TOOL_ARGUMENTS.get(tool)
        if taken is None:
            return ToolCall(tool, **arguments)
        return ToolCall(tool, **{key: arguments[key] for key in taken})

    def _encode_ranking(self, ranking: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        codes = np.full(RANKING_LENGTH, self._words.product.none, np.int64)
        first = [self._words.product.encode(product) for product in ranking[:RANKING_LENGTH]]
        codes[: len(first)] = first
        return codes

    def _decode_ranking(self, ranking: Any) -> tuple[str, ...]:
        array = np.asarray(ranking) if isinstance(ranking, np.ndarray | list | tuple) else None
        if array is None or array.shape != (RANKING_LENGTH,) or array.dtype.kind not in "iu":
            raise ValueError(f"ranking: expected {RANKING_LENGTH} integer codes, got {_shown(ranking)}")
        size, codes = self._words.product.size, array.tolist()
        if min(codes) < 0 or max(codes) >= size:
            raise ValueError(f"ranking: expected codes 0 to {size - 1}, got {_shown(ranking)}")
        names = map(self._words.product.decode, codes)
        return tuple([name for name in names if name is not None])


def _encode_number(value: float | None, ceiling: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    if value is None or math.isnan(value):
        return np.array(NOT_GIVEN)
    return np.array(min(max(float(value), NOT_GIVEN), ceiling))


def _check_keys(value: Any, keys: frozenset[str], where: str) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}: expected a dict with the keys {sorted(keys)}, got {_shown(value)}")
    if value.keys() != keys:
        missing, extra = sorted(keys - value.keys()), sorted(str(key) for key in value.keys() - keys)
        raise ValueError(f"{where}: missing keys {missing}, unexpected keys {extra}; expected {sorted(keys)}")


def _name(given: SpaceAction, key: str, words: Vocabulary, where: str) -> str | None:
    return words.decode(_code(given[key], words.size, where + key))


def _code(value: Any, size: int, where: str) -> int:
    if type(value) is not int:
        if isinstance(value, np.ndarray) and value.shape == ():
            value = value[()]
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise ValueError(f"{where}: expected an integer code, got {_shown(value)}")
        value = int(value)
    if not 0 <= value < size:
        raise ValueError(f"{where}: expected a code 0 to {size - 1}, got {value}")
    return int(value)


def _number(value: Any, ceiling: float, where: str) -> float | None:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise ValueError(f"{where}: expected a number, got {_shown(value)}")
    number = float(value)
    if not NOT_GIVEN <= number <= ceiling:
        raise ValueError(f"{where}: expected {NOT_GIVEN:g} (not given) to {ceiling:g}, got {number}")
    return None if number < 0.0 else number


def _text(value: Any, limit: int, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where}: expected text, got {_shown(value)}")
    if len(value) > limit:
        raise ValueError(f"{where}: expected at most {limit} characters, got {len(value)}")
    if not (value.isascii() and value.isprintable()) and not _CHARACTERS.issuperset(value):
        strange = next(character for character in value if character not in _CHARACTERS)
        raise ValueError(f"{where}: character {strange!r} is outside the charset; core.text.normalise folds text to it")
    return value


def _shown(value: Any) -> str:
    text = repr(value).replace("\n", " ")
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
