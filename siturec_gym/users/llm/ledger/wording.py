"""The ways to word a detail: the shopper's own words, the label's, and everyday words for either."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from siturec_gym.policies.heuristic.vocabulary import shipped_words, tokens_of
from siturec_gym.users.agenda.shopper import CATEGORY, USE, Detail
from siturec_gym.users.llm.ledger.words import more_words, word_lists

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


@lru_cache(maxsize=4096)
def wording_of(detail: Detail) -> Wording:
    """The ways to word a detail."""
    kind, _, label = detail.key.partition(":")
    if detail.key == USE:
        return Wording(frozenset(_phrases((detail.words,))), (_content(tokens_of(detail.words)),), avoided=False)
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
