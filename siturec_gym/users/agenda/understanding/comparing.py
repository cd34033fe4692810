"""Folds what is said of two products that are set against each other into one comparison."""

from collections.abc import Iterable, Sequence

from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.meaning import Act, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PRODUCT, UNKNOWN
from siturec_gym.users.agenda.understanding.reading import Matches

Found = Sequence[tuple[int, Act]]
_SAYING = frozenset({Kind.RECOMMEND, Kind.INFORM, Kind.COMPARE})
_WEIGHED = frozenset({Slot.SATISFACTION, Slot.NEED, Slot.OTHER, Slot.PRICE, Slot.CATEGORY, Slot.FLAVOUR, Slot.SIZE})


def with_comparison(parts: Sequence[Clause], matches: Sequence[Matches], found: Found) -> list[Act]:
    """The acts of an utterance, those that weigh two products against each other as one COMPARE.

    Args:
        parts: Clauses of the utterance.
        matches: The phrases of each.
        found: Number of the sentence and act, in the order said.
    """
    compared = {clause.sentence for clause, labels in zip(parts, matches, strict=True) if Kind.COMPARE in labels}
    compared |= _contrasted(parts, found)
    compared -= {number for number, act in found if act.slot is Slot.BRAND} - {
        clause.sentence for clause in parts if clause.named(PRODUCT)
    }
    groups = [_compared_in(parts, sentence, compared) for sentence in sorted(compared)]
    for names, span in (*groups, _parallel(parts, matches, found)):
        if len(names) >= 2:
            return _with_choice(_folded(found, span, names), parts, matches)
    acts = [act for _, act in found]
    return acts if any("also" in part.words for part in parts) else _offered_in_turn(acts)


def _offered_in_turn(acts: list[Act]) -> list[Act]:
    """Acts with several suggestions, none before the others, as one comparison of the first two."""
    offered = [act for act in acts if act.kind is Kind.RECOMMEND and act.product is not None]
    names = list(dict.fromkeys(act.product for act in offered))
    if len(names) < 2:
        return acts
    claims = tuple(claim for act in offered for claim in act.claims)
    comparison = Act(Kind.COMPARE, product=names[0], other=names[1], claims=claims)
    return [comparison if act is offered[0] else act for act in acts if act is offered[0] or act not in offered]


def _parallel(parts: Sequence[Clause], matches: Sequence[Matches], found: Found) -> tuple[list[str], set[int]]:
    """Products of which sentences say something in turn without suggesting one, and those sentences."""
    suggestions = {"choose", str(Kind.RECOMMEND)}
    suggesting = {part.sentence for part, labels in zip(parts, matches, strict=True) if suggestions & set(labels)}
    names: list[str] = []
    span: set[int] = set()
    for sentence in sorted({number for number, _ in found} - suggesting):
        acts = [act for number, act in found if number == sentence]
        said = {act.product for act in acts if act.product is not None}
        if len(said) == 1 and all(act.kind in {Kind.INFORM, Kind.RECOMMEND} for act in acts):
            names = list(dict.fromkeys((*names, *said)))
            span.add(sentence)
    return names, span


def _with_choice(acts: list[Act], parts: Sequence[Clause], matches: Sequence[Matches]) -> list[Act]:
    """Acts with the recommendation of the product that the speaker singles out of those compared."""
    for clause, labels in zip(parts, matches, strict=True):
        names = clause.named(PRODUCT, UNKNOWN)
        single = len(names) == 1 or (len(names) == 2 and cue("excluding") & set(clause.words))
        if "choose" in labels and single and not clause.question:
            return [*acts, Act(Kind.RECOMMEND, product=names[0])]
        compared = next((act for act in acts if act.kind is Kind.COMPARE), None)
        if compared is not None and {"choose_former", "choose_latter"} & set(labels):
            chosen = compared.product if "choose_former" in labels else compared.other
            return [*acts, Act(Kind.RECOMMEND, product=chosen)]
    return acts


def _compared_in(parts: Sequence[Clause], sentence: int, compared: set[int]) -> tuple[list[str], set[int]]:
    """The products a sentence compares and the sentences that belong to it."""
    group = [clause for clause in parts if clause.sentence == sentence]
    names = _products(part for part in group if not (part.condition and "not" in part.words))
    if not names and any(cue("choosing") & set(clause.words) for clause in group):
        return _products(parts), set(range(sentence + 1))
    rest = {n for n in compared if n > sentence and not _products(c for c in parts if c.sentence == n)}
    return names, {sentence} | rest


def _contrasted(parts: Sequence[Clause], found: Found) -> set[int]:
    """Sentences that say something of two products and command nothing."""
    sentences = set()
    for sentence in {clause.sentence for clause in parts}:
        kinds = {act.kind for number, act in found if number == sentence}
        names = {name for clause in parts if clause.sentence == sentence for name in clause.named(PRODUCT)}
        if len(names) >= 2 and kinds <= _SAYING | {Kind.ASK}:
            sentences.add(sentence)
    return sentences


def _products(parts: Iterable[Clause]) -> list[str]:
    return list(dict.fromkeys(name for clause in parts for name in clause.named(PRODUCT, UNKNOWN)))


def _folded(found: Found, span: set[int], names: Sequence[str]) -> list[Act]:
    claims = tuple(claim for sentence, act in found if sentence in span for claim in act.claims)
    comparison = Act(Kind.COMPARE, product=names[0], other=names[1], claims=claims)
    acts: list[Act] = []
    for sentence, act in found:
        if sentence not in span or not _is_weighing(act, names):
            acts.append(act)
        elif comparison not in acts:
            acts.append(comparison)
    return acts if comparison in acts else [*acts, comparison]


def _is_weighing(act: Act, names: Sequence[str]) -> bool:
    if act.kind is Kind.ASK:
        return act.slot in _WEIGHED
    return (
        act.kind in _SAYING or act.kind is Kind.CONFIRM_PURCHASE or (act.kind is Kind.PICK_UP and act.product in names)
    )
