"""Understanding what the shopper said: needs, things to avoid, budget, questions, acceptance and rejection.

Works on the words alone. A phrase of the vocabulary is a mention; words before and after it decide whether it is
wanted or unwanted: negations and where they end, remarks about an item at hand ("it is breaded") that turn a need
round when the shopper rejects, and the question the shopper is answering.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from siturec_gym.policies.heuristic import cues
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

_SHORT_ANSWERS = frozenset(("avoid", "budget"))  # questions that change how the words of an answer are read
_DIGIT = re.compile(r"\d")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n")
_PARTS = re.compile(r"(?<=[.!?;])\s+")
WEIGHTS = {CATEGORY: 6.0, PRODUCT: 3.0, LABEL: 3.0, ALLERGEN: 3.5, WORD: 2.0, USE: 2.0}


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
        all_said: The shopper has nothing to add on anything.
    """

    mentions: tuple[Mention, ...] = ()
    asked: tuple[Mention, ...] = ()
    questions: tuple[str, ...] = ()
    budget: float | None = None
    too_dear: bool = False
    no_more: bool = False
    all_said: bool = False
    rejects: bool = False
    accepts: bool = False
    lost: bool = False
    leaves: bool = False


@dataclass
class _Scope:
    """Where in a sentence the reader stands: under a negation, in a remark about an item at hand, or, once the kind of
    product was named, in what it is for ("beans for a pot of chili")."""

    negated: bool = False
    negated_at: int = -9
    remark: bool = False
    too: bool = False
    purpose: bool = False


def understand(text: str, asked: str, vocabulary: Vocabulary) -> Heard:
    """What ``text`` says in answer to a question about ``asked`` (budget, avoid, needs, ... or "")."""
    return _understood(text, asked if asked in _SHORT_ANSWERS else "", vocabulary)


@lru_cache(maxsize=4096)
def _understood(text: str, asked: str, vocabulary: Vocabulary) -> Heard:
    text = vocabulary.without_places(text)
    written = _amounts_in_digits(text.lower())
    plain = " ".join(tokens_of(written))
    accepts = bool(cues.ACCEPT.search(cues.NOT_DONE.sub("", plain)))
    rejects = bool(cues.REJECT.search(plain)) and not accepts
    wishes: list[Mention] = []
    inquiries: list[Mention] = []
    for sentence in _SENTENCES.split(text):
        for mention, is_inquiry in _read_sentence(sentence, asked == "avoid", rejects, vocabulary):
            (inquiries if is_inquiry else wishes).append(mention)
    return Heard(
        mentions=_latest(wishes),
        asked=_latest(inquiries),
        questions=_questions(text),
        budget=_budget(written, asked),
        too_dear=bool(cues.TOO_DEAR.search(plain)),
        no_more=bool(cues.NO_MORE.search(plain)),
        all_said=bool(cues.ALL_SAID.search(plain)),
        rejects=rejects,
        accepts=accepts,
        lost=bool(cues.LOST.search(plain)),
        leaves=bool(cues.LEAVES.search(plain)),
    )


def _amounts_in_digits(text: str) -> str:
    return cues.WORDED_AMOUNT.sub(lambda match: cues.NUMBER_WORDS[match[1]], text)


def _budget(text: str, asked: str) -> float | None:
    if _DIGIT.search(text) is None:
        return None
    for pattern in cues.BUDGETS:
        found = pattern.search(text)
        if found:
            return float(found[1])
    bare = cues.BARE_AMOUNT.findall(text)
    if bare:
        amounts = [float(dollars or worded) for dollars, worded in bare]
        return amounts[0] if len(amounts) == 1 else min(amounts)
    number = cues.ANY_NUMBER.search(text) if asked == "budget" else None
    return float(number[1]) if number else None


def _questions(text: str) -> tuple[str, ...]:
    if "?" not in text:
        return ()
    asking = " ".join(part for part in _PARTS.split(text.lower()) if part.endswith("?"))
    if not asking:
        return ()
    return tuple(kind for kind, pattern in cues.QUESTIONS.items() if pattern.search(asking))


