"""What the two roles do in a turn, as typed records (SituRecBench, Sections 2 and B.2).

Records name products, places and tools by strings. In the raw environment a target is an entity id; under role
handles it is the role's own handle. A string that names nothing is kept: it is recorded as said.
"""

from dataclasses import dataclass, field
from enum import StrEnum

UNKNOWN = "unknown"
"""What a record holds in place of a name that stands for nothing in the environment's vocabulary."""


class Act(StrEnum):
    """The ten dialogue acts of the assistant; exactly one a turn."""

    GREET = "Greet"
    ASK_PREFERENCE = "AskPreference"
    CLARIFY_NEED = "ClarifyNeed"
    NAVIGATE = "Navigate"
    RECOMMEND = "Recommend"
    EXPLAIN = "Explain"
    ANSWER_QUESTION = "AnswerQuestion"
    COMPARE = "Compare"
    HANDLE_REJECTION = "HandleRejection"
    CONFIRM_PURCHASE = "ConfirmPurchase"


class Tool(StrEnum):
    """Every tool a user may call in some scene; a scene's legal set is ``Scene.tools``."""

    MOVE_FORWARD = "move_forward"
    MOVE_BACKWARD = "move_backward"
    TURN_AND_MOVE = "turn_and_move"
    MOVE_AND_TURN = "move_and_turn"
    SIDE_STEP = "side_step"
    TURN = "turn"
    LOOK_UP_DOWN = "look_up_down"
    ADD_TO_CART = "add_to_cart"
    IDLE = "idle"
    MOVE_TO_FIXTURE = "move_to_fixture"
    PICK_UP_ITEM = "pick_up_item"
    DROP_ITEM = "drop_item"
    MOVE_TO_STORE = "move_to_store"
    MOVE_TO_AREA = "move_to_area"
    CHECK_ITEM = "check_item"
    DO_NOT_ADD_TO_CART = "do_not_add_to_cart"


SHARED_TOOLS = (
    Tool.MOVE_FORWARD,
    Tool.MOVE_BACKWARD,
    Tool.TURN_AND_MOVE,
    Tool.MOVE_AND_TURN,
    Tool.SIDE_STEP,
    Tool.TURN,
    Tool.LOOK_UP_DOWN,
    Tool.ADD_TO_CART,
    Tool.IDLE,
)
SUPERMARKET_TOOLS = (*SHARED_TOOLS, Tool.MOVE_TO_FIXTURE, Tool.PICK_UP_ITEM, Tool.DROP_ITEM)
HOME_TOOLS = (*SHARED_TOOLS, Tool.MOVE_TO_STORE, Tool.MOVE_TO_AREA, Tool.CHECK_ITEM, Tool.DO_NOT_ADD_TO_CART)


_WALK = ("distance_m", "duration_s")
_TURN = ("direction", "angle_deg")
TOOL_ARGUMENTS: dict[str, tuple[str, ...]] = {
    Tool.MOVE_FORWARD: _WALK,
    Tool.MOVE_BACKWARD: _WALK,
    Tool.TURN_AND_MOVE: (*_TURN, *_WALK),
    Tool.MOVE_AND_TURN: (*_TURN, *_WALK),
    Tool.SIDE_STEP: ("direction", *_WALK),
    Tool.TURN: _TURN,
    Tool.LOOK_UP_DOWN: _TURN,
    Tool.MOVE_TO_FIXTURE: ("target", "approach"),
    Tool.MOVE_TO_STORE: ("target", "approach"),
    Tool.MOVE_TO_AREA: ("target",),
    Tool.PICK_UP_ITEM: ("target",),
    Tool.CHECK_ITEM: ("target",),
    Tool.DROP_ITEM: (),
    Tool.ADD_TO_CART: (),
    Tool.DO_NOT_ADD_TO_CART: (),
    Tool.IDLE: (),
}  # the arguments each tool takes; a movement takes distance_m or duration_s


