"""How sure a figure is, and whether two assistants differ (what the paper's tables leave open; Appendix C.1).

Two spreads must not be confused, so each has a name:

- ``SUBSET_SD``: the paper's SD, over the means of its four 25-task subsets. It says how much tasks differ.
- ``RERUN_SD``: the SD over reruns (trials) of the same tasks. It says how much a repetition differs.

Intervals resample whole profiles, since the four tasks of a shopper are not independent of each other. Randomness is
an argument throughout.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics.aggregate import Metric

SUBSET_SD = "subset-sd"
RERUN_SD = "rerun-sd"
YES_OR_NO = frozenset({"SR", "RPR", "RPR|Cart"})
"""Metrics that are success or failure of every eligible episode."""
RESAMPLES = 2000
LEVEL = 0.95

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """Lower and upper bound, in the unit of the figure."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much a second run differs from a first one on the slots that both played.

    Attributes:
        difference: Second minus first, in the metric's unit; None where either is undefined.
        interval: Of the difference; None when it cannot be told.
        p_value: Two-sided, of no difference; None when it cannot be told.
        n: Paired slots.
        test: "exact McNemar" or "paired bootstrap".
    """

    difference: float | None
    interval: Interval | None
    p_value: float | None
    n: int
    test: str


def clustered_interval(
    metric: Metric,
    episodes: Sequence[EpisodeRecord],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of a metric's cohort mean when profiles are drawn anew with replacement.

    What all episodes have alike does not vary under resampling. Where a metric says yes or no of each episode (SR, RPR)
    the interval is then the exact binomial one with profiles as trials; elsewhere there is none, rather than one of
    no width.

    Args:
        metric: What is measured.
        episodes: All episodes of a run.
        rng: Source of the draws.
        resamples: Number of draws.
        level: Coverage, between 0 and 1.

    Returns:
        The interval in the metric's unit; None where it cannot be told, such as with fewer than two profiles that
        have an eligible episode.
    """
    _check(resamples, level)
    points, weights = _sums(metric, episodes, _profiles(episodes))
    held = weights > 0
    if held.sum() < 2:
        return None
    points, weights = points[held], weights[held]
    if metric.name in YES_OR_NO and _is_extreme(points, weights):
        return _exact_extreme(points.sum() > 0, len(points), level)
    found = _percentiles(_scale(metric) * _resampled(points, weights, _draws(rng, len(points), resamples)), level)
    return None if found is None or found.high - found.low < 1e-9 else found


