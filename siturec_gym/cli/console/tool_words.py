"""What a person types for a tool call: ``turn left 90``, ``go AC front``, ``pick whole milk``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Approach, Tool, ToolCall

Mark = Mapping[str, Any]

# Tool -> what to type, shown to the person when the tool is legal.
USAGE = {
    Tool.MOVE_FORWARD: "forward [METRES]",
    Tool.MOVE_BACKWARD: "back [METRES]",
    Tool.TURN: "turn left|right [DEGREES]",
    Tool.TURN_AND_MOVE: "turnmove left|right DEGREES METRES",
    Tool.MOVE_AND_TURN: "moveturn left|right DEGREES METRES",
    Tool.SIDE_STEP: "side left|right [METRES]",
    Tool.LOOK_UP_DOWN: "look up|down [DEGREES]",
    Tool.MOVE_TO_FIXTURE: "go PLACE [nearest|front|back]",
    Tool.MOVE_TO_STORE: "go STORE [outside|inside]",
    Tool.MOVE_TO_AREA: "go AREA",
    Tool.PICK_UP_ITEM: "pick PRODUCT",
    Tool.CHECK_ITEM: "check PRODUCT",
    Tool.ADD_TO_CART: "add",
    Tool.DROP_ITEM: "drop",
    Tool.DO_NOT_ADD_TO_CART: "leave",
    Tool.IDLE: "wait",
}
_VERBS = {
    "forward": Tool.MOVE_FORWARD,
    "back": Tool.MOVE_BACKWARD,
    "turn": Tool.TURN,
    "turnmove": Tool.TURN_AND_MOVE,
    "moveturn": Tool.MOVE_AND_TURN,
    "side": Tool.SIDE_STEP,
    "look": Tool.LOOK_UP_DOWN,
    "go": Tool.MOVE_TO_FIXTURE,
    "pick": Tool.PICK_UP_ITEM,
    "check": Tool.CHECK_ITEM,
    "add": Tool.ADD_TO_CART,
    "drop": Tool.DROP_ITEM,
    "leave": Tool.DO_NOT_ADD_TO_CART,
    "wait": Tool.IDLE,
} | {tool.value: tool for tool in USAGE}
_DEFAULT_APPROACH = {Tool.MOVE_TO_FIXTURE: Approach.NEAREST, Tool.MOVE_TO_STORE: Approach.INSIDE_DOORWAY}
_DEFAULT_METRES, _DEFAULT_TURN_DEG, _DEFAULT_LOOK_DEG = 1.0, 90.0, 20.0


def parse_call(text: str, marks: Iterable[Mark]) -> ToolCall:
    """The tool call that ``text`` stands for.

    Args:
        text: A verb of ``USAGE`` or a tool's full name, and its arguments.
        marks: What is in view; targets are given by handle or by a part of the name that only one of them has.

    Raises:
        ValueError: The text is not understood; the message says what would be.
    """
    verb, *words = text.lower().split() or [""]
    if verb not in _VERBS:
        close = get_close_matches(verb, _VERBS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "type help to see what you can do"
        raise ValueError(f"{verb!r} is nothing you can do; {hint}")
    tool = _VERBS[verb]
    try:
        return _PARSERS[tool](tool, words, list(marks))
    except IndexError:
        raise ValueError(f"something is missing; type: {USAGE[tool]}") from None


def _straight(tool: Tool, words: Sequence[str], _: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool, distance_m=_optional(words, 0, _DEFAULT_METRES))


def _turn(tool: Tool, words: Sequence[str], _: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool, _one_of(words[0], ("left", "right")), angle_deg=_optional(words, 1, _DEFAULT_TURN_DEG))


def _turn_with_move(tool: Tool, words: Sequence[str], _: Sequence[Mark]) -> ToolCall:
    direction = _one_of(words[0], ("left", "right"))
    return ToolCall(tool, direction, _number(words[1]), _number(words[2]))


def _side(tool: Tool, words: Sequence[str], _: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool, _one_of(words[0], ("left", "right")), distance_m=_optional(words, 1, _DEFAULT_METRES))


def _look(tool: Tool, words: Sequence[str], _: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool, _one_of(words[0], ("up", "down")), angle_deg=_optional(words, 1, _DEFAULT_LOOK_DEG))


def _go(_: Tool, words: Sequence[str], marks: Sequence[Mark]) -> ToolCall:
    """The move that fits the kind of place."""
    approach = next((value for value in Approach if len(words) > 1 and value.startswith(words[-1])), None)
    place = _meant(words if approach is None else words[:-1], [mark for mark in marks if mark["kind"] in MOVE_OF_KIND])
    tool = MOVE_OF_KIND[place["kind"]]
    allowed = APPROACHES_OF_MOVE.get(tool, ())
    if approach is not None and approach not in allowed:
        raise ValueError(f"{approach.value!r} is no way to go to {place['name']}; type: {USAGE[tool]}")
    chosen = approach or _DEFAULT_APPROACH.get(tool)
    return ToolCall(tool, target=place["handle"], approach=None if chosen is None else chosen.value)


def _inspect(tool: Tool, words: Sequence[str], marks: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool, target=_meant(words, [mark for mark in marks if mark["kind"] == "product"])["handle"])


def _bare(tool: Tool, _words: Sequence[str], _marks: Sequence[Mark]) -> ToolCall:
    return ToolCall(tool)


_PARSERS: dict[Tool, Callable[[Tool, Sequence[str], Sequence[Mark]], ToolCall]] = {
    Tool.MOVE_FORWARD: _straight,
    Tool.MOVE_BACKWARD: _straight,
    Tool.TURN: _turn,
    Tool.TURN_AND_MOVE: _turn_with_move,
    Tool.MOVE_AND_TURN: _turn_with_move,
    Tool.SIDE_STEP: _side,
    Tool.LOOK_UP_DOWN: _look,
    Tool.MOVE_TO_FIXTURE: _go,
    Tool.MOVE_TO_STORE: _go,
    Tool.MOVE_TO_AREA: _go,
    Tool.PICK_UP_ITEM: _inspect,
    Tool.CHECK_ITEM: _inspect,
    Tool.ADD_TO_CART: _bare,
    Tool.DROP_ITEM: _bare,
    Tool.DO_NOT_ADD_TO_CART: _bare,
    Tool.IDLE: _bare,
}


def find_mark(name: str, marks: Iterable[Mark]) -> Mark:
    """The mark with this handle, or the only one whose name contains these words.

    Raises:
        ValueError: None or several of ``marks`` are meant.
    """
    wanted, marks = name.lower(), list(marks)
    exact = [mark for mark in marks if mark["handle"].lower() == wanted or mark["name"].lower() == wanted]
    meant = exact or [mark for mark in marks if all(word in mark["name"].lower() for word in wanted.split())]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise ValueError(f"{name!r} is not in view")
    listed = ", ".join(f"{mark['handle']} {mark['name']}" for mark in meant[:4])
    raise ValueError(f"{name!r} could be {listed}{' and others' if len(meant) > 4 else ''}")


def _meant(words: Sequence[str], marks: Sequence[Mark]) -> Mark:
    if not words:
        raise IndexError
    return find_mark(" ".join(words), marks)


def _one_of(word: str, allowed: Sequence[str]) -> str:
    meant = [name for name in allowed if name.startswith(word)]
    if len(meant) != 1:
        raise ValueError(f"{word!r} is not one of {', '.join(allowed)}")
    return meant[0]


def _optional(words: Sequence[str], index: int, default: float) -> float:
    return _number(words[index]) if index < len(words) else default


def _number(word: str) -> float:
    """A number, with or without a unit glued to it."""
    try:
        return float(word.rstrip("mdegrs"))
    except ValueError:
        raise ValueError(f"{word!r} is not a number") from None
