"""Whether the functions of the user's tools are there, and do what they should: units, and which way is left."""

import math
from collections.abc import Iterator, Sequence

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Approach, Direction, Tool, ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose, wrap_angle_deg
from siturec_gym.renderers.unrealcv.inspection.findings import Finding, Report
from siturec_gym.renderers.unrealcv.inspection.visit import Visit
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.world.motion import Motion, NoRouteError
from siturec_gym.world.rules import MOVEMENTS

_STEP_M, _ANGLE_DEG = 0.5, 30.0
_SLACK_M, _SLACK_DEG = 0.1, 3.0
_STILL_M, _STILL_DEG = 0.02, 0.5
_NEAR_M = 0.5
"""How far from our own standing point a move to a place may end."""
_CALLS = {
    Tool.MOVE_FORWARD: ToolCall(Tool.MOVE_FORWARD, distance_m=_STEP_M),
    Tool.MOVE_BACKWARD: ToolCall(Tool.MOVE_BACKWARD, distance_m=_STEP_M),
    Tool.SIDE_STEP: ToolCall(Tool.SIDE_STEP, direction=Direction.LEFT, distance_m=_STEP_M),
    Tool.TURN: ToolCall(Tool.TURN, direction=Direction.LEFT, angle_deg=_ANGLE_DEG),
    Tool.LOOK_UP_DOWN: ToolCall(Tool.LOOK_UP_DOWN, direction=Direction.UP, angle_deg=_ANGLE_DEG),
    Tool.TURN_AND_MOVE: ToolCall(
        Tool.TURN_AND_MOVE, direction=Direction.LEFT, angle_deg=_ANGLE_DEG, distance_m=_STEP_M
    ),
    Tool.MOVE_AND_TURN: ToolCall(
        Tool.MOVE_AND_TURN, direction=Direction.LEFT, angle_deg=_ANGLE_DEG, distance_m=_STEP_M
    ),
}


def movements(visit: Visit, _: Report) -> Iterator[Finding]:
    """Calls the function of every movement once, and holds where it leads against our own motion."""
    motion = Motion(visit.scene)
    start = _free_place(visit.scene, motion)
    for tool in visit.scene.tools:
        if tool in MOVEMENTS:
            call = _CALLS.get(tool) or _visit_to(visit.scene, motion, start, tool)
            if call is not None:
                yield _tried(visit, motion, start, call)
    home = visit.scene.start_pose
    visit.body.forget()
    visit.link.ask(lambda: visit.body.placing(home), lambda _: None)


def _tried(visit: Visit, motion: Motion, start: Pose, call: ToolCall) -> Finding:
    subject, where = str(call.tool), f"tools.{call.tool}"
    if visit.mapping.function(call.tool) is None:
        return Finding(subject, "broken", "the mapping names no function", f"add {where}")
    try:
        reached = visit.body.execute(start, call, lambda: False)
    except (RendererError, NoRouteError) as error:
        return Finding(subject, "broken", str(error), f"change {where}")
    expected = motion.execute(start, call)
    if call.target is not None:
        off = math.dist((reached.x, reached.y), (expected.x, expected.y))
        if off > _NEAR_M:
            return Finding(subject, "note", f"ends {off:.2f} m from where the scene's {call.target} is approached")
        return Finding(subject, "ok", f"goes to {call.target}")
    wrong = _difference(start, expected, reached)
    return (
        Finding(subject, "broken", wrong, f"change {where}.arguments") if wrong else Finding(subject, "ok", _did(call))
    )


def _difference(start: Pose, expected: Pose, reached: Pose) -> str:
    """What a movement did wrong, or ""."""
    for name, way in (("turned", "yaw_deg"), ("looked", "pitch_deg")):
        asked = wrap_angle_deg(getattr(expected, way) - getattr(start, way))
        done = wrap_angle_deg(getattr(reached, way) - getattr(start, way))
        if abs(wrap_angle_deg(asked - done)) > _SLACK_DEG:
            return f"{name} by {done:.1f} degrees instead of {asked:.1f}{_angle_hint(asked, done)}"
    asked_m = expected.x - start.x, expected.y - start.y
    done_m = reached.x - start.x, reached.y - start.y
    if math.dist(asked_m, done_m) <= _SLACK_M:
        return ""
    moved, wanted = math.hypot(*done_m), math.hypot(*asked_m)
    return f"moved {moved:.3f} m instead of {wanted:.2f} m{_step_hint(asked_m, done_m)}"


def _angle_hint(asked: float, done: float) -> str:
    if abs(done) < _STILL_DEG:
        return ": is the angle in radians, or not taken at all?"
    if abs(asked + done) <= _SLACK_DEG:
        return ", the other way: signed_angle_deg is positive to the right and up"
    return ""


def _step_hint(asked: tuple[float, float], done: tuple[float, float]) -> str:
    moved, wanted = math.hypot(*done), math.hypot(*asked)
    if abs(moved - wanted / 100.0) < _STILL_M / 10:
        return ": it takes centimetres, distance_cm"
    if moved > 10.0 * wanted:
        return ": it takes metres, distance_m"
    if moved < _STILL_M:
        return ": it did not move"
    if abs(moved - wanted) <= _SLACK_M:
        return ", but in another direction"
    return ""


def _did(call: ToolCall) -> str:
    parts = [f"{call.angle_deg:g} degrees {call.direction}"] if call.angle_deg is not None else []
    parts += [f"{call.distance_m:g} m"] if call.distance_m is not None else []
    return "does " + " and ".join(parts)


def _free_place(scene: Scene, motion: Motion) -> Pose:
    """A waypoint from which every step of the test is free; the start pose where there is none."""
    for waypoint in scene.waypoints:
        pose = Pose(waypoint.x, waypoint.y, 0.0)
        steps = [call for call in _CALLS.values() if call.distance_m is not None]
        reached = [motion.execute(pose, call) for call in steps]
        if all(abs(math.dist((pose.x, pose.y), (end.x, end.y)) - _STEP_M) < 1e-6 for end in reached):
            return pose
    return scene.start_pose


def _visit_to(scene: Scene, motion: Motion, start: Pose, tool: str) -> ToolCall | None:
    """A move to a place that can be walked from ``start``."""
    for place in scene.navigation_targets:
        if MOVE_OF_KIND[place.kind] == tool:
            for approach in _ways(place):
                call = ToolCall(tool, target=place.id, approach=approach)
                try:
                    motion.execute(start, call)
                except NoRouteError:
                    continue
                return call
    return None


def _ways(place: Place) -> Sequence[Approach | None]:
    ways = [way for way in APPROACHES_OF_MOVE.get(MOVE_OF_KIND[place.kind], ()) if way in place.approaches]
    return ways or [None]
