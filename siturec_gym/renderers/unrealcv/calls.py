"""Tool calls as Blueprint functions, and what those answer."""

import json
from decimal import Decimal
from typing import Any

from siturec_gym.core.actions import Direction, ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.mapping import Function, Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.world.motion import WALKING_SPEED_M_S, walked_m

_TO_THE_RIGHT_OR_UP = (Direction.RIGHT, Direction.UP)
_YES, _NO = ("true", "1"), ("false", "0")


class RefusedError(Exception):
    """The engine carried nothing out and said why."""


def function_of(call: ToolCall, mapping: Mapping) -> Function:
    """The function of a call's tool. Raises RendererError where the mapping has none."""
    function = mapping.function(call.tool)
    if function is None:
        raise RendererError(f"the mapping has no function for {call.tool}: add tools.{call.tool}")
    return function


def command_of(call: ToolCall, user: str, function: Function, names: Names) -> str:
    """The ``vbp`` command of a call.

    Args:
        call: The call.
        user: Name of the user's object.
        function: The function of the call's tool.
        names: Names of targets.

    Raises:
        ValueError: The call lacks an argument that the function takes.
    """
    words = [_word(argument, call, names) for argument in function.arguments]
    return " ".join(("vbp", user, function.function, *words))


def _word(argument: str, call: ToolCall, names: Names) -> str:
    if argument.startswith("="):
        return argument[1:]
    if argument.startswith("distance"):
        metres = walked_m(call)
        return axes.cm_text(metres) if argument == "distance_cm" else axes.number_text(metres)
    if argument == "duration_s":
        return axes.number_text(walked_m(call) / WALKING_SPEED_M_S)
    if argument == "target":
        return names.of_id(_given(call, call.target, "target"))
    if argument in ("angle_deg", "signed_angle_deg"):
        angle = float(_given(call, call.angle_deg, "angle_deg"))
        signed = argument == "signed_angle_deg" and call.direction not in _TO_THE_RIGHT_OR_UP
        return axes.number_text(-angle if signed else angle)
    return str(_given(call, getattr(call, argument), argument))


def _given(call: ToolCall, value: Any, name: str) -> Any:
    if value is None:
        raise ValueError(f"{call.tool} needs {name}; got {call}")
    return value


def outcome_of(reply: str | bytes, function: Function) -> Pose | RefusedError | None:
    """What a function's reply tells: the pose reached, why nothing was done, or None where the pose must be asked for.

    UnrealCV's plugin sends the outputs of a Blueprint function as texts, in names whose case the engine chooses.

    Raises:
        ValueError: The reply is not what the mapping says.
    """
    if function.result == "pose":
        return None
    told = json.loads(reply, parse_float=Decimal, parse_int=Decimal)
    outputs = {name.lower(): value for name, value in told.items()} if isinstance(told, dict) else {}
    done = str(outputs.get("ok", True)).lower()
    if not isinstance(outputs.get("pose"), str | list) or done not in (*_YES, *_NO):
        raise ValueError(f"expected a JSON object with a pose, and ok true or false, got {str(reply)[:120]!r}")
    if done in _NO:
        return RefusedError(str(outputs.get("refusal")))
    (x, y, _), yaw, pitch = axes.pose_of(outputs["pose"])
    return Pose(x, y, yaw, pitch)
