"""The whole way from an utterance to its meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from siturec_gym.users.agenda.understanding.acts import as_guidance, clause_acts
from siturec_gym.users.agenda.understanding.clauses import Clause, clauses
from siturec_gym.users.agenda.understanding.commands import COMMANDS
from siturec_gym.users.agenda.understanding.comparing import with_comparison
from siturec_gym.users.agenda.understanding.meaning import Act, Context, Kind, Meaning, Slot
from siturec_gym.users.agenda.understanding.names import PLACE, PRODUCT, UNKNOWN, index_of
from siturec_gym.users.agenda.understanding.reading import Matches, Reading, find_matches
from siturec_gym.users.agenda.understanding.text import corrected, tokenise
from siturec_gym.users.agenda.understanding.tidying import tidied

_LEADS = frozenset({Slot.USE, Slot.RECIPIENT, Slot.OTHER})
_ECHOES = frozenset({Slot.NEED, Slot.OTHER, Slot.SATISFACTION})
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
    acts = _last_resorts(tidied(with_comparison(parts, matches, found)), parts, matches)
    return Meaning(tuple(acts) or _NOTHING)


@dataclass(slots=True)
class _Listener:
    """What was heard so far of an utterance: acts by sentence, the names said last, the clause before."""

    found: list[tuple[int, Act]] = field(default_factory=list)
    product: str | None = None
    place: str | None = None
    before: tuple[Reading, list[Act]] | None = None

    def hear(self, reading: Reading) -> None:
        """Take in one more clause."""
        acts = _in_context(clause_acts(reading), reading, self.before)
        self.before = (reading, acts)
        clause = reading.clause
        earlier = [act for number, act in self.found if number == clause.sentence]
        acts = _without_purpose(acts, clause, earlier)
        if not acts and self.place is not None and reading.does(Kind.NAVIGATE_PLACE) and not reading.places:
            acts = [Act(Kind.NAVIGATE_PLACE, place=self.place)]
        acts = [act for act in acts if act.slot not in _ECHOES or not _only_echoes(clause, earlier)]
        self.found.extend((clause.sentence, act) for act in acts)
        self.place = next(iter(clause.named(PLACE)[::-1]), self.place)
        self.product = next(iter(clause.named(PRODUCT, UNKNOWN)[::-1]), self.product)


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
    known = reading.clause.named(PRODUCT)
    announces = earlier.does(Kind.RECOMMEND) and not earlier.products
    if announces and known and all(act.kind is Kind.INFORM for act in acts):
        claims = tuple(claim for act in acts for claim in act.claims)
        return [Act(Kind.RECOMMEND, product=known[0], claims=claims)]
    sets_off = len(earlier.clause.words) <= 5 and bool({"go", "head", "walk"} & earlier.words)
    if sets_off and len(acts) == 1 and acts[0].kind is Kind.LOOK and acts[0].place is not None:
        return [as_guidance(acts[0])]
    return acts


def _without_purpose(acts: list[Act], clause: Clause, earlier: Sequence[Act]) -> list[Act]:
    """Acts without what a command is for: "take it so we can have a look"."""
    first, second = (*clause.words[:2], "")[:2]
    purpose = first == "we" or (first == "you" and second != "will")
    if purpose and any(act.kind in COMMANDS for act in earlier):
        return [act for act in acts if act.kind is not Kind.LOOK]
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


def _last_resorts(acts: list[Act], parts: Sequence[Clause], matches: Sequence[Matches]) -> list[Act]:
    """Acts with those that faint signs stand for: "got it, no nuts" gives in, "great choice" alone confirms."""
    answers = bool(parts) and parts[0].words[0] in {"yes", "no", "it", "this", "that"}
    if not answers and any("reject_weak" in labels for labels in matches):
        return [Act(Kind.REJECT_ACK), *(act for act in acts if act.kind not in {Kind.REJECT_ACK, Kind.INFORM})]
    if not acts and any("confirm_weak" in labels for labels in matches):
        return [Act(Kind.CONFIRM_PURCHASE)]
    return acts