def _latest(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple({mention.phrase: mention for mention in mentions}.values())


@lru_cache(maxsize=4096)
def _read_sentence(
    sentence: str, avoids: bool, rejects: bool, vocabulary: Vocabulary
) -> tuple[tuple[Mention, bool], ...]:
    """Mentions of a sentence, each with whether it is a question about an item at hand."""
    tokens = tokens_of(sentence)
    plain = " ".join(tokens)
    if cues.INDIFFERENT.search(plain):
        return ()
    inquiry = sentence.rstrip().endswith("?") and not cues.ASKS_FOR.search(plain)
    answering_avoid = avoids and not inquiry and _bare(tokens)
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
        if tokens[index : index + 1] and tokens[index] in cues.SMALL_TALK_NOUNS:
            continue
        wanted = _wanted(scope, tokens[index:], rejects, meanings, answering_avoid)
        if wanted is not None or inquiry:
            mentions = _mentions(phrase, meanings, wanted is not False)
            found += [(_softened(mention) if scope.purpose else mention, inquiry) for mention in mentions]
        scope.too = False
        scope.purpose = scope.purpose or _starts_purpose(found, tokens[index:])
    return tuple((_softened(mention) if is_inquiry else mention, is_inquiry) for mention, is_inquiry in found)


def _starts_purpose(found: list[tuple[Mention, bool]], rest: list[str]) -> bool:
    """Whether what comes next is what a product already named is for."""
    return rest[:1] == ["for"] and bool(found) and found[-1][0].wanted and any(m.kind == CATEGORY for m, _ in found)


def _bare(tokens: list[str]) -> bool:
    """Whether a reply only lists things: no negation, no wish."""
    return not (cues.NEGATORS | cues.TURNS_POSITIVE).intersection(tokens)


def _move(scope: _Scope, tokens: list[str], index: int) -> None:
    """Take one word that is no mention into account."""
    token, before = tokens[index], tokens[max(0, index - 3) : index]
    if _negates(tokens, index):
        scope.negated, scope.negated_at = True, index
    elif token == "too":
        scope.too = True
    elif token in ("but", "instead") or (token in cues.TURNS_POSITIVE and index - scope.negated_at > 2):
        scope.negated = False
    elif token in cues.CLAUSE_END:
        scope.negated = scope.negated and token == "," and _list_goes_on(tokens[index + 1 :])
        scope.remark = scope.too = False
    elif token in cues.STATES and tokens[index + 1 : index + 2] != ["to"] and not scope.remark:
        relative = before[-1:] == ["that"] and not cues.THINGS.isdisjoint(before[-2:-1])
        about_it = bool(cues.ABOUT_IT.intersection(before)) and not relative
        scope.remark = about_it and not cues.MODALS.intersection(before)


def _negates(tokens: list[str], index: int) -> bool:
    """Whether the word starts a negation: "no", "away from", "anything but"."""
    token = tokens[index]
    if token == "but":
        return tokens[max(0, index - 1) : index] in (["anything"], ["everything"])
    return token in cues.NEGATORS or (token == "away" and tokens[index + 1 : index + 2] == ["from"])


def _list_goes_on(rest: list[str]) -> bool:
    """Whether "no a, b or c" is still listing after a comma."""
    end = next((index for index, token in enumerate(rest) if token in ".!?;"), len(rest))
    part = rest[:end]
    return "or" in part and not (cues.TURNS_POSITIVE | {"i"}).intersection(part[: part.index("or")])


def _wanted(
    scope: _Scope, rest: list[str], rejects: bool, meanings: tuple[Meaning, ...], answering_avoid: bool
) -> bool | None:
    """Whether the mention is wanted; None where the words do not say."""
    if scope.too:
        return False
    wanted = not scope.negated
    if wanted and cues.UNWANTED_AFTERWARDS.match(" ".join(rest[:8])):
        return False
    if scope.remark:
        return not wanted if rejects else None
    absence = any(cues.ABSENCE_LABEL.search(meaning.label) for meaning in meanings)
    return False if wanted and answering_avoid and not absence else wanted


def _mentions(phrase: Phrase, meanings: tuple[Meaning, ...], wanted: bool) -> list[Mention]:
    """The mention of a phrase; one of a kind of product that names a variety ("spaghetti") counts as both."""
    category = frozenset[str]().union(*(meaning.fits for meaning in meanings if meaning.kind == CATEGORY))
    if not wanted or not category:
        return [_mention(" ".join(phrase), meanings, wanted)]
    variety = tuple(
        replace(meaning, fits=meaning.fits & category)
        for meaning in meanings
        if meaning.kind == WORD and 0 < len(meaning.fits & category) < len(category)
    )
    kind = tuple(meaning for meaning in meanings if meaning.kind != WORD)
    both = [_mention(" ".join(phrase), kind, wanted)]
    return [*both, _mention(f"variety {' '.join(phrase)}", variety, wanted)] if variety else both


def _mention(phrase: str, meanings: tuple[Meaning, ...], wanted: bool) -> Mention:
    """Join the readings that make sense: allergens are avoided, uses are wished for."""
    out = ALLERGEN if wanted else USE
    kept = tuple(meaning for meaning in meanings if meaning.kind != out) or meanings
    order = (CATEGORY, PRODUCT, LABEL, ALLERGEN, USE, WORD)
    kind = min((meaning.kind for meaning in kept), key=order.index)
    fits = frozenset[str]().union(*(meaning.fits for meaning in kept))
    labels = tuple(dict.fromkeys(meaning.label for meaning in kept))
    return Mention(phrase, kind, labels, fits, wanted, WEIGHTS[kind])


def _softened(mention: Mention) -> Mention:
    return replace(mention, weight=0.2 * mention.weight)
