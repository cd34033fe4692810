"""How a belief ranks the store: products, categories, places and shelves, computed once a belief."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from siturec_gym.policies.heuristic.beliefs import Belief, Scores, destination, score
from siturec_gym.policies.knowledge import Stand, Store

SERIOUS_GAP = 1.5


@dataclass(frozen=True, eq=False)
class Standing:
    """A belief as a ranking and as shares that add up to 1.

    Attributes:
        scores: Every product, best first.
        gap_of: How far each product is behind the best, at least 0.
        share_of: Share of each product.
        categories: Share of each category, in catalog order.
        places: Share of each place, in the order of the location index.
        serious: How many products are about as likely as the best.
        shelf: Where the likeliest products are.
    """

    scores: Scores
    gap_of: Mapping[str, float]
    share_of: Mapping[str, float]
    categories: Sequence[float]
    places: Sequence[float]
    serious: int
    shelf: Stand | None


@lru_cache(maxsize=1024)
def standing_of(store: Store, belief: Belief) -> Standing:
    """The standing of the store's products under ``belief``."""
    scores = score(belief, store)
    gaps = scores.values[0] - np.array(scores.values)
    shares = np.exp(-gaps)
    shares /= shares.sum()
    ids = [item.id for item in scores.order]
    share_of = dict(zip(ids, shares.tolist(), strict=True))
    categories, places = dict.fromkeys(store.categories, 0.0), dict.fromkeys(store.places, 0.0)
    for item in scores.order:
        categories[item.category] += share_of[item.id]
        if item.stands:
            places[item.stands[0].place] += share_of[item.id]
    return Standing(
        scores,
        dict(zip(ids, gaps.tolist(), strict=True)),
        share_of,
        tuple(categories.values()),
        tuple(places.values()),
        int((gaps <= SERIOUS_GAP + 1e-9).sum()),
        destination(scores),
    )


@lru_cache(maxsize=8)
def shelves_of(store: Store) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """(places, sides, 2): the viewpoints of each place, metres; infinitely far where a place has fewer sides."""
    points = [[pose[:2] for pose in place.approaches.values()] for place in store.places.values()]
    table = np.full((len(points), max(map(len, points), default=1), 2), math.inf)
    for index, sides in enumerate(points):
        table[index, : len(sides)] = sides
    return table
