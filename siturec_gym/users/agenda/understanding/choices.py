"""Choices between two products that share a noun: "white or wholegrain bread?", "peanut butter, crunchy or smooth?"."""

from collections.abc import Sequence

from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Act, Context, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PRODUCT
from siturec_gym.users.agenda.understanding.text import name_tokens

_VAGUE = frozenset({Slot.NEED, Slot.OTHER, Slot.SATISFACTION})
_LONGEST_CHOICE = 9
_ARTICLES = frozenset({"the", "a", "an", "some", "rather", "maybe", "more"})


def with_choice_of_kinds(
    parts: Sequence[Clause], found: Sequence[tuple[int, Act]], context: Context
) -> list[tuple[int, Act]]:
    """Acts with a question of needs as a comparison where its alternatives mean one product each."""
    for part in parts:
        names = _alternatives(part, context) if part.question and "or" in part.words else None
        asked = [act for number, act in found if number == part.sentence and act.kind is Kind.ASK]
        if names is None or not all(act.slot in _VAGUE for act in asked):
            continue
        kept = [(n, act) for n, act in found if n != part.sentence or act.kind not in {Kind.ASK, Kind.RECOMMEND}]
        return [*kept, (part.sentence, Act(Kind.COMPARE, product=names[0], other=names[1]))]
    return list(found)


def _alternatives(part: Clause, context: Context) -> tuple[str, str] | None:
    words = _said(part)
    at = words.index("or") if "or" in words else 0
    if not 0 < at < len(words) - 1 or len(words) > _LONGEST_CHOICE or len(part.named(PRODUCT)) > 1:
        return None
    goods = dict.fromkeys((*context.products, *context.mentioned))
    left, right = ([name for name in goods if word in name_tokens(name)] for word in (words[at - 1], words[at + 1]))
    if len(left) != 1 or len(right) != 1 or left == right:
        return None
    if part.first in cue("question_starts") and set(name_tokens(left[0])) & set(words[: at - 1]):
        return None
    shared = set(name_tokens(left[0])) & set(name_tokens(right[0])) & {*words[: at - 1], *words[at + 2 :]}
    nouns = {word for word in shared if word.isalpha() and word not in load_words().units}
    return (left[0], right[0]) if nouns else None


def _said(part: Clause) -> list[str]:
    """The words of a clause with those said in place of marks, without articles."""
    names = iter(part.names)
    words: list[str] = []
    for word in part.words:
        words.extend(next(names)[2].split() if word[0] == "@" else [word])
    return [word for word in words if word not in _ARTICLES and word != "?"]
