"""The figures of a run: each metric with its convention and an interval, and what the plots draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.seeding import generator
from siturec_gym.evaluation.report.curves import SEED, Point, points
from siturec_gym.evaluation.report.runs import ReportRun, judge_title
from siturec_gym.evaluation.report.tables import Cell
from siturec_gym.judges.judgment import DIMENSIONS, Judgment
from siturec_gym.metrics.aggregate import Metric, MetricValue, aggregate, situated_metrics
from siturec_gym.metrics.flags import flag_metric
from siturec_gym.metrics.outcome import success
from siturec_gym.metrics.partition import Subsets, partition_of_run
from siturec_gym.metrics.score import Score
from siturec_gym.metrics.statistics import Interval, clustered_interval, pass_hat_k, rerun_sd
from siturec_gym.scenes import Scene, load_scene

POINTS = "points"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 percent interval, profiles drawn anew; the interval is None where it cannot be told."""

    measured: MetricValue
    interval: Interval | None


class RunFigures:
    """All figures of one run, each computed when it is first asked for."""

    def __init__(self, run: ReportRun) -> None:
        self.run = run
        self.scene: Scene = load_scene(run.scene)

    @cached_property
    def subsets(self) -> Subsets | None:
        """The paper's four subsets, if the run played the full bank."""
        episodes = self.run.episodes
        return partition_of_run([e.scene for e in episodes], [e.task for e in episodes])

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The metrics of the run's scene by name."""
        tools, catalog = [str(tool) for tool in self.scene.tools], [product.id for product in self.scene.products]
        measured = situated_metrics(frozenset(tools), frozenset(catalog), self.scene.products_showing_place)
        return {metric.name: metric for metric in measured}

    @cached_property
    def values(self) -> dict[str, Figure]:
        """Every metric's figure by name."""
        return {name: self._figure(metric) for name, metric in self.metrics.items()}

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The judges that rated the run, in the order of their first word."""
        return tuple(self._said)

    @cached_property
    def _said(self) -> dict[str, list[Judgment]]:
        said: dict[str, list[Judgment]] = {}
        for judgment in self.run.judgments:
            said.setdefault(judge_title(judgment), []).append(judgment)
        return said

    def flag_shares(self, flags: Sequence[str]) -> list[Figure]:
        """Share of turns that carry each of these flags."""
        return [self._figure(flag_metric(flag)) for flag in flags]

    def ratings(self, judge: str) -> dict[str, Figure]:
        """Mean rating of each dimension by one judge; unscored episodes are left out and counted elsewhere."""
        return {name: self._figure(self._rating(judge, name)) for name in DIMENSIONS}

    def unscored(self, judge: str) -> dict[str, int]:
        """How often a judge gave no scores, by reason."""
        reasons = [said.reason or "no reason given" for said in self._said.get(judge, ()) if not said.scores]
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}

    @cached_property
    def points(self) -> list[Point]:
        """Every point of every plot."""
        return points(self.run.episodes, self.scene)

    def plot(self, name: str) -> list[Point]:
        """The points of one plot, in order."""
        return [point for point in self.points if point.plot == name]

    @cached_property
    def trials(self) -> int:
        """Attempts at each task."""
        return len({episode.trial for episode in self.run.episodes})

    @cached_property
    def rerun_sds(self) -> dict[str, float | None]:
        """SD of each metric over reruns; None for a single one."""
        return {name: rerun_sd(metric, self.run.episodes) for name, metric in self.metrics.items()}

    @cached_property
    def pass_by_k(self) -> tuple[float | None, ...]:
        """pass^k of a purchase in percent, k from 1 to the number of trials."""
        tasks: dict[str, list[bool]] = {}
        for episode in self.run.episodes:
            tasks.setdefault(episode.task, []).append(success(episode).points == 1.0)
        chances = (pass_hat_k(tasks, k) for k in range(1, self.trials + 1))
        return tuple(None if chance is None else 100.0 * chance for chance in chances)

    def _figure(self, metric: Metric) -> Figure:
        rng = generator(SEED, "interval", metric.name)
        interval = clustered_interval(metric, self.run.episodes, rng)
        return Figure(aggregate(metric, self.run.episodes, self.subsets), interval)

    def scores(self, judge: str, dimension: str) -> dict[tuple[str, int], int]:
        """Score of each (task, trial) that a judge scored."""
        scored = (said for said in self._said.get(judge, ()) if said.scores)
        return {(said.task, said.trial): said.scores[dimension] for said in scored}

    def _rating(self, judge: str, dimension: str) -> Metric:
        return Metric(dimension, partial(_score_in, self.scores(judge, dimension)), unit=POINTS)


def _score_in(scores: Mapping[tuple[str, int], int], episode: EpisodeRecord) -> Score | None:
    score = scores.get((episode.task, episode.trial))
    return None if score is None else Score(float(score))


def by_scene(figures: Sequence[RunFigures]) -> dict[str, list[RunFigures]]:
    """The runs of each scene, in the order of their first run."""
    groups: dict[str, list[RunFigures]] = {}
    for run in figures:
        groups.setdefault(run.run.scene, []).append(run)
    return groups


def figure_cell(figure: Figure, digits: int = 1) -> Cell:
    """A figure as a table shows it."""
    low, high = figure.interval if figure.interval is not None else (None, None)
    value = figure.measured
    return Cell(value.value, value.sd, low, high, value.n, value.convention, digits)
