"""Finds products and places in an utterance: exact, shortened and misspelled names (fuzzy on words)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from siturec_gym.users.agenda.understanding.describing import describes, is_measure, is_noun, is_plain
from siturec_gym.users.agenda.understanding.lexicon import cue, load_words
from siturec_gym.users.agenda.understanding.meaning import Context
from siturec_gym.users.agenda.understanding.mentions import (
    PLACE,
    PRODUCT,
    Mention,
    unknown_names,
    unknown_places,
)
from siturec_gym.users.agenda.understanding.text import tokenise
from siturec_gym.users.agenda.understanding.vocabulary import Entry, vocabulary_of

_ENOUGH_OF_A_NAME = 0.55
_WHOLE_NAME = 0.8
_FULL_NAME = 0.99
_ENOUGH_OF_A_MENTION = 0.7
_LONGEST_NAME_GAP = 1
_POINTING = frozenset({"the", "that", "this", "those", "these"})
_BEFORE_HEADS = frozenset({"the", "those", "these", "our", "some", "would", "about", "recommend", "suggest"})
_SAYING_HOW = (["is"], ["are"], ["is", "also"], ["is", "in"], ["has"], ["has", "got"], ["have"], ["contains"])
_STAND_INS = cue("stand_ins")
_PREPOSITIONS = cue("prepositions")


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    entry: Entry
    rank: int
    matched: float
    meant: tuple[str, ...]

    @property
    def coverage(self) -> float:
        return self.matched / self.entry.total


class NameIndex:
    """Names of one context, ready to be found: those that come first are meant rather than others."""

    def __init__(self, products: Sequence[str], places: Sequence[str], salient: int, *, holding: bool) -> None:
        """The first ``salient`` products are in the hand (the very first, when ``holding``) or were spoken of."""
        self._holding = holding
        self._vocabulary = vocabulary_of(frozenset(products), frozenset(places))
        self._ranks = {name: rank for names in (products, places) for rank, name in enumerate(names)}
        self._salient = salient
        self._goods = self._vocabulary.bits(products)
        self._in_mind = self._vocabulary.bits(products[:salient])

    def mentions(self, words: Sequence[str], capitals: Sequence[bool]) -> list[Mention]:
        """All names in ``words``, left to right, none overlapping."""
        hits = [self._vocabulary.meant(word) for word in words]
        possible = self._candidates(words, hits)
        candidates = [c for c in possible if self._holds(c, words, capitals)]
        candidates.sort(key=lambda c: (-c.matched, -c.coverage, c.start - c.end, c.rank))
        taken: list[Mention] = []
        for candidate in candidates:
            if all(candidate.end <= m.start or candidate.start >= m.end for m in taken):
                taken.append(self._mention(candidate, candidates, words))
        taken.extend(self._repeated(words, possible, taken))
        taken.extend(unknown_names(words, capitals, taken))
        taken.extend(unknown_places(words, taken))
        taken.sort(key=lambda m: m.start)
        return [m for before, m in zip((None, *taken), taken, strict=False) if not _says_how_it_is(before, m, words)]

    def _repeated(
        self, words: Sequence[str], possible: Sequence[_Candidate], taken: Sequence[Mention]
    ) -> list[Mention]:
        """Mentions in short of products that ``taken`` names in full: "the gouda" after "the Alpenbrook Mild Gouda"."""
        named = {mention.name for mention in taken if mention.mark == PRODUCT}
        used = {at for mention in taken for at in range(mention.start, mention.end)}
        result: list[Mention] = []
        for found in possible if named else ():
            pointed = found.start > 0 and words[found.start - 1] in _POINTING
            if not pointed or found.entry.name not in named or used & set(range(found.start, found.end)):
                continue
            rivals = self._vocabulary.having_all(found.meant) & self._vocabulary.bits(tuple(named))
            if rivals.bit_count() == 1:
                result.append(Mention(found.start, found.end, PRODUCT, found.entry.name))
                used.update(range(found.start, found.end))
        return result

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

    def _candidates(self, words: Sequence[str], hits: Sequence[tuple[str, ...]]) -> list[_Candidate]:
        ranks, glue, heads = self._ranks, load_words().glue, load_words().place_heads
        result: list[_Candidate] = []
        for number, rows in self._positions(hits).items():
            entry = self._vocabulary.entry(number)
            for start, end in _runs(rows, words, glue):
                said = {word for meant in hits[start:end] for word in meant}
                matched = [word for word in entry.weights if word in said]
                value = sum(entry.weights[word] for word in matched)
                headed = entry.mark == PLACE and end < len(words) and words[end] in heads
                result.append(_Candidate(start, end + headed, entry, ranks[entry.name], value, tuple(matched)))
        return result

    def _positions(self, hits: Sequence[tuple[str, ...]]) -> dict[int, list[int]]:
        """Number of a name -> where its words stand. Measures such as "1 l" alone bring no name to mind."""
        having, is_measure = self._vocabulary.having, self._vocabulary.measures
        positions: dict[int, list[int]] = {}
        measured: list[tuple[int, str]] = []
        for at, meant in enumerate(hits):
            for word in meant:
                if word in is_measure:
                    measured.append((at, word))
                    continue
                for number in having[word]:
                    rows = positions.setdefault(number, [])
                    if not rows or rows[-1] != at:
                        rows.append(at)
        for at, word in measured:
            for number in having[word]:
                if number in positions and at not in positions[number]:
                    positions[number].append(at)
        for rows in positions.values() if measured else ():
            rows.sort()
        return positions

    def _holds(self, found: _Candidate, words: Sequence[str], capitals: Sequence[bool]) -> bool:
        """Whether so few of a name's words may stand for it."""
        if found.entry.mark == PLACE:
            return self._place_holds(found, words)
        if _mention_share(found, capitals) < _ENOUGH_OF_A_MENTION:
            return False
        if found.coverage < _WHOLE_NAME and describes(found.start, found.end, words):
            return False
        if found.coverage >= _ENOUGH_OF_A_NAME:
            return True
        if self._holding and self._points_to_hand(found, words):
            return False
        if not self._alone(found):
            return False
        further = words[found.end] if found.end < len(words) else ""
        titled = len(found.meant) > 1 and all(capitals[found.start : found.end]) and further not in {"and", "&"}
        titled &= found.start == 0 or words[found.start - 1] != ","
        if titled or not all(is_plain(word) for word in found.meant):
            return True
        if len(found.meant) == 1 and self._is_head(found, words):
            return True
        follower = words[found.end] if found.end < len(words) else ""
        has_noun = len(found.meant) >= 2 and any(is_noun(word) for word in found.meant)
        return has_noun or follower in _STAND_INS

    def _is_head(self, found: _Candidate, words: Sequence[str]) -> bool:
        """Whether the one word said is what the goods are, and is said so: "the crackers", "would crackers do?"."""
        before = words[found.start - 1] if found.start > 0 else "."
        named = [word for word in found.entry.weights if not is_measure(word)]
        return (
            words[found.start] == named[-1]
            and before in _BEFORE_HEADS
            and (is_noun(named[-1]) or named[-1] in cue("heads"))
        )

    def _points_to_hand(self, found: _Candidate, words: Sequence[str]) -> bool:
        """Whether "this fish" or the like is said of another product than the one in the hand."""
        return found.rank > 0 and found.start > 0 and words[found.start - 1] in {"this", "these"}

    def _alone(self, found: _Candidate) -> bool:
        """Whether no other name has all these words, among those in mind if any of them has."""
        having = self._vocabulary.having_all(found.meant) & self._goods
        in_mind = having & self._in_mind
        return (in_mind or having).bit_count() == 1 and (not in_mind or found.rank < self._salient)

    def _place_holds(self, found: _Candidate, words: Sequence[str]) -> bool:
        if found.coverage >= _FULL_NAME and len(found.meant) > 1:
            return True
        before = words[found.start - 1] if found.start > 0 else ""
        if before in load_words().place_words and before not in found.entry.weights:
            return False
        heads = load_words().place_heads
        has_head = any(word in heads for word in (*found.meant, *words[found.start : found.end]))
        if all(word in heads or word in load_words().glue for word in found.meant):
            return found.coverage >= 0.99
        if has_head:
            return True
        lead = [word for word in words[max(0, found.start - 3) : found.start] if word not in {"the", "our", "a"}]
        if len(lead) >= 2 and lead[-1] in {"with", "of", "for"} and lead[-2] in heads:
            return True
        towards = bool(lead) and (lead[-1] in _PREPOSITIONS or (lead[-1] == "of" and found.coverage >= _FULL_NAME))
        return towards and found.coverage >= _ENOUGH_OF_A_NAME


