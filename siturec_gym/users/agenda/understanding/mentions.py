"""Names as they stand in an utterance, and guesses at names that the context does not hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.users.agenda.understanding.lexicon import load_words

PRODUCT, PLACE, UNKNOWN = "@p", "@l", "@u"
_CALLED = (["store"], ["shop"], ["area"])


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``start`` to ``end`` of an utterance mean ``name``; ``mark`` is @p, @l or @u (a name not known)."""

    start: int
    end: int
    mark: str
    name: str


def unknown_names(words: Sequence[str], capitals: Sequence[bool], taken: Sequence[Mention]) -> list[Mention]:
    """Capitalised words inside a sentence that are no known name: somebody's name for something."""
    used = {at for mention in taken for at in range(mention.start, mention.end)}
    lexicon = load_words()
    result: list[Mention] = []
    at = 0
    while at < len(words):
        if not capitals[at]:
            at += 1
            continue
        end = at
        while end < len(words) and end not in used and _continues_name(end, at, words, capitals):
            end += 1
        proper = [i for i in range(at, end) if capitals[i] and words[i] not in lexicon.everyday]
        if (end - at >= 2 and sum(capitals[at:end]) >= 2) or proper:
            called = words[end - 1] in lexicon.place_heads or words[end : end + 1] in _CALLED
            mark = PLACE if called else UNKNOWN
            result.append(Mention(at, end, mark, " ".join(words[at:end])))
        at = max(end, at + 1)
    return result


def _continues_name(at: int, start: int, words: Sequence[str], capitals: Sequence[bool]) -> bool:
    if capitals[at]:
        return words[at] != "i"
    lexicon = load_words()
    return at > start and (words[at][0].isdigit() or words[at] in lexicon.units or words[at] == "%")


def unknown_places(words: Sequence[str], taken: Sequence[Mention]) -> list[Mention]:
    """Phrases such as "frozen foods aisle" or "aisle 4" that name no place in mind."""
    used = {at for mention in taken for at in range(mention.start, mention.end)}
    lexicon = load_words()
    result: list[Mention] = []
    for at, word in enumerate(words):
        if word not in lexicon.place_heads or at in used:
            continue
        start, end = at, at + 1
        if end < len(words) and end not in used and (words[end][0].isdigit() or words[end] in lexicon.numbers):
            end += 1
        while start > 0 and start - 1 not in used and at - start < 3 and _names_place(words[start - 1]):
            start -= 1
        said = words[start:end]
        if len(said) > 1 and not all(w in lexicon.vague_places or w in lexicon.place_heads for w in said):
            result.append(Mention(start, end, PLACE, " ".join(said)))
            used.update(range(start, end))
    return result


def _names_place(word: str) -> bool:
    lexicon = load_words()
    if word in lexicon.place_words:
        return True
    return (word[0].isalpha() and word not in lexicon.vague_places and word not in lexicon.everyday) or word == "and"
