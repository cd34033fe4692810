"""What an utterance of the assistant means to a shopper, as a typed record."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a part of an utterance does."""

    GREET = "greet"
    ASK = "ask"
    NAVIGATE_PLACE = "navigate_place"
    MOVE = "move"
    LOOK = "look"
    PICK_UP = "pick_up"
    PUT_BACK = "put_back"
    ADD_TO_CART = "add_to_cart"
    RECOMMEND = "recommend"
    COMPARE = "compare"
    INFORM = "inform"
    CONFIRM_PURCHASE = "confirm_purchase"
    APOLOGISE = "apologise"
    GOODBYE = "goodbye"
    REJECT_ACK = "reject_ack"
    OTHER = "other"


class Slot(StrEnum):
    """What a question is about."""

    CATEGORY = "category"
    USE = "use"
    BUDGET = "budget"
    AVOID = "avoid"
    NEED = "need"
    BRAND = "brand"
    FLAVOUR = "flavour"
    SIZE = "size"
    PACKAGING = "packaging"
    ALLERGENS = "allergens"
    NUTRITION = "nutrition"
    PRICE = "price"
    QUANTITY = "quantity"
    RECIPIENT = "recipient"
    SATISFACTION = "satisfaction"
    OTHER = "other"


class Heading(StrEnum):
    """A direction as people say it. Around is a half turn; back is a step backwards or what lies behind."""

    LEFT = "left"
    RIGHT = "right"
    FORWARD = "forward"
    BACK = "back"
    AROUND = "around"
    UP = "up"
    DOWN = "down"


class Attribute(StrEnum):
    """What a claim about a product is about.

    LABEL is a tag it carries ("lactose-free"), NOT_LABEL one it lacks ("not organic"); CONTAINS and FREE_FROM name an
    ingredient or allergen.
    """

    PRICE = "price"
    BRAND = "brand"
    FLAVOUR = "flavour"
    SIZE = "size"
    PACKAGING = "packaging"
    NUTRITION = "nutrition"
    LABEL = "label"
    NOT_LABEL = "not_label"
    CONTAINS = "contains"
    FREE_FROM = "free_from"


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said of a product. A price is its number as text with two decimals, the rest lower-case words."""

    attribute: Attribute
    value: str


@dataclass(frozen=True, slots=True)
class Act:
    """One thing an utterance does.

    Attributes:
        slot: What an ASK is about.
        product: The product meant: a name of the context where it is one, otherwise the words said.
        other: The second product of a COMPARE.
        place: The place meant: a name of the context where it is one, otherwise the words said, without article.
        direction: Where to turn, go or look, or the side on which a place lies.
        angle_deg: How far to turn or tilt, degrees, where it is a turn.
        distance_m: How far to walk or step, metres, where it is a walk or a side step.
        approach: "front" or "back" where a side of a fixture was named.
        claims: What is said of the product, in order.
    """

    kind: Kind
    slot: Slot | None = None
    product: str | None = None
    other: str | None = None
    place: str | None = None
    direction: Heading | None = None
    angle_deg: float | None = None
    distance_m: float | None = None
    approach: str | None = None
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """All acts of an utterance in the order said. Never empty: what does nothing is one act OTHER."""

    acts: tuple[Act, ...]

    def first(self, *kinds: Kind) -> Act | None:
        """The first act of one of ``kinds``, or None."""
        return next((act for act in self.acts if act.kind in kinds), None)


@dataclass(frozen=True, slots=True)
class Context:
    """What the listener has in mind when an utterance comes.

    Attributes:
        products: Names of products in view.
        places: Names of places in view.
        held: Name of the product in the hand, or None.
        mentioned: Names of products spoken of or held earlier, latest last.
        known_places: Names of places seen or heard of earlier.
        asked: What the shopper asked about last.
    """

    products: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    held: str | None = None
    mentioned: tuple[str, ...] = ()
    known_places: tuple[str, ...] = ()
    asked: tuple[Slot, ...] = ()
