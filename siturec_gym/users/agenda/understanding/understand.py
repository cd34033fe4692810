"""The whole way from an utterance to its meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from siturec_gym.users.agenda.understanding.acts import as_guidance, clause_acts
from siturec_gym.users.agenda.understanding.clauses import Clause, clauses
from siturec_gym.users.agenda.understanding.commands import COMMANDS, commands_in
from siturec_gym.users.agenda.understanding.comparing import with_comparison
from siturec_gym.users.agenda.understanding.directions import moves_by_verb, moves_explicitly
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Context, Kind, Meaning, Slot
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT, UNKNOWN
from siturec_gym.users.agenda.understanding.names import index_of
from siturec_gym.users.agenda.understanding.questions import IN_ORDER
from siturec_gym.users.agenda.understanding.reading import Matches, Reading, find_matches
from siturec_gym.users.agenda.understanding.text import corrected, tokenise
from siturec_gym.users.agenda.understanding.tidying import tidied

_LEADS = frozenset({Slot.USE, Slot.RECIPIENT, Slot.OTHER})
_ECHOES = frozenset({Slot.NEED, Slot.OTHER, Slot.SATISFACTION})
_CHOOSE = frozenset(
    f" {choose}" for choose in ("pick one", "choose one", "choose", "your pick", "take your pick", "which")
)
_OPEN = frozenset({Slot.CATEGORY, Slot.OTHER})
_NOTHING = (Act(Kind.OTHER),)


@lru_cache(maxsize=8192)
def understand(utterance: str, context: Context) -> Meaning:
    """What ``utterance`` means to someone who has ``context`` in mind.

    Args:
        utterance: Free text of the assistant.
        context: Names in view, in the hand and mentioned earlier.

    Returns:
        The acts in the order said; one act OTHER where it does nothing.
    """
    words, capitals = tokenise(utterance)
    mentions = index_of(context).mentions(words, capitals)
    in_names = {words[at] for mention in mentions for at in range(mention.start, mention.end)}
    parts = clauses(corrected(words, in_names), mentions)
    matches = [find_matches(clause) for clause in parts]
    found = _without_leads(parts, _listened(parts, matches, context).found)
    found = _answering_wishes(parts, matches, _without_reasons(parts, found), context)
    acts = _last_resorts(tidied(with_comparison(parts, matches, found)), parts, matches, context)
    return Meaning(tuple(acts) or _NOTHING)


@dataclass(slots=True)
class _Listener:
    """What was heard so far of an utterance.

    Attributes:
        found: Number of the sentence and act, in the order said.
        product: The product named last.
        place: The place named last.
        before: The clause before and its acts.
        topic: What was spoken of without asking.
        priced: The sentence that told a price last.
        located: The sentence that told where a place is.
    """

    found: list[tuple[int, Act]] = field(default_factory=list)
    product: str | None = None
    place: str | None = None
    before: tuple[Reading, list[Act]] | None = None
    topic: Slot | None = None
    priced: int | None = None
    located: int | None = None

    def hear(self, reading: Reading) -> None:
        """Take in one more clause."""
        acts = _in_context(clause_acts(reading), reading, self.before)
        heard = (reading, acts)
        clause = reading.clause
        earlier = [act for number, act in self.found if number == clause.sentence]
        acts = self._on_topic(_without_purpose(acts, clause, earlier, self.located == clause.sentence), reading)
        if not acts and self.place is not None and reading.does(Kind.NAVIGATE_PLACE) and not reading.places:
            acts = [Act(Kind.NAVIGATE_PLACE, place=self.place)]
        acts = [act for act in acts if act.slot not in _ECHOES or not _only_echoes(clause, earlier)]
        self.found.extend((clause.sentence, act) for act in acts)
        self.before = heard
        if reading.places and {"is", "are", "be", "should"} & reading.words:
            self.located = clause.sentence
        self.place = next(iter(clause.named(PLACE)[::-1]), self.place)
        self.product = next(iter(clause.named(PRODUCT, UNKNOWN)[::-1]), self.product)

    def _haggling(self, clause: Clause) -> set[int]:
        """The sentences whose price a question in ``clause`` is about: its own, or the last if it weighed the price."""
        before = None if self.before is None else self.before[0]
        weighed = before is not None and before.claims_a(Attribute.PRICE) and before.has("price_talk")
        return {clause.sentence, clause.sentence - 1} if weighed else {clause.sentence}

    def _warned(self) -> bool:
        """Whether the clause before told what is in a product."""
        return self.before is not None and self.before[0].claims_a(Attribute.CONTAINS)

    def _on_topic(self, acts: list[Act], reading: Reading) -> list[Act]:
        """Acts with what "which one?" or "is that okay?" leaves unsaid filled in from what was said before."""
        vague = next((act for act in acts if act.kind is Kind.ASK and act.slot in _ECHOES | _OPEN), None)
        clause = reading.clause
        if vague is not None and vague.slot is Slot.SATISFACTION and self.priced in self._haggling(clause):
            return [replace(act, slot=Slot.PRICE) if act is vague else act for act in acts]
        if vague is not None and self._warned() and reading.has("trouble"):
            return [replace(act, slot=Slot.ALLERGENS) if act is vague else act for act in acts]
        bare = not acts and clause.question and len(clause.words) <= 4 and not clause.names
        wants = bool({"want", "like", "prefer"} & reading.words) and vague is not None and vague.slot in _OPEN
        if self.topic is not None and (bare or wants or (vague is not None and reading.has("elliptic"))):
            asked = Act(Kind.ASK, slot=self.topic)
            self.found = [(n, act) for n, act in self.found if act.kind is not Kind.INFORM or act.product is not None]
            return [asked if act is vague else act for act in acts] or [asked]
        if not clause.question and clause.first != "we":
            self.topic = next((slot for slot in (*IN_ORDER, Slot.NEED) if reading.asks(slot)), self.topic)
            self.priced = clause.sentence if reading.claims_a(Attribute.PRICE) else self.priced
        return acts


def _listened(parts: Sequence[Clause], matches: Sequence[Matches], context: Context) -> _Listener:
    listener = _Listener()
    for clause, labels in zip(parts, matches, strict=True):
        listener.hear(Reading(clause, labels, context, listener.product))
    return listener


def _in_context(acts: list[Act], reading: Reading, before: tuple[Reading, list[Act]] | None) -> list[Act]:
    """Acts that the clause before turns into others: "here is one: X costs $3", "let us go and see the cooler"."""
    if before is None:
        return acts
    earlier, said = before
    if said:
        return acts
    if reading.text in _CHOOSE:
        return clause_acts(replace(earlier, clause=replace(earlier.clause, question=True)))
    known = reading.clause.named(PRODUCT)
    watches = reading.clause.condition and earlier.clause.first in {"let", "tell"} and reading.has("seeing")
    if watches and known:
        return [Act(Kind.LOOK, product=known[0])]
    if earlier.clause.condition and reading.text.startswith((" that would", " it would")):
        return commands_in(replace(earlier, clause=replace(earlier.clause, condition=False))) or acts
    announces = earlier.does(Kind.RECOMMEND) and not earlier.products
    if announces and known and all(act.kind is Kind.INFORM for act in acts):
        claims = tuple(claim for act in acts for claim in act.claims)
        return [Act(Kind.RECOMMEND, product=known[0], claims=claims)]
    sets_off = len(earlier.clause.words) <= 5 and bool({"go", "head", "walk"} & earlier.words)
    if sets_off and len(acts) == 1 and acts[0].kind is Kind.LOOK and acts[0].place is not None:
        return [as_guidance(acts[0])]
    return acts


def _without_purpose(acts: list[Act], clause: Clause, earlier: Sequence[Act], located: bool) -> list[Act]:
    """Acts without what a command is for ("take it so we can have a look") or where a place lies ("and then left").

    Args:
        earlier: Acts of the same sentence.
        located: Whether the sentence said where a place is.
    """
    first, second = (*clause.words[:2], "")[:2]
    purpose = first == "we" or (first == "you" and second != "will")
    commanded = any(act.kind in COMMANDS for act in earlier)
    if purpose and commanded:
        return [act for act in acts if act.kind not in {Kind.LOOK, Kind.MOVE} or clause.named(PRODUCT)]
    guided = any(act.kind in {Kind.NAVIGATE_PLACE, Kind.LOOK} for act in earlier)
    if guided and not (moves_explicitly(clause.words) if located else moves_by_verb(clause.words)):
        return [act for act in acts if act.kind is not Kind.MOVE]
    return acts


def _only_echoes(clause: Clause, earlier: Sequence[Act]) -> bool:
    """Whether a vague question would only round off what its sentence asked or told already."""
    told = any(act.kind in COMMANDS for act in earlier) and clause.first in {"tell", "let"}
    return told or any(act.kind is Kind.ASK and act.slot not in _ECHOES for act in earlier)


def _without_leads(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> list[tuple[int, Act]]:
    """Acts without the questions seen in a few words that only lead up to something: "for your party, may I ...?"."""
    last = {clause.sentence: clause for clause in parts}
    guiding = {Kind.RECOMMEND, Kind.NAVIGATE_PLACE}
    offered = {number for number, act in found if act.kind in guiding and last[number].question}
    return [(number, act) for number, act in found if number not in offered or act.slot not in _LEADS]


def _without_reasons(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> list[tuple[int, Act]]:
    """Acts without a refusal that only tells why something should go back on the shelf."""
    returns = any(act.kind is Kind.PUT_BACK for _, act in found)
    if not returns or any(cue("giving_in") & set(part.words) for part in parts):
        return list(found)
    return [(number, act) for number, act in found if act.kind is not Kind.REJECT_ACK]


def _answering_wishes(
    parts: Sequence[Clause], matches: Sequence[Matches], found: Sequence[tuple[int, Act]], context: Context
) -> list[tuple[int, Act]]:
    """Acts with what is said of a new product as a suggestion, where the shopper's wish comes before."""
    wished = [clause.sentence for clause, labels in zip(parts, matches, strict=True) if "wish" in labels]
    if len({name for part in parts for name in part.named(PRODUCT)}) > 1:
        return list(found)
    old = {context.held, *context.mentioned}
    since = min(wished, default=len(parts))
    return [(n, _suggested(act) if n >= since and act.product not in old else act) for n, act in found]


