"""The words of the names that somebody knows: which names have a word, how telling it is, how it may be misspelled."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from siturec_gym.users.agenda.understanding.lexicon import load_words
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT
from siturec_gym.users.agenda.understanding.text import Speller, name_tokens

_UNIT_WEIGHT = 0.15
_SHORTEST_BEGINNING = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A name.

    Attributes:
        mark: @p for a product, @l for a place.
        weights: How telling each of its words is, in their order.
        total: Sum of the weights.
    """

    name: str
    mark: str
    weights: dict[str, float]
    total: float


class Vocabulary:
    """The words of a set of names.

    Attributes:
        having: Word -> numbers of the names that have it.
        measures: Those of the words that are amounts and units.
    """

    def __init__(self, products: frozenset[str], places: frozenset[str]) -> None:
        self._names = [*((name, PRODUCT) for name in sorted(products)), *((name, PLACE) for name in sorted(places))]
        self._entries: dict[int, Entry] = {}
        self._numbers = {name: number for number, (name, mark) in enumerate(self._names) if mark == PRODUCT}
        self._bits: dict[str, int] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        self.having = having = dict[str, list[int]]()
        for number, (name, _) in enumerate(self._names):
            for word in _telling_words(name):
                numbers = having.get(word)
                if numbers is None:
                    having[word] = [number]
                else:
                    numbers.append(number)
        self.measures = frozenset(filter(_is_measure, having))

    def bits(self, products: Sequence[str]) -> int:
        """A set of products, one bit a name."""
        return sum(1 << self._numbers[name] for name in products)

    def having_all(self, words: Sequence[str]) -> int:
        """The names that have all of ``words``, one bit a name."""
        names = -1
        for word in words:
            names &= self._bits_of(word)
        return names

    def _bits_of(self, word: str) -> int:
        bits = self._bits.get(word)
        if bits is None:
            bits = self._bits[word] = sum(1 << number for number in self.having[word])
        return bits

    def entry(self, number: int) -> Entry:
        """A name by its number."""
        entry = self._entries.get(number)
        if entry is None:
            name, mark = self._names[number]
            weights = {word: self._weight(word, mark) for word in _telling_words(name)}
            entry = self._entries[number] = Entry(name, mark, weights, sum(weights.values()))
        return entry

    def meant(self, word: str) -> tuple[str, ...]:
        """The words of names that a word stands for: itself, another number or spelling of it, or the two it joins."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._search(word)
        return known

    def _search(self, word: str) -> tuple[str, ...]:
        if word in self.having:
            return (word,)
        near = _singular(word, self.having)
        if near is not None:
            return (near,)
        near = None if word in load_words().spelled_right else self._speller.nearest(word) or self._beginning(word)
        if near is None:
            return ()
        return (near,) if near in self.having else self._joined[near]

    def _beginning(self, word: str) -> str | None:
        """The one word of the names that starts like an unknown word, as "mozz" for mozzarella."""
        longer = [known for known in self.having if known.startswith(word)] if len(word) >= _SHORTEST_BEGINNING else []
        return longer[0] if len(longer) == 1 else None

    @cached_property
    def _joined(self) -> dict[str, tuple[str, str]]:
        """Two neighbouring words of a name written as one -> the two."""
        return {joined: parts for name, _ in self._names for joined, parts in _joined_words(name)}

    @cached_property
    def _speller(self) -> Speller:
        return Speller((*self.having, *self._joined))

    @cached_property
    def _size(self) -> int:
        return len({word for name, _ in self._names for word in name_tokens(name)})

    def _weight(self, word: str, mark: str) -> float:
        """How much a word tells: the fewer names have it, the more."""
        minor = _is_measure(word) or (mark == PLACE and word in load_words().place_heads)
        return _UNIT_WEIGHT if minor else math.log(2.0 + self._size / len(self.having[word]))


@lru_cache(maxsize=512)
def vocabulary_of(products: frozenset[str], places: frozenset[str]) -> Vocabulary:
    """The vocabulary of names, kept for the next utterance heard in the same place."""
    return Vocabulary(products, places)


@lru_cache(maxsize=8192)
def _joined_words(name: str) -> tuple[tuple[str, tuple[str, str]], ...]:
    return tuple((a + b, (a, b)) for a, b in pairwise(name_tokens(name)) if a.isalpha() and b.isalpha())


@lru_cache(maxsize=8192)
def _is_measure(word: str) -> bool:
    return word[0].isdigit() or word in load_words().units


@lru_cache(maxsize=8192)
def _telling_words(name: str) -> tuple[str, ...]:
    """The words of a name that can stand for it, each once."""
    glue = load_words().glue
    return tuple(dict.fromkeys(word for word in name_tokens(name) if word not in glue)) or (name.lower(),)


def _singular(word: str, known: Container[str]) -> str | None:
    """A known word that differs by a plural ending."""
    for form in (word[:-1] if word.endswith("s") else word + "s", word[:-2] if word.endswith("es") else word + "es"):
        if form in known and len(form) > 2:
            return form
    return None
