"""What is said of a product: price, labels, ingredients, packaging, size, brand, flavour."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Attribute, Claim
from siturec_gym.users.agenda.understanding.quantities import number_at, prices

_NEGATIONS = cue("negations")
_SIZE_UNITS = cue("size_units")
_NUTRIENTS = cue("nutrients")
_CONTAINS = cue("contains")
_LISTING = frozenset({"and", "or", "also", "some", "any", "a", "as", "well", "no", "traces", "of", "nor"})
_PLACED = frozenset({"on", "at", "in", "here", "there", "listed", "written", "printed", "below", "above"})
_UNITS = {"litre": "l", "litres": "l", "kilo": "kg", "kilos": "kg", "grams": "g", "gram": "g"}
_DEGREES = {"low": "low", "lower": "low", "little": "low", "high": "high", "rich": "high", "higher": "high"}
_BRAND_WORDS = frozenset({"brand", "maker", "manufacturer"})
Found = tuple[list[Claim], int]


@lru_cache(maxsize=8192)
def claims_in(words: tuple[str, ...]) -> tuple[Claim, ...]:
    """The claims of one clause, in the order said, each once. A brand given by a name has the name's mark as value."""
    found = [Claim(Attribute.PRICE, f"{price:.2f}") for price in prices(words)]
    at = 0
    while at < len(words):
        claims, used = _claims_at(words, at)
        found.extend(claims)
        at += max(used, 1)
    return tuple(dict.fromkeys(found))


def _claims_at(words: Sequence[str], at: int) -> Found:
    """The claims that start at ``words[at]`` and how many words they take."""
    for read in _READERS:
        claims, used = read(words, at)
        if used:
            return claims, used
    return [], 0


def _ingredients(words: Sequence[str], at: int) -> Found:
    """ "contains milk and soy", "has no nuts", "without fat or sugar", "free of gluten", "the allergens are nuts"."""
    word, after = words[at], (*words[at + 1 : at + 2], "")[0]
    free = (word in {"without", "no"} and after in cue("ingredients")) or (word == "free" and after in {"of", "from"})
    verb = next((i for i in range(at + 1, min(at + 5, len(words))) if words[i] in {"is", "are"}), None)
    listed = word in {"ingredients", "allergens", "allergen"} and (verb is not None or after in cue("ingredients"))
    has = word in {"has", "have", "got"} and (after in cue("ingredients") or after == "added")
    inside = word in cue("ingredients") and "inside" in words[at + 1 : at + 4]
    inside |= (
        word in cue("ingredients")
        and words[at + 1 : at + 2] == ("in",)
        and bool({"is", "are"} & set(words[at - 2 : at]))
    )
    if inside:
        return [Claim(Attribute.CONTAINS, word)], 1
    if word not in _CONTAINS and not has and not free and not listed:
        return [], 0
    free |= after == "no" or bool(_NEGATIONS & set(words[max(0, at - 2) : at]))
    start = verb + 1 if listed and verb is not None else at + 1 + (word == "free")
    values, end = _listed(words, start)
    return [Claim(Attribute.FREE_FROM if free else Attribute.CONTAINS, value) for value in values], end - at


def _listed(words: Sequence[str], start: int) -> tuple[list[str], int]:
    """Ingredients in a row from ``start`` on, and where they end: the first whatever it is, others only if known."""
    values: list[str] = []
    at = start
    while at < len(words) and (words[at] in _LISTING or words[at] in cue("ingredients") or not values):
        if not values and words[at] in _PLACED:
            break
        if words[at] not in _LISTING and words[at][0].isalpha():
            values.append(words[at])
        elif words[at] not in _LISTING:
            break
        at += 1
    return values, at if values else start - 1


