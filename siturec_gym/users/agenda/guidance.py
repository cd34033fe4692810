"""From where to go to how: guidance, approaching a product, searching and wandering, as tool calls."""

from collections.abc import Sequence

from siturec_gym.core.actions import MOVE_OF_KIND, Approach, Direction, Tool, ToolCall
from siturec_gym.users.agenda.turn import Mark, Turn
from siturec_gym.users.agenda.understanding import Act, Heading, Kind

STRIDE_M = 2.0
LONGEST_WALK_M = 5.0
TILT_DEG = 30.0
QUARTER_TURN_DEG = 90.0
ARM_M = 1.2
NEAR_PLACE_M = 2.2
STRAIGHT_ON_DEG = 50.0
DIRECT_WALK_M = 5.5
_SIDES = {Heading.LEFT: Direction.LEFT, Heading.RIGHT: Direction.RIGHT}
GUIDING = (Kind.MOVE, Kind.NAVIGATE_PLACE, Kind.LOOK)


def turning(direction: str, angle_deg: float) -> ToolCall:
    """A turn on the spot."""
    return ToolCall(Tool.TURN, direction=direction, angle_deg=min(180.0, round(angle_deg, 1)))


def guidance_acts(turn: Turn) -> list[Act]:
    """What the assistant told the shopper to do with feet and eyes, except to look at a product in view."""
    return [act for act in turn.meaning.acts if act.kind in GUIDING and not (act.kind is Kind.LOOK and act.product)]


def follow(turn: Turn, acts: Sequence[Act]) -> bool:
    """Do as told. Returns False where the words lead to nothing that can be done."""
    for act in acts:
        if act.kind is Kind.NAVIGATE_PLACE:
            turn.note(destination=act.place or turn.state.destination, searched=0)
    first = acts[0]
    if first.kind is Kind.MOVE:
        turn.call = _joined([act for act in acts if act.kind is Kind.MOVE])
        turn.say("follow_move")
        return True
    if first.kind is Kind.LOOK:
        return _look(turn, first)
    return _towards(turn, first)


def _joined(moves: Sequence[Act]) -> ToolCall:
    """One call for one or two movements in a row."""
    first = _movement(moves[0])
    if len(moves) < 2:
        return first
    second = _movement(moves[1])
    if first.tool == Tool.TURN and second.tool == Tool.MOVE_FORWARD:
        return ToolCall(Tool.TURN_AND_MOVE, first.direction, first.angle_deg, second.distance_m)
    if first.tool == Tool.MOVE_FORWARD and second.tool == Tool.TURN:
        return ToolCall(Tool.MOVE_AND_TURN, second.direction, second.angle_deg, first.distance_m)
    return first


def _movement(act: Act) -> ToolCall:
    distance = min(LONGEST_WALK_M, act.distance_m if act.distance_m is not None else STRIDE_M)
    if act.direction in _SIDES:
        side = _SIDES[act.direction]
        if act.angle_deg is not None:
            return turning(side, act.angle_deg)
        return ToolCall(Tool.SIDE_STEP, direction=side, distance_m=min(distance, act.distance_m or 1.0))
    if act.direction is Heading.AROUND:
        return turning(Direction.LEFT, 180.0)
    if act.direction is Heading.BACK:
        return ToolCall(Tool.MOVE_BACKWARD, distance_m=min(distance, act.distance_m or 1.0))
    return ToolCall(Tool.MOVE_FORWARD, distance_m=distance)


def _look(turn: Turn, act: Act) -> bool:
    mark = None if act.place is None else turn.sight.places.get(act.place)
    if mark is not None:
        turn.say("see_place", place=mark["name"])
        bearing = float(mark["bearing_deg"])
        if abs(bearing) > STRAIGHT_ON_DEG / 2:
            turn.call = turning(_side_of(bearing), abs(bearing))
        return True
    if act.place is not None:
        turn.say("not_seen", name=act.place)
        turn.call = _turn_by_hint(act.direction, turn.state.searched)
        return True
    turn.say("look_done")
    turn.call = _gaze(act)
    return True


def _gaze(act: Act) -> ToolCall:
    if act.direction in {Heading.UP, Heading.DOWN}:
        return ToolCall(Tool.LOOK_UP_DOWN, direction=str(act.direction), angle_deg=act.angle_deg or TILT_DEG)
    if act.direction in _SIDES:
        return turning(_SIDES[act.direction], act.angle_deg or QUARTER_TURN_DEG)
    if act.direction in {Heading.AROUND, Heading.BACK}:
        return turning(Direction.LEFT, QUARTER_TURN_DEG if act.direction is Heading.AROUND else 180.0)
    return ToolCall(Tool.IDLE)


