"""Whether a clause asks, and about what."""

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Attribute, Kind, Slot
from siturec_gym.users.agenda.understanding.reading import Reading

IN_ORDER = (
    Slot.RECIPIENT, Slot.ALLERGENS, Slot.BUDGET, Slot.AVOID, Slot.NUTRITION, Slot.BRAND, Slot.PACKAGING, Slot.FLAVOUR,
    Slot.SIZE, Slot.QUANTITY, Slot.USE, Slot.PRICE,
)  # fmt: skip
_VAGUE = (Slot.SATISFACTION, Slot.CATEGORY, Slot.NEED, Slot.OTHER)
_SLOT_OF_ATTRIBUTE = {
    Attribute.LABEL: Slot.NEED, Attribute.NOT_LABEL: Slot.NEED, Attribute.SIZE: Slot.SIZE,
    Attribute.FLAVOUR: Slot.FLAVOUR, Attribute.NUTRITION: Slot.NUTRITION, Attribute.PACKAGING: Slot.PACKAGING,
    Attribute.PRICE: Slot.BUDGET,
}  # fmt: skip
_STRONGER_THAN_NEEDS = frozenset(
    {Slot.BRAND, Slot.FLAVOUR, Slot.SIZE, Slot.PACKAGING, Slot.BUDGET, Slot.AVOID}
)  # fmt: skip
_ECHOED = {
    Slot.BUDGET: {Slot.PRICE, Slot.QUANTITY},
    Slot.RECIPIENT: {Slot.USE},
    Slot.ALLERGENS: {Slot.RECIPIENT},
    Slot.BRAND: {Slot.RECIPIENT},
}
_SUGGESTIONS = (("shall", "we"), ("can", "we"), ("should", "we"))


def slots_asked(reading: Reading) -> list[Slot]:
    """The slots a clause asks about; none where it does not ask."""
    if not _asks(reading):
        return []
    found = _precise(reading)
    special = _special(reading, found)
    if special is not None:
        return [special]
    if found:
        several = {"and", "or"} & reading.words
        return found if several else found[:1]
    return _vague(reading)


def _asks(reading: Reading) -> bool:
    """Whether the clause is a question, asks to be told, or just names what it wants to know."""
    clause = reading.clause
    if "so kind" in reading.text or clause.first in {"thank", "thanks"} or _exclaims(reading):
        return False
    if clause.words[-1] == "?" and len(clause.words) <= 5 and "not" in clause.words[:2]:
        return False
    if reading.text.startswith((" have you considered ", " have you thought ", " have you tried ")):
        return False
    if clause.question or clause.first in cue("request_verbs") or "request" in reading.matches:
        return True
    wonders = reading.has("knowing") and bool((cue("wh_words") | {"if", "whether", "your", "about"}) & reading.words)
    unsure = "not" in reading.words and bool({"sure", "certain", "clear"} & reading.words)
    wonders |= unsure and bool(cue("wh_words") & reading.words)
    return wonders or _is_bare_request(reading)


def _exclaims(reading: Reading) -> bool:
    """Whether "how sweet is that?" marvels rather than asks."""
    words = tuple(word for word in reading.clause.words if word != "?")
    return len(words) == 4 and words[0] == "how" and words[2:] == ("is", "that")


def _is_bare_request(reading: Reading) -> bool:
    """Whether a short clause just names what it wants to know: "your budget, please"."""
    words = [word for word in reading.clause.words if word != "please"]
    if not 1 <= len(words) <= 5 or reading.has("stating_verbs"):
        return False
    if len(words) == 1 and reading.clause.words[-1] == "please":
        return True
    return words[0] in {"your", "any", "anything"} or (reading.clause.words[-1] == "please" and words[0] == "the")


def _precise(reading: Reading) -> list[Slot]:
    """Slots whose phrases occur, without those that only echo a stronger one."""
    found = [slot for slot in IN_ORDER if reading.asks(slot)]
    echoes = {echo for slot in found for echo in _ECHOED.get(slot, ())}
    echoes |= {Slot.QUANTITY} if " the only one " in reading.text else set()
    echoes |= {Slot.BUDGET} if "attention" in reading.words else set()
    return [slot for slot in found if slot not in echoes]


