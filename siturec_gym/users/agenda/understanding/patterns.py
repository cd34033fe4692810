"""Word patterns: a small language for phrases, compiled to regular expressions over space-separated words.

``a b`` words in a row; ``(a|b c)`` one of; ``[a|b]`` optional; ``recomm%`` a word that starts so; ``*`` up to six
words; ``~`` up to two; ``^`` start and ``$`` end of the clause; ``<name>`` a named group of the lexicon.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

STEM_LENGTH = 4
_PIECE = re.compile(r"[()\[\]|]|[^\s()\[\]|]+")
_EDGES = {"^": "^", "$": r"(?=(?: \?)?$)"}
_GAPS = {"*": r"(?: \S+){0,6}?", "~": r"(?: \S+){0,2}?"}


Demand = frozenset[str]
_NONE: Demand = frozenset()


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase of one meaning.

    Attributes:
        label: What it means, such as "ask:budget".
        regex: Searches a clause of words, each preceded by one space.
        demands: Sets of words, or first letters of words (``STEM_LENGTH`` and "%"); every match holds one of each set.
        source: The line it came from.
    """

    label: str
    regex: re.Pattern[str]
    demands: tuple[Demand, ...]
    source: str


def compile_pattern(label: str, source: str, groups: Mapping[str, str]) -> Pattern:
    """The pattern of one line.

    Raises:
        ValueError: Brackets do not match, or no word is certain to occur.
    """
    expanded = _expand(source, groups)
    regex, demands, rest = _sequence(_PIECE.findall(expanded))
    closed = all(expanded.count(left) == expanded.count(right) for left, right in ("()", "[]"))
    if rest or not demands or not closed:
        raise ValueError(f"pattern {source!r} of {label!r} has unmatched brackets or no certain word")
    return Pattern(label, re.compile(regex + r"(?= |$)"), tuple(demands), source)


def _commonness(demand: Collection[str]) -> float:
    """How many clauses are likely to hold one of these words: short words are common ones."""
    return sum(len(word) ** -2 for word in sorted(demand))


def _expand(source: str, groups: Mapping[str, str]) -> str:
    while "<" in source:
        source = re.sub(r"<(\w+)>", lambda found: f"({groups[found[1]]})", source)
    return source


def _sequence(pieces: Sequence[str]) -> tuple[str, list[Demand], Sequence[str]]:
    """Regex and demands of a sequence up to a closing bracket or bar, and what follows it."""
    regex, demands = "", list[Demand]()
    while pieces and pieces[0] not in ")]|":
        piece, pieces = pieces[0], pieces[1:]
        if piece in "([":
            part, demand, pieces = _choice(pieces, optional=piece == "[")
        else:
            part, demand = _word(piece)
        regex += part
        if demand is not None:
            demands.append(demand)
    return regex, demands, pieces


def _choice(pieces: Sequence[str], optional: bool) -> tuple[str, Demand | None, Sequence[str]]:
    """Regex and demand of alternatives, the most telling demand of each put together."""
    options, together, certain = [], frozenset[str](), not optional
    while True:
        regex, demands, pieces = _sequence(pieces)
        options.append(regex)
        together |= min(demands, key=_commonness, default=_NONE)
        certain = certain and bool(demands)
        closing, pieces = (pieces[0] if pieces else ""), pieces[1:]
        if closing != "|":
            break
    return f"(?:{'|'.join(options)})" + ("?" if optional else ""), together if certain else None, pieces


def _word(piece: str) -> tuple[str, Demand | None]:
    if piece in _GAPS:
        return _GAPS[piece], None
    if piece in _EDGES:
        return _EDGES[piece], None
    if piece.endswith("%"):
        stem = piece[:-1]
        return f" {re.escape(stem)}\\S*", frozenset({stem[:STEM_LENGTH] + "%"})
    return " " + re.escape(piece), frozenset({piece})


class PatternIndex:
    """Finds the patterns that match a clause, trying only those whose demands it meets.

    Sets of patterns are integers, one bit a pattern: ``_asking[k][word]`` holds those whose k-th demand ``word`` meets.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = tuple(patterns)
        self._asking: list[dict[str, int]] = []
        self._undemanding: list[int] = []
        for place in range(max((len(pattern.demands) for pattern in patterns), default=0)):
            asking: dict[str, int] = {}
            for number, pattern in enumerate(patterns):
                for word in sorted(pattern.demands[place]) if place < len(pattern.demands) else ():
                    asking[word] = asking.get(word, 0) | 1 << number
            self._asking.append(asking)
            self._undemanding.append(sum(1 << n for n, pattern in enumerate(patterns) if len(pattern.demands) <= place))

    def matches(self, words: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Label -> span (in characters of the spaced clause) of its first match, for every label that matches."""
        text = " " + " ".join(words)
        candidates = self._candidates(words)
        found: dict[str, tuple[int, int]] = {}
        while candidates:
            lowest = candidates & -candidates
            candidates ^= lowest
            pattern = self._patterns[lowest.bit_length() - 1]
            if pattern.label not in found and (match := pattern.regex.search(text)) is not None:
                found[pattern.label] = match.span()
        return found

    def _candidates(self, words: Sequence[str]) -> int:
        """The patterns all of whose demands are met."""
        present = {*words, *(word[:STEM_LENGTH] + "%" for word in words)}
        candidates = -1
        for asking, met in zip(self._asking, self._undemanding, strict=True):
            for word in present:
                met |= asking.get(word, 0)  # noqa: PLW2901
            candidates &= met
        return max(candidates, 0)


def literal_words(source: str) -> Iterator[str]:
    """The whole words that a pattern line spells out."""
    for piece in _PIECE.findall(re.sub(r"<\w+>", " ", source)):
        if piece.isalpha():
            yield piece


def stems(source: str) -> Iterator[str]:
    """The beginnings of words that a pattern line gives."""
    for piece in _PIECE.findall(source):
        if piece.endswith("%"):
            yield piece[:-1]
