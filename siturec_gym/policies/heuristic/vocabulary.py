"""Phrases that a shopper may use and the products each can mean, for one store.

The words come from word files (categories, uses, attribute tags, allergens in everyday speech) and from the catalog
itself (names, brands, flavours, packaging). Those of the shipped stores are ``data/assistants/lexicon.json`` and
``home_lexicon.json``; a store of your own may bring its own, read by ``read_words``.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from siturec_gym.assets import read_asset
from siturec_gym.core.errors import DataError
from siturec_gym.policies.knowledge import Item, Store

Phrase = tuple[str, ...]
CATEGORY, USE, LABEL, ALLERGEN, WORD, PRODUCT = "category", "use", "label", "allergen", "word", "product"
_WORDS = re.compile(r"\$?\d+(?:\.\d+)?|[a-z]+|%|[,.!?;:]")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(it|that|this|there|what|where)'s\b"), r"\1 is"),
    (re.compile(r"'(?:m|re|ve|ll|d|s)\b"), ""),
)
_UNCHANGED = frozenset(("does", "always", "unless"))
_VALUED = re.compile(r"(?:material|colour|style|size): ")
_DULL = frozenset(
    (
        "and", "with", "for", "the", "piece", "pieces", "size", "pack", "free", "style", "non", "bag", "bags", "roll",
        "rolls", "food",
    )
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Words:
    """Everyday words. One is the same as another only if it is that object.

    Attributes:
        categories: Category -> what people call it.
        uses: What people say something is for -> categories that serve it.
        labels: Label -> how people say it.
        allergens: Allergen -> how people say it.
    """

    categories: Mapping[str, list[str]]
    uses: Mapping[str, list[str]]
    labels: Mapping[str, list[str]]
    allergens: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """One reading of a phrase: its kind, the label it stands for, and the products it is true of."""

    kind: str
    label: str
    fits: frozenset[str]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Phrases (stemmed tokens) of one store with their readings."""

    phrases: Mapping[Phrase, tuple[Meaning, ...]]
    longest: Mapping[str, int]  # first token -> tokens of the longest phrase that starts with it
    places: re.Pattern[str]  # names of places, which say nothing of what is needed
    place_nouns: tuple[str, ...]  # their last words, for a quick look

    def without_places(self, text: str) -> str:
        """``text`` with "that place" for each name of a place."""
        lower = text.lower()
        return self.places.sub("that place", text) if any(noun in lower for noun in self.place_nouns) else text

    def at(self, tokens: list[str], index: int) -> tuple[Phrase, tuple[Meaning, ...]] | None:
        """The longest phrase that starts at ``tokens[index]`` and its readings."""
        for length in range(min(self.longest.get(tokens[index], 0), len(tokens) - index), 0, -1):
            phrase = tuple(tokens[index : index + length])
            meanings = self.phrases.get(phrase)
            if meanings:
                return phrase, meanings
        return None


def tokens_of(text: str) -> list[str]:
    """Lower-case stemmed words, amounts and punctuation marks of ``text``; contractions are written out."""
    text = text.lower().replace("-", " ").replace("/", " ").replace("cannot", "can not")
    if "'" in text:
        for pattern, written_out in _CONTRACTIONS:
            text = pattern.sub(written_out, text)
    return [stem(token) for token in _WORDS.findall(text)]


