"""Which labels a sentence of the shopper asks for or rules out, by rules on single words (see ``dialogue``)."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_CLAUSE = re.compile(r"[,;:]\s|\band (?=i\b|it\b)")
_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_SHORT_CLAUSE = 3


class Named(NamedTuple):
    """A label in a sentence.

    Attributes:
        length: Number of its words.
        label: Its name; None where no label stands.
        absence: Whether the words name what a product of this label is without ("gluten" for "gluten-free").
    """

    length: int
    label: str | None
    absence: bool = False


_NOTHING = Named(1, None)


def tokens_of(text: str) -> list[str]:
    """Words and numbers of a text in lower case."""
    return _TOKEN.findall(text)


class ConstraintReader:
    """Reads one sentence at a time.

    Args:
        rules: Content of ``rewards/dialogue.json``.
        labels: Every label that a product of the catalog carries.
    """

    def __init__(self, rules: Mapping[str, Any], labels: Iterable[str]) -> None:
        self._skipped = re.compile("|".join(f"(?:{pattern})" for pattern in rules["indifferent"]))
        self._remarks = re.compile("|".join(f"(?:{pattern})" for pattern in rules["remarks"]))
        self._negators, self._turns = frozenset(rules["negators"]), frozenset(rules["turns"])
        self._wishes, self._for_anything = frozenset(rules["wishes"]), frozenset(rules["for_anything"])
        known = frozenset(label.lower() for label in labels)
        self._always = known.intersection(rules["wanted_labels"])
        phrases = {_stems(label): (label, False) for label in sorted(known)}
        phrases |= {_stems(words): (label, False) for words, label in rules["other_words"].items() if label in known}
        phrases |= {_stems(words): (label, True) for words, label in rules["absences"].items() if label in known}
        self._phrases = phrases
        self._longest = {
            first: max(len(phrase) for phrase in phrases if phrase[0] == first)
            for first in sorted({phrase[0] for phrase in phrases})
        }

    def read(self, sentence: str) -> tuple[frozenset[str], frozenset[str]]:
        """Labels wanted and unwanted in a sentence in lower case; a short clause goes on as the one before it began."""
        wanted: set[str] = set()
        unwanted: set[str] = set()
        negated = wishes = False
        for clause in _CLAUSE.split(sentence):
            tokens = tokens_of(clause)
            goes_on = len(tokens) <= _SHORT_CLAUSE
            negated = negated and goes_on
            wishes = (wishes and goes_on) or not self._wishes.isdisjoint(tokens)
            if (negated or wishes or not self._negators.isdisjoint(tokens)) and not self._says_nothing(clause, tokens):
                negated = self._read_clause(tokens, negated, wishes, wanted, unwanted)
        return frozenset(wanted - unwanted), frozenset(unwanted)

    def _says_nothing(self, clause: str, tokens: list[str]) -> bool:
        """Whether a clause is indifferent, a remark about an item, or about what is in sight."""
        text = clause.strip()
        return bool(self._skipped.search(text)) or (bool(self._remarks.search(text)) and "too" not in tokens)

    def _read_clause(
        self, tokens: list[str], negated: bool, wishes: bool, wanted: set[str], unwanted: set[str]
    ) -> bool:
        """Add a clause's labels to what is wanted and unwanted; whether it ended under a negation."""
        stems = [_stem(token) for token in tokens]
        index = 0
        while index < len(tokens):
            named = self._named(stems, index)
            if named.label is None:
                negated = tokens[index] in self._negators or (negated and tokens[index] not in self._turns)
            elif negated:
                (wanted if named.absence else unwanted).add(named.label)
            elif wishes and not named.absence and self._counts(named.label, tokens[:index]):
                wanted.add(named.label)
            index += named.length
        return negated

    def _counts(self, label: str, before: list[str]) -> bool:
        """Whether a label that was named with a wish is asked for: a diet or the like, or "something" of that kind."""
        named_at_large = not label.startswith("for ") and not self._for_anything.isdisjoint(before)
        return label in self._always or named_at_large

    def _named(self, stems: list[str], index: int) -> Named:
        """The longest label that starts at a word."""
        for length in range(min(self._longest.get(stems[index], 0), len(stems) - index), 0, -1):
            found = self._phrases.get(tuple(stems[index : index + length]))
            if found:
                return Named(length, *found)
        return _NOTHING


def _stem(token: str) -> str:
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else token


def _stems(words: str) -> tuple[str, ...]:
    return tuple(_stem(token) for token in tokens_of(words.lower()))