def _nutrition(words: Sequence[str], at: int) -> Found:
    """ "12 g of sugar", "250 kcal", "low in fat", "high protein"."""
    if words[at] in _DEGREES:
        skip = 2 if words[at + 1 : at + 2] in (("in",), ["in"]) else 1
        nutrient = (*words[at + skip : at + skip + 1], "")[0]
        claim = Claim(Attribute.LABEL, f"{_DEGREES[words[at]]} {nutrient}")
        return ([claim], skip + 1) if nutrient in _NUTRIENTS else ([], 0)
    amount = number_at(words, at)
    unit = (*words[at + 1 : at + 2], "")[0]
    if amount is None or unit not in {"g", "mg", "gram", "grams", "kcal", "calories"}:
        return [], 0
    if unit in {"kcal", "calories"}:
        return [Claim(Attribute.NUTRITION, f"{amount:g} {unit}")], 2
    skip = 3 if words[at + 2 : at + 3] in (("of",), ["of"]) else 2
    nutrient = (*words[at + skip : at + skip + 1], "")[0]
    claim = Claim(Attribute.NUTRITION, f"{amount:g} {_UNITS.get(unit, unit)} {nutrient}")
    return ([claim], skip + 1) if nutrient in _NUTRIENTS else ([], 0)


def _label(words: Sequence[str], at: int) -> Found:
    for parts in _labels_by_first().get(words[at], ()):
        if tuple(words[at : at + len(parts)]) == parts:
            text = "-".join(parts) if parts[-1] == "free" else " ".join(parts)
            before = set(words[max(0, at - 3) : at])
            negated = bool({"not", "no", "nor"} & before)
            return [Claim(Attribute.NOT_LABEL if negated else Attribute.LABEL, text)], len(parts)
    return [], 0


@lru_cache(maxsize=1)
def _labels_by_first() -> dict[str, list[tuple[str, ...]]]:
    table: dict[str, list[tuple[str, ...]]] = {}
    for label in load_words().labels:
        parts = tuple(label.split())
        if label not in cue("no_labels"):
            table.setdefault(parts[0], []).append(parts)
    for rows in table.values():
        rows.sort(key=lambda parts: -len(parts))
    return table


def _size(words: Sequence[str], at: int) -> Found:
    """ "500 g", "one kilo", "thirty capsules"; "per 100 g" is no size."""
    amount = number_at(words, at)
    unit = (*words[at + 1 : at + 2], "")[0]
    if amount is None or unit not in _SIZE_UNITS or (at > 0 and words[at - 1] in {"per", "every"}):
        return [], 0
    return [Claim(Attribute.SIZE, f"{amount:g} {_UNITS.get(unit, unit)}")], 2


def _packaging(words: Sequence[str], at: int) -> Found:
    word, before = words[at], words[at - 1] if at > 0 else ""
    if (
        word not in load_words().packages
        or {"tick", "ticks", "checks"} & set(words)
        or before in {"this", "the", "your"}
    ):
        return [], 0
    if word == "can" and before not in {"a", "in", "one", "per", "tin"}:
        return [], 0
    both = words[at + 1] if at + 1 < len(words) and words[at + 1] in load_words().packages else ""
    return [Claim(Attribute.PACKAGING, f"{word} {both}".strip())], 2 if both else 1


def _origin(words: Sequence[str], at: int) -> Found:
    """ "the brand is X", "made by X", "made from oats"."""
    after = (*words[at + 1 : at + 2], "")[0]
    if at + 2 >= len(words):
        return [], 0
    if (words[at] in _BRAND_WORDS and after == "is") or (words[at] == "made" and after == "by"):
        return [Claim(Attribute.BRAND, words[at + 2])], 3
    if words[at] == "made" and after in {"from", "with", "of"} and words[at + 2][0].isalpha():
        return [Claim(Attribute.CONTAINS, words[at + 2])], 3
    return [], 0


def _flavour(words: Sequence[str], at: int) -> Found:
    """ "vanilla flavour", "tastes of lemon"."""
    word, after = words[at], (*words[at + 1 : at + 2], "")[0]
    if word == "flavour" and after == "is" and at + 2 < len(words) and words[at + 2][0].isalpha():
        return [Claim(Attribute.FLAVOUR, words[at + 2])], 3
    if word == "flavour" and at > 0 and words[at - 1] not in cue("no_flavours"):
        return [Claim(Attribute.FLAVOUR, words[at - 1])], 1
    sensed = word in {"taste", "tastes", "smell", "smells"} and after in {"of", "like"} and at + 2 < len(words)
    return ([Claim(Attribute.FLAVOUR, words[at + 2])], 3) if sensed and words[at + 2][0].isalpha() else ([], 0)


_READERS: tuple[Callable[[Sequence[str], int], Found], ...] = (
    _nutrition, _size, _ingredients, _label, _packaging, _origin, _flavour,
)  # fmt: skip
