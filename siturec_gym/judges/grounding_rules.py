"""Offline rules that hold what was said against the store's facts and the shopper's needs (docs/judges.md)."""

import re
from collections.abc import Iterator

from siturec_gym.catalog import Product
from siturec_gym.core.records import TurnRecord
from siturec_gym.judges.dialogue_rules import graded
from siturec_gym.judges.mentions import amounts, sentences
from siturec_gym.judges.transcript import Transcript

CLAIMS = (0.5, 0.75, 0.9, 1.0)
"""Shares of claims that hold from which on groundedness is 2, 3, 4 and 5."""
FITS = (0.2, 0.4, 0.6, 0.8)
"""Mean fits from which on preference alignment is 2, 3, 4 and 5."""
NO_CLAIM = 3
_CENT = 0.005
_POINTS_BACK = re.compile(r"\b(?:it|its|it's|this|that|they|these)\b", re.I)
_PLACED = re.compile(r"\b(?:on|in|at|by|near|inside|from)\b", re.I)
_SHOWN = re.compile(r"\b(?:you can see|in front of you|ahead of you|(?:to|on) your (?:left|right))\b", re.I)
_DESCRIBED = re.compile(r"\b(?:is|are|as|made|comes|being)\b", re.I)
_DENIED = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without|isn't|aren't|don't|doesn't|can't|won't)\b", re.I)


def groundedness(transcript: Transcript) -> int:
    """Share of checkable claims that hold; 3 where nothing can be checked.

    A sentence is about the one product it names, or with "it", "this" and the like about the one named last in the
    same utterance. It then claims

    - for each amount of money: that it is the product's price, or an amount the shopper named before;
    - for each place after "on", "in", "at" and the like: that the product is kept there;
    - with "ahead of you" and the like: that the product is in view;
    - for each tag of the store's catalog after "is", "as" and the like: that the product carries it.

    Sentences with a negation or a question claim nothing.
    """
    outcomes = list(_claims(transcript))
    return graded(sum(outcomes) / len(outcomes), CLAIMS) if outcomes else NO_CLAIM


def preference_alignment(transcript: Transcript) -> int:
    """Mean fit of the products named: 1 for an item of A_e, 0.5 for another of the wanted category within budget, else
    0, each product counted once; 3 where none was named. Sentences with a negation do not count."""
    named: dict[str, None] = {}
    for turn in transcript.episode.turns:
        for sentence in sentences(turn.assistant.utterance):
            if not _DENIED.search(sentence):
                named |= dict.fromkeys(transcript.index.products(sentence))
    fits = [_fit(transcript, product) for product in named]
    return graded(sum(fits) / len(fits), FITS) if fits else NO_CLAIM


def _claims(transcript: Transcript) -> Iterator[bool]:
    stated: set[float] = set()
    for turn in transcript.episode.turns:
        for sentence, product in _statements(transcript, turn.assistant.utterance):
            for amount in amounts(sentence):
                yield abs(amount - product.price) < _CENT or amount in stated
            yield from _claims_of_place(transcript, sentence, product, turn)
            yield from _claims_of_tags(transcript, sentence, product)
        stated |= set(amounts(turn.user.utterance))


def _statements(transcript: Transcript, utterance: str) -> Iterator[tuple[str, Product]]:
    """Sentences that claim something, each with the product it is about."""
    topic: Product | None = None
    for sentence in sentences(utterance):
        named = transcript.index.products(sentence)
        if named:
            topic = transcript.scene.catalog.by_id[named[0]] if len(named) == 1 else None
        about = topic if named or _POINTS_BACK.search(sentence) else None
        if about is not None and "?" not in sentence and not _DENIED.search(sentence):
            yield sentence, about


def _claims_of_place(transcript: Transcript, sentence: str, product: Product, turn: TurnRecord) -> Iterator[bool]:
    if _SHOWN.search(sentence):
        yield product.id in turn.visible.products
    if _PLACED.search(sentence):
        scene = transcript.scene
        kept = set(scene.places_of_product.get(product.id, ()))
        kept |= {scene.place_by_id[place].store_id or place for place in kept}
        for place in transcript.index.places(sentence):
            yield place in kept


def _claims_of_tags(transcript: Transcript, sentence: str, product: Product) -> Iterator[bool]:
    described = _DESCRIBED.search(sentence)
    if described:
        for tag in transcript.index.tags(sentence[described.end() :]):
            yield tag in product.tags


def _fit(transcript: Transcript, product_id: str) -> float:
    if product_id in transcript.episode.reference_set:
        return 1.0
    product, goal = transcript.scene.catalog.by_id[product_id], transcript.goal
    return 0.5 if product.category == goal.category and product.price <= goal.budget else 0.0
