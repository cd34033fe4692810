"""Rankings against purchases, the reference set and the catalog (SituRecBench, Appendix C.1, Recommendation Utility).

Every recorded turn saves one recommendation list R_et, which may be empty. Ranks start at 1 and follow list order; a
repeated product earns credit at its first rank only and does not shift the others. Entries past rank 10 are ignored.
"""

import math
from collections.abc import Collection, Sequence

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics.score import Score

CUTOFF = 10


def rankings(episode: EpisodeRecord) -> list[tuple[str, ...]]:
    """The saved recommendation lists, one a turn, cut to the top ten."""
    return [turn.assistant.ranking[:CUTOFF] for turn in episode.turns]


def recall(ranking: Sequence[str], relevant: Collection[str], cutoff: int = 5) -> float:
    """q_et = |unique(R[1:cutoff]) & P| / |P|, for a nonempty P."""
    return len(set(ranking[:cutoff]) & set(relevant)) / len(set(relevant))


def discounted_gain(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """z_et = sum_r rel_r / log2(r + 1) over the top ten, divided by its value for an ideal list, for a nonempty P."""
    wanted = set(relevant)
    gain = 0.0
    for rank, product in enumerate(ranking[:CUTOFF], start=1):
        if product in wanted:
            wanted.discard(product)
            gain += 1.0 / math.log2(rank + 1)
    ideal = sum(1.0 / math.log2(rank + 1) for rank in range(1, min(CUTOFF, len(set(relevant))) + 1))
    return gain / ideal


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 / rank of the first relevant entry of the top ten; 0 when there is none."""
    ranks = (rank for rank, product in enumerate(ranking[:CUTOFF], start=1) if product in relevant)
    return 1.0 / next(ranks, math.inf)


def cart_recall(episode: EpisodeRecord) -> Score:
    """s_e(q) of R@5 = 100/N * sum(s_e(q)): mean recall of the final cart over the lists.

    0 when the cart is empty or no list was saved, as the paper says; every episode is eligible.
    """
    lists = rankings(episode)
    if not episode.cart or not lists:
        return Score(0.0)
    return Score(sum(recall(ranking, episode.cart) for ranking in lists) / len(lists))


def cart_discounted_gain(episode: EpisodeRecord) -> Score:
    """s_e(z) of NDCG@10 = 100/N * sum(s_e(z)): mean discounted gain of the final cart over the lists.

    0 when the cart is empty or no list was saved, as the paper says; every episode is eligible.
    """
    lists = rankings(episode)
    if not episode.cart or not lists:
        return Score(0.0)
    return Score(sum(discounted_gain(ranking, episode.cart) for ranking in lists) / len(lists))


def reference_reciprocal_rank(episode: EpisodeRecord) -> Score | None:
    """R-MRR@10: mean over the lists of the reciprocal rank of the first item of A_e.

    Eligible: episodes with at least one saved list.
    """
    lists = rankings(episode)
    if not lists:
        return None
    return Score(sum(reciprocal_rank(ranking, episode.reference_set) for ranking in lists) / len(lists))


def catalog_validity(episode: EpisodeRecord, catalog: Collection[str]) -> Score | None:
    """Catalog %: ranked entries that are catalog ids, pooled over all lists, repeats counted.

    Args:
        episode: The recorded episode.
        catalog: Product ids of the scene's catalog.
    """
    entries = [product for ranking in rankings(episode) for product in ranking]
    return Score(sum(product in catalog for product in entries), len(entries)) if entries else None
