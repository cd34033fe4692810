"""Preconditions and effects of every tool (SituRecBench, B.2): what a call does to hand, cart and knowledge.

A call that breaks a rule is refused: the turn is spent idle and the reason kept. Checks run in a fixed order: the
tool, its arguments, the kind of target, the user's hands, what is in view, reach and side, and last the way there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from siturec_gym.core.actions import (
    APPROACHES_OF_MOVE,
    MAX_ANGLE_DEG,
    MAX_DISTANCE_M,
    MAX_DURATION_S,
    MOVE_OF_KIND,
    TOOL_ARGUMENTS,
    Approach,
    Refusal,
    Tool,
    ToolCall,
    directions_of,
)
from siturec_gym.core.pose import Pose, distance_m
from siturec_gym.scenes.footprints import place_rectangle
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.motion import STAND_OFF_M, NoRouteError
from siturec_gym.world.state import WorldState
from siturec_gym.world.sweep import rectangle_gap
from siturec_gym.world.view import REACH_M, View

NEGLIGIBLE_M = 0.05
"""Displacement below which a translational action counts towards the motion stall."""
_ARRIVED_M = 0.1

IDLE = ToolCall(Tool.IDLE)
Execute = Callable[[ToolCall], Pose]

STEPPING = frozenset(tool for tool, arguments in TOOL_ARGUMENTS.items() if "distance_m" in arguments)
"""Tools that take a distance or a duration."""
DESTINATIONS = frozenset(MOVE_OF_KIND.values())
"""Tools that go to a place."""
MOVEMENTS = STEPPING | DESTINATIONS | {Tool.TURN, Tool.LOOK_UP_DOWN}
"""Tools that the renderer's motion carries out."""
_INSPECTIONS = (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM)
_ENDINGS = (Tool.ADD_TO_CART, Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a tool call.

    Attributes:
        executed: The call carried out: the one requested, or idle when it was refused.
        refusal: A ``Refusal`` value, or None.
        displacement_m: Horizontal distance between the poses before and after.
    """

    state: WorldState
    requested: ToolCall
    executed: ToolCall
    refusal: str | None
    displacement_m: float


def apply(scene: Scene, state: WorldState, view: View, call: ToolCall, execute: Execute) -> Outcome:
    """Carry out one call from ``state``, whose current view is ``view``.

    Args:
        scene: The store.
        state: The world before the call.
        view: What is in view from ``state.pose``; targets must appear in it.
        call: The call as the user made it; any values are allowed, bad ones are refused.
        execute: Carries out a movement from the user's pose and returns the pose reached; may raise NoRouteError.
    """
    reason = refusal(scene, state, view, call)
    if reason is not None:
        return Outcome(state, call, IDLE, reason, 0.0)
    if call.tool not in MOVEMENTS:
        return Outcome(_handled(scene, state, view, call), call, call, None, 0.0)
    try:
        pose = execute(call)
    except NoRouteError:
        return Outcome(state, call, IDLE, Refusal.NO_ROUTE, 0.0)
    moved = distance_m(state.pose, pose.x, pose.y)
    after = replace(
        state, pose=pose, checked=_still_checked(scene, state, pose), stalled=_stalled(scene, state, call, pose, moved)
    )
    return Outcome(after, call, call, None, moved)


def refusal(scene: Scene, state: WorldState, view: View, call: ToolCall) -> Refusal | None:
    """Why ``call`` may not be carried out, or None. A missing way to a place shows only when it is walked."""
    if call.tool not in scene.tools:
        return Refusal.NOT_A_TOOL_HERE
    reason = _argument_refusal(call)
    if reason is None and call.tool in DESTINATIONS:
        reason = _destination_refusal(scene, view, call)
    elif reason is None and call.tool in _INSPECTIONS:
        reason = _inspection_refusal(scene, state, view, call)
    elif reason is None and call.tool in _ENDINGS and state.inspected is None:
        by_hand = Tool.PICK_UP_ITEM in scene.tools
        reason = Refusal.HANDS_EMPTY if by_hand else Refusal.NOTHING_CHECKED
    return reason


def _argument_refusal(call: ToolCall) -> Refusal | None:
    """Missing directions, angles and lengths, and those out of range. What the tool does not take is ignored."""
    taken = TOOL_ARGUMENTS[call.tool]
    directions = directions_of(call.tool) if "direction" in taken else ()
    values: list[tuple[float | None, float]] = []
    if "angle_deg" in taken:
        values.append((call.angle_deg, MAX_ANGLE_DEG))
    if "distance_m" in taken:
        by_distance = call.distance_m is not None
        values.append((call.distance_m, MAX_DISTANCE_M) if by_distance else (call.duration_s, MAX_DURATION_S))
    if (directions and call.direction is None) or any(value is None for value, _ in values):
        return Refusal.MISSING_ARGUMENT
    if directions and call.direction not in directions:
        return Refusal.ARGUMENT_OUT_OF_RANGE
    if any(value is not None and not 0.0 <= value <= limit for value, limit in values):
        return Refusal.ARGUMENT_OUT_OF_RANGE
    return None


def _destination_refusal(scene: Scene, view: View, call: ToolCall) -> Refusal | None:
    approaches = APPROACHES_OF_MOVE.get(call.tool)
    if call.target is None or (approaches is not None and call.approach is None):
        return Refusal.MISSING_ARGUMENT
    if approaches is not None and call.approach not in approaches:
        return Refusal.ARGUMENT_OUT_OF_RANGE
    place = scene.place_by_id.get(call.target)
    if place is None or MOVE_OF_KIND[place.kind] != call.tool:
        return _no_such(scene, call.target)
    seen = view.places.get(call.target)
    if seen is None:
        return Refusal.TARGET_NOT_VISIBLE
    return None if approaches is None or call.approach in seen.approaches else Refusal.SIDE_NOT_SUPPORTED


def _inspection_refusal(scene: Scene, state: WorldState, view: View, call: ToolCall) -> Refusal | None:
    if call.target is None:
        return Refusal.MISSING_ARGUMENT
    if call.target not in scene.catalog.by_id:
        return _no_such(scene, call.target)
    if state.held is not None:
        return Refusal.HANDS_FULL
    seen = view.products.get(call.target)
    if seen is None or seen.instance_id in state.removed:
        return Refusal.TARGET_NOT_VISIBLE
    return None if seen.reachable else Refusal.OUT_OF_REACH


def _no_such(scene: Scene, target: str) -> Refusal:
    known = target in scene.place_by_id or target in scene.catalog.by_id
    return Refusal.WRONG_KIND_OF_TARGET if known else Refusal.UNKNOWN_TARGET


def _handled(scene: Scene, state: WorldState, view: View, call: ToolCall) -> WorldState:
    """Effects of the tools that do not move the user; idle has none.

    A picked up item leaves its shelf; a checked one, a piece of furniture perhaps, stays, even when it is bought.
    """
    if call.tool in _INSPECTIONS and call.target is not None:
        instance_id = view.products[call.target].instance_id or ""
        revealed = state.revealed | {call.target}
        if call.tool == Tool.CHECK_ITEM:
            return replace(state, checked=instance_id, revealed=revealed)
        return replace(state, held=instance_id, removed=state.removed | {instance_id}, revealed=revealed)
    if call.tool == Tool.ADD_TO_CART and state.inspected is not None:
        product_id = scene.instance_by_id[state.inspected].product_id
        return replace(state, held=None, checked=None, cart=(*state.cart, product_id))
    if call.tool == Tool.DROP_ITEM and state.held is not None:
        return replace(state, held=None, removed=state.removed - {state.held})
    if call.tool == Tool.DO_NOT_ADD_TO_CART:
        return replace(state, checked=None)
    return state


def _still_checked(scene: Scene, state: WorldState, pose: Pose) -> str | None:
    """The item under check, unless the user walked out of its reach."""
    if state.checked is None:
        return None
    x, y, _ = scene.instance_by_id[state.checked].position_m
    return state.checked if distance_m(pose, x, y) <= REACH_M else None


def _stalled(scene: Scene, state: WorldState, call: ToolCall, pose: Pose, moved_m: float) -> int:
    """The stall count after a movement: translations without displacement count, one that moves resets."""
    if call.tool not in STEPPING and call.tool not in DESTINATIONS:
        return state.stalled
    if moved_m >= NEGLIGIBLE_M:
        return 0
    return state.stalled if _arrived(scene, call, pose) else state.stalled + 1


def _arrived(scene: Scene, call: ToolCall, pose: Pose) -> bool:
    """Whether a move to a place ended where it should: then it stood still because it was there already."""
    if call.tool not in DESTINATIONS or call.target is None:
        return False
    place = scene.place_by_id[call.target]
    if call.approach == Approach.NEAREST:
        return rectangle_gap(place_rectangle(place), pose.x, pose.y) <= STAND_OFF_M + _ARRIVED_M
    goal = place.approaches[Approach(call.approach or Approach.FIXED)]
    return distance_m(pose, goal.x, goal.y) <= _ARRIVED_M
