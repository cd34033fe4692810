"""Tells words that describe from those that name: "oat drink" names, "is gentle on", "a plain one" describe."""

from collections.abc import Sequence
from functools import lru_cache

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words

_NOUNS = cue("nouns")


@lru_cache(maxsize=8192)
def is_plain(word: str) -> bool:
    """Whether a word names nothing by itself: everyday, describing, or part of an amount."""
    lexicon = load_words()
    return word in lexicon.common or word in lexicon.units or word[0].isdigit() or word in describing_words()


def is_measure(word: str) -> bool:
    """Whether a word of a name only tells amount or packaging."""
    return word[0].isdigit() or word in load_words().units or word in load_words().packages


def is_noun(word: str) -> bool:
    """Whether a word of a name may say what the goods are."""
    return word not in describing_words() and word not in load_words().units and word[0].isalpha()


@lru_cache(maxsize=1)
def describing_words() -> frozenset[str]:
    """Words of labels that describe a product and do not name one."""
    return frozenset(word for label in load_words().labels for word in label.split()) - _NOUNS


def describes(start: int, end: int, words: Sequence[str]) -> bool:
    """Whether words stand where they say how something is: "is gentle on", "medium roast", ", an organic, cold"."""
    before, earlier = (*words[:start][:-3:-1], "", "")[:2]
    after = words[end] if end < len(words) else ""
    if end - start == 1 and words[start] in cue("flavours"):
        further = words[end + 1] if end + 1 < len(words) else ""
        listed = (before == "," and earlier in cue("flavours")) or (after == "," and further in cue("flavours"))
        if listed or "or" in {before, after}:
            return True
    if before in cue("degrees") and not (before in {"so", "rather"} and earlier in {",", ".", "or", "and"}):
        return True
    if end - start == 1 and words[start] in load_words().numbers:
        return True
    if end - start == 1 and _modifies(words[start], before, earlier):
        return True
    if end - start == 1 and before in {"is", "are", "not"} and earlier in cue("described_subjects"):
        return True
    while start > 0 and (words[start - 1] == "," or words[start - 1] in describing_words()):
        start -= 1
    return start > 1 and words[start - 1] in {"a", "an"} and words[start - 2] == ","


def _modifies(word: str, before: str, earlier: str) -> bool:
    """Whether one word, after those ``before`` it, tells an ingredient, a quality or what something is for."""
    if word in cue("ingredients"):
        return before in cue("before_ingredients")
    return before in cue("likening") or (before in {"a", "an"} and earlier in cue("before_purposes"))
