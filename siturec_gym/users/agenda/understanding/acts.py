"""From one clause to its acts: which phrases it holds, and which of their meanings wins."""

from collections.abc import Sequence

from siturec_gym.users.agenda.understanding.claims import claims_in
from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.directions import look_heading, move_acts
from siturec_gym.users.agenda.understanding.lexicon import load_patterns, load_words
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Claim, Context, Kind, Slot
from siturec_gym.users.agenda.understanding.names import PLACE, PRODUCT, UNKNOWN

Matches = dict[str, tuple[int, int]]
_ASK_ORDER = (
    Slot.RECIPIENT, Slot.ALLERGENS, Slot.BUDGET, Slot.AVOID, Slot.NUTRITION, Slot.BRAND, Slot.PACKAGING, Slot.FLAVOUR,
    Slot.SIZE, Slot.QUANTITY, Slot.USE, Slot.PRICE,
)  # fmt: skip
_ASK_FALLBACKS = (Slot.SATISFACTION, Slot.CATEGORY, Slot.NEED, Slot.OTHER)
_WEIGHTY = frozenset("important matter matters consider know require required prefer must have has".split())
_LIMITS = frozenset("under below up less around within maximum max".split())
_NOUN_LABELS = frozenset("milk fish nut nuts peanut peanuts egg eggs dairy cheese".split())
_NEVER = frozenset("not no never without".split())
_SLOT_OF_ATTRIBUTE = {
    Attribute.LABEL: Slot.NEED, Attribute.NOT_LABEL: Slot.NEED, Attribute.SIZE: Slot.SIZE, Attribute.FLAVOUR: Slot.FLAVOUR,
    Attribute.NUTRITION: Slot.NUTRITION, Attribute.PACKAGING: Slot.PACKAGING, Attribute.PRICE: Slot.BUDGET,
}  # fmt: skip
_NEEDS = frozenset("most perfect qualities preferences specific feature features requirement requirements dietary criteria must-haves attributes attribute".split())
_REQUEST_VERBS = frozenset("tell state specify list name describe share give mention".split())
_SUBJECTS = frozenset("package packaging ingredients ingredient allergens allergen size brand flavour nutrition label packet it this that these those they price one ones them".split())
_ANSWER_STARTS = frozenset("yes no contains costs has comes made only just priced about actually there".split())
_PRONOUNS = frozenset("it this that them these those one".split())
_KNOWING = frozenset("know hear wonder learn understand tell ask".split())
_REQUESTS = ("tell me", "let me know", "share", "may i ask", "would help", "helps me", "help me", "can tell me", "please say", "interested to know", "ask you", "i need to know", "wondering", "curious", "care to", "mind telling", "mind sharing", "i would like to know", "i wonder", "give me", "could use", "need to know", "describe", "help me understand", "want to know", "love to know", "happy to hear", "know more about")  # fmt: skip
_EYES = frozenset("look see spot notice glance inspect examine scan peek gaze watch".split())
_GAZES = frozenset("look glance gaze peek peer stare squint tilt raise lower lift tip head eyes eye chin view direct aim point cast check scan see".split())
_SEEING = frozenset("see spot notice find locate make spotted seen noticed found view visible sight".split())
_SHELF = frozenset("shelf shelves row rows rack racks".split())
_WH_WORDS = frozenset("what which who whom whose how when where why".split())
_PLAIN_QUESTIONS = frozenset("is are was were do does did has have am any".split())
_WILLING = frozenset("want mind fancy like willing able ready going wish care".split())
_NEGATED = frozenset("not never without avoid".split())
_STOPS = frozenset("because which it that for at with in on and or to from since as if so is are but then you , ? please now".split())
SIMPLE = (Kind.GREET, Kind.APOLOGISE, Kind.GOODBYE, Kind.REJECT_ACK)
COMMANDS = (Kind.ADD_TO_CART, Kind.PUT_BACK, Kind.CONFIRM_PURCHASE, Kind.MOVE, Kind.PICK_UP, Kind.LOOK, Kind.NAVIGATE_PLACE)


