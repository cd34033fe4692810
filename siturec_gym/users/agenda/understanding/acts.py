"""From one clause to its acts: which of the phrases it holds win."""

from dataclasses import replace

from siturec_gym.users.agenda.understanding.commands import commands_in, product_meant
from siturec_gym.users.agenda.understanding.describing import describing_words
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Claim, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PRODUCT, UNKNOWN
from siturec_gym.users.agenda.understanding.questions import slots_asked
from siturec_gym.users.agenda.understanding.reading import Reading

_LONGEST_FRAGMENT = 8
_SHORT_CHOICE = 6
_NODS = frozenset({" i get it", " i get that", " i got it", " got you"})
_ABOUT_HELD = frozenset({"it", "they", "these", "this"})
_OF_IT = frozenset({"it", "they", "this", "these", "which", "should", "would", "might", "could", "will", "may"})
_TOWARDS = frozenset({"for", "with", "in", "to", "from", "of", "since", "at", "on"})
SIMPLE = (Kind.GREET, Kind.APOLOGISE, Kind.GOODBYE, Kind.REJECT_ACK)
_IN_HAND = frozenset({Kind.PUT_BACK, Kind.PICK_UP, Kind.ADD_TO_CART})


def clause_acts(reading: Reading) -> list[Act]:
    """The acts of one clause: courtesies, and a command, an offer, a question or a statement."""
    if reading.text in _NODS:
        return []
    courtesies = [Act(kind) for kind in SIMPLE if reading.does(kind) and not _not_meant(reading, kind)]
    commands = commands_in(reading)
    if not commands:
        courteous = bool(courtesies) or (reading.does(Kind.REJECT_ACK) and not reading.clause.question)
        return courtesies + _statement(reading, courteous=courteous)
    kinds = {act.kind for act in commands}
    if courtesies and kinds == {Kind.LOOK} and not reading.clause.named(PRODUCT) and not reading.places:
        return courtesies
    if courtesies and "on" in reading.words and any(a.kind is Kind.MOVE and a.distance_m is None for a in commands):
        return courtesies
    if kinds & _IN_HAND:
        courtesies = [act for act in courtesies if act.kind is not Kind.REJECT_ACK]
    return courtesies + commands


def _not_meant(reading: Reading, kind: Kind) -> bool:
    if kind is Kind.GOODBYE and reading.does(Kind.GREET):
        return True
    if kind is Kind.APOLOGISE:
        return reading.negated(kind)
    new = set(reading.clause.named(PRODUCT)) - {reading.context.held, *reading.context.mentioned}
    stated = {"is", "are", "was"} & reading.words
    general = "not" in reading.words and not reading.clause.names and not reading.has("pronouns")
    skips = new and " i would " in reading.text
    judged = skips or (stated and (new or (general and reading.clause.first not in {"you", "we", "i", "there"})))
    return kind is Kind.REJECT_ACK and bool(reading.clause.question or reading.negated(kind) or judged)


