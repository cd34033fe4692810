"""Understanding what the shopper said: needs, things to avoid, budget, questions, acceptance and rejection.

Works on the words alone. A phrase of the vocabulary is a mention; words before and after it decide whether it is
wanted or unwanted: negations and where they end, remarks about an item at hand ("it is breaded") that turn a need
round when the shopper rejects, and the question the shopper is answering.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from siturec_gym.policies.heuristic.vocabulary import (
    ALLERGEN,
    CATEGORY,
    LABEL,
    PRODUCT,
    USE,
    WORD,
    Meaning,
    Phrase,
    Vocabulary,
    tokens_of,
)

WEIGHTS = {CATEGORY: 6.0, PRODUCT: 3.0, LABEL: 3.0, ALLERGEN: 3.5, WORD: 2.0, USE: 2.0}
_NEGATORS = frozenset(
    "no not without avoid avoiding never nothing none hate dislike allergic allergy intolerant skip except minus nor "
    "neither cannot bother upset exclude excluding".split()
)
_TURNS_POSITIVE = frozenset("but instead prefer want need like love looking should must rather".split())
_ABOUT_IT = frozenset("it this that these they one".split())
_STATES = frozenset("is are was has have contain contain taste look smell seem come got lack".split())
_MODALS = frozenset("should must need would ought could".split())
_CLAUSE_END = frozenset(", . ! ? ; : because since while although though so".split())
_ABSENCE = re.compile(r"-free$|^un|^low-|^no |^decaf$|^skinless$|^seedless$")
_INDIFFERENT = re.compile(r"\b(?:not mind|not matter|not important|not picky|no matter|fine with|not fussy|not care)\b")
_AFTERWARDS = re.compile(
    r"^(?:(?:is|are)(?: really| just)?(?: a)?(?: not (?:for me|my thing|ok|okay|an option|what)| out\b| off the table| no go| deal ?breaker)"
    r"|(?:do|does|will|would) not (?:work|agree|suit)|upset|bother|make me|free\b)"
)

_AMOUNT = r"\$?(\d+(?:\.\d{1,2})?)"
_BUDGETS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:budget|limit|maximum|max|cap|spend|ceiling)\b[^.?!;$\d]{{0,40}}{_AMOUNT}",
        rf"(?:under|below|less than|at most|no more than|not more than|up to|within|over my|above my|beyond my|cheaper than"
        rf"|keep it to|stay under|exceed|over the)\b[^.?!;$\d]{{0,24}}{_AMOUNT}",
        rf"{_AMOUNT}(?: dollar| buck)?s?(?: is| would be)?(?: or less| at most| tops| max\b| maximum| budget| limit| or under)",
    )
)
_BARE_AMOUNT = re.compile(r"\$(\d+(?:\.\d{1,2})?)|(\d+(?:\.\d{1,2})?) (?:dollar|buck|usd)")
_ANY_NUMBER = re.compile(r"\b(\d+(?:\.\d{1,2})?)\b")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"sixteen": "16", "seventeen": "17", "eighteen": "18", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50"}
_WORDED_AMOUNT = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})(?= (?:dollars?|bucks?)\b)")

_TOO_DEAR = re.compile(
    r"too (?:expensive|pricey|dear|costly|much)|(?:over|above|beyond|outside|out of|exceeds?|more than)[^.?!]{0,20}"
    r"(?:budget|limit|price range|want to (?:pay|spend)|planned|afford)|cheaper|can not afford|pricier than"
)
_NO_MORE = re.compile(
    r"that is (?:all|everything|it\b|about it)|nothing (?:else|more|in particular|special|specific|further|to avoid|to add|comes)|no(?:thing)?,? (?:that|other|more|else|particular|special|preference|further|need|restriction|must)"
    r"|not really|no preferences?|anything (?:is|would be) fine|i have told you|as i said|already (?:said|told|mentioned)|mentioned (?:this |that |it )?(?:before|already|earlier)|as (?:i )?mentioned|that (?:covers|sums)"
    r"|not (?:much|anything) (?:else|more)|^no\b[.,!]?\s*(?:$|thank)|^nope|^none\b|you (?:know|have) (?:it all|everything)|just (?:that|those|what)|do not have (?:any|other|more)"
)
_REJECT = re.compile(
    r"\b(?:pass\b|not (?:for me|what i|right|suitable|quite|going to|buying|interested|convinced|a good fit|a match|it\b|good)"
    r"|do not (?:want|like) (?:it|this|that)|can not (?:take|use|buy|eat|have) (?:it|this|that|one)|will not (?:work|do|take)|does not (?:work|fit|meet|match|suit)"
    r"|something else|another (?:one|option|product)|other option|different one|alternative|too (?:expensive|pricey|dear|much|costly)|leave (?:it|this|that)|put (?:it|this|that) back|instead|no thank|rather not|not take|unfortunately|however|wanted)"
)
_ACCEPT = re.compile(
    r"\b(?:i will take|i take (?:it|this)|i ll take|take it|add(?:ing)? it|sounds (?:good|great|perfect|right|fine|suitable)|looks? (?:good|great|perfect|right|fine)|perfect|that works"
    r"|works for me|into (?:my|the) (?:cart|basket)|buy it|suits me|happy with|exactly what|is fine|i am convinced|good choice|deal)\b"
)
_NOT_DONE = re.compile(
    r"\bnot (?:\w+ )?(?:take|add|buy|fine|good|great|perfect|right|happy|convinced)\b[^.,;!?]*|\?[^.!]*$"
)
_LOST = re.compile(
    r"\b(?:lost|can not (?:see|find|spot)|do not (?:see|find|know where)|where (?:is|are|am|do|should|can)|not sure (?:where|which way)|which way|confused|not there|cannot (?:see|find)|could not find|blocked|stuck|can not get)\b"
)
_BYE = re.compile(
    r"\b(?:goodbye|bye|give up|i am done|leave it (?:there|at that)|shop elsewhere|some other time|no longer)\b"
)
_QUESTIONS = {
    "price": re.compile(r"\bpric|how much (?:is|does|do|are|for)|\bcost|expensive"),
    "allergens": re.compile(r"allerg|contain|ingredient|\bin it\b"),
    "flavour": re.compile(r"flavou?r|taste|scent\b|smell"),
    "packaging": re.compile(r"packag|packed|wrapped|come in\b|container|sold in"),
    "nutrition": re.compile(
        r"nutrition|calorie|kcal|how (?:much|many) (?:sugar|fat|protein|salt|calories|energy)|healthy|per 100"
    ),
    "size": re.compile(
        r"\bsize|how (?:big|large|heavy)|weigh|how many (?:gram|piece|roll|bag|portion)|how much is in|quantity"
    ),
    "place": re.compile(r"\bwhere\b|which way|how do i get|direction|which (?:aisle|shelf)"),
    "compare": re.compile(
        r"compar|differen|versus|\bvs\b|better than|which (?:one )?is (?:better|best)|cheaper|alternative|other option"
    ),
    "reason": re.compile(r"\bwhy\b|what makes|tell me more|more about|how come"),
}
_ASKS_FOR = re.compile(
    r"do you (?:have|carry|sell|stock)|is there|are there|can you (?:recommend|show|find|suggest|help)|could you|any(?:thing)? (?:that|with|without|which)|where|which|looking for|have you got|what do you"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Something the shopper wants or does not want.

    Attributes:
        phrase: The words, stemmed.
        kind: The strongest reading's kind.
        labels: Labels of its readings.
        fits: Ids of the products that the words are true of.
        wanted: Whether a product should be among ``fits``.
        weight: How much it counts.
    """

    phrase: str
    kind: str
    labels: tuple[str, ...]
    fits: frozenset[str]
    wanted: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Heard:
    """What one utterance says.

    Attributes:
        mentions: Needs and things to avoid.
        asked: Attributes the shopper asks about an item at hand.
        questions: Kinds of question, keys of the question table.
        budget: Most to be spent, dollars.
        no_more: The shopper has nothing to add on what was asked.
    """

    mentions: tuple[Mention, ...] = ()
    asked: tuple[Mention, ...] = ()
    questions: tuple[str, ...] = ()
    budget: float | None = None
    too_dear: bool = False
    no_more: bool = False
    rejects: bool = False
    accepts: bool = False
    lost: bool = False
    leaves: bool = False


