"""Which details of a goal an utterance tells (S11): by the shopper's words, the label's, and everyday words for both.

A detail is told where its words stand in a sentence, as a statement or a question. Not told is what only points at a
product ("the black one", a full name), and, of things to avoid, what is neither refused nor asked about.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from siturec_gym.policies.heuristic import cues
from siturec_gym.policies.heuristic.vocabulary import shipped_words, tokens_of
from siturec_gym.users.agenda.shopper import BUDGET, CATEGORY, USE, Detail, Shopper
from siturec_gym.users.llm.ledger.words import more_words, word_lists

OPENING = frozenset((CATEGORY, USE))
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n")
_LEAST_SHARE_OF_USE = 0.6
_POINTING_REACH = 3
_TITLED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?:[- &]+[A-Z][a-z]+)*(?: &)? [A-Z][a-z]+(?:-[A-Z][a-z]+)*\b")
_MONEY = re.compile(r"\$ ?(\d+(?:\.\d{1,2})?)|\b(\d+(?:\.\d{1,2})?)(?= ?(?:dollars?|bucks?|usd)\b)", re.I)
_AMOUNT_IN_WORDS = re.compile(rf"\b({'|'.join(cues.NUMBER_WORDS)}|(?:{'|'.join(cues.NUMBER_WORDS)})[- ]five)\b")
_HUNDREDS = re.compile(r"\b(\d+) hundred\b")

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """How a detail may be worded.

    Attributes:
        phrases: Runs of stemmed words, each enough by itself.
        sets: Groups of stemmed words that tell it when most of one group stand in one sentence.
        avoided: Whether it is told as something not wanted.
    """

    phrases: frozenset[Tokens]
    sets: tuple[frozenset[str], ...]
    avoided: bool


def told_in(utterance: str, shopper: Shopper, names: Collection[str] = (), heard: str = "") -> frozenset[str]:
    """Keys of the details that an utterance tells.

    Args:
        utterance: What the shopper says.
        shopper: Profile and goal.
        names: Full names of products and places, which tell nothing of what is needed.
        heard: What the assistant said just before; a bare number answers a question about money.
    """
    plain = utterance.lower()
    said = sorted((name for name in names if name.lower() in plain), key=lambda name: (-len(name), name))
    return _told(utterance, shopper.details, shopper.budget, tuple(said), _asks_money(heard))


def named_in(text: str, shopper: Shopper) -> frozenset[str]:
    """Keys of the details whose words stand in ``text``, whoever says them and however."""
    tokens = tokens_of(text)
    labels = {d.key for d in shopper.details if d.key != BUDGET and _spans(tokens, wording_of(d))}
    return frozenset(labels | ({BUDGET} if _tells_budget(text, shopper.budget, asked_money=False) else set()))


def opening_as_one(keys: Collection[str]) -> int:
    """How many details these are: category and use, told together, count as one (S11)."""
    return len(keys) - OPENING.issubset(keys)


@lru_cache(maxsize=4096)
def _told(
    utterance: str, details: tuple[Detail, ...], budget: float, names: Tokens, asked_money: bool
) -> frozenset[str]:
    text = _without_names(utterance, names)
    told = {BUDGET} if _tells_budget(text, budget, asked_money) else set[str]()
    for sentence in _SENTENCES.split(text):
        told |= _in_sentence(sentence, details)
    return frozenset(told)


def _without_names(utterance: str, names: Tokens) -> str:
    """The words without names: known ones, and what is written as one ("Cloverdell Low-Fat Milk")."""
    text = _any_of(names).sub("it", utterance) if names else utterance
    return _TITLED.sub("it", text)


@lru_cache(maxsize=256)
def _any_of(names: Tokens) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, names)), re.IGNORECASE)


def _in_sentence(sentence: str, details: Iterable[Detail]) -> set[str]:
    """The details that a sentence tells; words that fit several tell the one with the longest phrase."""
    tokens = tokens_of(sentence)
    asks = sentence.rstrip().endswith("?")
    if cues.INDIFFERENT.search(" ".join(tokens)):
        return set()
    taken: list[tuple[int, int]] = []
    told: set[str] = set()
    found = [
        (end - start, start, end, detail.key, wording)
        for detail in details
        if detail.key != BUDGET
        for wording in (wording_of(detail),)
        for start, end in _spans(tokens, wording)
    ]
    for _, start, end, key, wording in sorted(found, key=lambda one: (-one[0], one[1], one[3])):
        if any(start < other_end and other_start < end for other_start, other_end in taken):
            continue
        if _says(tokens, start, end, asks, wording, key):
            told.add(key)
            taken.append((start, end))
    return told


def _spans(tokens: list[str], wording: Wording) -> list[tuple[int, int]]:
    """Where a detail's words stand: runs of words, or the whole stretch that holds most of a group."""
    spans = [
        (start, start + len(phrase))
        for phrase in wording.phrases
        for start in range(len(tokens) - len(phrase) + 1)
        if all(alike(one, other) for one, other in zip(tokens[start:], phrase, strict=False))
    ]
    if not spans:
        for group in wording.sets:
            at = [place for place, token in enumerate(tokens) if any(alike(token, word) for word in group)]
            met = {word for word in group if any(alike(tokens[place], word) for place in at)}
            if len(met) >= max(1, _LEAST_SHARE_OF_USE * len(group)):
                spans.append((at[0], at[-1] + 1))
    return spans