def compare(
    metric: Metric,
    first: Sequence[EpisodeRecord],
    second: Sequence[EpisodeRecord],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Comparison:
    """The difference between two runs on the (task, trial) slots that both hold, profiles drawn anew for both at once.

    Where a metric says yes or no of each episode (SR, RPR) the p-value is McNemar's exact one, which takes slots as
    independent; otherwise it comes from the same draws as the interval.

    Args:
        metric: What is measured.
        first: Episodes of the run compared with.
        second: Episodes of the other run.
        rng: Source of the draws.
        resamples: Number of draws.
        level: Coverage of the interval.
    """
    _check(resamples, level)
    one, other = paired(first, second)
    profiles = _profiles(one)
    sums = [_sums(metric, run, profiles) for run in (one, other)]
    exact = metric.name in YES_OR_NO
    test = "exact McNemar" if exact else "paired bootstrap"
    values = [metric.of(run) for run in (one, other)]
    if values[0] is None or values[1] is None:
        return Comparison(None, None, None, len(one), test)
    draws = _draws(rng, len(profiles), resamples)
    before, after = (_resampled(points, weights, draws) for points, weights in sums)
    differences = _scale(metric) * (after - before)
    p_value = _discordance(metric, one, other) if exact else _bootstrap_p(differences)
    interval = _percentiles(differences, level) if len(profiles) > 1 else None
    return Comparison(values[1] - values[0], interval, p_value if len(profiles) > 1 else None, len(one), test)


def paired(
    first: Sequence[EpisodeRecord], second: Sequence[EpisodeRecord]
) -> tuple[list[EpisodeRecord], list[EpisodeRecord]]:
    """The episodes of the (task, trial) slots that both runs hold, in the first run's order."""
    by_slot = {(episode.task, episode.trial): episode for episode in second}
    shared = [episode for episode in first if (episode.task, episode.trial) in by_slot]
    return shared, [by_slot[episode.task, episode.trial] for episode in shared]


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value of McNemar's test: twice the smaller binomial tail at one half, at most 1.

    Args:
        only_first: Slots where the first run alone succeeded.
        only_second: Slots where the second run alone succeeded.
    """
    discordant = only_first + only_second
    tail = sum(math.comb(discordant, successes) for successes in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * tail / 2**discordant))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment: p-values that may be compared with one level over all tests together."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def pass_hat_k(successes: Mapping[str, Sequence[bool]], k: int) -> float | None:
    """pass^k: the chance that ``k`` trials of a task, drawn from those played, all succeed; mean over tasks.

    For a task with c successes in n trials it is C(c, k) / C(n, k).

    Args:
        successes: Task -> success of each of its trials.
        k: How many trials must succeed, 1 or more.

    Returns:
        Between 0 and 1; None if no task was played ``k`` times. Tasks with fewer trials are left out.

    Raises:
        ValueError: ``k`` is below 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    tried = [trials for trials in successes.values() if len(trials) >= k]
    chances = [math.comb(sum(map(bool, trials)), k) / math.comb(len(trials), k) for trials in tried]
    return statistics.fmean(chances) if chances else None


def rerun_sd(metric: Metric, episodes: Sequence[EpisodeRecord]) -> float | None:
    """RERUN_SD: sample SD of the metric over the trials of a run, each trial taken as one run of its tasks.

    Returns:
        In the metric's unit; None with fewer than two trials in which it is defined.
    """
    trials = sorted({episode.trial for episode in episodes})
    values = [metric.of([episode for episode in episodes if episode.trial == trial]) for trial in trials]
    defined = [value for value in values if value is not None]
    return statistics.stdev(defined) if len(defined) > 1 else None


def resampled_interval(estimates: Sequence[float | None], level: float = LEVEL) -> Interval | None:
    """Percentile interval of a statistic's values over resamples; undefined ones are left out."""
    return _percentiles(np.array([value for value in estimates if value is not None], np.float64), level)


def _profiles(episodes: Sequence[EpisodeRecord]) -> list[str]:
    return sorted({episode.profile_id for episode in episodes})


def _sums(metric: Metric, episodes: Sequence[EpisodeRecord], profiles: Sequence[str]) -> tuple[Floats, Floats]:
    """Points and weight of each profile's eligible episodes."""
    row = {profile: index for index, profile in enumerate(profiles)}
    points, weights = np.zeros(len(row)), np.zeros(len(row))
    for episode in episodes:
        score = metric.score(episode)
        if score is not None:
            points[row[episode.profile_id]] += score.points
            weights[row[episode.profile_id]] += score.weight
    return points, weights


def _draws(rng: np.random.Generator, clusters: int, resamples: int) -> Floats:
    """How often each cluster was drawn, (resamples, clusters)."""
    if not clusters:
        return np.zeros((resamples, 0))
    return rng.multinomial(clusters, np.full(clusters, 1.0 / clusters), size=resamples).astype(np.float64)


def _resampled(points: Floats, weights: Floats, draws: Floats) -> Floats:
    """The mean of each draw; NaN where nothing eligible was drawn."""
    total = draws @ weights
    means: Floats = np.full(len(draws), np.nan)
    np.divide(draws @ points, total, out=means, where=total > 0)
    return means


def _percentiles(values: Floats, level: float) -> Interval | None:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = np.quantile(finite, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Interval(float(low), float(high))


def _is_extreme(points: Floats, weights: Floats) -> bool:
    return bool(np.all(points == 0.0) or np.allclose(points, weights, rtol=0.0, atol=1e-12))


def _exact_extreme(all_succeed: bool, trials: int, level: float) -> Interval:
    """Clopper and Pearson's interval of 0 or ``trials`` successes, in percent."""
    reach = 100.0 * (1.0 - ((1.0 - level) / 2.0) ** (1.0 / trials))
    return Interval(100.0 - reach, 100.0) if all_succeed else Interval(0.0, reach)


def _discordance(metric: Metric, first: Sequence[EpisodeRecord], second: Sequence[EpisodeRecord]) -> float:
    pairs = [(metric.score(one), metric.score(other)) for one, other in zip(first, second, strict=True)]
    points = [(one.points > 0, other.points > 0) for one, other in pairs if one is not None and other is not None]
    return mcnemar(sum(one and not other for one, other in points), sum(other and not one for one, other in points))


def _bootstrap_p(differences: Floats) -> float | None:
    """Twice the smaller share of draws on either side of no difference, never below what the draws can tell."""
    finite = differences[np.isfinite(differences)]
    if not len(finite):
        return None
    below, above = int(np.sum(finite <= 0.0)), int(np.sum(finite >= 0.0))
    return min(1.0, 2.0 * (min(below, above) + 1) / (len(finite) + 1))


def _scale(metric: Metric) -> float:
    return 100.0 if metric.unit == "%" else 1.0


def _check(resamples: int, level: float) -> None:
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, got {resamples}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie between 0 and 1, got {level}")
