"""From raw text to plain tokens: case, contractions, punctuation and spelling."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import zip_longest

from rapidfuzz import process
from rapidfuzz.distance import OSA

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words

_TOKEN = re.compile(
    r"\$ ?\d+(?:[.,]\d+)?|\d+(?:\.\d+)?|[A-Za-z]+(?:'[A-Za-z]+)*|[.!?;:,()\"\n%]|& ?|\.{2,}|(?<=\s)-+(?=\s)"
)
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_SENTENCES = re.compile(r"(?<=[.!?;]) +")
_U_TURN = re.compile(r"\bu[- ]turn\b", re.IGNORECASE)
_DIGITS = {(digit, word): (meant,) for digit, meant in (("2", "to"), ("4", "for")) for word in cue("after_digit_words")}
_DIGITS |= {("2", word): ("too",) for word in cue("too_much")}
_OWNED = cue("owned")
_ENDINGS = {"ll": "will", "d": "would", "re": "are", "ve": "have", "m": "am"}
_SHORTEST_CORRECTED = 4
_BEFORE_GERUNDS = cue("before_gerunds")
_BEFORE_NAMES = frozenset({"the", "this", "that", "these", "those"})
_SENTENCE_ENDS = frozenset(".!?;\n")


@lru_cache(maxsize=32768)
def _plain(token: str) -> tuple[str, ...]:
    """One token as lower-case words, contractions and chat spellings written out."""
    word = _DRAWN_OUT.sub(r"\1", token.lower())
    known = load_words().spellings.get(word)
    if known is not None:
        return tuple(known.split())
    if "'" not in word:
        return ("-" if word[0] == "-" else word.replace(" ", ""),)
    stem, _, ending = word.rpartition("'")
    if word.endswith("n't"):
        return (word[:-3], "not")
    if ending == "s":
        return (stem, "is") if stem in load_words().takes_is else (stem,)
    return (stem, _ENDINGS[ending]) if ending in _ENDINGS else (word.replace("'", ""),)


def tokenise(text: str) -> tuple[list[str], list[bool]]:
    """Tokens of ``text`` and, for each, whether it was written with a capital inside a sentence.

    A capital at the start of a sentence counts only where the word is no everyday one and a name seems to begin.
    """
    words: list[str] = []
    capitals: list[bool] = []
    for sentence in _SENTENCES.split(text.lower() if text.isupper() else text):
        more, capital = _of_sentence(sentence)
        words.extend(more)
        capitals.extend(capital)
    return words, capitals


@lru_cache(maxsize=4096)
def _of_sentence(text: str) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    words: list[str] = []
    capitals: list[bool] = []
    start = True
    tokens = _TOKEN.findall(_U_TURN.sub("uturn", text))
    for token, after in zip_longest(tokens, tokens[1:], fillvalue=""):
        plain = _DIGITS.get((token, after.lower())) or _plain(token)
        if token.lower() == "its" and after.lower() in _OWNED:
            plain = ("its",)
        if token == "1" and words and words[-1] in {"that", "this", "which", "another"}:
            plain = ("one",)
        opens_name = after[:1].isupper() or after[:1].isdigit() or after in {"'s", "", "?", "."}
        capital = (
            token[0].isupper()
            and token.split("'")[0] != "I"
            and not (start and (_is_plain(plain[0]) or not opens_name))
        )
        words.extend(plain)
        capitals.extend([capital] * len(plain))
        start = token in _SENTENCE_ENDS
    return tuple(words), tuple(capitals)


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    """Whether a word, perhaps misspelled, is one of the language rather than a name."""
    known = word in load_words().spelled_right or word.startswith(load_words().stems)
    return known or speller().nearest(word) is not None


@lru_cache(maxsize=8192)
def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a product's or place's name, as ``tokenise`` would give them, without punctuation."""
    return tuple(word for word in tokenise(name)[0] if word[0].isalnum())


class Speller:
    """Corrects unknown words to the nearest known one with the same first letter.

    Of several equally near, one with the same letters comes first, then the commonest.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._known = frozenset(vocabulary)
        self._buckets: dict[str, list[str]] = {}
        self._corrections: dict[str, str | None] = {}

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def nearest(self, word: str) -> str | None:
        """The known word meant by ``word``: itself, one within a slip or two of it, or None."""
        if word in self._known:
            return word
        if word not in self._corrections:
            self._corrections[word] = self._search(word)
        return self._corrections[word]

    def _search(self, word: str) -> str | None:
        if len(word) < _SHORTEST_CORRECTED - 1 or not word.isalpha():
            return None
        slips = 1 if len(word) < 8 else 2
        found = process.extract(word, self._beginning(word[0]), scorer=OSA.distance, score_cutoff=slips, limit=8)
        letters = sorted(word)
        nearest = min(found, key=lambda hit: (hit[1], sorted(hit[0]) != letters, hit[2]), default=None)
        return None if nearest is None else nearest[0]

    def _beginning(self, letter: str) -> list[str]:
        """The known words with a first letter that may be misspelled, the commonest first."""
        if letter not in self._buckets:
            common = load_words().common
            words = [w for w in self._known if w[0] == letter and len(w) >= _SHORTEST_CORRECTED and w.isalpha()]
            self._buckets[letter] = sorted(words, key=lambda word: (word not in common, word))
        return self._buckets[letter]


@lru_cache(maxsize=1)
def speller() -> Speller:
    """The speller of the cue words, which leaves everyday words alone."""
    return Speller(load_words().vocabulary)


def corrected(words: list[str], keep: frozenset[str] | set[str]) -> list[str]:
    """``words`` with slips of the pen mended; words in ``keep`` (parts of names in view) stay.

    "Would you mind putting" becomes "would you mind put", so that phrases need to know one form of a verb only.
    """
    known, begun, gerunds = load_words().spelled_right, load_words().stems, load_words().gerunds
    result: list[str] = []
    for word, after in zip(words, [*words[1:], ""], strict=False):
        opens = (not result or result[-1] in _SENTENCE_ENDS) and after in _BEFORE_NAMES
        if word in gerunds and (opens or (result and result[-1] in _BEFORE_GERUNDS)):
            result.append(gerunds[word])
        elif word in keep or word in known or word.startswith(begun):
            result.append(word)
        else:
            result.append(speller().nearest(word) or word)
    return result
