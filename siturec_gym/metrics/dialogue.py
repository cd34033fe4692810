"""What the words of a dialogue say, by simple rules (SituRecBench, C.1: Preference Alignment and Non-repetition).

The rules are deterministic and err on the side of silence: what they cannot be sure of they do not report. Their word
lists are data (``siturec_gym/data/rewards/dialogue.json``), handed in as an argument. They are no judge of dialogue
quality; they only see that words recur, that a question was answered before, and that a product breaks what was said.

- A *slot* is something a shopper tells once, such as budget, category, use or room; or an open list, what to avoid and
  what else matters, which only a closing reply ("no preference", "that's all") answers for good.
- A *constraint* is a stated budget, a label the shopper said no to, or one the shopper asked for: a diet or the like
  (``wanted_labels``), or any label in "something ...".
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

_AMOUNT = (
    r"\$\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)? ?(?:dollars?|bucks|usd)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty) (?:dollars?|bucks)\b"
)
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50,
}  # fmt: skip
_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\d[^.!?\n]*)*[.!?\n]*")
_CLAUSE = re.compile(r"[,;:]\s|\band (?=i\b|it\b)|[.!?\n]+(?=\s|$)")
_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_LONGEST_LABEL = 5
_REMEMBERED = 4096
_SHORT_CLAUSE = 3

Words = frozenset[str]
ValueT = TypeVar("ValueT")


class Facts(NamedTuple):
    """What a constraint can look at.

    Attributes:
        price: Dollars.
        labels: Tags, allergens and flavour, in lower case.
    """

    price: float
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Heard:
    """What the shopper has said so far.

    Attributes:
        answered: Slots that need no further question.
        budget: The last budget stated, dollars.
        wanted: Labels asked for; the last word on a label counts.
        unwanted: Labels said no to.
        closes: Whether the last utterance closed the open question it answers.
    """

    answered: frozenset[str] = frozenset()
    budget: float | None = None
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    closes: bool = False


NOTHING_HEARD = Heard()


def words_of(utterance: str) -> Words:
    """The distinct words of an utterance, numbers included."""
    return frozenset(_TOKEN.findall(utterance.lower()))


def similarity(one: Words, other: Words) -> float:
    """Dice coefficient 2 |A & B| / (|A| + |B|) of two sets of words, 0..1; 0 for two empty ones."""
    total = len(one) + len(other)
    return 2.0 * len(one & other) / total if total else 0.0


def breaks(product: Facts, heard: Heard) -> bool:
    """Whether a product breaks a constraint: too dear, carries an unwanted label, or lacks a wanted one."""
    too_dear = heard.budget is not None and product.price > heard.budget + 1e-9
    return too_dear or not heard.unwanted.isdisjoint(product.labels) or not heard.wanted <= product.labels


class Reader:
    """Reads utterances by one set of rules and the labels of one catalog. The same text is read once.

    Args:
        rules: Content of ``rewards/dialogue.json``.
        labels: Every label that a product of the catalog carries.
    """

    def __init__(self, rules: Mapping[str, Any], labels: Iterable[str]) -> None:
        self._similarity = float(rules["similarity"])
        self._least_words = int(rules["least_words"])
        self._requests = _any(rules["requests"])
        self._asks = {slot: _any(rule["asked"]) for slot, rule in rules["slots"].items()}
        self._unless = {slot: _any(rule["unless"]) for slot, rule in rules["slots"].items() if "unless" in rule}
        self._tells = {slot: _any(rule["told"]) for slot, rule in rules["slots"].items() if rule["told"]}
        self._told_by_asking = frozenset(slot for slot, rule in rules["slots"].items() if rule.get("even_in_questions"))
        self._closing, self._not_closing = _any(rules["closing"]), _any(rules["not_closing"])
        self._indifferent, self._remarks = _any(rules["indifferent"]), _any(rules["remarks"])
        self._negators, self._turns = frozenset(rules["negators"]), frozenset(rules["turns"])
        self._wishes, self._for_anything = frozenset(rules["wishes"]), frozenset(rules["for_anything"])
        known = frozenset(label.lower() for label in labels)
        self._wanted_labels = known.intersection(rules["wanted_labels"])
        self._labels = {_stems(label): label for label in sorted(known)} | {
            _stems(words): label for words, label in rules["other_words"].items() if label in known
        }
        self._absences = {_stems(words): label for words, label in rules["absences"].items() if label in known}
        self._asked: dict[str, frozenset[str]] = {}
        self._told: dict[str, Heard] = {}

    def repeats(self, words: Words, earlier: Sequence[Words]) -> bool:
        """Whether an utterance of three words or more says what an earlier one said (similarity 0.9 or more)."""
        if len(words) < self._least_words:
            return False
        return any(similarity(words, other) >= self._similarity for other in earlier)

    def asked(self, utterance: str) -> frozenset[str]:
        """Slots that an assistant's utterance asks about."""
        return _remembered(self._asked, utterance, self._slots_asked)

    def listen(self, heard: Heard, asked: frozenset[str], utterance: str) -> Heard:
        """What is known after the shopper's reply.

        Args:
            heard: What was known before.
            asked: Slots that the assistant asked about this turn; a closing reply answers them.
            utterance: The reply.
        """
        new = _remembered(self._told, utterance, self._statement)
        if new == NOTHING_HEARD and not heard.closes:
            return heard
        return Heard(
            answered=heard.answered | new.answered | (asked if new.closes else frozenset()),
            budget=heard.budget if new.budget is None else new.budget,
            wanted=(heard.wanted - new.unwanted) | new.wanted,
            unwanted=(heard.unwanted - new.wanted) | new.unwanted,
            closes=new.closes,
        )

    def _slots_asked(self, text: str) -> frozenset[str]:
        slots: set[str] = set()
        for sentence in _SENTENCE.findall(text):
            if "?" in sentence or self._requests.search(sentence):
                slots |= {slot for slot, pattern in self._asks.items() if self._asks_for(slot, pattern, sentence)}
        return frozenset(slots)

    def _asks_for(self, slot: str, pattern: re.Pattern[str], sentence: str) -> bool:
        excused = self._unless.get(slot)
        return bool(pattern.search(sentence)) and not (excused and excused.search(sentence))

    def _statement(self, text: str) -> Heard:
        stated = " ".join(sentence for sentence in _SENTENCE.findall(text) if "?" not in sentence)
        answered = frozenset(
            slot
            for slot, pattern in self._tells.items()
            if pattern.search(text if slot in self._told_by_asking else stated)
        )
        wanted, unwanted = self._constraints(stated)
        return Heard(
            answered=answered,
            budget=_budget(stated) if "budget" in answered else None,
            wanted=wanted,
            unwanted=unwanted,
            closes=bool(self._closing.search(stated)) and not self._not_closing.search(stated),
        )

    def _constraints(self, stated: str) -> tuple[frozenset[str], frozenset[str]]:
        """Labels wanted and unwanted, clause by clause; a short one goes on as the clause before it began."""
        wanted: set[str] = set()
        unwanted: set[str] = set()
        negated = wishes = False
        for part in _CLAUSE.split(stated):
            clause = part.strip()
            tokens = _TOKEN.findall(clause)
            if self._indifferent.search(clause) or (self._remarks.search(clause) and "too" not in tokens):
                continue
            goes_on = len(tokens) <= _SHORT_CLAUSE
            wishes = (wishes and goes_on) or not self._wishes.isdisjoint(tokens)
            negated = self._read_clause(tokens, negated and goes_on, wishes, wanted, unwanted)
        return frozenset(wanted - unwanted), frozenset(unwanted)

    def _read_clause(
        self, tokens: list[str], negated: bool, wishes: bool, wanted: set[str], unwanted: set[str]
    ) -> bool:
        """Add a clause's labels to what is wanted and unwanted; whether it ended under a negation."""
        stems = [_stem(token) for token in tokens]
        index = 0
        while index < len(tokens):
            length, label, absence = self._label_at(stems, index)
            if label is None:
                negated = self._still_negated(tokens[index], negated)
            elif negated:
                (wanted if absence else unwanted).add(label)
            elif wishes and not absence and self._counts(label, tokens[:index]):
                wanted.add(label)
            index += length
        return negated

    def _counts(self, label: str, before: list[str]) -> bool:
        """Whether a label that was named with a wish is asked for: a diet or the like, or "something" of that kind."""
        named_at_large = not label.startswith("for ") and not self._for_anything.isdisjoint(before)
        return label in self._wanted_labels or named_at_large

    def _still_negated(self, token: str, negated: bool) -> bool:
        return token in self._negators or (negated and token not in self._turns)

    def _label_at(self, stems: list[str], index: int) -> tuple[int, str | None, bool]:
        """Length and name of the longest label that starts here, and whether the words name what it is without."""
        for length in range(min(_LONGEST_LABEL, len(stems) - index), 0, -1):
            phrase = tuple(stems[index : index + length])
            if phrase in self._labels:
                return length, self._labels[phrase], False
            if phrase in self._absences:
                return length, self._absences[phrase], True
        return 1, None, False


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns).replace("{amount}", _AMOUNT))


def _stem(token: str) -> str:
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else token


def _stems(words: str) -> tuple[str, ...]:
    return tuple(_stem(token) for token in _TOKEN.findall(words.lower()))


def _budget(text: str) -> float | None:
    """The last amount of a text, dollars."""
    amounts = re.findall(_AMOUNT, text)
    if not amounts:
        return None
    number = re.search(r"\d+(?:\.\d+)?", amounts[-1].replace(",", ""))
    return float(number[0]) if number else float(_NUMBER_WORDS[amounts[-1].split()[0]])


def _remembered(memory: dict[str, ValueT], text: str, read: Callable[[str], ValueT]) -> ValueT:
    """What ``read`` makes of a text in lower case. Threads may share a memory: at worst a text is read twice."""
    value = memory.get(text)
    if value is None:
        if len(memory) >= _REMEMBERED:
            memory.clear()
        value = memory[text] = read(text.lower())
    return value