def _statement(reading: Reading, *, courteous: bool) -> list[Act]:
    """What the clause offers, asks or says, when it commands nothing.

    Args:
        courteous: Whether the clause apologises, gives in or the like, so that a product it names is not suggested.
    """
    if _asks_which_kind(reading):
        asked = [slot for slot in slots_asked(reading) if slot is not Slot.OTHER]
        return [Act(Kind.ASK, slot=slot) for slot in asked or [Slot.NEED]]
    if reading.does(Kind.INFORM) and reading.clause.words[-1] != "?":
        return [_fact(reading, reading.claims)]
    judged = reading.asks(Slot.SATISFACTION) and reading.products[:1] in ([], [reading.context.held])
    asks = reading.clause.question and (judged or reading.clause.first == "which" or "enough" in reading.words)
    if reading.clause.question and "recommend_weak" in reading.matches and not reading.products:
        new = reading.named_before not in {None, reading.context.held, *reading.context.mentioned}
        if new and "you" not in reading.words and reading.clause.first in {"might", "would", "could"}:
            return [Act(Kind.RECOMMEND, product=reading.named_before)]
    offer = None if asks or courteous or reading.clause.condition or "against" in reading.words else _offer(reading)
    if offer is not None:
        return [Act(Kind.RECOMMEND, product=offer, claims=reading.claims)]
    slots = [] if courteous and not reading.clause.question else slots_asked(reading)
    if not courteous and _only_names_a_product(reading, slots):
        return [Act(Kind.RECOMMEND, product=reading.products[0])]
    if slots and (not reading.clause.condition or {"tell", "let", "knew", "told"} & reading.words):
        product = reading.products[0] if reading.products else None
        facts = [_fact(reading, reading.claims)] if _starts_with_price(reading) else []
        claims = tuple(claim for claim in reading.claims if claim.attribute is Attribute.PRICE)
        return facts + [Act(Kind.ASK, slot=slot, product=product, claims=claims) for slot in slots]
    return [] if courteous else _facts(reading)


def _asks_which_kind(reading: Reading) -> bool:
    """Whether kinds are offered to choose from, with one product's name among the words: "regular or low-fat milk?"."""
    one = reading.clause.question and "or" in reading.words and len(reading.products) == 1
    bare = one and len(reading.clause.words) <= _SHORT_CHOICE and " " not in reading.clause.names[0][2]
    return one and (bare or bool(reading.claims or reading.asks(Slot.NEED)))


def _offer(reading: Reading) -> str | None:
    """The product that the clause puts forward."""
    held = reading.clause.words[0] in _ABOUT_HELD and reading.products[:1] == [reading.context.held]
    if (
        reading.does(Kind.RECOMMEND)
        and not held
        and not _is_general(reading)
        and (reading.products or not reading.asks(Slot.PRICE))
    ):
        wonders = reading.text.startswith((" have you considered ", " have you thought ", " have you tried "))
        product = None if wonders and not reading.products else product_meant(reading, Kind.RECOMMEND)
        if product is not None and not (cue("told_of") & set(reading.clause.words[:3])):
            return product
    if _is_general(reading) or held:
        return None
    fits = "recommend_weak" in reading.matches or {"within", "budget"} <= reading.words
    closer = {"better", "more", "best"} & reading.words
    if fits and not reading.products and not closer and _of_what_was_named(reading):
        old = {reading.context.held, *reading.context.mentioned}
        return None if reading.named_before in old or reading.clause.question else reading.named_before
    return reading.products[0] if fits and reading.products else None


def _of_what_was_named(reading: Reading) -> bool:
    return reading.clause.first in _OF_IT or reading.text.startswith(" i would ")


def _is_general(reading: Reading) -> bool:
    """Whether the clause speaks of a kind of goods rather than one product: "floury potatoes are best for mash"."""
    clause = reading.clause
    many = clause.words[:2] == (PRODUCT, "are")
    kind = clause.words[:1] == (PRODUCT,) and reading.has("evaluating") and reading.has("stating_verbs")
    if not (many or kind) or reading.claims_a(Attribute.PRICE) or clause.question:
        return False
    _, name, said = clause.names[0]
    return not name.lower().startswith(said.split()[0])


def _only_names_a_product(reading: Reading, slots: list[Slot]) -> bool:
    """Whether the clause does nothing but bring up a product, which is as good as suggesting it."""
    silent = slots in ([], [Slot.OTHER]) and not reading.claims and not _names_a_brand(reading)
    old = {reading.context.held, *reading.context.mentioned} & set(reading.products) and not reading.clause.question
    says_more = reading.does(Kind.OTHER) or reading.has("never") or reading.has("sentence_verbs")
    opens_purpose = reading.clause.first in _TOWARDS and not reading.clause.question
    return silent and not (old or says_more or opens_purpose or reading.clause.condition) and len(reading.products) == 1


