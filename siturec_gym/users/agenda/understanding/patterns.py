"""Word patterns: a small language for phrases, compiled to regular expressions over space-separated words.

``a b`` words in a row; ``(a|b c)`` one of; ``[a|b]`` optional; ``recomm%`` a word that starts so; ``*`` up to six
words; ``~`` up to two; ``^`` start and ``$`` end of the clause; ``<name>`` a named group of the lexicon.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

STEM_LENGTH = 4
_PIECE = re.compile(r"[()\[\]|]|[^\s()\[\]|]+")
_EDGES = {"^": "^", "$": r"(?=(?: \?)?$)"}
_GAPS = {"*": r"(?: \S+){0,6}?", "~": r"(?: \S+){0,2}?"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase of one meaning.

    Attributes:
        label: What it means, such as "ask:budget".
        regex: Searches a clause of words, each preceded by one space.
        triggers: Words, or first letters of words (``STEM_LENGTH``), one of which every match holds.
        source: The line it came from.
    """

    label: str
    regex: re.Pattern[str]
    triggers: frozenset[str]
    source: str


def compile_pattern(label: str, source: str, groups: Mapping[str, str]) -> Pattern:
    """The pattern of one line.

    Raises:
        ValueError: Brackets do not match, or no word is certain to occur.
    """
    expanded = _expand(source, groups)
    pieces = _PIECE.findall(expanded)
    regex, triggers, certain, rest = _sequence(pieces)
    closed = all(expanded.count(left) == expanded.count(right) for left, right in ("()", "[]"))
    if rest or not certain or not closed:
        raise ValueError(f"pattern {source!r} of {label!r} has unmatched brackets or no certain word")
    return Pattern(label, re.compile(regex + r"(?= |$)"), triggers, source)


def _expand(source: str, groups: Mapping[str, str]) -> str:
    while "<" in source:
        source = re.sub(r"<(\w+)>", lambda found: f"({groups[found[1]]})", source)
    return source


def _sequence(pieces: Sequence[str]) -> tuple[str, frozenset[str], bool, Sequence[str]]:
    """Regex, triggers and certainty of a sequence up to a closing bracket or bar, and what follows it."""
    regex, triggers, certain = "", frozenset[str](), False
    while pieces and pieces[0] not in ")]|":
        piece, pieces = pieces[0], pieces[1:]
        if piece in "([":
            part, first, sure, pieces = _choice(pieces, optional=piece == "[")
        else:
            part, first, sure = _word(piece)
        regex += part
        if not certain:
            triggers |= first
            certain = sure
    return regex, triggers, certain, pieces


def _choice(pieces: Sequence[str], optional: bool) -> tuple[str, frozenset[str], bool, Sequence[str]]:
    options, triggers, certain = [], frozenset[str](), not optional
    while True:
        regex, first, sure, pieces = _sequence(pieces)
        options.append(regex)
        triggers |= first
        certain = certain and sure
        closing, pieces = (pieces[0] if pieces else ""), pieces[1:]
        if closing != "|":
            break
    return f"(?:{'|'.join(options)})" + ("?" if optional else ""), triggers, certain, pieces


def _word(piece: str) -> tuple[str, frozenset[str], bool]:
    if piece in _GAPS:
        return _GAPS[piece], frozenset(), False
    if piece in _EDGES:
        return _EDGES[piece], frozenset(), False
    if piece.endswith("%"):
        stem = piece[:-1]
        return f" {re.escape(stem)}\\S*", frozenset({stem[:STEM_LENGTH] + "%"}), True
    return " " + re.escape(piece), frozenset({piece}), True


class PatternIndex:
    """Finds the patterns that match a clause, trying only those whose trigger words occur in it."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._by_trigger: dict[str, list[int]] = {}
        self._patterns = tuple(patterns)
        for number, pattern in enumerate(patterns):
            for trigger in sorted(pattern.triggers):
                self._by_trigger.setdefault(trigger, []).append(number)

    def matches(self, words: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Label -> span (in characters of the spaced clause) of its first match, for every label that matches."""
        text = " " + " ".join(words)
        found: dict[str, tuple[int, int]] = {}
        for number in sorted(self._candidates(words)):
            pattern = self._patterns[number]
            if pattern.label in found:
                continue
            match = pattern.regex.search(text)
            if match is not None:
                found[pattern.label] = match.span()
        return found

    def _candidates(self, words: Sequence[str]) -> set[int]:
        numbers: set[int] = set()
        for word in words:
            for trigger in (word, word[:STEM_LENGTH] + "%"):
                numbers.update(self._by_trigger.get(trigger, ()))
        return numbers


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
