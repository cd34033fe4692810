"""Action and observation spaces of a situated scene (docs/environment.md).

Names (products, places, tools, ...) become codes of a ``Vocabulary``: the names in data order, then one reserved code
for "unknown" (a name that stands for nothing here) and, where it may be left out, one for "none". Numbers are float64,
so that a record survives encoding exactly; ``NOT_GIVEN`` stands for an argument that is left out.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces

from siturec_gym.core.actions import RANKING_LENGTH, UNKNOWN, Act, Approach, Direction
from siturec_gym.core.pose import PITCH_LIMIT_DEG
from siturec_gym.core.text import CHARSET, NAME_LIMIT, REASON_LIMIT, UTTERANCE_LIMIT
from siturec_gym.scenes.scene import Scene

AGENTS = ("assistant", "user")
NOT_GIVEN = -1.0
ANGLE_CEILING_DEG = 360.0
WALK_CEILING = 10.0
MARK_ROWS = 64
MARK_COLUMNS = 8
MAP_SIZE = (480, 360)
RECOMMENDATION_LIMIT = 3
STATIC_KEYS = {"assistant": ("catalog", "location_index"), "user": ("profile", "goal")}

_CHARACTERS = frozenset(CHARSET)
_LONG_TEXT = 1 << 20
_STATE_TEXT = 1 << 17
_FARTHEST_M = 1000.0


class FoldedText(spaces.Text):
    """A Text space over the fixed charset whose membership test takes microseconds, not a character at a time."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=CHARSET)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a string of the charset that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length and _CHARACTERS.issuperset(x)


@dataclass(frozen=True)
class Vocabulary:
    """Codes for a list of names: their index, then "unknown", then (if ``optional``) none."""

    names: tuple[str, ...]
    optional: bool = True

    @cached_property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.names) + (2 if self.optional else 1)

    @cached_property
    def unknown(self) -> int:
        """The code of a name that is not in the list."""
        return len(self.names)

    @cached_property
    def none(self) -> int:
        """The code of a name left out."""
        return len(self.names) + 1

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Code of each name."""
        return {name: code for code, name in enumerate(self.names)}

    def encode(self, name: str | None) -> int:
        """The code of ``name``."""
        return self.none if name is None else self.code_of.get(name, self.unknown)

    def decode(self, code: int) -> str | None:
        """The name of ``code``: ``UNKNOWN`` and None for the reserved ones."""
        if code < len(self.names):
            return self.names[code]
        return UNKNOWN if code == self.unknown else None

    @property
    def space(self) -> spaces.Discrete:
        """The codes as a space."""
        return spaces.Discrete(self.size)


class Vocabularies:
    """Every vocabulary of a scene's actions and marks."""

    def __init__(self, scene: Scene) -> None:
        places = tuple(place.id for place in scene.navigation_targets)
        products = tuple(product.id for product in scene.catalog)
        waypoints = tuple(waypoint.id for waypoint in scene.waypoints)
        self.acts = tuple(act.value for act in Act)
        self.tool = Vocabulary(tuple(tool.value for tool in scene.tools), optional=False)
        self.expected_tool = Vocabulary(self.tool.names)
        self.direction = Vocabulary(tuple(direction.value for direction in Direction))
        self.approach = Vocabulary(tuple(approach.value for approach in Approach if approach is not Approach.FIXED))
        self.target = Vocabulary((*places, *products))
        self.product = Vocabulary(products)
        self.place = Vocabulary(places)
        self.next_waypoint = Vocabulary((*places, *waypoints))


def action_spaces(words: Vocabularies) -> dict[str, spaces.Dict]:
    """The action space of each role."""
    assistant: dict[str, spaces.Space[Any]] = {
        "utterance": FoldedText(UTTERANCE_LIMIT),
        "act": spaces.Discrete(len(words.acts)),
        "recommendation": spaces.Dict(
            {
                "product": words.product.space,
                "display_name": FoldedText(NAME_LIMIT),
                "visible_now": spaces.Discrete(2),
                "reason": FoldedText(REASON_LIMIT),
            }
        ),
        "navigation": spaces.Dict(
            {
                "navigation_goal": words.place.space,
                "next_waypoint": words.next_waypoint.space,
                "target_approach": words.approach.space,
                "reason": FoldedText(REASON_LIMIT),
            }
        ),
        "expected_user_action": spaces.Dict(_call_spaces(words, words.expected_tool)),
        "ranking": spaces.MultiDiscrete([words.product.size] * RANKING_LENGTH),
    }
    user = {"utterance": FoldedText(UTTERANCE_LIMIT), **_call_spaces(words, words.tool)}
    return {"assistant": spaces.Dict(assistant), "user": spaces.Dict(user)}


def _call_spaces(words: Vocabularies, tool: Vocabulary) -> dict[str, spaces.Space[Any]]:
    return {
        "tool": tool.space,
        "direction": words.direction.space,
        "angle_deg": _number(ANGLE_CEILING_DEG),
        "distance_m": _number(WALK_CEILING),
        "duration_s": _number(WALK_CEILING),
        "target": words.target.space,
        "approach": words.approach.space,
    }


def _number(ceiling: float) -> spaces.Box:
    return spaces.Box(NOT_GIVEN, ceiling, shape=(), dtype=np.float64)


def observation_spaces(
    scene: Scene,
    words: Vocabularies,
    *,
    turn_limit: int,
    image_size: tuple[int, int] | None,
    static: bool,
) -> dict[str, spaces.Dict]:
    """The observation space of each role.

    Args:
        scene: Its bounds limit the pose.
        words: The codes that ``marks_array`` uses.
        turn_limit: Turns of an episode.
        image_size: Width and height of ``rgb``; None leaves every image out.
        static: Whether catalog, location index, profile and goal are part of each observation.
    """
    shared: dict[str, spaces.Space[Any]] = {
        "history": FoldedText(_STATE_TEXT),
        "tools": FoldedText(4096),
        "marks": FoldedText(_STATE_TEXT),
        "marks_array": _marks_space(words.target.size),
        "cart": FoldedText(_STATE_TEXT),
        "held": FoldedText(4096),
        "turn": spaces.Discrete(turn_limit + 1),
    }
    assistant = {
        **shared,
        "pose": _pose_space(scene),
        "recommendations_left": spaces.Discrete(RECOMMENDATION_LIMIT + 1),
    }
    user = dict(shared)
    if image_size is not None:
        width, height = image_size
        assistant["rgb"] = user["rgb"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
        assistant["map_image"] = spaces.Box(0, 255, (MAP_SIZE[1], MAP_SIZE[0], 3), np.uint8)
    for agent, observation in (("assistant", assistant), ("user", user)):
        observation.update({key: FoldedText(_LONG_TEXT) for key in STATIC_KEYS[agent] if static})
    return {"assistant": spaces.Dict(assistant), "user": spaces.Dict(user)}


def _marks_space(codes: int) -> spaces.Box:
    low = np.array([0, 0, 0, -180, 0, 0, 0, 0], np.float32)
    high = np.array([3, codes, _FARTHEST_M, 180, 1, 1, 1, 1], np.float32)
    return spaces.Box(np.tile(low, (MARK_ROWS, 1)), np.tile(high, (MARK_ROWS, 1)), dtype=np.float32)


def _pose_space(scene: Scene) -> spaces.Box:
    x0, y0, x1, y1 = scene.bounds_m
    low = np.array([x0, y0, -180, -PITCH_LIMIT_DEG], np.float32)
    high = np.array([x1, y1, 180, PITCH_LIMIT_DEG], np.float32)
    return spaces.Box(low, high, dtype=np.float32)
