"""What one episode contributes to a metric, and how contributions are averaged (SituRecBench, Appendix C.1)."""

from collections.abc import Iterable
from typing import NamedTuple


class Score(NamedTuple):
    """An episode's contribution: ``points`` out of ``weight``.

    Most metrics average over episodes, so the weight of an eligible episode is 1. A pooled metric carries its event
    count as weight. A function that returns None instead says that the episode is not eligible.
    """

    points: float
    weight: float = 1.0


def mean(scores: Iterable[Score | None]) -> float | None:
    """Sum of points over sum of weights of the eligible episodes; None when there is nothing to divide by."""
    eligible = [score for score in scores if score is not None]
    weight = sum(score.weight for score in eligible)
    return sum(score.points for score in eligible) / weight if weight else None
