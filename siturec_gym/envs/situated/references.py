"""Which product of the store a piece of speech means: by name, by part of a name, or by pronoun (S15)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from siturec_gym.catalog import Product


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[a-z0-9]+")
_GENERIC = _set("a an any some something another no more which what kind kinds sort sorts type of other")
_DEFINITE = _set("the this that these those your my")
_JOINING = _set("by from of with and")
_TURNED_FROM = _set("than avoid leave except skip")
_PLACE_NOUNS = _set("shelf shelves freezer freezers cooler coolers chest stand aisle section department corner wall")
_REMEMBERED, _REMEMBERED_VIEWS = 4096, 256
_Span = tuple[int, int, frozenset[str]]  # first word, word after the last, product ids: none for a place
_POINTERS = _set(
    "it them they this that these those one ones hand hands holding got item product pack packet package carton"
    " bottle bag box can jar tin tub"
)
_THIS = "(?:this|that|these|those)"
_PACK = "(?:item|product|pack|packet|package|carton|bottle|bag|box|can|jar|tin|tub|ones?)"
_GOES_ON = r"(?=[ ,]*(?:$|[.,;:!?]|(?:is|are|will|would|looks?|seems?|back|instead|up)\b))"
_POINTING = re.compile(
    rf"\b(?:it|them|they|the same one|{_THIS}{_GOES_ON}|(?:{_THIS}|the) {_PACK}"
    r"|(?<=take )one|(?<=get )one|(?<=grab )one|(?<=holding the )\w+ one)\b"
)
_IN_HAND = re.compile(r"\b(?:in|from) your hands?\b|\b(?:you are|you have) (?:holding|picked up|got there)\b")


class Reference(NamedTuple):
    """Products meant by a span of a sentence; several where the words fit more than one."""

    start: int
    end: int
    products: frozenset[str]
    pronoun: bool = False


@dataclass(frozen=True)
class Surroundings:
    """What speech can refer to without its full name.

    Attributes:
        in_view: Product ids in view.
        held: Product id in the user's hand.
        mentioned: Product ids spoken of or held before, latest last.
    """

    in_view: tuple[str, ...] = ()
    held: str | None = None
    mentioned: tuple[str, ...] = ()

    @property
    def at_hand(self) -> str | None:
        """What a pronoun means as long as nothing was named: the held product, else the last one spoken of."""
        return self.held or (self.mentioned[-1] if self.mentioned else None)

    @cached_property
    def known(self) -> frozenset[str]:
        """Every product that part of a name may stand for."""
        return frozenset((*self.in_view, *((self.held,) if self.held else ()), *self.mentioned))


class _Sentence(NamedTuple):
    """What a sentence says whatever is around: assistants say the same sentences again and again.

    Attributes:
        tokens: Its words.
        spans: Where each of them stands in the sentence.
        named: Names said in full.
        stems: Stems of the words; "" for words of such names.
        points: Whether a word may be a pronoun.
    """

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    named: tuple[_Span, ...]
    stems: tuple[str, ...]
    points: bool


class Names:
    """The product names of one store.

    Args:
        catalog: Its products.
        places: Names of its places, whose words stand for no product.
    """

    def __init__(self, catalog: Iterable[Product], places: Iterable[str] = ()) -> None:
        self._full: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
        holders: dict[str, set[str]] = {}
        nouns: dict[str, set[str]] = {}
        heads: dict[str, set[str]] = {}
        for product in catalog:
            name, core = _words(product.name), _words(_without_size(product))
            for spoken in dict.fromkeys((name, core if len(core) > 1 else name)):
                self._full.setdefault(spoken[0], []).append((spoken, frozenset((product.id,))))
            for word in core:
                holders.setdefault(_stem(word), set()).add(product.id)
            for word in core[-3:]:
                nouns.setdefault(_stem(word), set()).add(product.id)
            heads.setdefault(_stem(core[-1]), set()).add(product.id)
        for place in map(_words, places):
            self._full.setdefault(place[0], []).append((place, frozenset()))
        for spoken_names in self._full.values():
            spoken_names.sort(key=lambda entry: -len(entry[0]))
        self._holders = {word: frozenset(ids) for word, ids in holders.items() if word not in _JOINING}
        self._words_of: dict[str, set[str]] = {}
        for word, ids in self._holders.items():
            for product_id in ids:
                self._words_of.setdefault(product_id, set()).add(word)
        self._nouns = {word: frozenset(ids) for word, ids in nouns.items()}
        self._heads = {word: frozenset(ids) for word, ids in heads.items()}
        self._named_before: dict[str, tuple[str, ...]] = {}
        self._vocabularies: dict[frozenset[str], frozenset[str]] = {}
        self._taken_apart = lru_cache(maxsize=_REMEMBERED)(self._take_apart)

    def named(self, text: str) -> tuple[str, ...]:
        """Ids of the products that ``text`` names in full, in the order of the words."""
        if text not in self._named_before:
            if len(self._named_before) >= _REMEMBERED:
                self._named_before.clear()
            self._named_before[text] = tuple(id_ for _, _, ids in self._named(_words(text)) for id_ in ids)
        return self._named_before[text]

    def references(self, sentence: str, around: Surroundings, antecedent: frozenset[str]) -> list[Reference]:
        """What a lower-case sentence refers to, in the order of the words.

        Args:
            sentence: The words.
            around: What is at hand.
            antecedent: What a pronoun means at the start of the sentence.
        """
        read = self._taken_apart(sentence)
        found = [*read.named, *self._partly_named(read, around.known)] if around.known else read.named
        if not found and not read.points:
            return []
        spans = read.spans
        located = [Reference(spans[first][0], spans[last - 1][1], ids) for first, last, ids in found if ids]
        located = sorted([ref for ref in located if not _turned_from(sentence[: ref.start])])
        return _with_pronouns(sentence, located, antecedent, around.held) if read.points else located

    def _take_apart(self, sentence: str) -> _Sentence:
        words = list(_WORD.finditer(sentence))
        tokens = tuple(match[0] for match in words)
        named = tuple(self._named(tokens))
        stems = [_stem(token) for token in tokens]
        for first, last, _ in named:
            stems[first:last] = [""] * (last - first)
        spans = tuple(match.span() for match in words)
        return _Sentence(tokens, spans, named, tuple(stems), not _POINTERS.isdisjoint(tokens))

    def _named(self, tokens: Sequence[str]) -> list[_Span]:
        found: list[_Span] = []
        end = 0
        for index, token in enumerate(tokens):
            if token in self._full and index >= end:
                for words, ids in self._full[token]:
                    if tuple(tokens[index : index + len(words)]) == words:
                        end = index + len(words)
                        found.append((index, end, ids))
                        break
        return found

    def _partly_named(self, read: _Sentence, known: frozenset[str]) -> list[_Span]:
        """Runs of words that together occur in the name of one known product alone."""
        vocabulary, stems = self._vocabulary(known), read.stems
        if vocabulary.isdisjoint(stems):
            return []
        found: list[_Span] = []
        end = 0
        for index, stem in enumerate(stems):
            if index >= end and stem in vocabulary:
                end = _run_end(stems, index, vocabulary)
                words = vocabulary.intersection(stems[index:end])
                fitting = known.intersection(*(self._holders[word] for word in words))
                if len(fitting) == 1 and self._means_a_product(read.tokens, index, end, fitting):
                    found.append((index, end, fitting))
        return found

    def _vocabulary(self, known: frozenset[str]) -> frozenset[str]:
        """Stems of the words that occur in the names of ``known``."""
        if known not in self._vocabularies:
            if len(self._vocabularies) >= _REMEMBERED_VIEWS:
                self._vocabularies.clear()
            words = [self._words_of[product] for product in known if product in self._words_of]
            self._vocabularies[known] = frozenset().union(*words)
        return self._vocabularies[known]

    def _means_a_product(self, tokens: Sequence[str], first: int, last: int, product: frozenset[str]) -> bool:
        """Whether a run of name words means its product: not "a decaf tea", "the pizza freezer" or "it is spicy"."""
        before = tokens[first - 1] if first else ""
        if tokens[last : last + 1] and tokens[last] in _PLACE_NOUNS:
            return False
        noun = _stem(tokens[last - 1])
        if before in _DEFINITE:
            return last - first > 1 or product <= self._nouns.get(noun, frozenset())
        if before in _GENERIC or last - first < 2:
            return False
        return first == 0 or product <= self._heads.get(noun, frozenset())


def _run_end(stems: Sequence[str], first: int, vocabulary: frozenset[str]) -> int:
    """Where the run of name words that starts at ``first`` ends; "of" and the like join two of them."""
    index = first + 1
    while index < len(stems):
        joins = stems[index] in _JOINING and stems[min(index + 1, len(stems) - 1)] in vocabulary
        if stems[index] not in vocabulary and not joins:
            break
        index += 1
    return index


def _turned_from(before: str) -> bool:
    words = [word for word in _WORD.findall(before)[-3:] if word not in _DEFINITE]
    return words[-2:] == ["instead", "of"] or (bool(words) and words[-1] in _TURNED_FROM and "nothing" not in before)


def _with_pronouns(
    sentence: str, named: list[Reference], antecedent: frozenset[str], held: str | None
) -> list[Reference]:
    """References and pronouns in order; a pronoun means what was named last."""
    found = list(named)
    for match in _POINTING.finditer(sentence):
        if any(ref.start <= match.start() < ref.end for ref in named):
            continue
        before = [ref.products for ref in named if ref.end <= match.start()]
        meant = before[-1] if before else antecedent
        if meant:
            found.append(Reference(match.start(), match.end(), meant, True))
    in_hand = _IN_HAND.search(sentence)
    if in_hand and held and not named:
        found.append(Reference(in_hand.start(), in_hand.end(), frozenset((held,)), True))
    return sorted(found)


def _without_size(product: Product) -> str:
    size = str(product.details.get("size", ""))
    return product.name.removesuffix(size).strip(" ,-") if size else product.name


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
