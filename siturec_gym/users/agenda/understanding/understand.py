"""The whole way from an utterance to its meaning."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from siturec_gym.users.agenda.understanding.choices import with_choice_of_kinds
from siturec_gym.users.agenda.understanding.claims import claims_in
from siturec_gym.users.agenda.understanding.clauses import Clause, clauses
from siturec_gym.users.agenda.understanding.commands import COMMANDS
from siturec_gym.users.agenda.understanding.comparing import with_comparison
from siturec_gym.users.agenda.understanding.guessing import guessed_acts
from siturec_gym.users.agenda.understanding.lexicon import cue
from siturec_gym.users.agenda.understanding.listening import listened
from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Context, Kind, Meaning, Slot
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT
from siturec_gym.users.agenda.understanding.names import index_of
from siturec_gym.users.agenda.understanding.reading import Matches, find_matches
from siturec_gym.users.agenda.understanding.text import corrected, name_tokens, tokenise
from siturec_gym.users.agenda.understanding.tidying import tidied

_LEADS = frozenset({Slot.USE, Slot.RECIPIENT, Slot.OTHER})
_ANSWERS = frozenset({Kind.RECOMMEND, Kind.NAVIGATE_PLACE, Kind.PUT_BACK, Kind.REJECT_ACK})
_TITLES = (
    (PRODUCT,),
    *((pointing, PRODUCT) for pointing in ("the", "our", "that")),
    *((pointing, PRODUCT, "one") for pointing in ("the", "that")),
)
_REASONS = frozenset({"if", "since", "because", "given", "considering", "as"})
_TAKEN = ((PRODUCT,), (PRODUCT, "with"), (PRODUCT, "at"), (PRODUCT, "for"))
_TAKING = frozenset({"take", "choose", "get", "pick", "grab"})
_LONGEST_REFUSAL = 5
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
    found = _without_titles(parts, matches, _without_leads(parts, listened(parts, context).found))
    found = _answering_wishes(parts, matches, _without_reasons(parts, found), context)
    found = with_choice_of_kinds(parts, found, context)
    found = _granted(parts, _advised(parts, found), context)
    found = _offered_for_judging(parts, found, context)
    acts = _last_resorts(tidied(with_comparison(parts, matches, found)), parts, matches, context)
    return Meaning(tuple(acts) or _NOTHING)


def _without_leads(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> list[tuple[int, Act]]:
    """Acts without the questions seen in a few words that only lead up to something: "for your party, may I ...?"."""
    last = {clause.sentence: clause for clause in parts}
    guiding = {Kind.RECOMMEND, Kind.NAVIGATE_PLACE}
    offered = {number for number, act in found if act.kind in guiding and last[number].question}
    answered = [number for number, act in found if act.kind in _ANSWERS and not last[number].question]
    wondered = {
        part.sentence for part in last.values() if _only_wonders(part) and part.sentence < max(answered, default=0)
    }
    wondered |= {first.sentence for first, then in pairwise(parts) if then.words[0] in {"yes", "no"} and first.question}
    kept = [(number, act) for number, act in found if number not in offered or act.slot not in _LEADS]
    return [(number, act) for number, act in kept if number not in wondered or act.kind is not Kind.ASK]


def _only_wonders(part: Clause) -> bool:
    """Whether a question names what the same speaker goes on to answer: "something without milk? That is ..."."""
    plain = part.first in cue("question_starts") or "or" in part.words or "you" in part.words or "any" in part.words
    return part.question and not plain and not part.named(PRODUCT)


def _without_titles(
    parts: Sequence[Clause], matches: Sequence[Matches], found: Sequence[tuple[int, Act]]
) -> list[tuple[int, Act]]:
    """Acts without the suggestion seen in a bare name that only opens what is said of it: "Rye loaf. Take it."."""
    titles = {part.names[0][1] for part in parts if _is_title(part)}
    telling = {Kind.PICK_UP, Kind.ADD_TO_CART, Kind.INFORM, Kind.LOOK}
    told = {act.product for _, act in found if act.kind in telling}
    if any(Kind.RECOMMEND in labels for part, labels in zip(parts, matches, strict=True) if not _is_title(part)):
        return list(found)
    return [(n, act) for n, act in found if act.kind is not Kind.RECOMMEND or act.product not in titles & told]


def _is_title(part: Clause) -> bool:
    return part.words in _TITLES


def _without_reasons(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> list[tuple[int, Act]]:
    """Acts without a refusal that only tells why something should go back on the shelf."""
    returns = any(act.kind is Kind.PUT_BACK for _, act in found)
    if not returns or any(cue("giving_in") & set(part.words) for part in parts):
        return list(found)
    told = {Kind.INFORM, Kind.RECOMMEND} & {act.kind for _, act in found}
    fact = Act(Kind.INFORM, product=next(act.product for _, act in found if act.kind is Kind.PUT_BACK))
    tells = not told and any(claims_in(part.words) for part in parts)
    kept = [(number, fact if act.kind is Kind.REJECT_ACK else act) for number, act in found]
    return kept if tells else [pair for pair in kept if pair[1] is not fact]


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


def _advised(parts: Sequence[Clause], found: Sequence[tuple[int, Act]]) -> list[tuple[int, Act]]:
    """Acts with "if it has to be cheap, take the oat drink" as advice rather than a command."""
    advised = set[tuple[int, str]]()
    for before, part in pairwise(parts):
        bare = [word for word in part.words if word not in {"the", "then", "rather", "instead"}]
        reasoned = before.first in _REASONS and before.sentence == part.sentence
        weighed = len({name for other in parts for name in other.named(PRODUCT)}) > 1
        if (reasoned or weighed) and tuple(bare[1:3]) in _TAKEN and bare[0] in _TAKING:
            advised.add((part.sentence, part.names[0][1]))
    busy = {number for number, act in found if act.kind in {Kind.ADD_TO_CART, Kind.LOOK, Kind.PUT_BACK}}
    return [
        (n, Act(Kind.RECOMMEND, product=act.product))
        if act.kind is Kind.PICK_UP and (n, act.product) in advised and n not in busy
        else (n, act)
        for n, act in found
    ]


def _granted(parts: Sequence[Clause], found: Sequence[tuple[int, Act]], context: Context) -> list[tuple[int, Act]]:
    """Acts with "no rye, then" and "too pricey? How about ..." as giving in, where a product in mind is so."""
    in_mind = {word for name in (context.held, *context.mentioned) if name for word in name_tokens(name)}
    nods = cue("giving_in") | cue("acknowledging") | cue("fillers")
    nodded = {part.sentence for part in parts if part.words[0] in nods}
    last = parts[-1].sentence if parts else 0
    given = {part.sentence for part in parts if _gives_up(part, in_mind, part.sentence in nodded, last)}
    if not given or any(act.kind in {Kind.PUT_BACK, Kind.REJECT_ACK} for _, act in found):
        return list(found)
    kept = [(n, act) for n, act in found if n not in given or act.kind not in {Kind.ASK, Kind.INFORM}]
    return [(min(given), Act(Kind.REJECT_ACK)), *kept]


def _gives_up(part: Clause, in_mind: set[str], granting: bool, last: int) -> bool:
    words = [word for word in part.words if word not in cue("fillers") and word != "?"]
    if not 2 <= len(words) <= _LONGEST_REFUSAL:
        return False
    said = {word for _, _, name in part.names for word in name.split()} | set(words)
    if words[0] == "too":
        return part.question and part.sentence < last and bool(in_mind)
    telling = in_mind if granting else in_mind - cue("ingredients")
    more = said - telling - {PRODUCT, "no", "not", "nothing", "then", "more", "the", "for", "you", "please", "a", "any"}
    return words[0] in {"no", "not", "nothing"} and not part.question and bool(said & telling) and not more


def _offered_for_judging(
    parts: Sequence[Clause], found: Sequence[tuple[int, Act]], context: Context
) -> list[tuple[int, Act]]:
    """Acts with what is told of one new product as a suggestion, where a judgement is asked for or another given up."""
    old = {context.held, *context.mentioned}
    new = {name for part in parts for name in part.named(PRODUCT)} - old
    judged = any(old & set(part.named(PRODUCT)) and {"not", "too"} & set(part.words) for part in parts) or any(
        act.slot is Slot.SATISFACTION or act.kind in {Kind.REJECT_ACK, Kind.APOLOGISE} for _, act in found
    )
    judged |= _praises(found)
    if not judged or len(new) != 1 or any(act.kind in {Kind.RECOMMEND, Kind.COMPARE} for _, act in found):
        return list(found)
    return [(number, _suggested(act) if act.product in new else act) for number, act in found]


def _praises(found: Sequence[tuple[int, Act]]) -> bool:
    """Whether facts are all there is, and more of them than someone would tell who was only asked one."""
    claims = {c for _, act in found for c in act.claims if c.attribute is not Attribute.SIZE}
    told = all(act.kind is Kind.INFORM for _, act in found)
    priced = any(claim.attribute is Attribute.PRICE for claim in claims)
    return told and (len({number for number, _ in found}) > 1 or (priced and len(claims) > 1))


def _suggested(act: Act) -> Act:
    bad = {Attribute.CONTAINS, Attribute.NOT_LABEL} & {claim.attribute for claim in act.claims}
    suggests = act.kind is Kind.INFORM and act.product is not None and not bad
    return replace(act, kind=Kind.RECOMMEND) if suggests else act


def _guessed(acts: list[Act], parts: Sequence[Clause], context: Context) -> list[Act]:
    """Acts, or those that the words alone tell of where there are none but a question about nothing known."""
    unclear = all(act.kind is Kind.ASK and act.slot is Slot.OTHER for act in acts)
    return (guessed_acts(parts, context) if unclear else []) or acts


def _forbids(part: Clause, labels: Matches) -> bool:
    """Whether a clause says not to do something, or never."""
    return bool(cue("never") & set(part.words)) and (part.first != "you" or any(kind in labels for kind in COMMANDS))


def _mentioned_only(
    acts: list[Act], parts: Sequence[Clause], matches: Sequence[Matches], context: Context
) -> list[Act]:
    """What an utterance that is not understood otherwise may well be for, by the one name it holds."""
    stated = [
        part
        for part, labels in zip(parts, matches, strict=True)
        if not (part.question or part.condition or "other" in labels or _forbids(part, labels))
    ]
    goods = list(dict.fromkeys(name for part in stated for name in part.named(PRODUCT)))
    places = list(dict.fromkeys(name for part in stated for name in part.named(PLACE)))
    if len(places) == 1 and not goods:
        return [Act(Kind.NAVIGATE_PLACE, place=places[0])]
    if len(goods) != 1 or places:
        return acts
    old = goods[0] in {context.held, *context.mentioned}
    return [Act(Kind.INFORM if old else Kind.RECOMMEND, product=goods[0])]


def _last_resorts(acts: list[Act], parts: Sequence[Clause], matches: Sequence[Matches], context: Context) -> list[Act]:
    """Acts with those that faint signs stand for: "got it, no nuts" gives in, "great choice" alone confirms."""
    answers = bool(parts) and parts[0].words[0] in {"yes", "no", "it", "this", "that"}
    refusal = next((at for at, labels in enumerate(matches) if "reject_weak" in labels), None)
    if refusal is not None and not answers and not any(part.named(PRODUCT) for part in parts[:refusal]):
        return [Act(Kind.REJECT_ACK), *(act for act in acts if act.kind not in {Kind.REJECT_ACK, Kind.INFORM})]
    faint = any("reject_faint" in labels for labels in matches)
    if faint and all(act.kind in {Kind.RECOMMEND, Kind.COMPARE} for act in acts):
        return [Act(Kind.REJECT_ACK), *acts]
    acts = _guessed(acts, parts, context) or _mentioned_only(acts, parts, matches, context)
    if not acts and any("confirm_weak" in labels for labels in matches):
        return [Act(Kind.CONFIRM_PURCHASE)]
    if not acts and any("praise" in labels for labels in matches) and not any(part.question for part in parts):
        return [Act(Kind.INFORM, product=context.held or next(iter(context.mentioned[::-1]), None))]
    return acts
