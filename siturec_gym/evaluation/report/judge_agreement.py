"""Two judges of the same episodes against each other (spec R10's measures on S23's scores)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from siturec_gym.core.seeding import generator
from siturec_gym.evaluation.report.curves import SEED
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.judges.judgment import DIMENSIONS, HIGHEST, LOWEST
from siturec_gym.metrics.agreement import (
    Estimate,
    exact_agreement,
    mean_absolute_error,
    quadratic_weighted_kappa,
    with_interval,
)

RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class JudgePair:
    """How two judges agree on one dimension of one run; None where a measure is undefined.

    Attributes:
        kappa: QWK over the episodes that both scored, with an interval from episodes drawn anew.
        exact: Share of equal scores.
        distance: Mean absolute difference.
    """

    run: str
    first: str
    second: str
    dimension: str
    kappa: Estimate
    exact: float | None
    distance: float | None


def judge_pairs(runs: Sequence[RunFigures]) -> list[JudgePair]:
    """Every pair of judges of every run on every dimension, over the episodes that both scored."""
    return [
        _pair(run, first, second, dimension)
        for run in runs
        for first, second in combinations(run.judges, 2)
        for dimension in DIMENSIONS
    ]


def _pair(run: RunFigures, first: str, second: str, dimension: str) -> JudgePair:
    one, other = (run.scores(judge, dimension) for judge in (first, second))
    both = [slot for slot in one if slot in other]
    labels = [one[slot] for slot in both], [other[slot] for slot in both]
    rng = generator(SEED, "judges", dimension)
    return JudgePair(
        run.run.title,
        first,
        second,
        dimension,
        with_interval(_kappa, *labels, rng, RESAMPLES),
        exact_agreement(*labels),
        mean_absolute_error(*labels),
    )


def _kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    return quadratic_weighted_kappa(first, second, range(LOWEST, HIGHEST + 1))
