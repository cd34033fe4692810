"""What the assistant believes the shopper wants, and how well each product fits it."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from siturec_gym.policies.heuristic.hearing import Heard, Mention
from siturec_gym.policies.heuristic.vocabulary import CATEGORY, PRODUCT, USE
from siturec_gym.policies.knowledge import Item, Stand, Store

OVER_BUDGET = 5.0
DEARNESS = 0.6  # what being the dearest of its category costs while no budget is known
WRONG_KIND = 6.0
OUT = 100.0  # what having been turned down costs
TELLING = (CATEGORY, PRODUCT)


@dataclass(frozen=True, slots=True)
class Belief:
    """Everything heard so far.

    Attributes:
        mentions: Needs and things to avoid, the latest word on each.
        budget: Most to be spent, dollars.
        dearest: Price that was called too dear: the shopper pays less.
        rejected: Products turned down.
        wrong_kinds: Categories turned down in favour of another of the same name.
        only: Products to choose from; None for the whole catalog.
    """

    mentions: tuple[Mention, ...] = ()
    budget: float | None = None
    dearest: float = math.inf
    rejected: frozenset[str] = frozenset()
    wrong_kinds: frozenset[str] = frozenset()
    only: frozenset[str] | None = None


@dataclass(frozen=True)
class Scores:
    """How well each product fits a belief: at most 0, in natural-log units.

    Attributes:
        order: Items, best first; equals in catalog order.
        values: Their scores, in that order.
        rows: Their positions in the catalog, in that order.
    """

    order: tuple[Item, ...]
    values: tuple[float, ...]
    rows: tuple[int, ...] = ()

    @property
    def best(self) -> Item:
        """The likeliest item."""
        return self.order[0]

    @property
    def ranking(self) -> tuple[str, ...]:
        """The ten best product ids."""
        return tuple(item.id for item in self.order[:10])

    def gap(self, item: Item) -> float:
        """How far ``item`` is behind the best."""
        return self.values[0] - self.values[self.order.index(item)]

    @cached_property
    def destination(self) -> Stand | None:
        """The stand where the likeliest products are; ties by the order of products."""
        weights: dict[Stand, float] = {}
        for item, value in zip(self.order[:20], self.values[:20], strict=True):
            for stand in item.stands:
                weights[stand] = weights.get(stand, 0.0) + math.exp(value - self.values[0])
        return max(weights, key=lambda stand: weights[stand], default=None)


def learn(belief: Belief, heard: Heard, discussed: Item | None) -> Belief:
    """``belief`` after an utterance; ``discussed`` is the item a rejection or "too expensive" is about."""
    mentions = {mention.phrase: mention for mention in (*belief.mentions, *heard.asked)}
    mentions.update((mention.phrase, mention) for mention in heard.mentions)
    dearest, rejected, wrong_kinds = belief.dearest, belief.rejected, belief.wrong_kinds
    if discussed is not None and heard.too_dear:
        dearest = min(dearest, discussed.price)
    if discussed is not None and heard.rejects:
        rejected |= {discussed.id}
        if any(_names_another_kind(mention, discussed) for mention in heard.mentions):
            wrong_kinds |= {discussed.category}
    budget = belief.budget if heard.budget is None else heard.budget
    return Belief(tuple(mentions.values()), budget, dearest, rejected, wrong_kinds, belief.only)


def _names_another_kind(mention: Mention, rejected: Item) -> bool:
    """Whether a rejection asks for a kind of product whose name also fits what is turned down ("frozen dessert")."""
    return mention.wanted and mention.kind == CATEGORY and rejected.id in mention.fits and len(mention.labels) > 1


def knows_category(belief: Belief) -> bool:
    """Whether the shopper has said what kind of product it is, or it was given."""
    return belief.only is not None or any(mention.wanted and mention.kind in TELLING for mention in belief.mentions)


@lru_cache(maxsize=1024)
def score(belief: Belief, store: Store) -> Scores:
    """Every product scored against ``belief``."""
    prices, dearness = _prices(store)
    values = dearness if belief.budget is None else 0.3 * dearness
    if belief.budget is not None:
        over = prices - belief.budget
        values = values - np.where(over > 1e-9, OVER_BUDGET + 0.3 * over, 0.0)
    values = values - OVER_BUDGET * (prices >= belief.dearest - 1e-9)
    for mention in belief.mentions:
        values = values - mention.weight * (_members(mention.fits, store) != mention.wanted)
    values = values - OUT * _members(belief.rejected, store)
    if belief.wrong_kinds:
        wrong = frozenset(item.id for item in store.items if item.category in belief.wrong_kinds)
        values = values - WRONG_KIND * _members(wrong, store)
    if belief.only is not None:
        values = values - 2 * OUT * ~_members(belief.only, store)
    order = np.argsort(-values, kind="stable")
    rows = tuple(order.tolist())
    return Scores(tuple(map(store.items.__getitem__, rows)), tuple(values[order].tolist()), rows)


@lru_cache(maxsize=4096)
def _members(ids: frozenset[str], store: Store) -> NDArray[np.bool_]:
    """Which of the store's products are among ``ids``."""
    return np.array([item.id in ids for item in store.items], dtype=np.bool_)


@lru_cache(maxsize=8)
def _prices(store: Store) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Price of each product, and minus its price rank within its category, scaled to ``DEARNESS``."""
    peers: dict[str, list[float]] = {}
    for item in store.items:
        peers.setdefault(item.category, []).append(item.price)
    for prices in peers.values():
        prices.sort()
    ranks = [peers[item.category].index(item.price) / max(1, len(peers[item.category]) - 1) for item in store.items]
    return np.array([item.price for item in store.items]), -DEARNESS * np.array(ranks)


def serious(scores: Scores, within: float = 1.5) -> tuple[Item, ...]:
    """Products about as likely as the best."""
    least = scores.values[0] - within
    return tuple(
        item for item, _ in takewhile(lambda pair: pair[1] >= least, zip(scores.order, scores.values, strict=True))
    )


def met_needs(belief: Belief, item: Item) -> tuple[Mention, ...]:
    """Needs the item meets, by the catalog: wanted ones it has, unwanted ones it lacks."""
    telling = (mention for mention in belief.mentions if mention.kind not in (CATEGORY, USE, PRODUCT))
    return tuple(mention for mention in telling if (item.id in mention.fits) == mention.wanted)
