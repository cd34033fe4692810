"""Everything a report shows as comma-separated values, for statistics of one's own."""

import csv
import io
from collections.abc import Iterable, Sequence

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.report.comparison import comparisons
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.runs import judge_title
from siturec_gym.judges.judgment import DIMENSIONS
from siturec_gym.metrics.statistics import Interval

Line = Sequence[object]


def curves_csv(runs: Sequence[RunFigures]) -> str:
    """One line for each point of each plot."""
    columns = ("plot", "scene", "run", "x", "value", "low", "high", "n")
    lines = (
        (point.plot, run.run.scene, run.run.label, point.x, point.value, *_bounds(point.interval), point.n)
        for run in runs
        for point in run.points
    )
    return _csv(columns, lines)


def comparisons_csv(runs: Sequence[RunFigures]) -> str:
    """One line for each pair of runs and metric."""
    columns = ("scene", "first", "second", "metric", "second_minus_first", "low", "high", "p", "p_holm", "n", "test")
    lines = (
        (pair.scene, pair.first, pair.second, pair.metric, pair.result.difference, *_bounds(pair.result.interval),
         pair.result.p_value, pair.adjusted, pair.result.n, pair.result.test)
        for pair in comparisons(runs)
    )  # fmt: skip
    return _csv(columns, lines)


def episodes_csv(runs: Sequence[RunFigures]) -> str:
    """One line for each episode: what it contributes to each metric, and its ratings.

    A contribution of an event-pooled metric is the episode's own rate; the number of events stands beside it.
    """
    names = list(dict.fromkeys(name for run in runs for name in run.metrics))
    columns = ("run", "scene", "task", "trial", "shopper", "status", "end_reason", "navigation_goals", *names)
    judges = list(dict.fromkeys(judge for run in runs for judge in run.judges))
    rated = [f"{dimension}, judge {judge}" for judge in judges for dimension in DIMENSIONS]
    lines = (_episode(run, episode, names, judges) for run in runs for episode in run.run.episodes)
    return _csv((*columns, *rated), lines)


def _episode(run: RunFigures, episode: EpisodeRecord, names: Sequence[str], judges: Sequence[str]) -> Line:
    scores = {name: metric.score(episode) for name, metric in run.metrics.items()}
    contributions = [
        None if (score := scores.get(name)) is None else score.points / score.weight for name in names
    ]  # fmt: skip
    goals = scores.get("CGV_0")
    said = {
        judge_title(j): j.scores for j in run.run.judgments if (j.task, j.trial) == (episode.task, episode.trial)
    }  # fmt: skip
    ratings = [said.get(judge, {}).get(dimension) for judge in judges for dimension in DIMENSIONS]
    about = (run.run.label, episode.scene, episode.task, episode.trial, episode.profile_id, episode.status)
    return (*about, episode.end_reason, 0 if goals is None else round(goals.weight), *contributions, *ratings)


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _csv(columns: Sequence[str], lines: Iterable[Line]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if cell is None else cell for cell in line] for line in lines)
    return buffer.getvalue()
