"""``vbp User``: the shopper's tools as Blueprint functions would be called, in cm and degrees, answered in JSON."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from siturec_gym.core.actions import TOOL_ARGUMENTS, Tool, ToolCall
from siturec_gym.core.pose import CAMERA_HEIGHT_M
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.server.commands.command import Command, Context
from siturec_gym.renderers.unrealcv.server.things import USER
from siturec_gym.scenes.scene import Scene

_READ: dict[str, Callable[[str], Any]] = {"distance_m": axes.metres_of, "angle_deg": axes.number_of}
_LEFT_OUT = "duration_s"
_MEANING = {"distance_m": "distance in cm", "angle_deg": "angle in degrees"}
_KIND = {"distance_m": "[float]", "angle_deg": "[float]"}


def _arguments(tool: str) -> tuple[str, ...]:
    return tuple(name for name in TOOL_ARGUMENTS[tool] if name != _LEFT_OUT)


def _call(tool: str, context: Context, *words: str) -> str:
    given = {name: _READ.get(name, str)(word) for name, word in zip(_arguments(tool), words, strict=True)}
    outcome = context.world.call(ToolCall(tool, **given))
    return _told(context, ok=outcome.refusal is None, refusal=outcome.refusal)


def _state(context: Context) -> str:
    return _told(context, ok=True, refusal=None)


def _reset(context: Context) -> str:
    context.world.reset()
    return _told(context, ok=True, refusal=None)


def _told(context: Context, ok: bool, refusal: str | None) -> str:
    """One JSON object. The numbers of the pose are written as ``axes`` writes them, so that none is rounded."""
    state = context.world.state
    pose = state.pose
    numbers = axes.pose_text((pose.x, pose.y, CAMERA_HEIGHT_M), pose.yaw_deg, pose.pitch_deg).split()
    rest = {"ok": ok, "refusal": refusal, "held": state.held, "checked": state.checked, "cart": state.cart}
    return f'{{"pose": [{", ".join(numbers)}], {json.dumps(rest)[1:]}'


def _command(tool: Tool) -> Command:
    words = [_KIND.get(name, "[str]") for name in _arguments(tool)]
    meaning = ", ".join(_MEANING.get(name, name) for name in _arguments(tool))
    return Command(" ".join((f"vbp {USER} {tool}", *words)), partial(_call, tool), meaning or "takes no arguments")


def commands_of(scene: Scene) -> tuple[Command, ...]:
    """A command for each tool of the store, and two more for its state."""
    return (
        *(_command(tool) for tool in scene.tools),
        Command(f"vbp {USER} get_state", _state, "pose, held and checked item, cart"),
        Command(f"vbp {USER} reset", _reset, "back to the start; colours stay"),
    )
