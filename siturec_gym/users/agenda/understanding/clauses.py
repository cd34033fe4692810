"""Cuts an utterance into sentences and clauses, each of which does mostly one thing."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.mentions import Mention

_ENDS = frozenset({".", "!", "?", ";", "\n", "...", "("})
_PAUSES = frozenset({",", ":", ")", '"', "-"})
_JOINTS = frozenset({"and", "then", "but", "so", "because", "or"})
_NOT_AFTER_JOINT = cue("not_after_joint")
_QUESTION_STARTS = cue("question_starts")
_FILLERS = cue("fillers")
_SHORT_LEAD = 4
_INVITING = frozenset({"you", "can", "and", "shall", "we", "let", "us"})
_ENCOURAGEMENTS = (["go", "ahead"], ["go", "on"], ["come", "on"], ["go", "for", "it"])
_VERBS = cue("verbs")
_WEAK_QUESTION_STARTS = cue("weak_question_starts")
_ASKED_ABOUT = cue("asked_about")
_POLITE_CONDITIONS = cue("polite_conditions")
_CONDITIONS = cue("conditions")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of words that does mostly one thing.

    Attributes:
        words: Plain words; names stand as @p, @l or @u; a question ends in "?".
        names: The marks among the words and the names they stand for, in order.
        sentence: Number of its sentence.
        question: Whether it asks.
        condition: Whether it opens with "if", "before" and the like.
        first: Its first word that is no filler.
    """

    words: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    sentence: int
    question: bool
    condition: bool
    first: str

    def named(self, *marks: str) -> list[str]:
        """Names with one of ``marks``, in order."""
        return [name for mark, name in self.names if mark in marks]


def clauses(words: Sequence[str], mentions: Sequence[Mention]) -> list[Clause]:
    """The clauses of an utterance, in order."""
    flat = _with_marks(words, mentions)
    result: list[Clause] = []
    sentence: list[tuple[str, str | None]] = []
    number = 0
    for word, name in [*flat, (".", None)]:
        if word not in _ENDS:
            sentence.append((word, name))
            continue
        result.extend(_of_sentence(sentence, number, asks=word == "?"))
        number += bool(sentence)
        sentence = []
    return result


def _with_marks(words: Sequence[str], mentions: Sequence[Mention]) -> list[tuple[str, str | None]]:
    flat: list[tuple[str, str | None]] = []
    at = 0
    for mention in mentions:
        flat.extend((word, None) for word in words[at : mention.start])
        flat.append((mention.mark, mention.name))
        at = mention.end
    flat.extend((word, None) for word in words[at:])
    return flat


def _of_sentence(sentence: Sequence[tuple[str, str | None]], number: int, asks: bool) -> list[Clause]:
    parts: list[list[tuple[str, str | None]]] = [[]]
    for at, (word, name) in enumerate(sentence):
        following = next((w for w, _ in sentence[at + 1 :] if w not in _PAUSES), "")
        if word in _PAUSES:
            joined = following in _JOINTS - {"or"} and len(sentence) - at > 2
            if word == ":" or _opens(following, after_comma=True) or joined or _new_subject(sentence, at):
                parts.append([])
            continue
        if word in _JOINTS and following and (_opens(following, after_comma=False) or word == "then"):
            parts.append([])
        parts[-1].append((word, name))
    parts = [part for part in parts if part and not (len(parts) > 1 and _only_encourages(part))]
    return [_clause(part, number, asks, at, at == len(parts) - 1) for at, part in enumerate(parts)]


def _only_encourages(part: Sequence[tuple[str, str | None]]) -> bool:
    """Whether a clause is just "go ahead", before what to do."""
    words = [word for word, _ in part if word not in _FILLERS and word not in _INVITING]
    return words in _ENCOURAGEMENTS


def _new_subject(sentence: Sequence[tuple[str, str | None]], at: int) -> bool:
    """Whether a name with a verb of its own follows the comma at ``at``."""
    after = [word for word, _ in sentence[at + 1 : at + 4] if word not in {"the", "our", "your"}]
    return len(after) >= 2 and after[0][0] == "@" and after[1] in _VERBS


def _opens(word: str, after_comma: bool) -> bool:
    return word in load_words().opening_words and (after_comma or word not in _NOT_AFTER_JOINT)


def _clause(part: Sequence[tuple[str, str | None]], number: int, asks: bool, place: int, last: bool) -> Clause:
    body = list(part)
    while len(body) > 1 and body[0][0] in _JOINTS:
        body = body[1:]
    meat = [word for word, _ in body if word not in _FILLERS]
    if meat[:1] == ["there"] and body[0][0] in {"hi", "hello", "hey"}:
        meat = meat[1:]
    first, third = (meat or [""])[0], (meat[2:3] or [""])[0]
    strong = _begins_question(meat, asks) and (asks or place == 0 or first not in _WEAK_QUESTION_STARTS)
    leads = len(body) <= _SHORT_LEAD and not _VERBS & {word for word, _ in body}
    question = strong or (asks and (last or leads))
    if asks and last:
        body.append(("?", None))
    words = tuple(word for word, _ in body)
    names = tuple((word, name) for word, name in body if name is not None)
    second = (meat[1:2] or [""])[0]
    polite = (first == "after" and second in {"that", "this"}) or (first == "if" and third in _POLITE_CONDITIONS)
    condition = first in _CONDITIONS and not polite and not (first == "when" and question)
    return Clause(words, names, number, question, condition, first)


def _begins_question(words: Sequence[str], asks: bool) -> bool:
    first, second = (*words[:2], "", "")[:2]
    if (
        first == "which"
        and not asks
        and second in {"is", "are", "has", "was", "costs", "makes", "fits", "means", "should", "would"}
    ):
        return False
    if first == "there" and not asks:
        return False
    if first == "have":
        return second in {"you", "we", "i"}
    if first == "do":
        return second in _ASKED_ABOUT or second[:1] == "@"
    if not asks and first in {"what", "where", "who", "when"} and second in {"you", "we", "i", "it"}:
        return len(words) <= _SHORT_LEAD
    return first in _QUESTION_STARTS