@dataclass
class _Scope:
    """Where in a sentence the reader stands: under a negation, or in a remark about an item at hand."""

    negated: bool = False
    negated_at: int = -9
    remark: bool = False
    too: bool = False


@lru_cache(maxsize=4096)
def understand(text: str, asked: str, vocabulary: Vocabulary) -> Heard:
    """What ``text`` says in answer to a question about ``asked`` (budget, avoid, needs, ... or "")."""
    text = vocabulary.places.sub("that place", text)
    written = _amounts_in_digits(text.lower())
    plain = " ".join(tokens_of(written))
    accepts = bool(_ACCEPT.search(_NOT_DONE.sub("", plain)))
    rejects = bool(_REJECT.search(plain)) and not accepts
    wishes: list[Mention] = []
    inquiries: list[Mention] = []
    for sentence in re.split(r"(?<=[.!?;])\s+|\n", text):
        for mention, is_inquiry in _read_sentence(sentence, asked, rejects, vocabulary):
            (inquiries if is_inquiry else wishes).append(mention)
    return Heard(
        mentions=_latest(wishes),
        asked=_latest(inquiries),
        questions=_questions(text),
        budget=_budget(written, asked),
        too_dear=bool(_TOO_DEAR.search(plain)),
        no_more=bool(_NO_MORE.search(plain)),
        rejects=rejects,
        accepts=accepts,
        lost=bool(_LOST.search(plain)),
        leaves=bool(_BYE.search(plain)),
    )


