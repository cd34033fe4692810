"""Guidance in words: a step of the way as sentences that name places and directions, never handles."""

from siturec_gym.core.actions import Approach, Tool
from siturec_gym.core.pose import bearing_deg
from siturec_gym.policies.guidance import Step, side_words
from siturec_gym.policies.heuristic.wording import Say, metres, say
from siturec_gym.policies.knowledge import Place
from siturec_gym.policies.situation import Situation

ABOUT_FACE_DEG = 165.0


def step_words(situation: Situation, step: Step, *, again: bool = False) -> tuple[Say, ...]:
    """What to say for ``step``; ``again`` when it was asked for before and not done."""
    if step.kind == "go" and step.place is not None:
        mark = situation.place_marks[step.place.id]
        key = "go.again" if again else "go" if step.final else "go.hop"
        go = say(key, place=approach_words(step.place, step.side), where=side_words(float(mark["bearing_deg"])))
        return (go, say("heading")) if step.final and not again else (go,)
    if step.kind == "turn":
        return (_turn_words(situation, step),)
    return (_movement_words(step),)


def approach_words(place: Place, side: str | None) -> str:
    """The place by name: a store with the side of its doorway, a fixture with its side where it has two."""
    if place.kind == "store":
        return f"the doorway of {named(place)}" if side == Approach.OUTSIDE_DOORWAY else f"the inside of {named(place)}"
    if side is None or len(place.approaches) < 2:
        return named(place)
    return f"the {side} of {named(place)}"


def named(place: Place) -> str:
    """The name of a place as it stands in a sentence; a store's says that it is one."""
    name = place.name if place.name.startswith("The ") else f"the {place.name}"
    return f"{name} store" if place.kind == "store" else name


def _turn_words(situation: Situation, step: Step) -> Say:
    call = step.call
    slots = {"direction": str(call.direction), "angle": f"{call.angle_deg:g}"}
    if step.place is None:
        return say("turn.plain", **slots)
    place = named(step.place)
    if abs(bearing_deg(situation.pose, step.place.x, step.place.y)) >= ABOUT_FACE_DEG and call.angle_deg == 180.0:
        return say("turn.around.see", place=place)
    return say("turn.see", place=place, **slots)


def _movement_words(step: Step) -> Say:
    call = step.call
    if call.tool == Tool.LOOK_UP_DOWN:
        return say("look", direction=str(call.direction))
    if call.tool == Tool.TURN:
        return say("turn.plain", direction=str(call.direction), angle=f"{call.angle_deg:g}")
    length = metres(call.distance_m or 0.0)
    if call.tool == Tool.SIDE_STEP:
        return say("side", direction=str(call.direction), metres=length)
    if call.tool == Tool.MOVE_BACKWARD:
        return say("back", metres=length)
    if call.tool == Tool.TURN_AND_MOVE:
        return say("walk.turn", direction=str(call.direction), angle=f"{call.angle_deg:g}", metres=length)
    return say("walk.forward", metres=length)
