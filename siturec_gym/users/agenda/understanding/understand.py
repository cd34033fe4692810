"""The whole way from an utterance to its meaning."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from siturec_gym.users.agenda.understanding.acts import COMMANDS, Matches, clause_acts, find_matches
from siturec_gym.users.agenda.understanding.clauses import Clause, clauses
from siturec_gym.users.agenda.understanding.meaning import Act, Context, Heading, Kind, Meaning, Slot
from siturec_gym.users.agenda.understanding.names import PLACE, PRODUCT, UNKNOWN, index_of
from siturec_gym.users.agenda.understanding.text import corrected, tokenise

_ABSORBED = frozenset({Kind.RECOMMEND, Kind.INFORM, Kind.COMPARE})
_WEIGHED = frozenset({Slot.SATISFACTION, Slot.NEED, Slot.OTHER, Slot.PRICE, Slot.CATEGORY, Slot.FLAVOUR, Slot.SIZE})
_CHOOSING = frozenset("which prefer either both choose rather".split())
_CART_ACTS = frozenset({Kind.PUT_BACK, Kind.ADD_TO_CART})
_ECHOES = frozenset({Slot.NEED, Slot.OTHER, Slot.SATISFACTION})
_NOTHING = Meaning((Act(Kind.OTHER),))


@lru_cache(maxsize=8192)
def understand(utterance: str, context: Context) -> Meaning:
    """What ``utterance`` means to someone who has ``context`` in mind.

    Args:
        utterance: Free text of the assistant.
        context: Names in view, in the hand and mentioned earlier.

    Returns:
        The acts in the order said; one act OTHER where it does nothing.
    """
    index = index_of(context)
    words, capitals = tokenise(utterance)
    mentions = index.mentions(words, capitals)
    in_names = {words[at] for mention in mentions for at in range(mention.start, mention.end)}
    parts = clauses(corrected(words, in_names), mentions)
    matches = [find_matches(clause) for clause in parts]
    acts = _tidy(_acts(parts, matches, context))
    opener = parts[0].words[0] if parts else ""
    if any("reject_weak" in labels for labels in matches) and opener not in {"yes", "no", "it", "this", "that"}:
        acts = [Act(Kind.REJECT_ACK), *(act for act in acts if act.kind not in {Kind.REJECT_ACK, Kind.INFORM})]
    if not acts and any("confirm_weak" in labels for labels in matches):
        return Meaning((Act(Kind.CONFIRM_PURCHASE),))
    return Meaning(tuple(acts)) if acts else _NOTHING


def _acts(parts: Sequence[Clause], matches: Sequence[Matches], context: Context) -> list[Act]:
    found: list[tuple[int, Act]] = []
    last_named: str | None = None
    last_place: str | None = None
    before: tuple[Clause, Matches, list[Act]] | None = None
    for clause, labels in zip(parts, matches, strict=True):
        named = clause.named(PRODUCT, UNKNOWN)
        acts = clause_acts(clause, labels, context, last_named)
        acts = _in_context(acts, clause, labels, before)
        before = (clause, labels, acts)
        commanded = any(number == clause.sentence and act.kind in COMMANDS for number, act in found)
        if commanded and clause.words[0] in {"we", "you"} and clause.words[1:2] not in {("will",)} or commanded and clause.words[0] == "we":
            acts = [act for act in acts if act.kind is not Kind.LOOK]
        if last_place is not None and not acts and Kind.NAVIGATE_PLACE in labels and not clause.named(PLACE):
            acts = [Act(Kind.NAVIGATE_PLACE, place=last_place)]
        if any(number == clause.sentence and act.kind in (Kind.ASK, *COMMANDS) for number, act in found):
            acts = [act for act in acts if act.slot not in _ECHOES or not _only_echo(clause, found)]
        found.extend((clause.sentence, act) for act in acts)
        last_place = next(iter(clause.named(PLACE)[::-1]), last_place)
        last_named = named[-1] if named else last_named
    return _with_comparison(parts, matches, found)


def _in_context(
    acts: list[Act], clause: Clause, labels: Matches, before: tuple[Clause, Matches, list[Act]] | None
) -> list[Act]:
    """Acts that the clause before turns into others: "here is one: X costs $3", "let us go and see the cooler"."""
    if before is None:
        return acts
    earlier, matched, said = before
    announces = Kind.RECOMMEND in matched and not said and not earlier.named(PRODUCT, UNKNOWN)
    if announces and clause.named(PRODUCT) and all(act.kind is Kind.INFORM for act in acts):
        claims = tuple(claim for act in acts for claim in act.claims)
        return [Act(Kind.RECOMMEND, product=clause.named(PRODUCT)[0], claims=claims)]
    sets_off = not said and len(earlier.words) <= 5 and bool({"go", "head", "walk"} & set(earlier.words))
    if sets_off and len(acts) == 1 and acts[0].kind is Kind.LOOK and acts[0].place is not None:
        return [replace(acts[0], kind=Kind.NAVIGATE_PLACE)]
    return acts


def _only_echo(clause: Clause, found: Sequence[tuple[int, Act]]) -> bool:
    """Whether a vague question only rounds off what its sentence asked or told already."""
    before = [act for number, act in found if number == clause.sentence]
    told = any(act.kind in COMMANDS for act in before) and clause.first in {"tell", "let"}
    return told or any(act.kind is Kind.ASK and act.slot not in _ECHOES for act in before)


def _with_comparison(
    parts: Sequence[Clause], matches: Sequence[Matches], found: Sequence[tuple[int, Act]]
) -> list[Act]:
    """Folds what is said of two products that are set against each other into one comparison."""
    compared = {clause.sentence for clause, labels in zip(parts, matches, strict=True) if Kind.COMPARE in labels}
    compared |= _contrasted(parts, found)
    for sentence in sorted(compared):
        group = [clause for clause in parts if clause.sentence == sentence]
        names = _products(group)
        span = {sentence} | {n for n in compared if n > sentence and not _products(c for c in parts if c.sentence == n)}
        if not names and any(_CHOOSING & set(clause.words) for clause in group):
            names, span = _products(parts), set(range(sentence + 1))
        if len(names) >= 2:
            return _folded(found, span, names)
    return [act for _, act in found]


def _contrasted(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> set[int]:
    """Sentences that say something of two products and command nothing."""
    sentences = set()
    for sentence in {clause.sentence for clause in parts}:
        kinds = {act.kind for number, act in found if number == sentence}
        names = {name for clause in parts if clause.sentence == sentence for name in clause.named(PRODUCT)}
        if len(names) >= 2 and kinds <= _ABSORBED | {Kind.ASK}:
            sentences.add(sentence)
    return sentences


def _products(parts: Iterable[Clause]) -> list[str]:
    names = [name for clause in parts for name in clause.named(PRODUCT, UNKNOWN)]
    return list(dict.fromkeys(names))


def _folded(found: Sequence[tuple[int, Act]], span: set[int], names: Sequence[str]) -> list[Act]:
    claims = tuple(claim for sentence, act in found if sentence in span for claim in act.claims)
    comparison = Act(Kind.COMPARE, product=names[0], other=names[1], claims=claims)
    acts: list[Act] = []
    for sentence, act in found:
        absorbed = act.kind in _ABSORBED or (act.kind is Kind.ASK and act.slot in _WEIGHED)
        absorbed = absorbed or act.kind is Kind.CONFIRM_PURCHASE or (act.kind is Kind.PICK_UP and act.product in names)
        if sentence not in span or not absorbed:
            acts.append(act)
        elif comparison not in acts:
            acts.append(comparison)
    return acts if comparison in acts else [*acts, comparison]


def _tidy(acts: Sequence[Act]) -> list[Act]:
    """Folds claims into the recommendation or comparison they support and drops repetitions."""
    carrier = next((act for act in acts if act.kind in {Kind.RECOMMEND, Kind.COMPARE}), None)
    extra = tuple(c for act in acts if act.kind is Kind.INFORM and carrier is not None for c in act.claims)
    kinds = {act.kind for act in acts}
    asks = {act.slot for act in acts if act.kind is Kind.ASK}
    result: list[Act] = []
    for act in acts:
        if act.kind is Kind.INFORM and (carrier is not None or Kind.REJECT_ACK in kinds):
            continue
        if act.kind is Kind.ASK and act.slot is Slot.OTHER and len(asks) > 1:
            continue
        if act.kind is Kind.ASK and act.slot is Slot.SATISFACTION and act.product is None and kinds & _CART_ACTS:
            continue
        if act.kind is Kind.GREET and Kind.GOODBYE in kinds:
            continue
        if act.kind is Kind.INFORM and Slot.PRICE in asks:
            continue
        if act.kind is Kind.LOOK and act.direction is Heading.AROUND and not act.product and not act.place:
            if any(a.kind is Kind.MOVE and a.direction is Heading.AROUND for a in acts):
                continue
        if act.kind is Kind.LOOK and act.place and any(a.kind is Kind.NAVIGATE_PLACE and a.place == act.place for a in acts):
            continue
        kept = replace(act, claims=tuple(dict.fromkeys((*act.claims, *extra)))) if act is carrier else act
        result.extend(_merged(result, kept))
    return result


def _merged(before: list[Act], act: Act) -> list[Act]:
    """``act`` unless the same is there already; facts about one product join."""
    for at, other in enumerate(before):
        same = (other.kind, other.slot, other.product, other.place, other.direction) == (
            act.kind, act.slot, act.product, act.place, act.direction,
        )  # fmt: skip
        if same:
            before[at] = replace(other, claims=tuple(dict.fromkeys((*other.claims, *act.claims))))
            return []
    return [act]
