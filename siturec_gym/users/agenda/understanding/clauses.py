"""Cuts an utterance into sentences and clauses, each of which does mostly one thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.mentions import PLACE, Mention

_ENDS = frozenset({".", "!", "?", ";", "\n", "...", "("})
_PAUSES = frozenset({",", ":", ")", '"', "-"})
_JOINTS = frozenset({"and", "then", "but", "so", "because", "or"})
_NOT_AFTER_JOINT = cue("not_after_joint")
_QUESTION_STARTS = cue("question_starts")
_FILLERS = cue("fillers")
_SHORT_LEAD = 4
_LONGEST_ASIDE = 8
_FEW = 4
_LEADING = cue("conditions") | {"since", "because", "given", "considering"}
_ACKNOWLEDGING = frozenset(
    {("got", "it"), ("i", "see"), ("understood",), ("noted",), ("fair", "enough"), ("i", "understand")}
)
_NODS = frozenset({"understood", "noted", "agreed", "alright", "okay"})
_TAGS = frozenset(
    tuple(tag.split())
    for tag in (
        "i hope", "i suppose", "i take it", "i guess", "you know", "would you", "will you", "do you", "are you",
        "is that right", "am i right", "i trust",
    )
)  # fmt: skip
_SUBJECTS = frozenset({"it", "that", "they"})
_VOCATIVES = cue("vocatives") | {"my", "oh"}
_WITH_WH = frozenset({"for", "to", "with", "from", "in", "on", "at", "by", "of"})
_SHORT_QUESTION = 6
_OWN = cue("own")
_ARTICLES = frozenset({"the", "this", "that", "these", "those", "our", "and"})
_RESUMING = frozenset({"it", "they"})
_GENERIC = cue("generic_nouns")
_CLOSING = cue("closing_words")
_STATING = cue("stating_verbs")
_INVITING = frozenset({"you", "can", "and", "shall", "we", "let", "us", "would", "like", "to", "want", "do"})
_ENCOURAGEMENTS = (["go", "ahead"], ["go", "on"], ["come", "on"], ["go", "for", "it"])
_VERBS = cue("verbs")
_REACHING = frozenset({"reach", "arrive", "reached", "get", "reaching", "arriving", "find", "enter", "approach"})
_RELATIVE_VERBS = (cue("stating_verbs") | cue("sentence_verbs") | {"also", "makes", "means"}) - {"do", "did", "does"}
_WEAK_QUESTION_STARTS = cue("weak_question_starts")
_ASKED_ABOUT = cue("asked_about")
_POLITE_CONDITIONS = cue("polite_conditions")
_CONDITIONS = cue("conditions")

Token = tuple[str, tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of words that does mostly one thing.

    Attributes:
        words: Plain words; names stand as @p, @l or @u; a question ends in "?".
        names: The marks among the words, the names they stand for and the words said, in order.
        sentence: Number of its sentence.
        question: Whether it asks.
        condition: Whether it opens with "if", "before" and the like.
        first: Its first word that is no filler.
    """

    words: tuple[str, ...]
    names: tuple[tuple[str, str, str], ...]
    sentence: int
    question: bool
    condition: bool
    first: str

    def named(self, *marks: str) -> list[str]:
        """Names with one of ``marks``, in order."""
        return [name for mark, name, _ in self.names if mark in marks]


def clauses(words: Sequence[str], mentions: Sequence[Mention]) -> list[Clause]:
    """The clauses of an utterance, in order."""
    flat = _with_marks(words, mentions)
    unmarked = not any(word in _ENDS for word, _ in flat)
    result: list[Clause] = []
    sentence: list[Token] = []
    number = 0
    for word, name in [*flat, (".", None)]:
        if word not in _ENDS:
            sentence.append((word, name))
            continue
        result.extend(
            _of_sentence(tuple(sentence), number, asks=word == "?" or (unmarked and _sounds_asking(sentence)))
        )
        number += bool(sentence)
        sentence = []
    return result


def _sounds_asking(sentence: Sequence[Token]) -> bool:
    """Whether a message without any full stop asks, by its words alone: "thin or thick crust", "you vegan"."""
    words = [word for word, _ in sentence if word not in _FILLERS and word not in _PAUSES]
    chooses = "or" in words and len(words) <= _SHORT_QUESTION and not cue("sentence_verbs") & set(words)
    return chooses or (words[:1] == ["you"] and len(words) > 1 and words[1] in cue("asked_of_you"))