def spoken(clause: Clause) -> list[str]:
    """The clause's words with amounts of money as @m, as patterns want them."""
    return ["@m" if word[0] == "$" else word for word in clause.words]


def clause_acts(clause: Clause, matches: Matches, context: Context, last_named: str | None) -> list[Act]:
    """The acts of one clause."""
    simple = [kind for kind in SIMPLE if kind in matches]
    if Kind.REJECT_ACK in simple and (clause.question or _is_negated(clause, matches[Kind.REJECT_ACK])):
        simple.remove(Kind.REJECT_ACK)
    acts = [Act(kind) for kind in simple]
    command = None if clause.condition else _command(clause, matches, context, last_named)
    if command:
        if any(act.kind in {Kind.PUT_BACK, Kind.PICK_UP, Kind.ADD_TO_CART} for act in command):
            acts = [act for act in acts if act.kind is not Kind.REJECT_ACK]
        if simple and any(act.kind is Kind.MOVE and act.distance_m is None for act in command) and "on" in clause.words:
            return acts
        return acts + command
    return acts + _statement(clause, matches, context, last_named)


def _may_command(clause: Clause, kind: Kind) -> bool:
    """Whether a clause that begins like this can tell the shopper to do such a thing."""
    words = clause.words
    if clause.first in _WH_WORDS:
        invites = words[:2] in {("how", "about"), ("what", "about"), ("why", "not"), ("what", "if")} or "why do" in " ".join(words[:2])
        return invites or kind is Kind.CONFIRM_PURCHASE or (kind is Kind.NAVIGATE_PLACE and not clause.question)
    if clause.first in _PLAIN_QUESTIONS and clause.question:
        sees = kind is Kind.LOOK and bool(_SEEING & set(words))
        return bool(_WILLING & set(words[:5])) or sees or kind is Kind.CONFIRM_PURCHASE
    if words[:2] in {("should", "i"), ("shall", "i"), ("can", "i"), ("may", "i"), ("could", "i")}:
        return kind in {Kind.ADD_TO_CART, Kind.CONFIRM_PURCHASE}
    advises = "i" in words[:6] and "would" in words and "like" not in words
    if advises and kind in {Kind.PICK_UP, Kind.LOOK}:
        return False
    if words[:2] == ("let", "me") or (clause.first == "i" and not ({"you", "your"} & set(words))):
        return kind is Kind.NAVIGATE_PLACE
    return True


def _command(clause: Clause, matches: Matches, context: Context, last_named: str | None) -> list[Act] | None:
    """What the clause tells the shopper to do, or None."""
    for kind in COMMANDS:
        if kind not in matches or not _may_command(clause, kind) or _is_negated(clause, matches[kind]):
            continue
        acts = _commanded(kind, clause, matches, context, last_named)
        if acts:
            return acts
    return None


def _commanded(
    kind: Kind, clause: Clause, matches: Matches, context: Context, last_named: str | None
) -> list[Act]:
    if kind is Kind.CONFIRM_PURCHASE:
        if "sight" in clause.words or "view" in clause.words:
            return []
        return [] if any(f"ask:{slot}" in matches for slot in _ASK_ORDER) or "as you" in " ".join(clause.words) else [Act(kind)]
    if kind is Kind.MOVE:
        return move_acts(clause, matches)
    if kind is Kind.LOOK and any(claim.attribute is Attribute.PRICE for claim in claims_in(clause.words)):
        return []
    if kind is Kind.LOOK:
        if clause.named(PLACE) and Kind.NAVIGATE_PLACE in matches and not clause.question and (
            not _EYES & set(clause.words) or {"go", "walk", "head"} & set(clause.words[:5])
        ):
            return _navigate(clause, matches)
        return _look(clause, matches, context, last_named)
    if kind is Kind.NAVIGATE_PLACE:
        return _navigate(clause, matches)
    if kind is Kind.ADD_TO_CART and {"is", "are"} & set(clause.words) and {"now", "already", "safely"} & set(clause.words):
        return [Act(Kind.CONFIRM_PURCHASE)]
    if kind is Kind.PUT_BACK and clause.named(PLACE) and not set(clause.words) & _PRONOUNS and not clause.named(PRODUCT):
        return []
    product = _product(clause, matches[kind], context, last_named, kind)
    if kind is Kind.PICK_UP and product is None:
        if not set(clause.words) & (_PRONOUNS | load_words().packages):
            return []
        product = last_named or _last(context.mentioned)
    return [Act(kind, product=product)]


