"""What the plots draw, as metrics, so that every point has an interval of its own (Figures 4, 7, 9, 10 and 11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from siturec_gym.core.actions import Act
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.seeding import generator
from siturec_gym.metrics.aggregate import Metric
from siturec_gym.metrics.behaviour import TURN_LIMIT, act_share, bought_by, ended_by, same_action, suggestion_share
from siturec_gym.metrics.statistics import Interval, clustered_interval
from siturec_gym.metrics.visibility import HORIZONS, visibility_gain
from siturec_gym.scenes.scene import Scene

SEED = 0
"""Seed of every interval of a report, so that the same run gives the same report."""
SUCCESS, GAIN, ACTS, ENDS = "success_over_turns", "goal_visibility_gain", "dialogue_acts", "terminations"
SUGGESTED, FOLLOWED = "suggested_actions", "same_action_rate"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a plot.

    Attributes:
        plot: Name of the plot.
        x: Turn, horizon, act, tool or end reason.
        value: Percent or percentage points; None when undefined.
        interval: 95 percent, profiles drawn anew; None where it cannot be told.
        n: Episodes or events it rests on.
    """

    plot: str
    x: str
    value: float | None
    interval: Interval | None
    n: int


def points(episodes: Sequence[EpisodeRecord], scene: Scene) -> list[Point]:
    """Every point of every plot of a run, plot by plot."""
    return [
        _point(episodes, plot, metric) for plot, metrics in plotted(episodes, scene).items() for metric in metrics
    ]  # fmt: skip


def plotted(episodes: Sequence[EpisodeRecord], scene: Scene) -> dict[str, list[Metric]]:
    """Plot -> one metric for each of its points, named after the point."""
    tools = [str(tool) for tool in scene.tools]
    shown = scene.products_showing_place
    ends = sorted({episode.end_reason for episode in episodes})
    return {
        SUCCESS: [Metric(str(turn), partial(bought_by, turn=turn)) for turn in range(TURN_LIMIT + 1)],
        GAIN: [
            Metric(_horizon(h), partial(visibility_gain, horizon=h, products_of_place=shown), pooled=True)
            for h in HORIZONS[1:]
        ],
        ACTS: [Metric(act.value, partial(act_share, act=act), pooled=True) for act in Act],
        SUGGESTED: [
            Metric(tool, partial(suggestion_share, tool=tool, legal_tools=tools), pooled=True) for tool in tools
        ],
        FOLLOWED: [Metric(tool, partial(same_action, tool=tool), pooled=True) for tool in tools],
        ENDS: [Metric(reason, partial(ended_by, reason=reason)) for reason in ends],
    }


def _point(episodes: Sequence[EpisodeRecord], plot: str, metric: Metric) -> Point:
    scores = [score for episode in episodes if (score := metric.score(episode)) is not None]
    interval = clustered_interval(metric, episodes, generator(SEED, "point", plot, metric.name))
    return Point(plot, metric.name, metric.of(episodes), interval, round(sum(score.weight for score in scores)))


def _horizon(horizon: int | None) -> str:
    return "End" if horizon is None else str(horizon)
