"""Tool calls as models write them: the schema of those that are legal now, and the call that a reply names.

The schema lists nothing but what the environment would carry out: one form for each legal tool, its targets and
approaches as enums, angles and distances as enums too, since not every decoder keeps numbers within bounds.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from siturec_gym.core.actions import (
    APPROACHES_OF_MOVE,
    MAX_ANGLE_DEG,
    MAX_DISTANCE_M,
    MAX_DURATION_S,
    TOOL_ARGUMENTS,
    Tool,
    ToolCall,
    directions_of,
)
from siturec_gym.core.legality import LegalActions

ANGLES_DEG = tuple(range(5, 181, 5))
GAZE_ANGLES_DEG = tuple(range(5, 61, 5))
DISTANCES_M = (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5)
_LIMITS = {"angle_deg": MAX_ANGLE_DEG, "distance_m": MAX_DISTANCE_M, "duration_s": MAX_DURATION_S}
_SHOWN = 12


def call_schema(legal: LegalActions) -> dict[str, Any]:
    """Schema of the calls that ``legal`` allows."""
    return {"anyOf": [form for tool in Tool if tool in legal.tools for form in _forms(tool, legal)]}


def read_call(value: Any, legal: LegalActions) -> ToolCall:
    """The legal call that a parsed reply names. Arguments given as null count as left out.

    Args:
        value: The JSON value.
        legal: What may be called now.

    Raises:
        ValueError: It is no call, or none that is legal; one line that says what was wrong and what would be right.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"expected an object with a tool and its arguments, got {_shown(value)}")
    tool = value.get("tool")
    if not isinstance(tool, str) or tool not in legal.tools:
        raise ValueError(f"tool {_shown(tool)} cannot be called now; legal are {_listed(sorted(legal.tools))}")
    given = {name: part for name, part in value.items() if name != "tool" and part is not None}
    taken = TOOL_ARGUMENTS[tool]
    for name in given:
        if name not in taken:
            raise ValueError(f"{tool} takes {_listed(taken) if taken else 'no arguments'}, not {name!r}")
    arguments: dict[str, Any] = _direction(tool, taken, given)
    arguments |= _numbers(tool, taken, given)
    return ToolCall(str(tool), **arguments, **_target(tool, given, legal))


def _forms(tool: Tool, legal: LegalActions) -> list[dict[str, Any]]:
    if tool not in legal.targets:
        return [_form(tool, _movement(tool))]
    if tool not in APPROACHES_OF_MOVE:
        return [_form(tool, {"target": one_of(legal.targets[tool])})]
    return [
        _form(tool, {"target": one_of(targets), "approach": one_of(approaches)})
        for approaches, targets in by_approaches(legal, legal.targets[tool]).items()
    ]


def by_approaches(legal: LegalActions, targets: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Targets by the approaches they have now; those without any are left out."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for target in targets:
        if approaches := tuple(legal.approaches.get(target, ())):
            groups.setdefault(approaches, []).append(target)
    return groups


def _movement(tool: Tool) -> dict[str, Any]:
    """Schemas of a movement's arguments; a distance stands for distance and duration."""
    taken = TOOL_ARGUMENTS[tool]
    schemas: dict[str, Any] = {}
    if "direction" in taken:
        schemas["direction"] = one_of(direction.value for direction in directions_of(tool))
    if "angle_deg" in taken:
        angles = GAZE_ANGLES_DEG if tool == Tool.LOOK_UP_DOWN else ANGLES_DEG
        schemas["angle_deg"] = {"type": "number", "enum": list(angles)}
    if "distance_m" in taken:
        schemas["distance_m"] = {"type": "number", "enum": list(DISTANCES_M)}
    return schemas


def _form(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return closed_object({"tool": {"type": "string", "const": tool.value}, **arguments})


def closed_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Schema of an object that has all of these properties and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """Schema of one of these texts."""
    return {"type": "string", "enum": list(names)}


def _direction(tool: str, taken: tuple[str, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    if "direction" not in taken:
        return {}
    allowed = [direction.value for direction in directions_of(tool)]
    if given.get("direction") not in allowed:
        raise ValueError(f"{tool} needs direction {' or '.join(allowed)}, got {_shown(given.get('direction'))}")
    return {"direction": given["direction"]}


def _numbers(tool: str, taken: tuple[str, ...], given: Mapping[str, Any]) -> dict[str, float]:
    needed = ["angle_deg"] if "angle_deg" in taken else []
    if "distance_m" in taken:
        if {"distance_m", "duration_s"} <= given.keys():
            raise ValueError(f"{tool} takes distance_m or duration_s, not both")
        needed.append("duration_s" if "duration_s" in given else "distance_m")
    return {name: _number(tool, name, given.get(name)) for name in needed}


def _number(tool: str, name: str, value: Any) -> float:
    limit = _LIMITS[name]
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= limit:
        raise ValueError(f"{tool} needs {name} as a number from 0 to {limit:g}, got {_shown(value)}")
    return float(value)


def _target(tool: str, given: Mapping[str, Any], legal: LegalActions) -> dict[str, Any]:
    if tool not in legal.targets:
        if "target" in given:
            raise ValueError(f"{tool} can name no target now, got {_shown(given['target'])}")
        return {}
    target = str(given.get("target"))
    if target not in legal.targets[tool]:
        named = _listed(legal.targets[tool])
        raise ValueError(f"target {_shown(given.get('target'))} is none that {tool} can have now; it can have {named}")
    if tool not in APPROACHES_OF_MOVE:
        return {"target": target}
    approaches = legal.approaches.get(target, ())
    if given.get("approach") not in approaches:
        raise ValueError(
            f"{tool} to {target} needs approach {' or '.join(approaches)}, got {_shown(given.get('approach'))}"
        )
    return {"target": target, "approach": given["approach"]}


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:37]}..."
