"""The next step of the way to a product: which movement to ask for, and the words' geometry."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Tool, ToolCall
from siturec_gym.core.pose import Pose, bearing_deg, distance_m, wrap_angle_deg
from siturec_gym.policies.atlas import IN_VIEW_DEG, LONGEST_WALK_M, Missed, atlas_of, supports_side, was_missed
from siturec_gym.policies.knowledge import Item, Place, Stand
from siturec_gym.policies.situation import Situation

AT_VIEWPOINT_M = 0.9
FACING_DEG = 30.0
STRAYED_M = 3.0
NEARBY_M = 6.0


@dataclass(frozen=True, slots=True)
class Step:
    """One movement to ask the user for.

    Attributes:
        kind: go (to a place in view), turn, walk (turn and walk), look (up or down), scan (search at the shelf).
        call: The movement as a tool call.
        place: The place that is named: the one to go to, or to look for after turning.
        side: The approach to it, for go.
        final: Whether ``place`` is the destination.
    """

    kind: str
    call: ToolCall
    place: Place | None = None
    side: str | None = None
    final: bool = False


def at_stand(situation: Situation, stand: Stand) -> bool:
    """Whether the user stands at the viewpoint of ``stand``."""
    x, y, _ = situation.store.places[stand.place].approaches[stand.side]
    return distance_m(situation.pose, x, y) <= AT_VIEWPOINT_M


Option = tuple[float, Callable[..., Step], tuple[Any, ...]]  # cost in turns, and how to make the step if it is taken


def _cost(option: Option) -> float:
    return option[0]


def way_to(situation: Situation, stand: Stand, missed: tuple[Missed, ...] = ()) -> Step | None:
    """The step that brings the user closest to ``stand`` in turns; None when already there and facing it."""
    place = situation.store.places[stand.place]
    if at_stand(situation, stand):
        return _face(situation.pose, place, stand.side)
    options = [
        *_in_view(situation, stand, missed),
        *_after_turning(situation, stand, missed),
        *_walks(situation, stand, missed),
    ]
    if not options:
        return _turn(180.0 if situation.turn % 2 else 90.0, None)
    _, make, details = min(options, key=_cost)
    return make(*details)


def search_at(
    situation: Situation,
    item: Item,
    stand: Stand,
    tries: int,
    missed: tuple[Missed, ...] = (),
    remembered: tuple[float, float] | None = None,
) -> Step | None:
    """The step that brings a product of the stand into view and reach; None when it can be picked up or checked.

    Args:
        situation: The turn.
        item: The product.
        stand: Where it stands.
        tries: Steps of search so far.
        missed: Places that did not come into view.
        remembered: x, y where the product was seen before, for goods that stand in the open.
    """
    mark = situation.product_marks.get(item.id)
    if mark is not None and mark["reachable"]:
        return None
    if situation.blind and at_stand(situation, stand):
        return way_to(situation, stand, missed)
    if mark is not None and at_stand(situation, stand):
        way = float(mark["distance_m"]), float(mark["bearing_deg"])
        return _approach_mark(*way) if situation.by_hand else _approach_across(*way, tries)
    if mark is None and remembered is not None and distance_m(situation.pose, *remembered) < NEARBY_M:
        bearing = bearing_deg(situation.pose, *remembered)
        if abs(bearing) > IN_VIEW_DEG:
            return _turn(bearing, None, final=True)
        return _approach_across(distance_m(situation.pose, *remembered), bearing, tries)
    if tries and not situation.by_hand and situation.store.places[stand.place].store is not None:
        return _explore(situation, stand, tries)
    step = way_to(situation, stand, missed)
    return step if step is not None else _scan(tries, situation.by_hand)


def _explore(situation: Situation, stand: Stand, tries: int) -> Step:
    """Look around in an area rather than go to its point again and again; go back only from far away."""
    x, y, _ = situation.store.places[stand.place].approaches[stand.side]
    if distance_m(situation.pose, x, y) > STRAYED_M:
        step = way_to(situation, stand)
        if step is not None:
            return step
    return _scan(tries, situation.by_hand)


def _face(pose: Pose, place: Place, side: str) -> Step | None:
    if place.kind == "area":
        bearing = wrap_angle_deg(place.approaches[side][2] - pose.yaw_deg)
    else:
        bearing = bearing_deg(pose, place.x, place.y)
    return None if abs(bearing) <= FACING_DEG else _turn(bearing, place, True)


def _turn(angle_deg: float, place: Place | None, final: bool = False) -> Step:
    angle = max(5.0, min(180.0, 5.0 * round(abs(angle_deg) / 5.0)))
    direction = "left" if angle_deg > 0 else "right"
    return Step("turn", ToolCall(Tool.TURN, direction=direction, angle_deg=angle), place, None, final)


def _in_view(situation: Situation, stand: Stand, missed: tuple[Missed, ...]) -> list[Option]:
    """Places in view as next stops."""
    to_go = atlas_of(situation.store).turns_to(stand, missed)
    options: list[Option] = []
    for place_id, mark in situation.place_marks.items():
        place = situation.store.places[place_id]
        for side, (x, y, _) in place.approaches.items():
            turns = to_go.get((place_id, side))
            supported = side in mark["approaches"] or place.kind == "area"
            if turns is not None and supported and distance_m(situation.pose, x, y) > AT_VIEWPOINT_M:
                final = place_id == stand.place and side == stand.side
                cost = 1.0 + turns + 0.01 * float(mark["distance_m"])
                options.append((cost, _go, (place, side, mark["handle"], final)))
    return options


def _go(place: Place, side: str, handle: str, final: bool) -> Step:
    move = MOVE_OF_KIND[place.kind]
    call = ToolCall(move, target=handle, approach=side if move in APPROACHES_OF_MOVE else None)
    return Step("go", call, place, side, final)


def _after_turning(situation: Situation, stand: Stand, missed: tuple[Missed, ...]) -> list[Option]:
    """Places that the map says come into view by turning."""
    atlas, pose, store = atlas_of(situation.store), situation.pose, situation.store
    to_go = atlas.turns_to(stand, missed)
    options: list[Option] = []
    sights, _ = atlas.around(round(pose.x, 1), round(pose.y, 1))
    for place_id, point in sights.items():
        bearing = bearing_deg(pose, *point)
        if abs(bearing) <= IN_VIEW_DEG - 8 or was_missed(place_id, pose, missed):
            continue
        place = store.places[place_id]
        for side in place.approaches:
            turns = to_go.get((place_id, side))
            if turns is not None and supports_side(place, side, pose.x, pose.y):
                final = place_id == stand.place and side == stand.side
                options.append((2.05 + turns + 0.02, _turn, (bearing, place, final)))
    return options


def _walks(situation: Situation, stand: Stand, missed: tuple[Missed, ...]) -> list[Option]:
    """Straight walks to waypoints nearby."""
    atlas, pose = atlas_of(situation.store), situation.pose
    to_go = atlas.turns_to(stand, missed)
    options: list[Option] = []
    _, near = atlas.around(round(pose.x, 1), round(pose.y, 1))
    for name in near:
        node, cost = atlas.walk(pose, name)
        if node in to_go:
            options.append((cost + to_go[node], _walk_step, (pose, situation.store.waypoints[name])))
    return options


def _walk_step(pose: Pose, point: tuple[float, float]) -> Step:
    bearing = bearing_deg(pose, *point)
    metres = max(0.5, min(LONGEST_WALK_M, 0.5 * round(distance_m(pose, *point) / 0.5)))
    if abs(bearing) < 5.0:
        return Step("walk", ToolCall(Tool.MOVE_FORWARD, distance_m=metres))
    angle = max(5.0, min(180.0, 5.0 * round(abs(bearing) / 5.0)))
    direction = "left" if bearing > 0 else "right"
    return Step("walk", ToolCall(Tool.TURN_AND_MOVE, direction=direction, angle_deg=angle, distance_m=metres))


def _approach_across(distance: float, bearing: float, tries: int) -> Step:
    """Closer to an item over the floor of an area; every third step aside, around what may stand in the way."""
    if tries % 3 == 2:
        side = "left" if tries % 2 else "right"
        return Step("scan", ToolCall(Tool.SIDE_STEP, direction=side, distance_m=1.0))
    metres = max(0.5, min(LONGEST_WALK_M, 0.5 * math.ceil((distance - 2.0) / 0.5)))
    if abs(bearing) < 10.0:
        return Step("scan", ToolCall(Tool.MOVE_FORWARD, distance_m=metres))
    angle, direction = max(5.0, 5.0 * round(abs(bearing) / 5.0)), "left" if bearing > 0 else "right"
    return Step("scan", ToolCall(Tool.TURN_AND_MOVE, direction=direction, angle_deg=angle, distance_m=metres))


def _approach_mark(distance: float, bearing: float) -> Step:
    """Closer to an item on a shelf that is in view and out of reach."""
    metres = max(0.5, min(LONGEST_WALK_M, 0.5 * math.ceil((distance - 2.0) / 0.5)))
    if abs(bearing) < 20.0:
        return Step("walk", ToolCall(Tool.MOVE_FORWARD, distance_m=metres))
    direction = "left" if bearing > 0 else "right"
    return Step("scan", ToolCall(Tool.SIDE_STEP, direction=direction, distance_m=metres))


_SCANS = (
    ToolCall(Tool.LOOK_UP_DOWN, direction="down", angle_deg=25.0),
    ToolCall(Tool.LOOK_UP_DOWN, direction="up", angle_deg=40.0),
    ToolCall(Tool.SIDE_STEP, direction="left", distance_m=1.0),
    ToolCall(Tool.SIDE_STEP, direction="right", distance_m=2.0),
    ToolCall(Tool.MOVE_BACKWARD, distance_m=0.5),
)


_AREA_SCANS = (
    ToolCall(Tool.TURN, direction="left", angle_deg=60.0),
    ToolCall(Tool.TURN, direction="right", angle_deg=120.0),
    ToolCall(Tool.TURN_AND_MOVE, direction="left", angle_deg=60.0, distance_m=1.0),
    ToolCall(Tool.LOOK_UP_DOWN, direction="down", angle_deg=20.0),
    ToolCall(Tool.TURN, direction="left", angle_deg=90.0),
    ToolCall(Tool.TURN, direction="left", angle_deg=90.0),
)


def _scan(tries: int, by_hand: bool) -> Step:
    scans = _SCANS if by_hand else _AREA_SCANS
    call = scans[tries % len(scans)]
    return Step("look" if call.tool == Tool.LOOK_UP_DOWN else "scan", call)


def side_words(bearing: float) -> str:
    """Where something at ``bearing`` (degrees, left positive) is, in words."""
    bearing = wrap_angle_deg(bearing)
    if abs(bearing) <= 12.0:
        return "straight ahead of you"
    if abs(bearing) >= 150.0:
        return "behind you"
    side = "left" if bearing > 0 else "right"
    return f"ahead of you to the {side}" if abs(bearing) < 30.0 else f"on your {side}"