def _names_a_brand(reading: Reading) -> bool:
    """Whether the clause says "it is from X" or "it is an X product"."""
    of_it = reading.clause.words[0] in {"it", "this", "that"} and reading.clause.words[1:2] == ("is",)
    return of_it and (UNKNOWN in reading.words or (PRODUCT in reading.words and "from" in reading.words))


def _facts(reading: Reading) -> list[Act]:
    if reading.clause.question or reading.clause.condition or not _speaks_of_a_product(reading):
        return []
    claims = reading.claims
    if not claims and _names_a_brand(reading):
        claims = (Claim(Attribute.BRAND, reading.products[0].lower()),)
    if (not claims and not _describes(reading) and not _faults(reading)) or _is_general(reading):
        return []
    return [_fact(reading, claims)]


def _fact(reading: Reading, claims: tuple[Claim, ...]) -> Act:
    of_it = {"by", "from", "it", "this", "that"} & reading.words
    about_it = reading.clause.words[:2] in (("it", "is"), ("they", "are")) and reading.referred() is not None
    if about_it and not {reading.context.held, *reading.context.mentioned} & set(reading.products):
        return Act(Kind.INFORM, product=reading.referred(), claims=claims)
    named = [] if (of_it and not reading.clause.named(PRODUCT)) or _names_a_brand(reading) else reading.products
    return Act(Kind.INFORM, product=named[0] if named else reading.referred(), claims=claims)


def _faults(reading: Reading) -> bool:
    """Whether the clause says what a product spoken of before is not, or too much of."""
    old = {reading.context.held, *reading.context.mentioned} & set(reading.products)
    words = reading.clause.words
    opens = words[:1] == (PRODUCT,) or words[1:2] == (PRODUCT,)
    return bool(old) and opens and bool({"is", "are"} & set(words[1:4])) and bool({"not", "too"} & set(words[2:6]))


def _starts_with_price(reading: Reading) -> bool:
    """Whether a question starts with the price of a product in mind: "at $3.49, is that fine?"."""
    return reading.text.startswith(" at @m") and reading.referred() is not None


def _describes(reading: Reading) -> bool:
    """Whether the clause says of a product something that is no claim of a known kind."""
    words = [word for word in reading.clause.words if word not in cue("fillers")]
    while words and words[0] in cue("determiners"):
        words = words[1:]
    subject = words[:1] in (["it"], ["they"], ["these"], ["those"]) or words[:1] == ["@p"] or words[:2] == ["one", "is"]
    known = reading.referred() is not None or bool(reading.clause.named(PRODUCT))
    return subject and known and reading.has("stating_verbs") and not reading.has("unfactual")


def _speaks_of_a_product(reading: Reading) -> bool:
    """Whether the clause is about a product, rather than about the shopper's wishes."""
    words, products = reading.clause.words, reading.products
    about_shopper = {"you", "your"} & set(words[:3]) and (not products or reading.starts("wishes", 5))
    general = reading.clause.first in cue("generalities") or (
        words[:2] == ("there", "are") and not {"no", "it", "this"} & reading.words and not products
    )
    if general or about_shopper or (words[0] == "i" and not products) or words[-2:] == ("it", "is"):
        return False
    if reading.context.held is not None and all(
        word in cue("bare_answer") or word in describing_words() for word in words
    ):
        return True
    if reading.claims and len(words) <= _LONGEST_FRAGMENT and reading.referred() and not reading.has("sentence_verbs"):
        return words[0] not in cue("giving_in")
    answers = cue("answer_starts") & {words[0], reading.clause.first}
    at_price = reading.text.startswith(" at @m") and reading.referred() is not None
    return bool(products or at_price or reading.starts("subjects", 4) or answers or reading.context.asked)


def as_guidance(act: Act) -> Act:
    """A look at a place as the way to it."""
    return replace(act, kind=Kind.NAVIGATE_PLACE)