def _says(tokens: list[str], start: int, end: int, asks: bool, wording: Wording, key: str) -> bool:
    """Whether words that name a detail are said of what is wanted, not of a product that is pointed at."""
    wishes = not word_lists()["wishes"].isdisjoint(tokens)
    if key not in OPENING and not wishes and _points(tokens, start):
        return False
    if not wording.avoided:
        return True
    before = tokens[:start]
    refused = not word_lists()["refusals"].isdisjoint((*before, *tokens[end : end + 4]))
    return refused or asks


def _points(tokens: list[str], start: int) -> bool:
    """Whether "the", "this" or the like stands shortly before, in the same clause."""
    before: list[str] = []
    for token in reversed(tokens[max(0, start - _POINTING_REACH) : start]):
        if token in cues.CLAUSE_END or token in cues.STATES or token == "one":  # "that one is ..." says what it is
            break
        before.append(token)
    return not word_lists()["pointers"].isdisjoint(before)


@lru_cache(maxsize=4096)
def wording_of(detail: Detail) -> Wording:
    """The ways to word a detail."""
    kind, _, label = detail.key.partition(":")
    if detail.key == USE:
        return Wording(frozenset(), (_content(tokens_of(detail.words)),), avoided=False)
    if detail.key == CATEGORY:
        return Wording(frozenset(_phrases(_category_texts(detail.words))), (), avoided=False)
    words = _content(tokens_of(detail.words))
    groups = (words,) if len(words) > 1 else ()
    return Wording(frozenset(_phrases((detail.words, *_label_texts(label)))), groups, avoided=kind == "avoid")


def _category_texts(words: str) -> tuple[str, ...]:
    """What people call a category that the shopper calls ``words`` ("some milk")."""
    plain = frozenset(_phrases((words,)))
    other = (
        (category, *texts)
        for category, texts in shipped_words().categories.items()
        if plain & frozenset(_phrases((category, *texts)))
    )
    return (words, *re.split(r" or ", words), *(text for texts in other for text in texts))


def _label_texts(label: str) -> tuple[str, ...]:
    """The value of a label ("plastic" of "material: plastic") and everyday words for it."""
    value = label.partition(": ")[2] or label
    return (value, *shipped_words().labels.get(label, ()), *more_words(label))


def _phrases(texts: Iterable[str]) -> Iterable[Tokens]:
    for text in texts:
        tokens = tokens_of(text)
        while tokens and tokens[0] in word_lists()["leading"]:
            tokens = tokens[1:]
        if tokens and not (len(tokens) == 1 and tokens[0] in word_lists()["vague"]):
            yield tuple(tokens)


def _content(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(tokens) - word_lists()["leading"] - word_lists()["function"]


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two stemmed words are forms of one: the same, or alike but for an ending ("wood", "wooden")."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < 4 or not shorter.isalpha():
        return False
    if len(longer) - len(shorter) <= 3 and longer.startswith(shorter):
        return True
    return len(shorter) > 5 and longer[: len(shorter) - 2] == shorter[:-2]


def _tells_budget(text: str, budget: float, asked_money: bool) -> bool:
    """Whether an amount is said as a limit, is the budget itself, or answers a question about money."""
    plain = _in_digits(text.lower())
    if any(pattern.search(plain) for pattern in cues.BUDGETS) and _MONEY.search(plain):
        return True
    amounts = [float(one or other) for one, other in _MONEY.findall(plain)]
    if asked_money and not amounts:
        amounts = [float(number) for number in cues.ANY_NUMBER.findall(plain)]
    return any(abs(amount - budget) < 0.005 for amount in amounts)


def _in_digits(text: str) -> str:
    """``text`` with small numbers and hundreds that were spelled out in digits."""

    def digits(match: re.Match[str]) -> str:
        whole = match[1]
        head, five = (whole[:-5], 5) if whole[-5:] in ("-five", " five") else (whole, 0)
        return str(int(cues.NUMBER_WORDS[head]) + five)

    return _HUNDREDS.sub(lambda match: str(int(match[1]) * 100), _AMOUNT_IN_WORDS.sub(digits, text))


def _asks_money(heard: str) -> bool:
    return "?" in heard and bool(word_lists()["money"].intersection(tokens_of(heard)))