def _towards(turn: Turn, act: Act) -> bool:
    """Make for a place, or a product that stands for its place."""
    if act.place is None and act.product is not None:
        turn.note(target=act.product, explained=0, searched=0)
        if act.product in turn.sight.products:
            turn.say("go_product", product=act.product)
            return approach_product(turn, act.product)
        turn.say("not_seen", name=act.product)
        turn.call = _turn_by_hint(act.direction, turn.state.searched)
        return True
    place = str(act.place)
    mark = turn.sight.places.get(place)
    if mark is None:
        turn.say("not_seen", name=place)
        turn.call = _turn_by_hint(act.direction, turn.state.searched)
        turn.note(searched=turn.state.searched + 1)
        return True
    turn.say("go_place", place=place)
    turn.call = to_place(mark, act.approach)
    return True


def to_place(mark: Mark, approach: str | None) -> ToolCall:
    """Walk to a visible place.

    To a fixture's side that was said if the view allows it, else to its front, else to its nearest point; through a
    store's doorway unless told to stay outside; to the one point of an area.
    """
    move, supported = MOVE_OF_KIND[mark["kind"]], mark["approaches"]
    if mark["kind"] == "area":
        return ToolCall(move, target=mark["handle"])
    if mark["kind"] == "store":
        outside = approach == Approach.OUTSIDE_DOORWAY
        way = Approach.OUTSIDE_DOORWAY if outside else Approach.INSIDE_DOORWAY
        return ToolCall(move, target=mark["handle"], approach=way.value)
    wanted = next((side for side in (approach, Approach.FRONT) if side in supported), supported[0])
    if approach is None and Approach.FRONT not in supported and Approach.BACK in supported:
        wanted = Approach.BACK
    return ToolCall(move, target=mark["handle"], approach=str(wanted))


def _turn_by_hint(heading: Heading | None, tried: int) -> ToolCall:
    """Turn to where something should be; without a hint, on to the left."""
    if heading in _SIDES:
        return turning(_SIDES[heading], QUARTER_TURN_DEG)
    if heading in {Heading.AROUND, Heading.BACK}:
        return turning(Direction.LEFT, 180.0)
    if heading is Heading.FORWARD:
        return ToolCall(Tool.MOVE_FORWARD, distance_m=STRIDE_M)
    return search_call(tried)


def search_call(tried: int) -> ToolCall:
    """The next step of looking for something: turn round by quarters, then walk on."""
    if tried % 5 == 4:
        return ToolCall(Tool.MOVE_FORWARD, distance_m=STRIDE_M * 2)
    return turning(Direction.LEFT, QUARTER_TURN_DEG)


def close_search_call(tried: int) -> ToolCall:
    """The next step of looking for a product right where it should be: down, both sides, a step back."""
    steps = (
        ToolCall(Tool.MOVE_BACKWARD, distance_m=0.8),
        ToolCall(Tool.LOOK_UP_DOWN, direction=Direction.DOWN, angle_deg=20.0),
        turning(Direction.LEFT, 45.0),
        turning(Direction.RIGHT, 90.0),
        turning(Direction.LEFT, 45.0),
    )
    return steps[tried % len(steps)]


def approach_product(turn: Turn, product: str) -> bool:
    """Walk up to a visible product that is out of reach."""
    mark = turn.sight.products[product]
    distance, bearing = float(mark["distance_m"]), float(mark["bearing_deg"])
    place = _place_of(turn, mark)
    stuck = turn.state.walked and turn.sight.marks == turn.state.view
    if place is not None and (distance > DIRECT_WALK_M or stuck) and float(place["distance_m"]) > NEAR_PLACE_M:
        turn.call = to_place(place, None)
        return True
    if stuck:
        turn.call = ToolCall(Tool.SIDE_STEP, direction=_side_of(bearing), distance_m=1.0)
        return True
    walk = min(LONGEST_WALK_M, max(0.3, distance - ARM_M))
    turn.call = ToolCall(Tool.TURN_AND_MOVE, _side_of(bearing), round(abs(bearing), 1), round(walk, 2))
    return True


def _side_of(bearing_deg: float) -> Direction:
    return Direction.LEFT if bearing_deg >= 0 else Direction.RIGHT


def _place_of(turn: Turn, mark: Mark) -> Mark | None:
    """The visible place that the product seems to stand in: its box holds the product's, at about its distance."""
    x = (mark["box"][0] + mark["box"][2]) / 2
    y = (mark["box"][1] + mark["box"][3]) / 2
    around = [
        place
        for place in turn.sight.places.values()
        if place["box"][0] - 0.02 <= x <= place["box"][2] + 0.02
        and place["box"][1] - 0.05 <= y <= place["box"][3] + 0.05
    ]
    if not around:
        return None
    return min(around, key=lambda place: (abs(place["distance_m"] - mark["distance_m"]), place["name"]))


def at_place(turn: Turn, place: str) -> bool:
    """Whether the shopper stands before the place."""
    mark = turn.sight.places.get(place)
    return mark is not None and mark["distance_m"] <= NEAR_PLACE_M and abs(mark["bearing_deg"]) <= STRAIGHT_ON_DEG


def own_way(turn: Turn) -> None:
    """Look around without being told."""
    side = Direction.LEFT if turn.draws[5] < 0.5 else Direction.RIGHT
    turn.call = turning(side, 60.0 if turn.draws[6] < 0.5 else QUARTER_TURN_DEG)