def _suggested(act: Act) -> Act:
    bad = {Attribute.CONTAINS, Attribute.NOT_LABEL} & {claim.attribute for claim in act.claims}
    suggests = act.kind is Kind.INFORM and act.product is not None and not bad
    return replace(act, kind=Kind.RECOMMEND) if suggests else act


def _last_resorts(acts: list[Act], parts: Sequence[Clause], matches: Sequence[Matches], context: Context) -> list[Act]:
    """Acts with those that faint signs stand for: "got it, no nuts" gives in, "great choice" alone confirms."""
    answers = bool(parts) and parts[0].words[0] in {"yes", "no", "it", "this", "that"}
    refusal = next((at for at, labels in enumerate(matches) if "reject_weak" in labels), None)
    if refusal is not None and not answers and not any(part.named(PRODUCT) for part in parts[:refusal]):
        return [Act(Kind.REJECT_ACK), *(act for act in acts if act.kind not in {Kind.REJECT_ACK, Kind.INFORM})]
    faint = any("reject_faint" in labels for labels in matches)
    if faint and all(act.kind in {Kind.RECOMMEND, Kind.COMPARE} for act in acts):
        return [Act(Kind.REJECT_ACK), *acts]
    if not acts and any("confirm_weak" in labels for labels in matches):
        return [Act(Kind.CONFIRM_PURCHASE)]
    if not acts and any("praise" in labels for labels in matches) and not any(part.question for part in parts):
        return [Act(Kind.INFORM, product=context.held or next(iter(context.mentioned[::-1]), None))]
    return acts