def _with_marks(words: Sequence[str], mentions: Sequence[Mention]) -> list[Token]:
    flat: list[Token] = []
    at = 0
    for mention in mentions:
        flat.extend((word, None) for word in words[at : mention.start])
        flat.append((mention.mark, (mention.name, " ".join(words[mention.start : mention.end]))))
        at = mention.end
    flat.extend((word, None) for word in words[at:])
    return flat


@lru_cache(maxsize=4096)
def _of_sentence(sentence: Sequence[Token], number: int, asks: bool) -> tuple[Clause, ...]:
    sentence = _without_asides(sentence)
    parts: list[list[Token]] = [[]]
    for at, (word, name) in enumerate(sentence):
        if word in _PAUSES:
            if _pause_splits(sentence, at, parts[-1]):
                parts.append([])
            continue
        runs_on = word in _SUBJECTS and _runs_on(sentence, at)
        runs_on |= word == "put" and at > 1 and sentence[at - 1][0] in cue("too_much")
        if (word in _JOINTS and _joint_splits(sentence, at)) or runs_on:
            parts.append([])
        if word[0] == "@" and len(parts[-1]) > 1 and parts[-1][-1][0] in _GENERIC:
            parts[-1].pop()
        if word in _RESUMING and sentence[at - 1][0] in _PAUSES and _only_a_name(parts[-1]):
            continue
        parts[-1].append((word, name))
    parts = _without_tag([part for part in parts if part])
    parts = [part for part in parts if part and not (len(parts) > 1 and _only_encourages(part))]
    return tuple(_clause(part, number, asks, at, at == len(parts) - 1) for at, part in enumerate(parts))


def _without_tag(parts: list[list[Token]]) -> list[list[Token]]:
    """The parts of a sentence without "I hope", "would you" and the like at its end."""
    last = tuple(word for word, _ in parts[-1]) if len(parts) > 1 else ()
    return parts[:-1] if last in _TAGS else parts


def _without_asides(sentence: Sequence[Token]) -> list[Token]:
    """A sentence without what stands between two commas about the speaker (", I must point out,")."""
    commas = [at for at, (word, _) in enumerate(sentence) if word == ","]
    for start, end in pairwise(commas):
        words = [word for word, _ in sentence[start + 1 : end]]
        advises = {"go", "recommend", "suggest", "take", "choose", "pick", "get", "prefer"} & set(words)
        speaks = words[:1] == ["i"] and bool(set(words[1:2]) & cue("own_verbs"))
        own = ((speaks or words[:1] in (["as"], ["unless"])) and not advises) or set(words) <= _VOCATIVES
        if words and own and len(words) < _LONGEST_ASIDE and not any(word[0] == "@" for word in words):
            kept = start + (words[0] in _VOCATIVES)
            return [*sentence[:kept], *_without_asides(sentence[end + 1 :])]
    return list(sentence)


def _pause_splits(sentence: Sequence[Token], at: int, before: Sequence[Token]) -> bool:
    """Whether a clause ends at the pause ``at``, after the words ``before`` of the same clause."""
    following = _following(sentence, at)
    said = [word for word, _ in before]
    if sentence[at][0] == ":":
        if _only_a_name(before):
            return _opens(following, after_comma=True)
        if said and said[-1] in cue("attributes") and len(said) <= _FEW:
            return False
        tells = len(said) > _SHORT_LEAD or any(word[0] == "@" or word in _OWN for word in said)
        return tells or following[:1] != "@"
    if _only_a_name(before) and following in _RESUMING:
        return False
    opens_aside = said[:1] != [] and said[0] in _LEADING and len(said) >= _FEW - 1 and sentence[at][0] == ","
    if tuple(said) in _ACKNOWLEDGING or opens_aside or (said == ["right"] and following.isalpha()):
        return True
    further = sentence[at + 2][0] if at + 2 < len(sentence) else ""
    if following == "or":
        return further in cue("or_asks")
    if following == "got" and further == "it":
        return True
    if (following in _NODS and at + 2 >= len(sentence)) or ((following, further) == ("all", "right")):
        return True
    joined = following in _JOINTS - {"or"} and len(sentence) - at > 2
    return joined or _opens(following, after_comma=True) or _new_subject(sentence, at)


def _only_a_name(part: Sequence[Token]) -> bool:
    words = [word for word, _ in part]
    return words[-1:] != [] and words[-1][0] == "@" and all(word in _ARTICLES for word in words[:-1])