@cache
def stem(word: str) -> str:
    """``word`` without a plural ending."""
    if word in _UNCHANGED:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 5 and word.endswith("oes"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_PARTS = ("categories", "uses", "labels", "allergens")


@cache
def shipped_words() -> Words:
    """The everyday words of the shipped stores."""
    parts: dict[str, dict[str, list[str]]] = {part: {} for part in _PARTS}
    for file in ("lexicon.json", "home_lexicon.json"):
        for part, entries in json.loads(read_asset(f"assistants/{file}")).items():
            for entry, texts in entries.items():
                parts[part][entry] = [*dict.fromkeys((*parts[part].get(entry, ()), *texts))]
    return Words(**parts)


def read_words(path: str | Path) -> Words:
    """The everyday words in a JSON file: {"categories": {name: [phrase, ...]}, "uses", "labels", "allergens"}.

    A part that is left out is empty.

    Raises:
        DataError: The file cannot be read, or is not such a table.
    """
    try:
        table = json.loads(Path(path).read_bytes())
        parts = {part: {entry: [str(text) for text in texts] for entry, texts in table.pop(part, {}).items()}
                 for part in _PARTS}  # fmt: skip
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise DataError(f"word file {str(path)!r} cannot be read: {error}") from error
    if table:
        raise DataError(f"word file {str(path)!r} has the part {next(iter(table))!r}; allowed: {', '.join(_PARTS)}")
    return Words(**parts)


@lru_cache(maxsize=8)
def vocabulary_of(store: Store, words: Words | None = None) -> Vocabulary:
    """The vocabulary of ``store``, built once. Stores are compared by identity.

    Args:
        store: What is sold, and where.
        words: Everyday words; None for those of the shipped stores.
    """
    table: dict[Phrase, dict[tuple[str, str], frozenset[str]]] = {}
    for text, meaning in [*_from_words(store, words or shipped_words()), *_from_catalog(store)]:
        phrase = tuple(tokens_of(text))
        if phrase and meaning.fits:
            readings = table.setdefault(phrase, {})
            key = (meaning.kind, meaning.label)
            readings[key] = readings.get(key, frozenset()) | meaning.fits
    phrases = {
        phrase: tuple(Meaning(kind, label, fits) for (kind, label), fits in readings.items())
        for phrase, readings in table.items()
    }
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    names = sorted((place.name for place in store.places.values()), key=lambda name: (-len(name), name))
    places = re.compile("|".join(map(re.escape, names)) or "(?!)", re.IGNORECASE)
    nouns = tuple(dict.fromkeys(name.lower().split()[-1] for name in names))
    return Vocabulary(phrases, longest, places, nouns)


def _ids(items: Iterable[Item]) -> frozenset[str]:
    return frozenset(item.id for item in items)


def _from_words(store: Store, words: Words) -> list[tuple[str, Meaning]]:
    found = []
    for category in dict.fromkeys((*words.categories, *store.categories)):
        meaning = Meaning(CATEGORY, category, _ids(item for item in store.items if item.category == category))
        found += [(text, meaning) for text in (category, *words.categories.get(category, ()))]
    for use, categories in words.uses.items():
        found.append((use, Meaning(USE, use, _ids(item for item in store.items if item.category in categories))))
    for tag in dict.fromkeys((*words.labels, *(tag for item in store.items for tag in item.tags))):
        meaning = Meaning(LABEL, tag, _ids(item for item in store.items if tag in item.tags))
        found += [(text, meaning) for text in (tag, *words.labels.get(tag, ()))]
    for label in dict.fromkeys(label for item in store.items for label in item.labels if _VALUED.match(label)):
        meaning = Meaning(LABEL, label, _ids(item for item in store.items if label in item.labels))
        found += [(text, meaning) for text in (*_in_words(label), *words.labels.get(label, ()))]
    for allergen, texts in words.allergens.items():
        meaning = Meaning(ALLERGEN, allergen, _ids(item for item in store.items if allergen in item.allergens))
        found += [(text, meaning) for text in (allergen, *texts)]
    return found


def _in_words(label: str) -> list[str]:
    """How a shopper says a material, colour, style or size."""
    kind, _, value = label.partition(": ")
    if kind == "size":
        return [f"{value} in size", f"{value} size", f"{value} sized", f"of {value} size"]
    if kind == "colour":
        return [value, value.replace("gray", "grey"), f"{value} color"]
    return [value, f"{value} style"] if kind == "style" else [value, f"made of {value}"]


def _from_catalog(store: Store) -> list[tuple[str, Meaning]]:
    found = []
    for item in store.items:
        one = frozenset((item.id,))
        found.append((item.name, Meaning(PRODUCT, item.name, one)))
        found.append((item.name.removesuffix(item.size).strip(), Meaning(PRODUCT, item.name, one)))
        found.append((item.brand, Meaning(WORD, item.brand, one)))
        if item.packaging and item.packaging != "can":  # a verb more often than a can
            found.append((item.packaging, Meaning(WORD, item.packaging, one)))
        if item.flavour:
            found.append((item.flavour, Meaning(LABEL, f"flavour: {item.flavour}", one)))
        found += [(word, Meaning(WORD, word, one)) for word in _telling_words(item)]
    return found


def _telling_words(item: Item) -> list[str]:
    """Words of the name that say what the product is: not the brand, the size or a filler."""
    name = item.name.removeprefix(item.brand).removesuffix(item.size)
    return [word for word in re.findall(r"[a-z]{3,}", name.lower()) if word not in _DULL]