def _amounts_in_digits(text: str) -> str:
    return _WORDED_AMOUNT.sub(lambda match: _NUMBER_WORDS[match[1]], text)


def _budget(text: str, asked: str) -> float | None:
    for pattern in _BUDGETS:
        found = pattern.search(text)
        if found:
            return float(found[1])
    bare = _BARE_AMOUNT.findall(text)
    if bare:
        amounts = [float(dollars or worded) for dollars, worded in bare]
        return amounts[0] if len(amounts) == 1 else min(amounts)
    number = _ANY_NUMBER.search(text) if asked == "budget" else None
    return float(number[1]) if number else None


def _questions(text: str) -> tuple[str, ...]:
    asking = " ".join(part for part in re.split(r"(?<=[.!?;])\s+", text.lower()) if part.endswith("?"))
    if not asking:
        return ()
    return tuple(kind for kind, pattern in _QUESTIONS.items() if pattern.search(asking))


def _latest(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple({mention.phrase: mention for mention in mentions}.values())


def _read_sentence(sentence: str, asked: str, rejects: bool, vocabulary: Vocabulary) -> list[tuple[Mention, bool]]:
    """Mentions of a sentence, each with whether it is a question about an item at hand."""
    tokens = tokens_of(sentence)
    plain = " ".join(tokens)
    if _INDIFFERENT.search(plain):
        return []
    inquiry = sentence.rstrip().endswith("?") and not _ASKS_FOR.search(plain)
    answering_avoid = asked == "avoid" and not inquiry and _bare(tokens)
    found: list[tuple[Mention, bool]] = []
    scope, index = _Scope(), 0
    while index < len(tokens):
        match = vocabulary.at(tokens, index)
        if match is None:
            _move(scope, tokens, index)
            index += 1
            continue
        phrase, meanings = match
        index += len(phrase)
        wanted = _wanted(scope, tokens[index:], rejects, meanings, answering_avoid)
        if wanted is not None or inquiry:
            found.append((_mention(phrase, meanings, wanted is not False), inquiry))
        scope.too = False
    return [(_softened(mention) if is_inquiry else mention, is_inquiry) for mention, is_inquiry in found]


def _bare(tokens: list[str]) -> bool:
    """Whether a reply only lists things: no negation, no wish."""
    return not (_NEGATORS | _TURNS_POSITIVE).intersection(tokens)


def _move(scope: _Scope, tokens: list[str], index: int) -> None:
    """Take one word that is no mention into account."""
    token = tokens[index]
    if token in _NEGATORS or (token in ("away", "out", "off") and tokens[index + 1 : index + 2] in (["from"], ["of"])):
        scope.negated, scope.negated_at = True, index
    elif token == "too":
        scope.too = True
    elif token in _TURNS_POSITIVE and index - scope.negated_at > 2:
        scope.negated = False
    elif token in _CLAUSE_END:
        scope.negated = scope.negated and token == "," and _list_goes_on(tokens[index + 1 :])
        scope.remark = scope.too = False
    elif token in _STATES and index > 0 and not scope.remark:
        before = tokens[max(0, index - 3) : index]
        scope.remark = bool(_ABOUT_IT.intersection(before)) and not _MODALS.intersection(before)


def _list_goes_on(rest: list[str]) -> bool:
    """Whether "no a, b or c" is still listing after a comma."""
    end = next((index for index, token in enumerate(rest) if token in ".!?;"), len(rest))
    part = rest[:end]
    return "or" in part and not (_TURNS_POSITIVE | {"i"}).intersection(part[: part.index("or")])


def _wanted(
    scope: _Scope, rest: list[str], rejects: bool, meanings: tuple[Meaning, ...], answering_avoid: bool
) -> bool | None:
    """Whether the mention is wanted; None where the words do not say."""
    if scope.too:
        return False
    wanted = not scope.negated
    if wanted and _AFTERWARDS.match(" ".join(rest[:8])):
        return False
    if scope.remark:
        return not wanted if rejects else None
    absence = any(_ABSENCE.search(meaning.label) for meaning in meanings)
    return False if wanted and answering_avoid and not absence else wanted


def _mention(phrase: Phrase, meanings: tuple[Meaning, ...], wanted: bool) -> Mention:
    """Join the readings that make sense: allergens are avoided, uses are wished for."""
    out = ALLERGEN if wanted else USE
    kept = tuple(meaning for meaning in meanings if meaning.kind != out) or meanings
    order = (CATEGORY, PRODUCT, LABEL, ALLERGEN, USE, WORD)
    kind = min((meaning.kind for meaning in kept), key=order.index)
    fits = frozenset().union(*(meaning.fits for meaning in kept))
    labels = tuple(dict.fromkeys(meaning.label for meaning in kept))
    return Mention(" ".join(phrase), kind, labels, fits, wanted, WEIGHTS[kind])


def _softened(mention: Mention) -> Mention:
    return replace(mention, weight=0.2 * mention.weight)
