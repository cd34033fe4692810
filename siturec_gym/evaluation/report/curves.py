"""What the plots draw, as metrics, so that every point has an interval of its own (Figures 4, 7, 9, 10 and 11)."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from siturec_gym.core.actions import Act
from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.core.seeding import generator
from siturec_gym.metrics.aggregate import Metric
from siturec_gym.metrics.behaviour import TURN_LIMIT
from siturec_gym.metrics.navigation import same_tool
from siturec_gym.metrics.outcome import success, turns
from siturec_gym.metrics.score import Score
from siturec_gym.metrics.statistics import Interval, clustered_interval
from siturec_gym.metrics.visibility import HORIZONS, ProductsOfPlace, goal_visibility
from siturec_gym.scenes.scene import Scene

SEED = 0
"""Seed of every interval of a report, so that the same run gives the same report."""
SUCCESS, GAIN, ACTS, ENDS = "success_over_turns", "goal_visibility_gain", "dialogue_acts", "terminations"
SUGGESTED, FOLLOWED = "suggested_actions", "same_action_rate"

Counts = Callable[[TurnRecord], bool]


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
        SUCCESS: [Metric(str(turn), partial(_bought_by, turn=turn)) for turn in range(TURN_LIMIT + 1)],
        GAIN: [Metric(_horizon(h), partial(_gain, horizon=h, shown=shown), pooled=True) for h in HORIZONS[1:]],
        ACTS: [Metric(act.value, partial(_share, within=_any, counts=_acts(act)), pooled=True) for act in Act],
        SUGGESTED: [
            Metric(tool, partial(_share, within=_suggests(tools), counts=_suggests({tool})), pooled=True)
            for tool in tools
        ],
        FOLLOWED: [
            Metric(tool, partial(_share, within=_suggests({tool}), counts=_follows), pooled=True) for tool in tools
        ],
        ENDS: [Metric(reason, partial(_ended, reason=reason)) for reason in ends],
    }


def _point(episodes: Sequence[EpisodeRecord], plot: str, metric: Metric) -> Point:
    scores = [score for episode in episodes if (score := metric.score(episode)) is not None]
    interval = clustered_interval(metric, episodes, generator(SEED, "point", plot, metric.name))
    return Point(plot, metric.name, metric.of(episodes), interval, round(sum(score.weight for score in scores)))


def _bought_by(episode: EpisodeRecord, turn: int) -> Score:
    return Score(float(success(episode).points == 1.0 and turns(episode).points <= turn))


def _gain(episode: EpisodeRecord, horizon: int | None, shown: ProductsOfPlace) -> Score | None:
    later, now = (goal_visibility(episode, h, shown) for h in (horizon, 0))
    return None if later is None or now is None else Score(later.points - now.points, now.weight)


def _ended(episode: EpisodeRecord, reason: str) -> Score:
    return Score(float(episode.end_reason == reason))


def _share(episode: EpisodeRecord, within: Counts, counts: Counts) -> Score | None:
    eligible = [turn for turn in episode.turns if within(turn)]
    return Score(float(sum(map(counts, eligible))), float(len(eligible))) if eligible else None


def _any(turn: TurnRecord) -> bool:
    return bool(turn.assistant.act)


def _acts(act: Act) -> Counts:
    return lambda turn: turn.assistant.act == act


def _suggests(tools: Collection[str]) -> Counts:
    """Whether a Navigate response expects one of some tools."""

    def suggests(turn: TurnRecord) -> bool:
        expected = turn.assistant.expected_user_action
        return turn.assistant.act == Act.NAVIGATE and expected is not None and expected.tool in tools

    return suggests


def _follows(turn: TurnRecord) -> bool:
    expected = turn.assistant.expected_user_action
    return expected is not None and same_tool(expected, turn.user.tool_requested)


def _horizon(horizon: int | None) -> str:
    return "End" if horizon is None else str(horizon)
