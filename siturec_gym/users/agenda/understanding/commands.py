"""What a clause tells the shopper to do."""

from collections.abc import Callable

from siturec_gym.core.actions import Approach
from siturec_gym.users.agenda.understanding.directions import look_heading, move_acts
from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Kind
from siturec_gym.users.agenda.understanding.mentions import PRODUCT, UNKNOWN
from siturec_gym.users.agenda.understanding.questions import IN_ORDER
from siturec_gym.users.agenda.understanding.reading import Reading

COMMANDS = (
    Kind.ADD_TO_CART, Kind.PUT_BACK, Kind.CONFIRM_PURCHASE, Kind.MOVE, Kind.PICK_UP, Kind.LOOK, Kind.NAVIGATE_PLACE,
)  # fmt: skip
_INVITATIONS = (("how", "about"), ("what", "about"), ("why", "not"), ("what", "if"), ("why", "do"))
_OFFERS = (("should", "i"), ("shall", "i"), ("can", "i"), ("may", "i"), ("could", "i"))
_CART_OR_PURCHASE = frozenset({Kind.ADD_TO_CART, Kind.CONFIRM_PURCHASE})


def commands_in(reading: Reading) -> list[Act]:
    """The acts of the first kind of command that the clause gives; none where it gives no command."""
    if reading.clause.condition:
        return []
    for kind in COMMANDS:
        if reading.does(kind) and _may_command(reading, kind) and not reading.negated(kind):
            acts = _COMMANDERS[kind](reading)
            if acts:
                return acts
    return []


def _may_command(reading: Reading, kind: Kind) -> bool:
    """Whether a clause that begins like this can tell the shopper to do such a thing."""
    clause = reading.clause
    if clause.first in cue("wh_words"):
        guides = (kind is Kind.NAVIGATE_PLACE or (kind is Kind.LOOK and reading.has("seeing"))) and not clause.question
        return clause.words[:2] in _INVITATIONS or kind is Kind.CONFIRM_PURCHASE or guides
    if clause.first in cue("plain_questions") and clause.question:
        sees = kind is Kind.LOOK and (
            reading.has("seeing")
            or clause.words[:2] == ("is", "there")
            or bool({"there", "here"} & set(clause.words[-2:]))
        )
        return reading.starts("willing", 5) or sees or kind is Kind.CONFIRM_PURCHASE
    if kind is Kind.MOVE and clause.words[0] in {"they", "these", "those", "which"}:
        return False
    if kind is Kind.LOOK and reading.does(Kind.INFORM):
        return False
    guides = kind is Kind.NAVIGATE_PLACE and "we" in reading.words and bool(reading.places)
    if clause.first == "i" and reading.has("knowing") and " ask you to " not in reading.text and not guides:
        return False
    if clause.words[:2] in _OFFERS and not (" you to " in reading.text or " have you " in reading.text):
        return kind in _CART_OR_PURCHASE
    if kind is Kind.PICK_UP and (
        " should get " in reading.text or " can get " in reading.text or " could get " in reading.text
    ):
        return False
    if kind is Kind.PICK_UP and clause.first in {"we", "let"} and "instead" in reading.words:
        return False
    if _advises(reading) and kind in {Kind.PICK_UP, Kind.LOOK}:
        return False
    if kind is Kind.ADD_TO_CART and "would" in reading.words:
        return True
    if kind is Kind.PUT_BACK and "would" in reading.words:
        return True
    if kind is Kind.LOOK and reading.text.startswith((" i can see ", " i see ")) and reading.products:
        return True
    about_self = clause.first == "i" and not {"you", "your", "we"} & reading.words
    return kind is Kind.NAVIGATE_PLACE or not (about_self or clause.words[:2] == ("let", "me"))


def _advises(reading: Reading) -> bool:
    """Whether the clause says what the assistant would do: "I would take the oat drink"."""
    would = "i" in reading.clause.words[:6] and "would" in reading.words
    return would and "like" not in reading.words and "you pick" not in reading.text and " you to " not in reading.text


def _confirm(reading: Reading) -> list[Act]:
    if reading.text in {" this one", " that one"} and not (reading.clause.question and reading.context.held):
        return []
    if " it is" in reading.text[-7:] and reading.products[:1] != [reading.context.held]:
        return []
    if reading.clause.first in {"could", "can"} and reading.products and reading.products[0] != reading.context.held:
        return []
    new = reading.products and reading.products[0] != reading.context.held
    if new and not reading.clause.question and reading.does(Kind.RECOMMEND):
        return []
    asked = [slot for slot in IN_ORDER if reading.asks(slot)]
    other = (asked if " for you ?" not in reading.text else asked[1:]) or {"sight", "view"} & reading.words
    return [] if other or " as you " in reading.text else [Act(Kind.CONFIRM_PURCHASE)]


def _add_to_cart(reading: Reading) -> list[Act]:
    done = {"is", "are"} & reading.words and {"now", "already", "safely"} & reading.words
    if done or {"been", "added"} <= reading.words or "you have put" in reading.text:
        return [Act(Kind.CONFIRM_PURCHASE)]
    return [Act(Kind.ADD_TO_CART, product=_product_in_hand(reading, Kind.ADD_TO_CART))]


