"""Runs against each other on the slots that both played: difference, interval, p-value."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from siturec_gym.core.seeding import generator
from siturec_gym.evaluation.report.curves import SEED
from siturec_gym.evaluation.report.figures import RunFigures, by_scene
from siturec_gym.metrics.statistics import Comparison, compare, holm

COMPARED = ("SR", "RPR", "Turn", "AFR", "LNSR", "R@5", "NDCG@10", "CGV_5")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs of one store compared on one metric; ``adjusted`` is Holm's p-value over all pairs of that metric."""

    scene: str
    first: str
    second: str
    metric: str
    result: Comparison
    adjusted: float | None


def comparisons(runs: Sequence[RunFigures]) -> list[Pair]:
    """Every pair of runs of one store on every compared metric; nothing for pairs that share no slot."""
    return [pair for group in by_scene(runs).values() for metric in COMPARED for pair in _of_metric(group, metric)]


def _of_metric(group: Sequence[RunFigures], metric: str) -> list[Pair]:
    found: list[tuple[str, str, Comparison]] = []
    for one, other in combinations(group, 2):
        rng = generator(SEED, "comparison", metric)
        result = compare(one.metrics[metric], one.run.episodes, other.run.episodes, rng)
        if result.n:
            found.append((one.run.label, other.run.label, result))
    tested = [result.p_value for _, _, result in found if result.p_value is not None]
    adjusted = iter(holm(tested))
    title = group[0].scene.title
    return [
        Pair(title, first, second, metric, result, None if result.p_value is None else next(adjusted))
        for first, second, result in found
    ]
