"""Finds products and places in an utterance: exact, shortened and misspelled names (fuzzy on words)."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Context
from siturec_gym.users.agenda.understanding.text import Speller, name_tokens, tokenise

PRODUCT, PLACE, UNKNOWN = "@p", "@l", "@u"
_UNIT_WEIGHT = 0.15
_ENOUGH_OF_A_NAME = 0.55
_ENOUGH_OF_A_MENTION = 0.7
_LONGEST_NAME_GAP = 1
_NOUNS = cue("nouns")
_STAND_INS = cue("stand_ins")
_PREPOSITIONS = cue("prepositions")


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``start`` to ``end`` of an utterance mean ``name``; ``mark`` is @p, @l or @u (a name not known)."""

    start: int
    end: int
    mark: str
    name: str


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    mark: str
    weights: dict[str, float]
    head: str | None
    rank: int

    @property
    def total(self) -> float:
        return sum(self.weights.values())


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    entry: _Entry
    matched: float
    meant: frozenset[str]

    @property
    def coverage(self) -> float:
        return self.matched / self.entry.total


class NameIndex:
    """Names of one context, ready to be found. The first ``salient`` products are in the hand or were spoken of."""

    def __init__(self, products: Sequence[str], places: Sequence[str], salient: int) -> None:
        self._salient = salient
        split = {name: name_tokens(name) for name in (*products, *places)}
        spread = Counter(word for tokens in split.values() for word in set(tokens))
        self._entries = [
            _entry(name, mark, split[name], spread, len(spread), rank)
            for mark, names in ((PRODUCT, products), (PLACE, places))
            for rank, name in enumerate(names)
        ]
        self._by_word: dict[str, list[int]] = {}
        for number, entry in enumerate(self._entries):
            for word in entry.weights:
                self._by_word.setdefault(word, []).append(number)
        self._joined = {a + b: (a, b) for tokens in split.values() for a, b in pairwise(tokens)}
        self._speller = Speller((*self._by_word, *self._joined))
        self.words = frozenset(self._by_word)

    def mentions(self, words: Sequence[str], capitals: Sequence[bool]) -> list[Mention]:
        """All names in ``words``, left to right, none overlapping."""
        hits = self._hits(words)
        candidates = [c for c in self._candidates(words, hits) if self._holds(c, words, capitals)]
        candidates.sort(key=lambda c: (-c.matched, -c.coverage, c.start - c.end, c.entry.rank))
        taken: list[Mention] = []
        for candidate in candidates:
            if all(candidate.end <= m.start or candidate.start >= m.end for m in taken):
                taken.append(self._mention(candidate, candidates, words))
        taken.extend(_unknown_names(words, capitals, taken))
        taken.extend(_unknown_places(words, taken))
        return sorted(taken, key=lambda m: m.start)

    def _mention(self, best: _Candidate, candidates: Sequence[_Candidate], words: Sequence[str]) -> Mention:
        """The mention, or an unknown place where several places fit equally well."""
        if best.entry.mark == PLACE:
            rivals = {
                c.entry.name
                for c in candidates
                if c.start == best.start and c.end == best.end and c.entry.mark == PLACE and c.matched >= best.matched
            }
            if len(rivals) > 1 and best.coverage < 1.0:
                return Mention(best.start, best.end, PLACE, " ".join(words[best.start : best.end]))
        return Mention(best.start, best.end, best.entry.mark, best.entry.name)

    def _hits(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """For each word the name words it stands for (two where it was written as one)."""
        hits: list[tuple[str, ...]] = []
        spelled_right = load_words().spelled_right
        for word in words:
            if word in self._by_word:
                hits.append((word,))
                continue
            near = _singular(word, self.words)
            if near is None:
                near = None if word in spelled_right else self._speller.nearest(word)
            hits.append(() if near is None else self._joined.get(near, (near,)) if near not in self.words else (near,))
        return hits

    def _candidates(self, words: Sequence[str], hits: Sequence[tuple[str, ...]]) -> list[_Candidate]:
        positions: dict[int, list[int]] = {}
        for at, meant in enumerate(hits):
            for word in meant:
                for number in self._by_word.get(word, ()):
                    rows = positions.setdefault(number, [])
                    if not rows or rows[-1] != at:
                        rows.append(at)
        glue, heads = load_words().glue, load_words().place_heads
        result: list[_Candidate] = []
        for number, rows in positions.items():
            entry = self._entries[number]
            for start, end in _runs(rows, words, glue):
                matched = {word for meant in hits[start:end] for word in meant if word in entry.weights}
                value = sum(entry.weights[word] for word in matched)
                headed = entry.mark == PLACE and end < len(words) and words[end] in heads
                result.append(_Candidate(start, end + headed, entry, value, frozenset(matched)))
        return result

    def _holds(self, found: _Candidate, words: Sequence[str], capitals: Sequence[bool]) -> bool:
        """Whether so few of a name's words may stand for it."""
        if found.entry.mark == PLACE:
            return self._place_holds(found, words)
        if _mention_share(found, capitals) < _ENOUGH_OF_A_MENTION:
            return False
        if found.coverage >= _ENOUGH_OF_A_NAME:
            return True
        if not self._alone(found):
            return False
        if not all(_is_plain(word) for word in found.meant):
            return True
        follower = words[found.end] if found.end < len(words) else ""
        has_noun = len(found.meant) >= 2 and any(_is_noun(word) for word in found.meant)
        return has_noun or follower in _STAND_INS

    def _alone(self, found: _Candidate) -> bool:
        """Whether no other name has all these words, among those in mind if any of them has."""
        having = set.intersection(*(set(self._by_word[word]) for word in found.meant))
        in_mind = {number for number in having if number < self._salient}
        return len(in_mind or having) == 1 and (not in_mind or found.entry.rank < self._salient)

    def _place_holds(self, found: _Candidate, words: Sequence[str]) -> bool:
        before = words[found.start - 1] if found.start > 0 else ""
        if before in load_words().place_words and before not in found.entry.weights:
            return False
        has_head = words[found.end - 1] in load_words().place_heads
        only_head = all(w in load_words().place_heads or w in load_words().glue for w in words[found.start : found.end])
        if only_head:
            return found.coverage >= 0.99
        if has_head:
            return True
        lead = [word for word in words[max(0, found.start - 2) : found.start] if word not in {"the", "our", "a"}]
        towards = bool(lead) and lead[-1] in _PREPOSITIONS
        return towards and found.coverage >= _ENOUGH_OF_A_NAME


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    """Whether a word names nothing by itself: everyday, describing, or part of an amount."""
    lexicon = load_words()
    return word in lexicon.common or word in lexicon.units or word[0].isdigit() or word in describing_words()


def _is_noun(word: str) -> bool:
    return word not in describing_words() and word not in load_words().units and word[0].isalpha()


@lru_cache(maxsize=1)
def describing_words() -> frozenset[str]:
    """Words of labels that describe a product and do not name one."""
    return frozenset(word for label in load_words().labels for word in label.split()) - _NOUNS


def _entry(name: str, mark: str, tokens: Sequence[str], spread: Counter[str], size: int, rank: int) -> _Entry:
    words = load_words()
    weights: dict[str, float] = {}
    for word in tokens:
        if word in words.glue:
            continue
        minor = word[0].isdigit() or word in words.units
        head = mark == PLACE and word in words.place_heads
        weights[word] = _UNIT_WEIGHT if minor or head else math.log(2.0 + size / spread[word])
    head_word = next((w for w in reversed(tokens) if w in words.place_heads), None) if mark == PLACE else None
    return _Entry(name, mark, weights or {name.lower(): 1.0}, head_word, rank)


def _singular(word: str, known: frozenset[str]) -> str | None:
    """A known word that differs by a plural ending."""
    for form in (word[:-1] if word.endswith("s") else word + "s", word[:-2] if word.endswith("es") else word + "es"):
        if form in known and len(form) > 2:
            return form
    return None


def _runs(rows: Sequence[int], words: Sequence[str], glue: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches of neighbouring positions, at most one glue word between."""
    runs: list[tuple[int, int]] = []
    start = last = rows[0]
    for at in rows[1:]:
        between = words[last + 1 : at]
        if len(between) <= _LONGEST_NAME_GAP and all(word in glue for word in between):
            last = at
            continue
        runs.append((start, last + 1))
        start = last = at
    runs.append((start, last + 1))
    return runs


def _mention_share(found: _Candidate, capitals: Sequence[bool]) -> float:
    """Share of the surrounding run of capitalised words that the candidate covers; 1 where none was written so."""
    start, end = found.start, found.end
    while start > 0 and capitals[start - 1] and capitals[found.start]:
        start -= 1
    while end < len(capitals) and capitals[end] and capitals[found.end - 1]:
        end += 1
    return (found.end - found.start) / (end - start)


def _unknown_names(words: Sequence[str], capitals: Sequence[bool], taken: Sequence[Mention]) -> list[Mention]:
    """Capitalised words inside a sentence that are no known name: somebody's name for something."""
    used = {at for mention in taken for at in range(mention.start, mention.end)}
    lexicon = load_words()
    result: list[Mention] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and end not in used and _continues_name(end, at, words, capitals):
            end += 1
        proper = [i for i in range(at, end) if capitals[i] and words[i] not in lexicon.everyday]
        if (end - at >= 2 and sum(capitals[at:end]) >= 2) or proper:
            mark = PLACE if words[end - 1] in lexicon.place_heads else UNKNOWN
            result.append(Mention(at, end, mark, " ".join(words[at:end])))
        at = max(end, at + 1)
    return result


def _continues_name(at: int, start: int, words: Sequence[str], capitals: Sequence[bool]) -> bool:
    if capitals[at]:
        return words[at] != "i"
    lexicon = load_words()
    return at > start and (words[at][0].isdigit() or words[at] in lexicon.units or words[at] == "%")


def _unknown_places(words: Sequence[str], taken: Sequence[Mention]) -> list[Mention]:
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


@lru_cache(maxsize=4096)
def _index(products: tuple[str, ...], places: tuple[str, ...], salient: int) -> NameIndex:
    return NameIndex(products, places, salient)


def index_of(context: Context) -> NameIndex:
    """The index of a context's names: what is held or in view before what was mentioned earlier."""
    held = () if context.held is None else (context.held,)
    products = tuple(dict.fromkeys((*held, *context.mentioned[::-1], *context.products)))
    places = tuple(dict.fromkeys((*context.places, *context.known_places)))
    salient = len(dict.fromkeys((*held, *context.mentioned)))
    return _index(products, places, salient)


@lru_cache(maxsize=4096)
def known_as(said: str, context: Context) -> str | None:
    """The name in view that words heard earlier mean, such as "milk cooler" once the cooler comes into view."""
    words = ["to", "the", *tokenise(said.lower())[0]]
    in_view = {*context.products, *context.places}
    mentions = index_of(context).mentions(words, [False] * len(words))
    return next((mention.name for mention in mentions if mention.name in in_view), None)