def _put_back(reading: Reading) -> list[Act]:
    if reading.places and not reading.has("pronouns") and not reading.clause.named(PRODUCT):
        return []
    if reading.context.held is None and ({"drop", "leave"} & reading.words or reading.clause.words[0] == "back"):
        return []
    return [Act(Kind.PUT_BACK, product=_product_in_hand(reading, Kind.PUT_BACK))]


def _product_in_hand(reading: Reading, kind: Kind) -> str | None:
    return product_meant(reading, kind) if reading.products else reading.referred()


def _pick_up(reading: Reading) -> list[Act]:
    product = product_meant(reading, Kind.PICK_UP)
    if product is None:
        if not reading.has("pronouns") and not load_words().packages & reading.words:
            return []
        product = reading.referred(to_held=False) or reading.context.held
    return [Act(Kind.PICK_UP, product=product)]


_DOORS = frozenset({"doorway", "entrance", "outside", "storefront", "door"})
_INDOORS = frozenset({"inside", "into", "enter", "within"})


def product_meant(reading: Reading, kind: Kind) -> str | None:
    """The product a phrase is about: one named in the clause, a pronoun's, or the words that follow."""
    named = reading.clause.named(PRODUCT) or reading.clause.named(UNKNOWN)
    if named:
        return named[0]
    if reading.has("pronouns"):
        return reading.referred(to_held=kind is not Kind.PICK_UP) or (
            reading.context.held if kind is Kind.PICK_UP else None
        )
    return reading.name_after(kind)


def _move(reading: Reading) -> list[Act]:
    return move_acts(reading.clause, reading.matches)


def _look(reading: Reading) -> list[Act]:
    if reading.claims_a(Attribute.PRICE):
        return []
    goes = bool({"go", "walk", "head"} & set(reading.clause.words[:5]))
    walks = goes or not reading.has("eyes")
    if reading.places and reading.does(Kind.NAVIGATE_PLACE) and walks and (goes or not reading.clause.question):
        return _navigate(reading)
    if reading.places and not reading.products and " look in " in reading.text and not reading.clause.question:
        return _navigate(reading)
    heading = look_heading(reading.clause.words)
    if reading.products:
        guides = reading.places and reading.does(Kind.NAVIGATE_PLACE)
        kind, place = (Kind.NAVIGATE_PLACE, reading.places[0]) if guides else (Kind.LOOK, None)
        return [Act(kind, product=reading.products[0], place=place, direction=heading)]
    if reading.places:
        return [Act(Kind.LOOK, place=reading.places[0], direction=heading)]
    told = (
        reading.has("gazes") or reading.has("shelf") or " on your " in reading.text or " surroundings" in reading.text
    )
    told = told and (reading.clause.first not in {"it", "this", "that", "they"} or " to look" in reading.text)
    if heading is not None and told:
        return [Act(Kind.LOOK, direction=heading)]
    return _look_at_package(reading)


def _look_at_package(reading: Reading) -> list[Act]:
    shown = reading.has("pronouns") or reading.has("printed") or bool(load_words().packages & reading.words)
    if reading.does(Kind.NAVIGATE_PLACE) or not shown:
        return []
    product = reading.context.held or reading.referred()
    return [] if product is None else [Act(Kind.LOOK, product=product)]


def _navigate(reading: Reading) -> list[Act]:
    heading = look_heading(reading.clause.words)
    if reading.places:
        product = reading.products[0] if reading.products else None
        return [
            Act(Kind.NAVIGATE_PLACE, product=product, place=place, direction=heading, approach=_approach(reading))
            for place in dict.fromkeys(reading.places)
        ]
    offers = reading.does(Kind.RECOMMEND) or reading.does(Kind.COMPARE)
    if reading.products and not offers:
        return [Act(Kind.NAVIGATE_PLACE, product=reading.products[0], direction=heading)]
    return []


def _approach(reading: Reading) -> str | None:
    """The side of a fixture that is named first, or the side of a store's doorway."""
    if not _DOORS.isdisjoint(reading.clause.words):
        return Approach.OUTSIDE_DOORWAY.value
    if not _INDOORS.isdisjoint(reading.clause.words):
        return Approach.INSIDE_DOORWAY.value
    side = next((word for word in reading.clause.words if word in {"front", "back", "rear", "behind"}), None)
    if side == "front" and "in" not in reading.words:
        return "front"
    return "back" if side in {"back", "rear"} else None


_COMMANDERS: dict[Kind, Callable[[Reading], list[Act]]] = {
    Kind.ADD_TO_CART: _add_to_cart,
    Kind.PUT_BACK: _put_back,
    Kind.CONFIRM_PURCHASE: _confirm,
    Kind.MOVE: _move,
    Kind.PICK_UP: _pick_up,
    Kind.LOOK: _look,
    Kind.NAVIGATE_PLACE: _navigate,
}
