"""What is said of a product: price, labels, ingredients, packaging, size, brand, flavour."""

from collections.abc import Sequence
from functools import lru_cache

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Attribute, Claim
from siturec_gym.users.agenda.understanding.quantities import prices

_NEGATIONS = cue("negations")
_SIZE_UNITS = cue("size_units")
_NUTRIENTS = cue("nutrients")
_CONTAINS = cue("contains")


@lru_cache(maxsize=1)
def _labels_by_first() -> dict[str, list[tuple[str, ...]]]:
    table: dict[str, list[tuple[str, ...]]] = {}
    for label in load_words().labels:
        parts = tuple(label.split())
        table.setdefault(parts[0], []).append(parts)
    for rows in table.values():
        rows.sort(key=lambda parts: -len(parts))
    return table


@lru_cache(maxsize=8192)
def claims_in(words: tuple[str, ...]) -> tuple[Claim, ...]:
    """The claims of one clause, in the order said, each once."""
    found = [Claim(Attribute.PRICE, f"{price:.2f}") for price in prices(words)]
    at = 0
    while at < len(words):
        claim, used = _claim_at(words, at)
        if claim is not None:
            found.append(claim)
        at += used
    return tuple(dict.fromkeys(found))


def _claim_at(words: Sequence[str], at: int) -> tuple[Claim | None, int]:
    """The claim that starts at ``words[at]`` and how many words it takes."""
    word = words[at]
    if word in _CONTAINS and at + 1 < len(words) and words[at + 1][0] != "@":
        negated = bool(_NEGATIONS & set(words[max(0, at - 2) : at]))
        skip = 2 if words[at + 1] in {"no", "any", "some", "a"} and at + 2 < len(words) else 1
        negated |= words[at + 1] == "no"
        return Claim(Attribute.FREE_FROM if negated else Attribute.CONTAINS, words[at + skip]), skip + 1
    if (
        word in {"ingredients", "allergens", "allergen"}
        and list(words[at + 1 : at + 2]) in (["is"], ["are"])
        and at + 2 < len(words)
    ):
        return Claim(Attribute.CONTAINS, words[at + 2]), 3
    if word in {"without", "no"} and at + 1 < len(words) and words[at + 1] in cue("ingredients"):
        return Claim(Attribute.FREE_FROM, words[at + 1]), 2
    if word == "free" and list(words[at + 1 : at + 2]) in (["of"], ["from"]) and at + 2 < len(words):
        return Claim(Attribute.FREE_FROM, words[at + 2]), 3
    for parts in _labels_by_first().get(word, ()):
        if tuple(words[at : at + len(parts)]) == parts:
            return _label_claim(words, at, parts), len(parts)
    if word in _SIZE_UNITS and at > 0 and (words[at - 1][0].isdigit() or words[at - 1] in load_words().numbers):
        return Claim(Attribute.SIZE, f"{words[at - 1]} {word}"), 1
    is_verb = {"tick", "ticks", "checks"} & set(words) or (
        word == "can" and (at == 0 or words[at - 1] not in {"a", "the", "in", "one", "per", "this"})
    )
    if word in load_words().packages and not is_verb:
        return Claim(Attribute.PACKAGING, word), 1
    if word in _NUTRIENTS and at > 0:
        return Claim(Attribute.NUTRITION, f"{words[at - 1]} {word}"), 1
    if word in {"brand", "maker", "manufacturer"} and list(words[at + 1 : at + 2]) == ["is"] and at + 2 < len(words):
        return Claim(Attribute.BRAND, words[at + 2]), 3
    if word == "made" and list(words[at + 1 : at + 2]) in (["by"], ["in"], ["from"], ["with"]) and at + 2 < len(words):
        return Claim(Attribute.BRAND if words[at + 1] == "by" else Attribute.CONTAINS, words[at + 2]), 3
    if word == "flavour" and at > 0 and words[at - 1] not in {"the", "a", "its", "what", "which", "any"}:
        return Claim(Attribute.FLAVOUR, words[at - 1]), 1
    return None, 1


def _label_claim(words: Sequence[str], at: int, parts: tuple[str, ...]) -> Claim:
    text = "-".join(parts) if parts[-1] == "free" else " ".join(parts)
    before = set(words[max(0, at - 3) : at])
    negated = "not" in before or "no" in before or "nor" in before
    return Claim(Attribute.NOT_LABEL if negated else Attribute.LABEL, text)