def _says_how_it_is(before: Mention | None, mention: Mention, words: Sequence[str]) -> bool:
    """Whether words of a product's name only say how the product just named is: "the tripod is oak"."""
    if before is None or before.mark != PRODUCT or before.name != mention.name:
        return False
    return words[before.end : mention.start] in _SAYING_HOW


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


@lru_cache(maxsize=4096)
def _index(products: tuple[str, ...], places: tuple[str, ...], salient: int, holding: bool) -> NameIndex:
    return NameIndex(products, places, salient, holding=holding)


def index_of(context: Context) -> NameIndex:
    """The index of a context's names: what is held or in view before what was mentioned earlier."""
    held = () if context.held is None else (context.held,)
    places = tuple(dict.fromkeys((*context.places, *context.known_places)))
    of_places = {name.lower() for name in places}  # what was heard of a place before it came into view names no product
    in_mind = [name for name in dict.fromkeys((*held, *context.mentioned[::-1])) if name.lower() not in of_places]
    products = tuple(dict.fromkeys((*in_mind, *context.products)))
    salient = len(in_mind)
    return _index(products, places, salient, context.held is not None)


@lru_cache(maxsize=4096)
def known_as(said: str, context: Context) -> str | None:
    """The name in view that words heard earlier mean, such as "milk cooler" once the cooler comes into view."""
    words = ["to", "the", *tokenise(said.lower())[0]]
    in_view = {*context.products, *context.places}
    mentions = index_of(context).mentions(words, [False] * len(words))
    return next((mention.name for mention in mentions if mention.name in in_view), None)
