"""Numbers, angles and distances as people say them."""

import re
from collections.abc import Sequence

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words

STEP_M = 0.7
FOOT_M = 0.3
RIGHT_ANGLE_DEG = 90.0
SLIGHT_ANGLE_DEG = 30.0
HALF_LEFT_DEG = 45.0
HALF_TURN_DEG = 180.0
_UNIT_M = {
    "m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0, "foot": FOOT_M, "feet": FOOT_M, "ft": FOOT_M,
    "step": STEP_M, "steps": STEP_M, "pace": STEP_M, "paces": STEP_M, "yard": 0.9, "yards": 0.9, "cm": 0.01,
    "stride": STEP_M, "strides": STEP_M,
}  # fmt: skip
_SLIGHTLY = cue("slightly")
_DIAGONALLY = cue("diagonally")
_PRICE = re.compile(r"^\$?(\d+(?:[.,]\d+)?)$")
_CURRENCY = cue("currency")


def number_before(words: Sequence[str], at: int) -> float | None:
    """The number that ends right before ``words[at]``: "two", "a couple of", "2.5", "one and a half", "forty five"."""
    table = load_words().numbers
    index = at - 1
    while index >= 0 and words[index] in {"of", "more", "small", "big", "full", "good", "short", "about"}:
        index -= 1
    if index < 0:
        return None
    value = _number(words[index])
    if value is None:
        return None
    previous = _number(words[index - 1]) if index > 0 else None
    if words[index] in {"a", "an"} and index > 0 and words[index - 1] == "half":
        return 0.5
    if words[index] == "half":
        return 1.5 if list(words[max(0, index - 3) : index]) == ["one", "and", "a"] else 0.5
    if previous is not None and previous >= 20 and value < 10 and words[index - 1] in table:
        return previous + value
    return value


def _number(word: str) -> float | None:
    numbers = load_words().numbers
    if word in numbers:
        return numbers[word]
    found = _PRICE.match(word)
    return float(found[1].replace(",", ".")) if found and word[0] != "$" else None


def number_at(words: Sequence[str], at: int) -> float | None:
    """The number that ``words[at]`` is, in figures or letters; "a" is none here."""
    return None if words[at] in {"a", "an"} else _number(words[at])


def distance_m(words: Sequence[str]) -> float | None:
    """The distance said, metres: the first with an amount, else one unit; a step is 0.7 m."""
    units = [at for at, word in enumerate(words) if word in _UNIT_M]
    for at in units:
        amount = number_before(words, at)
        if amount is not None:
            return round(amount * _UNIT_M[words[at]], 3)
    return _UNIT_M[words[units[0]]] if units else None


def angle_deg(words: Sequence[str]) -> float:
    """How far to turn: degrees said, or what "slightly", "around" or nothing said means."""
    for at, word in enumerate(words):
        if word in {"degrees", "degree", "deg"}:
            amount = number_before(words, at)
            if amount is not None:
                return min(amount, HALF_TURN_DEG)
    said = set(words)
    numbers = [float(word) for word in words if word in {"30", "45", "60", "90", "120", "135", "180"}]
    if numbers:
        return numbers[0]
    if said & _SLIGHTLY:
        return SLIGHT_ANGLE_DEG
    return HALF_LEFT_DEG if said & _DIAGONALLY else RIGHT_ANGLE_DEG


def prices(words: Sequence[str]) -> list[float]:
    """All amounts of money said."""
    found = []
    for at, word in enumerate(words):
        if word in _CURRENCY and at > 0 and words[at - 1][0].isalpha():
            amount = number_before(words, at)
            if amount is not None:
                found.append(amount)
            continue
        match = _PRICE.match(word)
        if match is None:
            continue
        after = words[at + 1] if at + 1 < len(words) else ""
        measures = after in cue("size_units") or after in cue("nutrients")
        if word[0] == "$" or after in _CURRENCY or ("." in word and not measures and _priced(words, at)):
            found.append(float(match[1].replace(",", ".")))
    return found


def _priced(words: Sequence[str], at: int) -> bool:
    return bool(cue("before_prices") & set(words[max(0, at - 3) : at]))
