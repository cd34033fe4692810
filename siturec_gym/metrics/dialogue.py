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
from typing import Any, NamedTuple, TypeVar

from siturec_gym.metrics.constraints import ConstraintReader, tokens_of

_AMOUNT = (
    r"\$\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)? ?(?:dollars?|bucks|usd)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty) (?:dollars?|bucks)\b"
)
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50,
}  # fmt: skip
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.\d[^.!?\n]*)*[.!?]*")
_REMEMBERED = 8192

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


class Heard(NamedTuple):
    """What the shopper has said so far.

    Attributes:
        answered: Slots that need no further question.
        budget: The last budget stated, dollars.
        wanted: Labels asked for; the last word on a label counts.
        unwanted: Labels said no to.
    """

    answered: frozenset[str] = frozenset()
    budget: float | None = None
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()


NOTHING_HEARD = Heard()


class Statement(NamedTuple):
    """What one sentence says.

    Attributes:
        heard: Slots, budget and labels.
        closes: Whether it closes the open question that it answers.
    """

    heard: Heard
    closes: bool


def words_of(utterance: str) -> Words:
    """The distinct words of an utterance, numbers included."""
    return frozenset(tokens_of(utterance.lower()))


def similarity(one: Words, other: Words) -> float:
    """Dice coefficient 2 |A & B| / (|A| + |B|) of two sets of words, 0..1; 0 for two empty ones."""
    total = len(one) + len(other)
    return 2.0 * len(one & other) / total if total else 0.0


def breaks(product: Facts, heard: Heard) -> bool:
    """Whether a product breaks a constraint: too dear, carries an unwanted label, or lacks a wanted one."""
    too_dear = heard.budget is not None and product.price > heard.budget + 1e-9
    return too_dear or not heard.unwanted.isdisjoint(product.labels) or not heard.wanted <= product.labels


class Reader:
    """Reads utterances by one set of rules and the labels of one catalog. The same sentence is read once.

    Args:
        rules: Content of ``rewards/dialogue.json``.
        labels: Every label that a product of the catalog carries.
    """

    def __init__(self, rules: Mapping[str, Any], labels: Iterable[str]) -> None:
        slots = rules["slots"]
        self._similarity = float(rules["similarity"])
        self._least_words = int(rules["least_words"])
        self._requests = _any(rules["requests"])
        self._asks = {slot: _any(rule["asked"]) for slot, rule in slots.items()}
        self._unless = {slot: _any(rule["unless"]) for slot, rule in slots.items() if "unless" in rule}
        self._tells = {slot: _any(rule["told"]) for slot, rule in slots.items() if rule["told"]}
        self._only_with = {slot: frozenset(rule["only_with"]) for slot, rule in slots.items() if rule["told"]}
        self._told_by_asking = frozenset(slot for slot, rule in slots.items() if rule.get("even_in_questions"))
        self._closing, self._not_closing = _any(rules["closing"]), _any(rules["not_closing"])
        self._constraints = ConstraintReader(rules, labels)
        self._questions: dict[str, frozenset[str]] = {}
        self._statements: dict[str, Statement] = {}

    def repeats(self, words: Words, earlier: Sequence[Words]) -> bool:
        """Whether an utterance of three words or more says what an earlier one said (similarity 0.9 or more)."""
        if len(words) < self._least_words:
            return False
        ratio = self._similarity / (2.0 - self._similarity)  # sets of more different sizes cannot be that similar
        least, most = ratio * len(words) - 1e-9, len(words) / ratio + 1e-9
        near = (other for other in earlier if least <= len(other) <= most)
        return any(similarity(words, other) >= self._similarity for other in near)

    def asked(self, utterance: str) -> frozenset[str]:
        """Slots that an assistant's utterance asks about."""
        sentences = _SENTENCE.findall(utterance.lower())
        return frozenset[str]().union(*(_remembered(self._questions, each, self._slots_asked) for each in sentences))

    def listen(self, heard: Heard, asked: frozenset[str], utterance: str) -> Heard:
        """What is known after the shopper's reply.

        Args:
            heard: What was known before.
            asked: Slots that the assistant asked about this turn; a closing reply answers them.
            utterance: The reply.
        """
        for sentence in _SENTENCE.findall(utterance.lower()):
            statement = _remembered(self._statements, sentence, self._statement)
            if statement.closes or statement.heard != NOTHING_HEARD:
                heard = _joined(heard, statement.heard, asked if statement.closes else frozenset())
        return heard

    def _slots_asked(self, sentence: str) -> frozenset[str]:
        if "?" not in sentence and not self._requests.search(sentence):
            return frozenset()
        return frozenset(slot for slot in self._asks if self._asks_for(slot, sentence))

    def _asks_for(self, slot: str, sentence: str) -> bool:
        excused = self._unless.get(slot)
        return bool(self._asks[slot].search(sentence)) and not (excused and excused.search(sentence))

    def _statement(self, sentence: str) -> Statement:
        asking = "?" in sentence
        told = self._told_by_asking if asking else self._tells
        tokens = words_of(sentence)
        likely = (slot for slot in told if not self._only_with[slot].isdisjoint(tokens))
        answered = frozenset(slot for slot in likely if self._tells[slot].search(sentence))
        if asking:
            return Statement(Heard(answered), closes=False)
        wanted, unwanted = self._constraints.read(sentence)
        budget = _budget(sentence) if "budget" in answered else None
        closes = bool(self._closing.search(sentence)) and not self._not_closing.search(sentence)
        return Statement(Heard(answered, budget, wanted, unwanted), closes)


def _joined(heard: Heard, new: Heard, closed: frozenset[str]) -> Heard:
    return Heard(
        answered=heard.answered | new.answered | closed,
        budget=heard.budget if new.budget is None else new.budget,
        wanted=(heard.wanted - new.unwanted) | new.wanted,
        unwanted=(heard.unwanted - new.wanted) | new.unwanted,
    )


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns).replace("{amount}", _AMOUNT))


def _budget(text: str) -> float | None:
    """The last amount of a text, dollars."""
    amounts = re.findall(_AMOUNT, text)
    if not amounts:
        return None
    number = re.search(r"\d+(?:\.\d+)?", amounts[-1].replace(",", ""))
    return float(number[0]) if number else float(_NUMBER_WORDS[amounts[-1].split()[0]])


def _remembered(memory: dict[str, ValueT], sentence: str, read: Callable[[str], ValueT]) -> ValueT:
    """What ``read`` makes of a sentence. Threads may share a memory: at worst a sentence is read twice."""
    value = memory.get(sentence)
    if value is None:
        if len(memory) >= _REMEMBERED:
            memory.clear()
        value = memory[sentence] = read(sentence)
    return value
