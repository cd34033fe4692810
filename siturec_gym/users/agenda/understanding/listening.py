"""Hears an utterance clause by clause, each in the light of those before."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from siturec_gym.users.agenda.understanding.acts import as_guidance, clause_acts
from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.commands import COMMANDS, commands_in
from siturec_gym.users.agenda.understanding.directions import moves_by_verb, moves_explicitly
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Context, Heading, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT, UNKNOWN
from siturec_gym.users.agenda.understanding.quantities import RIGHT_ANGLE_DEG
from siturec_gym.users.agenda.understanding.questions import IN_ORDER
from siturec_gym.users.agenda.understanding.reading import Reading, reading_of

_ECHOES = frozenset({Slot.NEED, Slot.OTHER, Slot.SATISFACTION})
_CHOOSE = frozenset(
    f" {choose}" for choose in ("pick one", "choose one", "choose", "your pick", "take your pick", "which")
)
_OPEN = frozenset({Slot.CATEGORY, Slot.OTHER})
_SHORT = 2
_GRANTING = frozenset(
    {
        " i get it",
        " understood",
        " got it",
        " noted",
        " okay",
        " fair enough",
        " i see",
        " agreed",
        " all right",
        " alright",
    }
)
_BESIDE = frozenset({"next", "beside", "near", "below", "under", "above", "over", "between", "behind", "close"})


@dataclass(slots=True)
class Listener:
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
        acts = _in_context(list(_acts_of(reading)), reading, self.before)
        heard = (reading, acts)
        clause = reading.clause
        earlier = [act for number, act in self.found if number == clause.sentence]
        acts = self._on_topic(_without_purpose(acts, clause, earlier, self.located == clause.sentence), reading)
        if self.place is not None and reading.does(Kind.NAVIGATE_PLACE) and not reading.places and clause.question:
            acts = [act for act in acts if act.kind is not Kind.ASK or act.slot not in _ECHOES]
        if self.place is not None and reading.text == " come on":
            acts = []
        if not acts and self.place is not None and reading.does(Kind.NAVIGATE_PLACE) and not reading.places:
            acts = [Act(Kind.NAVIGATE_PLACE, place=self.place)]
        if self.place is not None and self.product is None:
            acts = [act for act in acts if act.kind is not Kind.INFORM or act.product is not None]
        acts = acts if self.before is None else _after_acknowledgement(acts, reading, self.before[0].clause)
        acts = [act for act in acts if act.slot not in _ECHOES or not _only_echoes(clause, earlier)]
        if reading.text in _GRANTING and self._gave_up(clause):
            acts = [Act(Kind.REJECT_ACK)]
        self.found.extend((clause.sentence, act) for act in acts)
        self.before = heard
        if reading.places and {"is", "are", "be", "should"} & reading.words:
            self.located = clause.sentence
        self.place = next(iter(clause.named(PLACE)[::-1]), self.place)
        self.product = next(iter(clause.named(PRODUCT, UNKNOWN)[::-1]), self.product)

    def _haggling(self, clause: Clause) -> set[int]:
        """The sentences whose price a question in ``clause`` is about: its own, or the last if it weighed the price."""
        before = None if self.before is None else self.before[0]
        priced = before is not None and before.claims_a(Attribute.PRICE)
        alone = priced and before is not None and len(before.claims) == 1 and not before.products
        alone &= not any(act.kind is Kind.RECOMMEND for _, act in self.found)
        weighed = before is not None and priced and (before.has("price_talk") or alone)
        weighed |= before is not None and before.has("price_talk") and self.priced == before.clause.sentence
        return {clause.sentence, clause.sentence - 1} if weighed else {clause.sentence}

    def _gave_up(self, clause: Clause) -> bool:
        """Whether the clause before, of the same sentence, says what something is not or is too much of: then it
        tells nothing."""
        before = None if self.before is None else self.before[0].clause
        says = before is not None and before.sentence == clause.sentence and before.first in {"not", "too", "no"}
        told = self.found and self.found[-1][1].kind in {Kind.INFORM, Kind.RECOMMEND}
        if says and told:
            self.found.pop()
        return says

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
        bare &= not set(clause.words) <= {"so", "well", "then", "and", "okay", "now", "right"}
        wants = bool({"want", "like", "prefer"} & reading.words) and vague is not None and vague.slot in _OPEN
        if self.topic is not None and (bare or wants or (vague is not None and reading.has("elliptic"))):
            asked = Act(Kind.ASK, slot=self.topic)
            self.found = [(n, act) for n, act in self.found if act.kind is not Kind.INFORM or act.product is not None]
            return [asked if act is vague else act for act in acts] or [asked]
        if not clause.question and clause.first != "we":
            self.topic = next((slot for slot in (*IN_ORDER, Slot.NEED) if reading.asks(slot)), self.topic)
            self.priced = clause.sentence if reading.claims_a(Attribute.PRICE) else self.priced
        return acts


def listened(parts: Sequence[Clause], context: Context) -> Listener:
    """A listener who has heard all clauses."""
    listener = Listener()
    for clause in parts:
        listener.hear(reading_of(clause, context, listener.product))
    return listener


@lru_cache(maxsize=8192)
def _acts_of(reading: Reading) -> tuple[Act, ...]:
    return tuple(clause_acts(reading))


def _after_acknowledgement(acts: list[Act], reading: Reading, before: Clause) -> list[Act]:
    """Acts of a clause in the light of "got it" before it: what is "too strong" then is given up, and wishes that are
    only repeated ("got it, vegan and under three dollars") tell nothing."""
    clause = reading.clause
    acknowledged = len(before.words) <= _SHORT and bool(cue("acknowledging") & set(before.words))
    if before.sentence != clause.sentence or not acknowledged or any(act.kind is not Kind.INFORM for act in acts):
        return acts
    if "too" in clause.words:
        return [Act(Kind.REJECT_ACK)]
    return acts if clause.names or clause.words[0] in cue("subjects") else []


def _in_context(acts: list[Act], reading: Reading, before: tuple[Reading, list[Act]] | None) -> list[Act]:
    """Acts that the clause before turns into others: "here is one: X costs $3", "let us go and see the cooler"."""
    if before is None:
        return acts
    earlier, said = before
    beside = reading.clause.words[0] in _BESIDE and any(act.kind is Kind.LOOK for act in said)
    if beside and all(act.kind is Kind.LOOK and act.product for act in acts):
        return []
    goes = any(act.kind is Kind.NAVIGATE_PLACE for act in said) and not reading.clause.question
    if goes and len(acts) == 1 and acts[0].kind is Kind.LOOK and acts[0].place is not None:
        return [as_guidance(acts[0])]
    if reading.clause.words == ("right",) and any(act.kind is Kind.MOVE for act in said):
        return [Act(Kind.MOVE, direction=Heading.RIGHT, angle_deg=RIGHT_ANGLE_DEG)]
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
    if clause.first in cue("own_questions") or cue("weighed_needs") & set(clause.words):
        return False
    judges = {"if", "whether"} & set(clause.words)
    told = any(act.kind in COMMANDS for act in earlier) and clause.first in {"tell", "let"} and not judges
    return told or any(act.kind is Kind.ASK and act.slot not in _ECHOES for act in earlier)
