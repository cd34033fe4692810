"""How a belief ranks the store: products, categories, places and shelves, computed once a belief."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siturec_gym.policies.heuristic.beliefs import Belief, Scores, score
from siturec_gym.policies.knowledge import Stand, Store

SERIOUS_GAP = 1.5


@dataclass(frozen=True, eq=False)
class Standing:
    """A belief as a ranking and as shares that add up to 1.

    Attributes:
        scores: Every product, best first.
        gaps: How far each product is behind the best, at least 0, in catalog order.
        shares: Share of each product, in catalog order.
        categories: Share of each category, in catalog order.
        places: Share of each place, in the order of the location index.
        serious: How many products are about as likely as the best.
        shelf: Where the likeliest products are.
        row_of: Position of each product in the catalog.
    """

    scores: Scores
    gaps: Sequence[float]
    shares: Sequence[float]
    categories: Sequence[float]
    places: Sequence[float]
    serious: int
    shelf: Stand | None
    row_of: Mapping[str, int]

    def gap_of(self, product: str) -> float:
        """How far the product is behind the best."""
        return self.gaps[self.row_of[product]]

    def share_of(self, product: str) -> float:
        """The product's share."""
        return self.shares[self.row_of[product]]


@lru_cache(maxsize=128)
def standing_of(store: Store, belief: Belief) -> Standing:
    """The standing of the store's products under ``belief``."""
    scores, rows = score(belief, store), _rows(store)
    gaps = np.empty(len(store.items))
    gaps[list(scores.rows)] = scores.values[0] - np.array(scores.values)
    shares = np.exp(-gaps)
    shares /= shares.sum()
    return Standing(
        scores=scores,
        gaps=gaps.tolist(),
        shares=shares.tolist(),
        categories=np.bincount(rows.category, shares, len(store.categories)).tolist(),
        places=np.bincount(rows.place, shares, len(store.places) + 1)[:-1].tolist(),
        serious=int((gaps <= SERIOUS_GAP + 1e-9).sum()),
        shelf=scores.destination,
        row_of=rows.row_of,
    )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Each product's row, and the numbers of its category and its first place (one past the last for none)."""

    row_of: Mapping[str, int]
    category: NDArray[np.int64]
    place: NDArray[np.int64]


@lru_cache(maxsize=8)
def _rows(store: Store) -> _Rows:
    categories = {category: number for number, category in enumerate(store.categories)}
    places = {place: number for number, place in enumerate(store.places)}
    stands = [item.stands[0].place if item.stands else "" for item in store.items]
    return _Rows(
        {item.id: row for row, item in enumerate(store.items)},
        np.array([categories[item.category] for item in store.items]),
        np.array([places.get(place, len(places)) for place in stands]),
    )


@lru_cache(maxsize=8)
def shelves_of(store: Store) -> NDArray[np.float64]:
    """(places, sides, 2): the viewpoints of each place, metres; infinitely far where a place has fewer sides."""
    points = [[pose[:2] for pose in place.approaches.values()] for place in store.places.values()]
    table = np.full((len(points), max(map(len, points), default=1), 2), math.inf)
    for index, sides in enumerate(points):
        table[index, : len(sides)] = sides
    return table
