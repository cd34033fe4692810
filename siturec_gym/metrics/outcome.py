"""Outcome of an episode: purchases and turns (SituRecBench, Appendix C.1, Overall Outcome and Supplementary Metrics).

Every function takes one recorded episode and gives its contribution, or None if it is not eligible. Failed episodes
count like all others.
"""

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics.score import Score


def success(episode: EpisodeRecord) -> Score:
    """C_e of SR = 100/N * sum(C_e): 1 when the final cart is nonempty. Every episode is eligible."""
    return Score(float(bool(episode.cart)))


def turns(episode: EpisodeRecord) -> Score:
    """T_e of Turn = 1/N * sum(T_e): the number of distinct recorded turns. Every episode is eligible."""
    return Score(float(len({turn.turn for turn in episode.turns})))


def reference_purchase(episode: EpisodeRecord) -> Score:
    """RPR = 100/N * #(episodes that bought an item of A_e). Any one item of several counts."""
    return Score(float(not set(episode.cart).isdisjoint(episode.reference_set)))


def reference_purchase_given_cart(episode: EpisodeRecord) -> Score | None:
    """RPR | Cart: RPR among the episodes with a purchase; the others are not eligible."""
    return reference_purchase(episode) if episode.cart else None