def _is_negated(clause: Clause, span: tuple[int, int]) -> bool:
    """Whether "do not", "no need to" or the like stands right before (or inside) the phrase."""
    text = " " + " ".join(spoken(clause))
    before = text[: span[0]].split()[-4:]
    if "why" in before or "not only" in " ".join(before):
        return False
    return bool(_NEGATED & set(before)) or before[-3:] in (["no", "need", "to"],) or before[-2:] == ["instead", "of"]


def _look(clause: Clause, matches: Matches, context: Context, last_named: str | None) -> list[Act]:
    products = clause.named(PRODUCT, UNKNOWN)
    places = clause.named(PLACE)
    heading = look_heading(clause.words)
    if products:
        if places and Kind.NAVIGATE_PLACE in matches:
            return [Act(Kind.NAVIGATE_PLACE, product=products[0], place=places[0], direction=heading)]
        return [Act(Kind.LOOK, product=products[0], direction=heading)]
    if places:
        return [Act(Kind.LOOK, place=places[0], direction=heading)]
    if heading is not None and (_GAZES | _SHELF) & set(clause.words):
        return [Act(Kind.LOOK, direction=heading)]
    if Kind.NAVIGATE_PLACE not in matches and set(clause.words) & (_PRONOUNS | {"look", "label", "ingredients", "package", "packaging", "back", "details", "tag", "nutrition"}):
        product = context.held or last_named or _last(context.mentioned)
        return [Act(Kind.LOOK, product=product)] if product is not None else []
    return []


def _navigate(clause: Clause, matches: Matches) -> list[Act]:
    places = clause.named(PLACE)
    products = clause.named(PRODUCT, UNKNOWN)
    heading = look_heading(clause.words)
    if places:
        sides = [word for word in clause.words if word in {"front", "back", "rear", "behind"}]
        approach = None if not sides else "front" if sides[0] == "front" and "in" not in clause.words else "back" if sides[0] in {"back", "rear"} else None
        return [
            Act(Kind.NAVIGATE_PLACE, product=_first(products), place=place, direction=heading, approach=approach)
            for place in dict.fromkeys(places)
        ]
    if products and not {Kind.INFORM, Kind.RECOMMEND, Kind.COMPARE} & set(matches):
        return [Act(Kind.NAVIGATE_PLACE, product=products[0], direction=heading)]
    return []