class Direction(StrEnum):
    """Left and right for turns and side steps, up and down for the gaze."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


class Approach(StrEnum):
    """Where a move to a place ends: the first three for fixtures, two for stores, and the fixed point of an area."""

    NEAREST = "nearest"
    FRONT = "front"
    BACK = "back"
    OUTSIDE_DOORWAY = "outside_doorway"
    INSIDE_DOORWAY = "inside_doorway"
    FIXED = "fixed"


MAX_DISTANCE_M = 5.0
MAX_DURATION_S = 5.0
MAX_ANGLE_DEG = 180.0


def directions_of(tool: str) -> tuple[Direction, Direction]:
    """The directions of a tool that takes one."""
    return (Direction.UP, Direction.DOWN) if tool == Tool.LOOK_UP_DOWN else (Direction.LEFT, Direction.RIGHT)


MOVE_OF_KIND = {"fixture": Tool.MOVE_TO_FIXTURE, "store": Tool.MOVE_TO_STORE, "area": Tool.MOVE_TO_AREA}
"""The tool that goes to a place of each kind."""
APPROACHES_OF_MOVE: dict[str, tuple[Approach, ...]] = {
    Tool.MOVE_TO_FIXTURE: (Approach.NEAREST, Approach.FRONT, Approach.BACK),
    Tool.MOVE_TO_STORE: (Approach.OUTSIDE_DOORWAY, Approach.INSIDE_DOORWAY),
}
"""The values of ``approach`` for the moves that take one; an area has a single fixed point."""


class Refusal(StrEnum):
    """Why a tool call was not executed. The turn is then spent idle."""

    NOT_A_TOOL_HERE = "not_a_tool_here"
    MISSING_ARGUMENT = "missing_argument"
    ARGUMENT_OUT_OF_RANGE = "argument_out_of_range"
    UNKNOWN_TARGET = "unknown_target"
    WRONG_KIND_OF_TARGET = "wrong_kind_of_target"
    TARGET_NOT_VISIBLE = "target_not_visible"
    OUT_OF_REACH = "out_of_reach"
    SIDE_NOT_SUPPORTED = "side_not_supported"
    NO_ROUTE = "no_route"
    HANDS_FULL = "hands_full"
    HANDS_EMPTY = "hands_empty"
    NOTHING_CHECKED = "nothing_checked"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call, by the user or as the assistant expects it.

    Attributes:
        tool: Tool name; any string is recorded, only ``Scene.tools`` are legal.
        direction: left, right, up or down, where the tool takes one.
        angle_deg: 0..180.
        distance_m: 0..5; movements take it or ``duration_s``.
        duration_s: Seconds at 1 m/s, in place of ``distance_m``.
        target: Entity id or role handle.
        approach: Where a move to a place ends.
    """

    tool: str
    direction: str | None = None
    angle_deg: float | None = None
    distance_m: float | None = None
    duration_s: float | None = None
    target: str | None = None
    approach: str | None = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What a Recommend act names: the catalog id (None if it names nothing known) and the words used."""

    product: str | None
    display_name: str = ""
    visible_now: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Navigation:
    """What a Navigate act intends. ``next_waypoint`` and ``target_approach`` belong to the home store."""

    navigation_goal: str | None
    next_waypoint: str | None = None
    target_approach: str | None = None
    reason: str = ""


RANKING_LENGTH = 10
"""Most products of a ranking."""


@dataclass(frozen=True, slots=True)
class AssistantAction:
    """One assistant turn: the utterance, which alone reaches the user, and the hidden annotation."""

    utterance: str
    act: str
    expected_user_action: ToolCall | None = None
    recommendation: Recommendation | None = None
    navigation: Navigation | None = None
    ranking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UserAction:
    """One user turn: the reply and exactly one tool call."""

    utterance: str
    call: ToolCall = field(default_factory=lambda: ToolCall(Tool.IDLE))
