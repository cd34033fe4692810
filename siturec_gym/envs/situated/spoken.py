"""Hearing a recommendation of a specific item in what the assistant says (S15).

Works on text alone: a sentence recommends when it puts forward a product that it names, in full or in part, or points
to. What is heard is recorded; the limit of three counts annotations. The rules are this module's own: neither the
simulated user's understanding nor any assistant's wording is used here.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from siturec_gym.catalog import Product
from siturec_gym.envs.situated.cues import DOUBLE_NEGATION, NEUTRAL, REQUESTS, SUBJECT_OF_A_PROSPECT, VERDICTS
from siturec_gym.envs.situated.references import Names, Reference, Surroundings

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\S)[^.!?\n]+)*[.!?]*")
_CLAUSE_START = re.compile(r"[,;:]| - |\b(?:but|so|and|because|since)\b")
_NEGATED = re.compile(r"\b(?:not|never|cannot|neither|nor|hardly|nothing)\b")
_SHORT_FORMS = (
    (re.compile(r"\b(ca)n't\b"), r"\1n not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(i|you|we|they)'d\b"), r"\1 would"),
    (re.compile(r"\b(i|you|we|they|it|that)'ll\b"), r"\1 will"),
    (re.compile(r"\b(it|that|there|what|here)'s\b"), r"\1 is"),
    (re.compile(r"\b(i|you|we|they)'ve\b"), r"\1 have"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(you|we|they)'re\b"), r"\1 are"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\bu\b"), "you"),
)

_ASKING = re.compile(
    r"^(?:and |so |but |then |or )?(?:is|are|was|were|does|do|did|have|has|had|should i|which|where|when|who"
    r"|what(?! about| would you say| do you (?:say|think|make))|how(?! about| does| would you| do you feel)"
    r"|would you (?:like|prefer)(?! to)|can you see)\b"
)
_DECISION = re.compile(r"\b(?:add|put|buy|keep|take|have|go with)\b")
_PUT_BACK = re.compile(r"\bput\b[^.;!?]{0,60}\bback\b|\bleave\b[^.;!?]{0,40}\b(?:here|there|where it is)\b")


class _Cue(NamedTuple):
    start: int
    end: int
    takes_object: bool


class SpokenRecommendations:
    """Finds the products that an utterance puts forward.

    Args:
        catalog: The store's products.
        places: Names of the store's places.
    """

    def __init__(self, catalog: Iterable[Product], places: Iterable[str] = ()) -> None:
        products = tuple(catalog)
        self._names = Names(products, places)
        self._order = {product.id: row for row, product in enumerate(products)}

    def heard(
        self, utterance: str, around: Surroundings | None = None, expected: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Ids of the products that ``utterance`` recommends, in catalog order, apart from the expected ones.

        Args:
            utterance: What the assistant says.
            around: What is in view, held and was spoken of; nothing by default.
            expected: Products whose recommendation is no news; sentences about them alone are not looked into.
        """
        around = around or Surroundings()
        meant = frozenset((around.at_hand,)) if around.at_hand else frozenset[str]()
        found: set[str] = set()
        known = frozenset(expected)
        for match in _SENTENCE.finditer(_plain(utterance)):
            sentence = match[0].strip()
            references = self._names.references(sentence, around, meant)
            if not references:
                continue
            meant = references[-1].products
            if not all(ref.products <= known for ref in references):
                found |= _recommended(sentence, references, around.held)
        return tuple(sorted(found - known, key=self._order.__getitem__))

    def named(self, utterance: str) -> tuple[str, ...]:
        """Ids of the products that ``utterance`` names in full, in the order of the words."""
        return self._names.named(utterance)


def _recommended(sentence: str, references: list[Reference], held: str | None) -> frozenset[str]:
    targets = [_target(cue, references) for cue in _cues(sentence)]
    found = [ref.products for ref in targets if ref is not None and not _asks_to_decide(sentence, ref, held)]
    return frozenset().union(*found) if found else _plainly_named(sentence, references)


def _plain(text: str) -> str:
    """Lower case, short forms written out."""
    text = text.lower()
    if "'" in text or " u " in f" {text} ":
        for pattern, written_out in _SHORT_FORMS:
            text = pattern.sub(written_out, text)
    return text


def _cues(sentence: str) -> Iterator[_Cue]:
    """Phrases of a sentence that put something forward and are neither negated nor part of a plain question."""
    if _PUT_BACK.search(sentence):
        sentence = _PUT_BACK.sub(lambda match: "_" * len(match[0]), sentence)
    for pattern, takes_object in ((REQUESTS, True), (VERDICTS, False)):
        for match in pattern.finditer(sentence):
            begin = max((at.end() for at in _CLAUSE_START.finditer(sentence, 0, match.start())), default=0)
            clause = sentence[begin : match.end()].strip()
            negated = _NEGATED.search(clause) and not DOUBLE_NEGATION.search(clause)
            if not negated and not (sentence.endswith("?") and _ASKING.search(clause)):
                yield _Cue(match.start(), match.end(), takes_object)


def _target(cue: _Cue, references: list[Reference]) -> Reference | None:
    """What the cue is about: a request takes what follows, a verdict what comes before."""
    after = next((ref for ref in references if ref.start >= cue.end), None)
    after = after or next((ref for ref in references if ref.end > cue.start), None)
    before = next((ref for ref in reversed(references) if ref.start < cue.start), None)
    return (after or before) if cue.takes_object else (before or after)


def _plainly_named(sentence: str, references: list[Reference]) -> frozenset[str]:
    """The product of a sentence that says nothing of it but its name, or something good to come of it."""
    named = [ref for ref in references if not ref.pronoun]
    if len({ref.products for ref in named}) != 1 or sentence.endswith("?") or _NEGATED.search(sentence):
        return frozenset()
    begin = max((at.end() for at in _CLAUSE_START.finditer(sentence, 0, named[0].start)), default=0)
    rest = sentence[begin : named[0].start] + sentence[named[0].end :]
    prospect = SUBJECT_OF_A_PROSPECT.match(sentence, named[0].end)
    return named[0].products if prospect or not NEUTRAL.search(rest) else frozenset()


def _asks_to_decide(sentence: str, target: Reference, held: str | None) -> bool:
    """Whether the user is only asked if they want what they hold."""
    return sentence.endswith("?") and target.products == {held} and bool(_DECISION.search(sentence))
