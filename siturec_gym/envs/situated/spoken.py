"""Hearing a recommendation of a specific item in what the assistant says (S15).

Works on text alone: a sentence recommends when it names a catalog product and carries a phrase that puts the product
forward, unless the sentence turns the product down. What is heard is recorded; the limit counts annotations.
"""

import re
from collections.abc import Iterable

from siturec_gym.catalog import Product

_SENTENCE_END = re.compile(r"[.!?]+\s+|\n+|;\s*")
_PUT_FORWARD = re.compile(
    r"\b(?:(?:i|i'd|i would|i can|we|we'd|we would)\b[^,]{0,24}\b(?:recommend|suggest|propose)"
    r"|my (?:recommendation|suggestion|pick|choice)"
    r"|you (?:should|could|might|may|can)\b[^,]{0,20}"
    r"\b(?:try|get|take|buy|choose|pick|grab|like|consider|go (?:for|with))"
    r"|(?:how|what) about|why not|go (?:for|with)|try|consider"
    r"|(?:best|ideal|perfect|great|good|excellent|right) (?:choice|option|fit|match|pick|one)"
    r"|(?:is|looks|seems|would be|'s) (?:just )?(?:perfect|ideal|great|right|exactly)"
    r"|(?:would|will|should) (?:suit|fit|work|be (?:perfect|ideal|great))|fits (?:your|what)|matches (?:your|what))"
)
_TURNED_DOWN = re.compile(
    r"\b(?:(?<!why )not|don't|doesn't|wouldn't|cannot|can't|never|avoid|unfortunately|instead of)\b"
)


class SpokenRecommendations:
    """Finds the products of one catalog that an utterance puts forward."""

    def __init__(self, catalog: Iterable[Product]) -> None:
        self._names = [(product.id, _spoken_names(product)) for product in catalog]

    def heard(self, utterance: str) -> tuple[str, ...]:
        """Ids of the products that ``utterance`` recommends, in catalog order."""
        text = utterance.lower()
        if not _PUT_FORWARD.search(text):
            return ()
        sentences = [part for part in _SENTENCE_END.split(text) if _PUT_FORWARD.search(part)]
        forward = [part for part in sentences if not _TURNED_DOWN.search(part)]
        return tuple(id_ for id_, names in self._names if any(name in part for name in names for part in forward))


def _spoken_names(product: Product) -> tuple[str, ...]:
    """The display name, and the name without its size where at least two words are left."""
    full = product.name.lower()
    size = str(product.details.get("size", "")).lower()
    short = full.removesuffix(size).strip(" ,-") if size else full
    return (full, short) if short != full and " " in short else (full,)
