"""Agreement between people, judges and simulated users (SituRecBench, Appendix C.2; spec S25, R10).

Correlations compare assistant-level means; the other measures compare ratings of the same sessions. A measure whose
denominator is empty is undefined: None, never 0.
"""

import math
import statistics
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from siturec_gym.metrics.statistics import LEVEL, RESAMPLES, Interval, resampled_interval

TIE = 1e-9

RatingT = TypeVar("RatingT")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure with the number of pairs it rests on.

    Attributes:
        value: None when undefined.
        n: Pairs.
        interval: None when it cannot be told.
    """

    value: float | None
    n: int
    interval: Interval | None = None


def midranks(values: Sequence[float], tie: float = TIE) -> list[float]:
    """Ranks from 1; values within ``tie`` of their neighbour in order share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    ranks, start = [0.0] * len(values), 0
    for position, index in enumerate(order):
        last = position + 1 == len(order)
        if last or values[order[position + 1]] - values[index] > tie:
            for tied in order[start : position + 1]:
                ranks[tied] = (start + position + 2) / 2.0
            start = position + 1
    return ranks


def pearson(first: Sequence[float], second: Sequence[float], level: float = LEVEL) -> Estimate:
    """Pearson's r, with Fisher's interval from four pairs on; undefined where a side does not vary."""
    value = _product_moment(first, second)
    return Estimate(value, len(first), _fisher(value, len(first), level, 1.0))


def spearman(first: Sequence[float], second: Sequence[float], level: float = LEVEL) -> Estimate:
    """Spearman's rho: Pearson's r of midranks, with Bonett and Wright's interval from four pairs on."""
    value = _product_moment(midranks(first), midranks(second))
    widening = 1.0 if value is None else 1.0 + value * value / 2.0
    return Estimate(value, len(first), _fisher(value, len(first), level, widening))


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Unweighted kappa: (p_o - p_e) / (1 - p_e); undefined when chance alone would agree on everything."""
    _same_length(first, second)
    if not first:
        return None
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    labels = dict.fromkeys([*first, *second])
    expected = sum(first.count(label) * second.count(label) for label in labels) / (n * n)
    return None if expected == 1.0 else (observed - expected) / (1.0 - expected)


def quadratic_weighted_kappa(first: Sequence[int], second: Sequence[int], scale: Sequence[int]) -> float | None:
    """Kappa with disagreement weighted by its square; undefined when both sides give one and the same label.

    Args:
        first: Labels of one side.
        second: Labels of the other.
        scale: Every label of the scale in order, used or not. Labels count as equally far apart.

    Raises:
        ValueError: A label is not on the scale, or the sides differ in length.
    """
    _same_length(first, second)
    place = {label: position for position, label in enumerate(scale)}
    strangers = [label for label in (*first, *second) if label not in place]
    if strangers:
        raise ValueError(f"label {strangers[0]!r} is not on the scale {list(scale)}")
    if not first:
        return None
    one, other = (np.array([place[label] for label in side], np.float64) for side in (first, second))
    observed = float(np.mean((one - other) ** 2))
    expected = float(np.mean((one[:, None] - other[None, :]) ** 2))
    return None if expected == 0.0 else 1.0 - observed / expected


def icc_2_1(ratings: Sequence[Sequence[float]]) -> float | None:
    """ICC(2,1): two-way random effects, absolute agreement, one rating, from the mean squares.

    (MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n) for n subjects (rows) and k passes (columns).

    Args:
        ratings: One row a subject, as many ratings in each.

    Returns:
        None with fewer than two rows or columns, or when all ratings are the same.
    """
    table = np.array(ratings, np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        return None
    n, k = table.shape
    grand = table.mean()
    rows = k * float(((table.mean(axis=1) - grand) ** 2).sum())
    columns = n * float(((table.mean(axis=0) - grand) ** 2).sum())
    rest = float(((table - grand) ** 2).sum()) - rows - columns
    msr, msc, mse = rows / (n - 1), columns / (k - 1), max(0.0, rest) / ((n - 1) * (k - 1))
    whole = msr + (k - 1) * mse + k * (msc - mse) / n
    return (msr - mse) / whole if whole > TIE else None


def mean_absolute_error(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Mean distance between paired ratings."""
    _same_length(first, second)
    return statistics.fmean(abs(a - b) for a, b in zip(first, second, strict=True)) if first else None


def exact_agreement(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Share of pairs with the same label, 0 to 1."""
    _same_length(first, second)
    return statistics.fmean(a == b for a, b in zip(first, second, strict=True)) if first else None


def mean_pass_sd(ratings: Sequence[Sequence[float]]) -> float | None:
    """Mean over subjects of the sample SD of their ratings in repeated passes."""
    spreads = [statistics.stdev(row) for row in ratings if len(row) > 1]
    return statistics.fmean(spreads) if spreads else None


def flip_rate(labels: Sequence[Sequence[Hashable]]) -> float | None:
    """Share of subjects whose label is not the same in all passes; give scores as ``nearest_label`` first."""
    judged = [row for row in labels if len(row) > 1]
    return statistics.fmean(len(set(row)) > 1 for row in judged) if judged else None


def nearest_label(score: float) -> int:
    """The whole number next to a score; midpoints go up."""
    return math.floor(score + 0.5)


def with_interval(
    measure: Callable[[Sequence[RatingT], Sequence[RatingT]], float | None],
    first: Sequence[RatingT],
    second: Sequence[RatingT],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate:
    """Any measure of pairs with a percentile interval from pairs drawn anew with replacement.

    Args:
        measure: Such as ``mean_absolute_error``; None stands for undefined, and such draws are left out.
        first: Ratings of one side.
        second: Ratings of the other, in the same order.
        rng: Source of the draws.
        resamples: Number of draws.
        level: Coverage of the interval.
    """
    _same_length(first, second)
    n = len(first)
    draws = rng.integers(n, size=(resamples, n)) if n > 1 else np.zeros((0, 0), np.int64)
    values = [measure([first[i] for i in draw], [second[i] for i in draw]) for draw in draws.tolist()]
    return Estimate(measure(first, second), n, resampled_interval(values, level))


def _product_moment(first: Sequence[float], second: Sequence[float]) -> float | None:
    _same_length(first, second)
    if len(first) < 2 or _constant(first) or _constant(second):
        return None
    one, other = (np.array(side, np.float64) - statistics.fmean(side) for side in (first, second))
    value = float(one @ other) / math.sqrt(float(one @ one) * float(other @ other))
    return max(-1.0, min(1.0, value))


def _constant(values: Sequence[float]) -> bool:
    return max(values) - min(values) <= TIE


def _fisher(value: float | None, n: int, level: float, widening: float) -> Interval | None:
    """Interval of a correlation by Fisher's transformation; None below four pairs and at -1 or 1, where it has none."""
    if value is None or n < 4 or abs(value) > 1.0 - 1e-12:
        return None
    reach = statistics.NormalDist().inv_cdf((1.0 + level) / 2.0) * math.sqrt(widening / (n - 3))
    return Interval(math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach))


def _same_length(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second):
        raise ValueError(f"ratings must come in pairs, got {len(first)} and {len(second)}")
