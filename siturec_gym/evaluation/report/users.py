"""Whether two kinds of users rank assistants alike, such as people and a simulated user (Appendix C.2, Table 4)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from siturec_gym.evaluation.report.figures import RunFigures, by_scene
from siturec_gym.evaluation.report.tables import Cell, Row
from siturec_gym.judges.judgment import DIMENSIONS
from siturec_gym.metrics.agreement import Estimate, pearson, spearman

OUTCOMES = ("SR", "AFR", "LNSR", "R@5", "NDCG@10")
DIMENSIONS_BY_TABLE = ("Overall Satisfaction", *DIMENSIONS[:-1])
FEWEST_ASSISTANTS = 3

Means = dict[str, float]
Correlate = Callable[[Sequence[float], Sequence[float]], Estimate]


def user_rows(runs: Sequence[RunFigures]) -> list[Row]:
    """Pearson and Spearman of assistant means, for each pair of users that met three or more assistants in a store."""
    return [
        _row(name, correlate, first, second, group[0].scene.title, f"{one} against {other}")
        for group in by_scene(runs).values()
        for (one, first), (other, second) in _pairs(group)
        for name, correlate in (("Pearson", pearson), ("Spearman", spearman))
    ]


def _pairs(group: Sequence[RunFigures]) -> Iterator[tuple[tuple[str, dict[str, Means]], tuple[str, dict[str, Means]]]]:
    """Pairs of users with their means of each assistant, cut to the assistants that both met."""
    met: dict[str, dict[str, Means]] = {}
    for run in group:
        met.setdefault(run.run.user, {})[f"{run.run.assistant}, {run.run.condition}"] = _means(run)
    for (one, first), (other, second) in combinations(met.items(), 2):
        common = [assistant for assistant in first if assistant in second]
        if len(common) >= FEWEST_ASSISTANTS:
            yield (one, {name: first[name] for name in common}), (other, {name: second[name] for name in common})


def _means(run: RunFigures) -> Means:
    """Every defined figure of a run; ratings by its first judge."""
    figures = {name: run.values[name] for name in OUTCOMES}
    if run.judges:
        figures |= run.ratings(run.judges[0])
    return {name: figure.measured.value for name, figure in figures.items() if figure.measured.value is not None}


def _row(
    name: str, correlate: Correlate, first: dict[str, Means], second: dict[str, Means], scene: str, users: str
) -> Row:
    cells = []
    for metric in (*OUTCOMES, *DIMENSIONS_BY_TABLE):
        both = [assistant for assistant in first if metric in first[assistant] and metric in second[assistant]]
        sides = ([means[assistant][metric] for assistant in both] for means in (first, second))
        cells.append(_cell(correlate(*sides)) if both else None)
    return Row(name, tuple(cells), "run", scene, users)


def _cell(found: Estimate) -> Cell:
    low, high = found.interval or (None, None)
    return Cell(found.value, None, low, high, found.n, "assistants", 3)
