"""Patience: unhelpful turns add up, helpful ones make up for them, and in the end the shopper leaves."""

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.users.agenda.turn import Turn
from siturec_gym.users.agenda.understanding import Kind, Slot

BEARS = (1.25, 2.25, 3.5)
_REPETITION = 1.0
_IRRELEVANCE = 1.0
_RELIEF = -0.25
_INTERROGATION = 0.75
_QUESTIONS_BORNE = 1
_QUESTIONED_OUT = 0.5
_QUESTIONS_IN_ALL = (2, 3, 5)
_FRESH_TURNS = {True: 6, False: 8}  # by whether goods are at hand; from store to store the ways are longer
_FATIGUE = 0.3
_FILLER = frozenset({Kind.OTHER, Kind.GREET, Kind.APOLOGISE, Kind.REJECT_ACK})


def weigh(turn: Turn) -> None:
    """Count what was just heard as help or as a nuisance."""
    heard = turn.sight.heard.strip().lower()
    kinds = {act.kind for act in turn.meaning.acts}
    repeated = turn.state.heard.count(heard)
    if repeated and Kind.ADD_TO_CART not in kinds:
        turn.annoy(_REPETITION if repeated > 1 or not kinds & {Kind.NAVIGATE_PLACE, Kind.MOVE, Kind.LOOK} else 0.5)
    elif kinds <= _FILLER and turn.sight.number > 0:
        turn.annoy(_IRRELEVANCE)
    elif kinds == {Kind.GOODBYE}:
        turn.annoy(2 * _IRRELEVANCE)
    elif kinds <= {Kind.ASK, *_FILLER}:
        turn.note(interrogated=turn.state.interrogated + 1)
        turn.annoy(_INTERROGATION if turn.state.interrogated > _QUESTIONS_BORNE else 0.0)
    else:
        turn.note(interrogated=0)
        turn.annoy(_RELIEF)
    questions = sum(act.kind is Kind.ASK and act.slot is not Slot.SATISFACTION for act in turn.meaning.acts)
    if questions:
        turn.note(questioned=turn.state.questioned + questions)
        if turn.state.questioned > _QUESTIONS_IN_ALL[turn.shopper.level("patience")]:
            turn.annoy(_QUESTIONED_OUT)
    if turn.sight.number >= _FRESH_TURNS[turn.sight.by_hand] and turn.sight.held is None:
        turn.annoy(_FATIGUE)
    turn.note(heard=(*turn.state.heard, heard)[-20:])


def out_of_patience(turn: Turn) -> bool:
    """Whether the shopper has had enough."""
    return turn.state.annoyance >= BEARS[turn.shopper.level("patience")]


def leave(turn: Turn) -> None:
    """Say so clearly, and stand still."""
    turn.replies.clear()
    turn.say("leave" if not turn.state.gone else "gone")
    turn.call = ToolCall(Tool.IDLE)
    turn.note(gone=True)