def _statement(clause: Clause, matches: Matches, context: Context, last_named: str | None) -> list[Act]:
    """What the clause says or asks, when it commands nothing."""
    products = clause.named(PRODUCT, UNKNOWN)
    claims = claims_in(clause.words)
    if Kind.RECOMMEND in matches and not clause.condition:
        product = _product(clause, matches[Kind.RECOMMEND], context, last_named, Kind.RECOMMEND)
        if product is not None:
            return [Act(Kind.RECOMMEND, product=product, claims=claims)]
    fits = "within" in clause.words and "budget" in clause.words
    if ("recommend_weak" in matches or fits) and products and not clause.condition:
        return [Act(Kind.RECOMMEND, product=products[0], claims=claims)]
    slots = _slots(clause, matches)
    brand = UNKNOWN in clause.words and clause.words[0] in {"it", "this", "that"} and clause.words[1:2] == ("is",)
    if brand and not claims:
        claims = (Claim(Attribute.BRAND, products[0]),)
    if products and not clause.condition and slots in ([], [Slot.OTHER]) and not claims and len(products) == 1 and not _NEVER & set(clause.words):
        return [Act(Kind.RECOMMEND, product=products[0])]
    tells = {"tell", "let"} & set(clause.words)
    if slots and (not clause.condition or tells):
        product = _first(products)
        return [Act(Kind.ASK, slot=slot, product=product, claims=claims) for slot in slots]
    if claims and not clause.question and _states(clause, products, context):
        named = products if clause.named(PRODUCT) or not {"by", "from", "it", "this", "that"} & set(clause.words) else []
        product = _first(named) or _referred(context, last_named)
        return [Act(Kind.INFORM, product=product, claims=claims)]
    return []


def _states(clause: Clause, products: Sequence[str], context: Context) -> bool:
    """Whether the clause says something of a product, rather than of the shopper's wishes."""
    words = clause.words
    wishes = {"want", "need", "said", "like", "asked", "mentioned", "prefer", "wanted", "told", "your"}
    if ({"you", "your"} & set(words[:3]) and (not products or wishes & set(words[:5]))) or words[-2:] == ("it", "is"):
        return False
    return bool(products or _SUBJECTS & set(words[:4]) or words[0] in _ANSWER_STARTS or clause.first in _ANSWER_STARTS or context.asked)


def _slots(clause: Clause, matches: Matches) -> list[Slot]:
    """The slots a question is about."""
    text = " ".join(clause.words)
    wants_to_know = bool(_KNOWING & set(clause.words)) and bool((_WH_WORDS | {"if", "whether", "your"}) & set(clause.words))
    requested = clause.first in _REQUEST_VERBS or wants_to_know or any(request in text for request in _REQUESTS)
    if not clause.question and not requested and not _is_bare_request(clause):
        return []
    if clause.words[-1] == "?" and len(clause.words) <= 5 and "not" in clause.words[:2]:
        return []
    found = [slot for slot in _ASK_ORDER if f"ask:{slot}" in matches]
    if Slot.ALLERGENS in found and Slot.RECIPIENT in found:
        found.remove(Slot.RECIPIENT)
    if "questions" in clause.words or "question" in clause.words:
        return [Slot.OTHER]
    if Slot.BRAND in found and Slot.RECIPIENT in found:
        found.remove(Slot.RECIPIENT)
    if "afford that" in text or "afford it" in text or "afford this" in text:
        return [Slot.PRICE]
    more = {"anything", "something"} & set(clause.words) and "else" in clause.words and "or" not in clause.words
    if more and not found:
        return [Slot.NEED if _WEIGHTY & set(clause.words) else Slot.OTHER]
    if _NEEDS & set(clause.words) and f"ask:{Slot.NEED}" in matches and not {Slot.BRAND, Slot.FLAVOUR, Slot.SIZE, Slot.PACKAGING, Slot.BUDGET, Slot.AVOID} & set(found):
        return [Slot.NEED]
    if "to your taste" in text or "to your liking" in text:
        return [Slot.SATISFACTION]
    if Slot.PRICE in found and any(word[0] == "$" for word in clause.words) and not _LIMITS & set(clause.words[:2]):
        return [Slot.PRICE]
    if found == [Slot.NUTRITION] and " fat" in text and ("low fat" in text or "full fat" in text):
        return [Slot.NEED]
    if found:
        several = "and" in clause.words or "or" in clause.words
        return _together(found) if several else found[:1]
    fallbacks: tuple[Slot, ...] = _ASK_FALLBACKS
    if "prefer" in clause.words or f"ask:{Slot.NEED}" in matches and "looking for in" in text:
        fallbacks = (Slot.NEED, *_ASK_FALLBACKS)
    elif clause.first in {"what", "which", "where"} and not {"think", "thoughts", "feel", "say", "opinion"} & set(clause.words):
        fallbacks = (Slot.CATEGORY, Slot.NEED, *_ASK_FALLBACKS)
    fallback = next((slot for slot in fallbacks if f"ask:{slot}" in matches), None)
    if fallback in {Slot.SATISFACTION, Slot.OTHER} and "it" in clause.words and _guessed(clause) == [Slot.NEED]:
        return [Slot.NEED]
    if fallback is Slot.OTHER and clause.words[:2] in {("shall", "we"), ("can", "we"), ("should", "we")}:
        return []
    if fallback is not None:
        return [fallback]
    return _guessed(clause) if clause.words[-1] == "?" else []


