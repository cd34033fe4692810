"""Which details of a goal an utterance tells (S11): by the shopper's words, the label's, and everyday words for both.

A detail is told where its words stand in a sentence, as a statement or a question. Not told is what only points at a
product ("the black one", a full name), and, of things to avoid, what is neither refused nor asked about.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from siturec_gym.policies.heuristic import cues
from siturec_gym.policies.heuristic.vocabulary import tokens_of
from siturec_gym.users.agenda.shopper import BUDGET, CATEGORY, USE, Detail, Shopper
from siturec_gym.users.llm.ledger.money import asks_money, tells_budget
from siturec_gym.users.llm.ledger.wording import Wording, alike, wording_of
from siturec_gym.users.llm.ledger.words import word_lists

OPENING = frozenset((CATEGORY, USE))
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n")
_LEAST_SHARE_OF_USE = 0.6
_POINTING_REACH = 3
_TITLED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?:[- &]+[A-Z][a-z]+)*(?: &)? [A-Z][a-z]+(?:-[A-Z][a-z]+)*\b")

Names = tuple[str, ...]


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
    return _told(utterance, shopper.details, shopper.budget, tuple(said), asks_money(heard))


def named_in(text: str, shopper: Shopper) -> frozenset[str]:
    """Keys of the details whose words stand in ``text``, whoever says them and however."""
    tokens = tokens_of(text)
    labels = {d.key for d in shopper.details if d.key != BUDGET and _spans(tokens, wording_of(d))}
    return frozenset(labels | ({BUDGET} if tells_budget(text, shopper.budget, asked_money=False) else set()))


def opening_as_one(keys: Collection[str]) -> int:
    """How many details these are: category and use, told together, count as one (S11)."""
    return len(keys) - OPENING.issubset(keys)


@lru_cache(maxsize=4096)
def _told(
    utterance: str, details: tuple[Detail, ...], budget: float, names: Names, asked_money: bool
) -> frozenset[str]:
    text = _without_names(utterance, names)
    told = {BUDGET} if tells_budget(text, budget, asked_money) else set[str]()
    for sentence in _SENTENCES.split(text):
        told |= _in_sentence(sentence, details)
    return frozenset(told)


def _without_names(utterance: str, names: Names) -> str:
    """The words without names: known ones, and what is written as one ("Cloverdell Low-Fat Milk")."""
    text = _any_of(names).sub("it", utterance) if names else utterance
    return _TITLED.sub("it", text)


@lru_cache(maxsize=256)
def _any_of(names: Names) -> re.Pattern[str]:
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
    """Where a detail's words stand: runs of words, or the shortest stretch that holds what is there of a group."""
    spans = [
        (start, start + len(phrase))
        for phrase in wording.phrases
        for start in range(len(tokens) - len(phrase) + 1)
        if all(alike(one, other) for one, other in zip(tokens[start:], phrase, strict=False))
    ]
    if not spans:
        for group in wording.sets:
            found = [(place, {word for word in group if alike(token, word)}) for place, token in enumerate(tokens)]
            at = [(place, words) for place, words in found if words]
            met = set().union(*(words for _, words in at))
            if len(met) >= max(1, _LEAST_SHARE_OF_USE * len(group)):
                spans.append(_shortest_stretch(at, met))
    return spans


def _shortest_stretch(at: list[tuple[int, set[str]]], met: set[str]) -> tuple[int, int]:
    """The shortest stretch of places, the first of its kind, whose words are all of ``met``."""
    stretches = [
        (end - start, start, end + 1)
        for first, (start, _) in enumerate(at)
        for last, (end, _) in enumerate(at[first:], first)
        if met == set().union(*(words for _, words in at[first : last + 1]))
    ]
    _, start, end = min(stretches)
    return start, end


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
