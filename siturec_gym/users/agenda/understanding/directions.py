"""Where a clause tells the shopper to turn, walk or look."""

from collections.abc import Mapping, Sequence

from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.meaning import Act, Heading, Kind
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT
from siturec_gym.users.agenda.understanding.quantities import HALF_TURN_DEG, angle_deg, distance_m

_RIGHT_AS_ADVERB = cue("right_as_adverb")
_TURNS = cue("turns")
_WALKS = cue("walks")
_WALK_VERBS = cue("walk_verbs")
_WORDS = {word: heading for heading in Heading for word in cue(f"heading_{heading}")}
_GAZING = cue("gazing")
_SIDES = (Heading.LEFT, Heading.RIGHT)


def headings(words: Sequence[str]) -> list[Heading]:
    """Directions said, in order, without "right" in "right here" and the like."""
    found: list[Heading] = []
    for at, word in enumerate(words):
        heading = _WORDS.get(word)
        if heading is None or _is_adverb(words, at):
            continue
        if word == "further" and words[at + 1 : at + 2] and words[at + 1] in _WORDS:
            continue
        if word == "on" and (at == 0 or words[at - 1] not in _WALKS):
            continue
        if word == "about" and "turn" not in words and "face" not in words and (at == 0 or words[at - 1] not in _TURNS):
            continue
        found.append(heading)
    return found


def _is_adverb(words: Sequence[str], at: int) -> bool:
    if words[at] != "right":
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    if after in {"around", "round"}:
        return True
    turned = at > 0 and words[at - 1] in _TURNS | {"your", "the", "slightly", "hard", "sharp"}
    return (after in _RIGHT_AS_ADVERB or after == "to") and not turned


def moves_by_verb(words: Sequence[str]) -> bool:
    """Whether a verb of turning or walking is among the words."""
    return bool((_TURNS | _WALK_VERBS) & set(words))


def moves_explicitly(words: Sequence[str]) -> bool:
    """Whether a verb of turning or walking, or a distance, is among the words."""
    return moves_by_verb(words) or distance_m(words) is not None


def move_acts(clause: Clause, matches: Mapping[str, tuple[int, int]]) -> list[Act]:
    """The turn, walk or side step of a clause; a walk to a named place is guidance instead."""
    words = clause.words
    tilts = {"turn", "tilt", "raise", "lift", "lower", "tip", "your"} & set(words)
    if ({"head", "gaze", "eyes", "view"} & set(words) and tilts) or (_GAZING & set(words) and not _TURNS & set(words)):
        return []
    if "turn" in words and {"it", "pack", "package", "box", "bottle", "carton"} & set(words) and "around" in words:
        return []
    if words in {("right",), ("right", "?"), ("right", "then")} or _only_lies(words):
        return []
    if (" ".join(words) + " ").find("go ahead and ") >= 0:
        return []
    said = headings(words)
    turns = bool(_TURNS & set(words)) or _takes_a_side(words)
    lies = bool({"is", "are", "lies", "sits"} & set(words)) and not _WALK_VERBS & set(words)
    if (
        clause.named(PLACE)
        and not turns
        and Kind.NAVIGATE_PLACE in matches
        and (lies or _leads_to(words) or distance_m(_before(words)) is None)
    ):
        return []
    if clause.named(PRODUCT) and not turns and distance_m(words) is None:
        return []
    if {"is", "are", "sits"} & set(words[:4]) and not turns and not _WALK_VERBS & set(words):
        return []
    if not said and {"other", "opposite"} & set(words):
        return [Act(Kind.MOVE, direction=Heading.AROUND, angle_deg=HALF_TURN_DEG)]
    if not said and set(words) & {"keep", "carry", "continue", "onwards", "proceed", "on"} and "left" not in words:
        return [Act(Kind.MOVE, direction=Heading.FORWARD, distance_m=distance_m(words))]
    if not said and ("eighty" in words or {"half", "turn"} <= set(words)):
        return [Act(Kind.MOVE, direction=Heading.AROUND, angle_deg=HALF_TURN_DEG)]
    if not said:
        walks = (distance_m(words) is not None or "up" in words) and bool(_WALKS & set(words))
        return [Act(Kind.MOVE, direction=Heading.FORWARD, distance_m=distance_m(words))] if walks else []
    if turns:
        return _turn(words, said)
    heading = said[0]
    if heading is Heading.AROUND or {"other", "opposite"} & set(words):
        return [Act(Kind.MOVE, direction=Heading.AROUND, angle_deg=HALF_TURN_DEG)]
    side = next((h for h in said if h in _SIDES), None)
    if side is not None and heading not in {Heading.BACK, Heading.FORWARD}:
        return [_sideways(words, side)]
    return [Act(Kind.MOVE, direction=heading, distance_m=distance_m(words))]