def _special(reading: Reading, found: list[Slot]) -> Slot | None:
    """The one slot that certain words settle, whatever else occurs."""
    text, words = reading.text, reading.words
    if "aside" in reading.matches and not found:
        return Slot.OTHER
    if Slot.QUANTITY in found and any(f" how many {pack} " in text for pack in sorted(load_words().packages & words)):
        return Slot.QUANTITY
    looks = "what you see" in text or "looking at" in text
    if ({"question", "questions"} & words and "out" not in words) or (looks and not reading.asks(Slot.SATISFACTION)):
        return Slot.OTHER
    if any(f"afford {it}" in text for it in ("that", "it", "this")) or " more than you" in text:
        return Slot.PRICE
    if any(f"{fits} your budget" in text for fits in ("within", "in", "inside", "over", "above", "fit", "fits")):
        return Slot.PRICE if {"it", "that", "this", "these", "price"} & words or "@m" in text else None
    if any(f" live with {it}" in text for it in ("that", "it", "this")):
        return Slot.PRICE
    if " make a difference " in text:
        return Slot.NEED
    if " how much of " in text and {"it", "them", "that", "this", "these", "those"} & words and "spend" not in words:
        return Slot.QUANTITY
    if " rather have something with" in text:
        return Slot.NEED
    if {"feature", "features"} & words and " without" in text:
        return Slot.NEED
    if " package size" in text or " pack size" in text:
        return Slot.SIZE
    if not found and {"anything", "something"} & words and "else" in words and "or" not in words:
        return Slot.NEED if reading.has("weighty") and "like to know" not in text else Slot.OTHER
    judges = reading.asks(Slot.SATISFACTION)
    if reading.has("needs") and {"product", "item"} & words and reading.asks(Slot.CATEGORY) and "and" in words:
        return None
    if reading.has("needs") and reading.asks(Slot.NEED) and not judges and not _STRONGER_THAN_NEEDS & set(found):
        return Slot.NEED
    if " make of " in text:
        return Slot.SATISFACTION
    if reading.asks(Slot.NEED) and " make it " in text and found == [Slot.USE]:
        return Slot.NEED
    if "to your taste" in text or "to your liking" in text:
        return Slot.SATISFACTION
    if Slot.PRICE in (*found, *_echo_of_budget(reading)) and "@m" in text and not reading.starts("limits", 2):
        return Slot.PRICE
    if found == [Slot.NUTRITION] and (" low fat" in text or " full fat" in text):
        return Slot.NEED
    return None


def _echo_of_budget(reading: Reading) -> tuple[Slot, ...]:
    return (Slot.PRICE,) if reading.asks(Slot.PRICE) else ()


def _vague(reading: Reading) -> list[Slot]:
    """What a question without a precise phrase is about."""
    order = _vague_order(reading)
    slot = next((slot for slot in order if reading.asks(slot)), None)
    if (
        slot is Slot.CATEGORY
        and reading.has("needs")
        and "and" in reading.words
        and {"product", "item"} & reading.words
    ):
        return [Slot.CATEGORY, Slot.NEED]
    if slot is Slot.CATEGORY and {"something", "anything"} & reading.words and _guess(reading) == [Slot.NEED]:
        return [Slot.NEED]
    if slot in {Slot.SATISFACTION, Slot.OTHER} and "it" in reading.words and _guess(reading) == [Slot.NEED]:
        return [Slot.NEED]
    if slot is Slot.OTHER and reading.clause.words[:2] in _SUGGESTIONS:
        return []
    if slot is not None:
        return [slot]
    return _guess(reading) if reading.clause.words[-1] == "?" else []


def _vague_order(reading: Reading) -> tuple[Slot, ...]:
    if "prefer" in reading.words or (reading.asks(Slot.NEED) and "looking for in" in reading.text):
        return (Slot.NEED, *_VAGUE)
    if reading.clause.first in {"what", "which", "where"} and not reading.has("opinions"):
        return (Slot.CATEGORY, Slot.NEED, *_VAGUE)
    return _VAGUE


def _guess(reading: Reading) -> list[Slot]:
    """What a question with no known phrase is probably about, by the kinds of words in it."""
    for attribute, slot in _SLOT_OF_ATTRIBUTE.items():
        if attribute is Attribute.PRICE and reading.products:
            continue
        if any(c.attribute is attribute and c.value not in cue("noun_labels") for c in reading.claims):
            return [slot]
    judged = {"it", "this", "that", "these"} & reading.words and {"you", "good", "right", "fine"} & reading.words
    if judged and reading.clause.first not in {"where", "did"}:
        return [Slot.SATISFACTION]
    commands = {Kind.LOOK, Kind.PICK_UP, Kind.MOVE, Kind.ADD_TO_CART, Kind.PUT_BACK} & set(reading.matches)
    return [Slot.OTHER] if len(reading.clause.words) > 3 and not commands else []
