"""Products, places and amounts of money in what someone says, by exact names."""

import re
from functools import lru_cache
from typing import NamedTuple

from siturec_gym.scenes.scene import Scene

SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+|;\s*")
_MONEY = re.compile(r"\$\s?(\d+(?:\.\d{1,2})?)|\b(\d+(?:\.\d{1,2})?) (?:dollars|bucks)\b", re.I)


class _Name(NamedTuple):
    words: str
    id: str


class MentionIndex:
    """Finds the names of one store in text. A name counts where no longer name holds it."""

    def __init__(self, scene: Scene) -> None:
        products = [
            _Name(name, p.id) for p in scene.catalog for name in _spoken(p.name, str(p.details.get("size", "")))
        ]
        self._products = _one_owner(products)
        self._places = _one_owner([_Name(place.name.lower(), place.id) for place in scene.navigation_targets])
        self._tags = {tag.lower(): tag for product in scene.catalog for tag in product.tags}
        self._product_pattern, self._place_pattern = _pattern(self._products), _pattern(self._places)
        self._tag_pattern = _pattern(self._tags)

    def products(self, text: str) -> tuple[str, ...]:
        """Ids of the products named, in order, each once."""
        return _found(self._product_pattern, self._products, text)

    def places(self, text: str) -> tuple[str, ...]:
        """Ids of the places named, in order, each once."""
        return _found(self._place_pattern, self._places, text)

    def tags(self, text: str) -> tuple[str, ...]:
        """Tags of the catalog, in order, each once, outside the names of products."""
        return _found(self._tag_pattern, self._tags, self._product_pattern.sub(" ", text.lower()))


@lru_cache(maxsize=4)
def mention_index(scene: Scene) -> MentionIndex:
    """The index of a scene, built once."""
    return MentionIndex(scene)


def amounts(text: str) -> tuple[float, ...]:
    """Amounts of money, dollars."""
    return tuple(float(first or second) for first, second in _MONEY.findall(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [part for part in SENTENCE_END.split(text) if part.strip()]


def _spoken(name: str, size: str) -> tuple[str, ...]:
    """The full name, and the name without its size where two words or more are left."""
    full = name.lower()
    short = full.removesuffix(size.lower()).strip(" ,-") if size else full
    return (full, short) if short != full and " " in short else (full,)


def _one_owner(names: list[_Name]) -> dict[str, str]:
    """Name -> id. A short name that several share stands for none of them."""
    owners: dict[str, set[str]] = {}
    for name in names:
        owners.setdefault(name.words, set()).add(name.id)
    return {words: next(iter(ids)) for words, ids in owners.items() if len(ids) == 1}


def _pattern(names: dict[str, str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda words: (-len(words), words))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")


def _found(pattern: re.Pattern[str], names: dict[str, str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names[hit] for hit in pattern.findall(text.lower())))
