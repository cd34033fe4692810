"""What the assistant believes the shopper wants, and how well each product fits it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from siturec_gym.policies.heuristic.hearing import Heard, Mention
from siturec_gym.policies.heuristic.vocabulary import CATEGORY, PRODUCT, USE
from siturec_gym.policies.knowledge import Item, Stand, Store

OVER_BUDGET = 5.0
DEARNESS = 0.6  # what being the dearest of its category costs while no budget is known
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
        only: Products to choose from; None for the whole catalog.
    """

    mentions: tuple[Mention, ...] = ()
    budget: float | None = None
    dearest: float = math.inf
    rejected: frozenset[str] = frozenset()
    only: frozenset[str] | None = None


@dataclass(frozen=True)
class Scores:
    """How well each product fits a belief: at most 0, in natural-log units.

    Attributes:
        order: Items, best first.
    """

    order: tuple[Item, ...]
    value: dict[str, float] = field(repr=False)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The ten best product ids."""
        return tuple(item.id for item in self.order[:10])


def learn(belief: Belief, heard: Heard, discussed: Item | None) -> Belief:
    """``belief`` after an utterance; ``discussed`` is the item a rejection or "too expensive" is about."""
    mentions = {mention.phrase: mention for mention in (*belief.mentions, *heard.asked)}
    mentions.update((mention.phrase, mention) for mention in heard.mentions)
    dearest, rejected = belief.dearest, belief.rejected
    if discussed is not None and heard.too_dear:
        dearest = min(dearest, discussed.price)
    if discussed is not None and heard.rejects:
        rejected |= {discussed.id}
    budget = belief.budget if heard.budget is None else heard.budget
    return replace(belief, mentions=tuple(mentions.values()), budget=budget, dearest=dearest, rejected=rejected)


def knows_category(belief: Belief) -> bool:
    """Whether the shopper has said what kind of product it is, or it was given."""
    return belief.only is not None or any(mention.wanted and mention.kind in TELLING for mention in belief.mentions)


@lru_cache(maxsize=1024)
def score(belief: Belief, store: Store) -> Scores:
    """Every product scored against ``belief``."""
    value = dict(zip((item.id for item in store.items), _dearness(store), strict=True))
    for item in store.items:
        value[item.id] *= 1.0 if belief.budget is None else 0.3
        value[item.id] -= _price_gap(item.price, belief)
    for mention in belief.mentions:
        missing = (id_ for id_ in value if (id_ in mention.fits) != mention.wanted)
        _charge(value, missing, mention.weight)
    _charge(value, belief.rejected, OUT)
    if belief.only is not None:
        _charge(value, (id_ for id_ in value if id_ not in belief.only), 2 * OUT)
    return Scores(tuple(sorted(store.items, key=lambda item: (-value[item.id], item.id))), value)


def _charge(value: dict[str, float], ids: Iterable[str], cost: float) -> None:
    for id_ in ids:
        value[id_] -= cost


def _price_gap(price: float, belief: Belief) -> float:
    over = price - belief.budget if belief.budget is not None else 0.0
    cost = OVER_BUDGET + 0.3 * over if over > 1e-9 else 0.0
    return cost + (OVER_BUDGET if price >= belief.dearest - 1e-9 else 0.0)


@lru_cache(maxsize=8)
def _dearness(store: Store) -> tuple[float, ...]:
    """For each product minus its price rank within its category, scaled to ``DEARNESS``."""
    prices: dict[str, list[float]] = {}
    for item in store.items:
        prices.setdefault(item.category, []).append(item.price)
    result = []
    for item in store.items:
        peers = sorted(prices[item.category])
        result.append(-DEARNESS * peers.index(item.price) / max(1, len(peers) - 1))
    return tuple(result)


def serious(scores: Scores, within: float = 1.5) -> tuple[Item, ...]:
    """Products about as likely as the best."""
    best = scores.value[scores.order[0].id]
    return tuple(item for item in scores.order if scores.value[item.id] >= best - within)


def destination(scores: Scores) -> Stand | None:
    """The stand where the likeliest products are; ties by the order of products."""
    weights: dict[Stand, float] = {}
    best = scores.value[scores.order[0].id]
    for item in scores.order[:20]:
        for stand in item.stands:
            weights[stand] = weights.get(stand, 0.0) + math.exp(scores.value[item.id] - best)
    return max(weights, key=lambda stand: weights[stand], default=None)


def met_needs(belief: Belief, item: Item) -> tuple[Mention, ...]:
    """Needs the item meets, by the catalog: wanted ones it has, unwanted ones it lacks."""
    telling = (mention for mention in belief.mentions if mention.kind not in (CATEGORY, USE, PRODUCT))
    return tuple(mention for mention in telling if (item.id in mention.fits) == mention.wanted)