def _only_lies(words: tuple[str, ...]) -> bool:
    """Whether something is said to be on one's left or right, and no step or turn to make."""
    on_side = any(words[at : at + 2] == ("on", "your") for at in range(len(words) - 2))
    return on_side and not (_TURNS | _WALKS | _WALK_VERBS) & set(words)


def _leads_to(words: tuple[str, ...]) -> bool:
    """Whether a distance is said on the way to a place: "walk six metres to the cooler"."""
    before = [word for word in _before(words) if word != "the"]
    return before[-1:] == ["to"] and before[-2:-1] != [] and before[-2] in {"metres", "m", "steps", "paces", "feet"}


def _before(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words up to the first place named."""
    return words[: words.index(PLACE)]


def _takes_a_side(words: Sequence[str]) -> bool:
    """Whether a side is taken as a turn: "take a left", "make a right"."""
    return any(
        w in {"a", "first", "next", "second", "the"}
        and words[i + 1] in {"left", "right"}
        and i > 0
        and words[i - 1] in {"take", "make", "hang", "taking", "making"}
        for i, w in enumerate(words[:-1])
    )


def _turn(words: Sequence[str], said: Sequence[Heading]) -> list[Act]:
    side = next((heading for heading in said if heading in _SIDES), None)
    degrees = angle_deg(words)
    if side is None:
        if said[0] is Heading.FORWARD:
            return [Act(Kind.MOVE, direction=Heading.FORWARD, distance_m=distance_m(words))]
        return [Act(Kind.MOVE, direction=Heading.AROUND, angle_deg=HALF_TURN_DEG)]
    turn = Act(Kind.MOVE, direction=side, angle_deg=degrees)
    walk = next((heading for heading in said if heading is Heading.FORWARD), None)
    if walk is None or distance_m(words) is None:
        return [turn]
    return [turn, Act(Kind.MOVE, direction=walk, distance_m=distance_m(words))]


def _sideways(words: Sequence[str], side: Heading) -> Act:
    """A side step where a step or distance is said, otherwise a turn to that side."""
    distance = distance_m(words)
    steps = distance is not None or bool(
        {"step", "sidestep", "strafe", "side", "aside", "shift", "slide", "scoot", "shuffle", "move"} & set(words)
    )
    if steps:
        return Act(Kind.MOVE, direction=side, distance_m=distance)
    return Act(Kind.MOVE, direction=side, angle_deg=angle_deg(words))


def look_heading(words: Sequence[str]) -> Heading | None:
    """Where the eyes should go, or on which side something lies."""
    for word in words:
        if word in {"up", "upward", "upwards", "higher", "above", "raise", "top", "upper", "highest", "uppermost"}:
            return Heading.UP
        if word in {"down", "downward", "downwards", "lower", "below", "bottom", "floor", "lowest", "lowermost"}:
            return Heading.DOWN
    plain = [word for word in words if word not in {"closer", "nearer", "further", "on"}]
    said = [heading for heading in headings(plain) if heading is not Heading.BACK]
    if not said and {"area", "surroundings", "room", "store"} & set(words):
        return Heading.AROUND
    if not said and "front" in words and "you" not in words:
        return Heading.FORWARD
    if not said and "about" in words and "look" in words:
        return Heading.AROUND
    return said[0] if said else None
