"""What the shopper tells of the goal: at most one new key detail a turn (S11)."""

from siturec_gym.users.agenda.shopper import BUDGET, CATEGORY, USE, Detail
from siturec_gym.users.agenda.turn import Reply, Turn
from siturec_gym.users.agenda.understanding import Kind, Slot

_RECALLS = {True: (0.5, 0.7, 0.9), False: (0.1, 0.25, 0.45)}  # the first need or a further one, by talkativeness
_VOLUNTEERS = (0.1, 0.3, 0.6)
_STYLE_BONUS = {"practical": 0.25, "decisive": 0.15, "social": 0.1, "explorer": 0.0, "cautious": -0.2}
_OPEN_QUESTIONS = frozenset({Slot.NEED, Slot.OTHER})
_OPENING_QUESTIONS = frozenset({Slot.CATEGORY, Slot.USE, Slot.NEED, Slot.OTHER})
_SMALL_ANSWERS = {Slot.RECIPIENT: "recipient", Slot.QUANTITY: "quantity"}


def open_up(turn: Turn, greeted: bool) -> None:
    """Make the opening request, broad category and/or use, once and first of all that is said.

    It waits a turn where a reason for turning something down has told a detail already.
    """
    shopper = turn.shopper
    if turn.new_detail or {CATEGORY, USE} & set(turn.state.told):
        return
    request = shopper.request.lower()
    opening = [d.key for d in shopper.details if d.key in {CATEGORY, USE} and d.words.lower() in request]
    for key in opening or [shopper.details[0].key]:
        turn.tell(key)
    greets = greeted and not request.startswith(("hi", "hello"))
    turn.replies[:0] = [*([Reply("greet")] if greets else []), Reply("request", (("text", shopper.request),))]
    turn.new_detail = turn.opened = True


def questions_heard(turn: Turn) -> list[Slot]:
    """What the assistant asks this turn, in order, without what is settled by looking at a product."""
    return [act.slot for act in turn.meaning.acts if act.kind is Kind.ASK and act.slot not in {None, Slot.SATISFACTION}]


def disclose(turn: Turn) -> None:
    """Answer what was asked, or tell one more thing unasked."""
    asked = [*questions_heard(turn), *turn.state.pending]
    asked = [slot for slot in dict.fromkeys(asked) if not (turn.opened and slot in _OPENING_QUESTIONS)]
    left: list[Slot] = []
    answered = False
    for slot in asked:
        if turn.new_detail and _untold(turn, slot) is not None:
            left.append(slot)
        elif not answered or slot in _SMALL_ANSWERS:
            answered = _answer(turn, slot) or answered
    turn.note(pending=tuple(left[:3]))
    if not asked and not turn.new_detail and _volunteers(turn):
        _tell_next(turn)


def _answer(turn: Turn, slot: Slot) -> bool:
    detail = _untold(turn, slot)
    if detail is not None and _slips_the_mind(turn, slot):
        turn.say("nothing_in_mind")
        return True
    if detail is not None:
        _say_detail(turn, detail)
        turn.tell(detail.key)
        return True
    if slot in _SMALL_ANSWERS:
        turn.say(_SMALL_ANSWERS[slot], household=turn.shopper.household or "just me")
        return True
    if slot in _OPEN_QUESTIONS and all(d.key in turn.state.told for d in turn.shopper.details):
        turn.say("nothing_more")
        return True
    known = [d for d in turn.shopper.details if slot in d.slots and d.key in turn.state.told]
    if known:
        turn.say("again")
        _say_detail(turn, known[0])
        if slot in {Slot.CATEGORY, Slot.BUDGET, Slot.USE} and _told_before(turn, known[0].key):
            turn.annoy(1.0)
        return True
    if slot is Slot.OTHER:
        _say_surroundings(turn)
    else:
        turn.say("no_preference")
        turn.annoy(0.25)
    return True


def _slips_the_mind(turn: Turn, slot: Slot) -> bool:
    """Whether a vague question ("anything else?") fails to bring up a need, sooner a further one than the first.

    The need is not denied for good: the next question, above all a precise one, may bring it up, and a product that
    misses it is turned down for it.
    """
    if slot not in _OPEN_QUESTIONS:
        return False
    first = not any(key.startswith("need:") for key in turn.state.told)
    return bool(turn.draws[8] > _RECALLS[first][turn.shopper.level("talkativeness")])


def _told_before(turn: Turn, key: str) -> bool:
    return key in turn.state.told and not turn.new_detail


def _untold(turn: Turn, slot: Slot) -> Detail | None:
    """The next detail that answers the question and was not told yet."""
    told = turn.state.told
    for detail in turn.shopper.details:
        if detail.key not in told and (
            slot in detail.slots or (slot in _OPEN_QUESTIONS and _is_open_answer(turn, detail))
        ):
            return detail
    return None


def _is_open_answer(turn: Turn, detail: Detail) -> bool:
    """Whether an open question ("anything else?") may bring this detail: needs before the rest."""
    needs_left = any(d.key.startswith("need:") and d.key not in turn.state.told for d in turn.shopper.details)
    return detail.key.startswith("need:") if needs_left else True


def _volunteers(turn: Turn) -> bool:
    share = _VOLUNTEERS[turn.shopper.level("talkativeness")]
    share += _STYLE_BONUS.get(turn.shopper.settings["behavior_style"], 0.0)
    return bool(turn.draws[1] < share) and turn.sight.held is None


def _tell_next(turn: Turn) -> None:
    for detail in turn.shopper.details:
        if detail.key not in turn.state.told:
            _say_detail(turn, detail)
            turn.tell(detail.key)
            return


def _say_detail(turn: Turn, detail: Detail) -> None:
    kind = detail.key.partition(":")[0]
    turn.say(f"tell_{kind}", words=detail.words)


def _say_surroundings(turn: Turn) -> None:
    places = sorted(turn.sight.places.values(), key=lambda mark: mark["distance_m"])[:3]
    if places:
        turn.say("surroundings", places=", ".join(mark["name"] for mark in places))
    else:
        turn.say("see_nothing")


__all__ = ["BUDGET", "disclose", "open_up", "questions_heard"]