def _joint_splits(sentence: Sequence[Token], at: int) -> bool:
    following = _following(sentence, at)
    return following != "" and (sentence[at][0] == "then" or _opens(following, after_comma=False))


def _following(sentence: Sequence[Token], at: int) -> str:
    for word, _ in sentence[at + 1 : at + _FEW]:
        if word not in _PAUSES:
            return word
    return ""


def _runs_on(sentence: Sequence[Token], at: int) -> bool:
    """Whether a new statement starts at ``at`` without any mark: "put it back it is spicy"."""
    if at == 0 or at + 1 >= len(sentence):
        return False
    return sentence[at - 1][0] in _CLOSING and sentence[at + 1][0] in _STATING


def _only_encourages(part: Sequence[Token]) -> bool:
    """Whether a clause is just "go ahead", before what to do."""
    words = [word for word, _ in part if word not in _FILLERS and word not in _INVITING]
    return words in _ENCOURAGEMENTS


def _new_subject(sentence: Sequence[Token], at: int) -> bool:
    """Whether a name with a verb of its own follows the comma at ``at``."""
    after = [word for word, _ in sentence[at + 1 : at + 4] if word not in {"the", "our", "your"}]
    return len(after) >= 2 and after[0][0] == "@" and after[1] in _VERBS


def _opens(word: str, after_comma: bool) -> bool:
    return word in load_words().opening_words and (after_comma or word not in _NOT_AFTER_JOINT)


def _clause(part: Sequence[Token], number: int, asks: bool, place: int, last: bool) -> Clause:
    body = list(part)
    while len(body) > 1 and body[0][0] in _JOINTS:
        body = body[1:]
    body = _without_hedge(body)
    meat = [word for word, _ in body if word not in _FILLERS]
    if meat[:1] == ["there"] and body[0][0] in {"hi", "hello", "hey"}:
        meat = meat[1:]
    first, third = (meat or [""])[0], (meat[2:3] or [""])[0]
    follows = not asks and place > 0
    strong = _begins_question(meat, asks) and not (follows and first in _WEAK_QUESTION_STARTS and len(meat) > 1)
    chooses = "or" in meat and not (cue("sentence_verbs") - {"can"}) & set(meat)
    leads = (
        (len(body) <= _SHORT_LEAD or chooses)
        and not (_VERBS - ({"can"} if chooses else set())) & {word for word, _ in body}
        and body[0][0] not in {"at", "to"}
    )
    question = strong or (asks and (last or leads))
    if asks and last:
        body.append(("?", None))
    words = tuple(word for word, _ in body)
    names = tuple((word, *name) for word, name in body if name is not None)
    second = (meat[1:2] or [""])[0]
    polite = (first == "after" and second in {"that", "this"}) or (first == "if" and third in _POLITE_CONDITIONS)
    condition = (
        first in _CONDITIONS
        and not polite
        and not (asks and second in cue("wh_words"))
        and not _leads_there(words)
        and not (first == "when" and question)
    )
    return Clause(words, names, number, question, condition, first)


def _without_hedge(body: list[Token]) -> list[Token]:
    """A clause without "I dare say", "as it happens" and the like before what it says."""
    for hedge in load_words().hedges.get(body[0][0], ()):
        if len(body) > len(hedge) + 1 and all(word == said for word, (said, _) in zip(hedge, body, strict=False)):
            return body[len(hedge) :]
    return body


def _leads_there(words: Sequence[str]) -> bool:
    """Whether "once you reach the cooler" tells where to go."""
    return words[:1] in (("once",), ("when",), ("after",)) and PLACE in words and bool(_REACHING & set(words))


def _begins_question(words: Sequence[str], asks: bool) -> bool:
    first, second = (*words[:2], "", "")[:2]
    if first == "which" and not asks and second in _RELATIVE_VERBS:
        return False
    if first == "there" and not asks:
        return False
    if first == "has" and not asks:
        return second in _ASKED_ABOUT
    if first == "have":
        return second in {"you", "we", "i"}
    if first == "do":
        return second in _ASKED_ABOUT or second[:1] == "@"
    if first in _WITH_WH and second in cue("wh_words") and (asks or len(words) <= _SHORT_QUESTION):
        return True
    if first == "when" and PLACE in words:
        return False
    if not asks and first in {"what", "where", "who", "when"} and second in {"you", "we", "i", "it"}:
        return len(words) <= _SHORT_QUESTION and not {"is", "will", "can", "should"} & set(words)
    return first in _QUESTION_STARTS