def _guessed(clause: Clause) -> list[Slot]:
    """What a question with no known phrase is probably about, by the kinds of words in it."""
    words = set(clause.words)
    claims = claims_in(clause.words)
    for attribute, slot in _SLOT_OF_ATTRIBUTE.items():
        if any(claim.attribute is attribute and claim.value not in _NOUN_LABELS for claim in claims):
            return [slot]
    if {"it", "this", "that", "these"} & words and {"you", "good", "right", "fine"} & words and clause.first not in {"where", "did"}:
        return [Slot.SATISFACTION]
    return [Slot.OTHER] if len(clause.words) > 3 else []


def _is_bare_request(clause: Clause) -> bool:
    """Whether a short clause just names what it wants to know: "your budget, please"."""
    words = [word for word in clause.words if word != "please"]
    return 1 <= len(words) <= 5 and (words[0] in {"your", "any", "anything"} or (clause.words[-1] == "please" and words[0] == "the"))


def _together(found: Sequence[Slot]) -> list[Slot]:
    """Slots that one question may hold side by side, without those that only echo a stronger one."""
    if Slot.BUDGET in found:
        found = [slot for slot in found if slot not in {Slot.PRICE, Slot.QUANTITY}]
    if Slot.RECIPIENT in found:
        found = [slot for slot in found if slot is not Slot.USE]
    return list(found)


def _product(
    clause: Clause, span: tuple[int, int], context: Context, last_named: str | None, kind: Kind
) -> str | None:
    """The product a phrase is about: one named in the clause, a pronoun's, or the words that follow."""
    products = clause.named(PRODUCT) or clause.named(UNKNOWN)
    if products:
        return products[0]
    if set(clause.words) & _PRONOUNS:
        held = context.held if kind in {Kind.PUT_BACK, Kind.ADD_TO_CART, Kind.RECOMMEND} else None
        return last_named or held or _last(context.mentioned) or (context.held if kind is Kind.PICK_UP else None)
    if kind in {Kind.PUT_BACK, Kind.ADD_TO_CART}:
        return last_named or context.held or _last(context.mentioned)
    return _words_after(clause, span)


def _words_after(clause: Clause, span: tuple[int, int]) -> str | None:
    """The noun phrase after a phrase, for a product that is no known name."""
    text = " " + " ".join(spoken(clause))
    said: list[str] = []
    for word in text[span[1] :].split():
        if word in _STOPS or word[0] == "@":
            break
        said.append(word)
    while said and said[0] in {"the", "a", "an", "some", "our", "trying", "getting", "this", "that"}:
        said = said[1:]
    plain = load_words().everyday
    if not said or all(word in plain for word in said):
        return None
    return " ".join(said[:6])


def _referred(context: Context, last_named: str | None) -> str | None:
    return last_named or context.held or _last(context.mentioned)


def _first(names: Sequence[str]) -> str | None:
    return names[0] if names else None


def _last(names: Sequence[str]) -> str | None:
    return names[-1] if names else None


def find_matches(clause: Clause) -> Matches:
    """Labels of all phrases in the clause."""
    return load_patterns().matches(spoken(clause))
