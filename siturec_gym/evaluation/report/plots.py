"""Which plots a report has, by the name of their files (Figures 3, 4, 6, 7, 9, 10, 11 and the walks)."""

from collections.abc import Sequence

from siturec_gym.core.actions import Act
from siturec_gym.evaluation.report.curves import ACTS, ENDS, FOLLOWED, GAIN, SUCCESS, SUGGESTED
from siturec_gym.evaluation.report.drawing import Drawing
from siturec_gym.evaluation.report.figures import RunFigures, by_scene
from siturec_gym.evaluation.report.layout import Series
from siturec_gym.evaluation.report.line_charts import line_chart, radar_chart
from siturec_gym.evaluation.report.published import ABLATION_TABLE, PUBLISHED_JUDGE, published_figures
from siturec_gym.evaluation.report.runs import FULL_CONTEXT
from siturec_gym.evaluation.report.share_charts import Spot, bubbles, matrix, stacked_bars
from siturec_gym.evaluation.report.walks import Walks, heat_map
from siturec_gym.evaluation.report.words import tool_words
from siturec_gym.judges.judgment import DIMENSIONS
from siturec_gym.metrics.behaviour import TURN_LIMIT

END_COLORS = {
    "success_cart_added": "#009e73",
    "recommendation_exhausted": "#d55e00",
    "turn_limit": "#e69f00",
    "moderator_ended": "#56b4e9",
    "motion_stall": "#cc79a7",
    "generation_failure": "#4d4d4d",
}
OTHER_END = "#b9bec8"


def plots(runs: Sequence[RunFigures]) -> dict[str, Drawing]:
    """File name without ending -> drawing, in the order of the page."""
    drawings: dict[str, Drawing] = {}
    for scene, group in by_scene(runs).items():
        title = group[0].scene.title
        drawings |= {f"{SUCCESS}-{scene}": _success(title, group)}
        if any(run.judges for run in group):
            drawings[f"dialogue-{scene}"] = _dialogue(title, scene, group)
        drawings |= {
            f"{GAIN}-{scene}": _gains(title, group),
            f"{ACTS}-{scene}": _acts(title, group),
            f"{SUGGESTED}-{scene}": _suggestions(title, group),
            f"{ENDS}-{scene}": _ends(title, group),
        }
        walks = Walks(group[0].scene)
        for index, run in enumerate(group, start=1):
            drawings[f"walks-{scene}-{index}"] = _walked(title, run, walks)
    return drawings


def _success(title: str, group: Sequence[RunFigures]) -> Drawing:
    turns = [str(turn) for turn in range(TURN_LIMIT + 1)]
    heading = f"{title}: purchases made by turn t"
    return line_chart(heading, turns, _lines(group, SUCCESS), "SR(t), %", "turns", 100.0)


def _lines(group: Sequence[RunFigures], plot: str) -> list[Series]:
    """A line with its interval for each run."""
    return [
        Series(run.run.label, tuple(p.value for p in run.plot(plot)), tuple(p.interval for p in run.plot(plot)))
        for run in group
    ]


def _dialogue(title: str, scene: str, group: Sequence[RunFigures]) -> Drawing:
    judges = list(dict.fromkeys(judge for run in group for judge in run.judges))
    series = [
        Series(
            run.run.label if len(judges) == 1 else f"{run.run.label}, judge {judge}",
            tuple(figure.measured.value for figure in run.ratings(judge).values()),
        )
        for run in group
        for judge in run.judges
    ]
    rows = (f for f in published_figures(ABLATION_TABLE) if f.scene == scene and f.condition == FULL_CONTEXT)
    published = {figure.metric: figure for figure in rows}
    if published:
        name = f"{published[DIMENSIONS[0]].assistant}, published, judge {PUBLISHED_JUDGE}"
        series.append(Series(name, tuple(published[dimension].value for dimension in DIMENSIONS)))
    by = f" by {judges[0]}" if len(judges) == 1 else ""
    return radar_chart(f"{title}: dialogue ratings{by}", DIMENSIONS, series)


def _gains(title: str, group: Sequence[RunFigures]) -> Drawing:
    horizons = ("1", "2", "3", "4", "5", "End")
    heading = f"{title}: goals that came into view later, CGV(h) - CGV(0)"
    return line_chart(heading, horizons, _lines(group, GAIN), "gain, percentage points", "further turns h")


def _acts(title: str, group: Sequence[RunFigures]) -> Drawing:
    acts = [act.value for act in Act]
    shares = [[point.value for point in run.plot(ACTS)] for run in group]
    return matrix(f"{title}: dialogue acts, % of responses", [run.run.label for run in group], acts, shares)


def _suggestions(title: str, group: Sequence[RunFigures]) -> Drawing:
    tools = [tool_words(tool) for tool in group[0].scene.tools]
    spots = [
        [
            Spot(share.value or 0.0, rate.value, rate.n)
            for share, rate in zip(run.plot(SUGGESTED), run.plot(FOLLOWED), strict=True)
        ]
        for run in group
    ]
    return bubbles(f"{title}: actions suggested by Navigate responses", [run.run.label for run in group], tools, spots)


def _ends(title: str, group: Sequence[RunFigures]) -> Drawing:
    ended = [{point.x: point.value for point in run.plot(ENDS)} for run in group]
    seen = {reason for shares in ended for reason in shares}
    reasons = [reason for reason in END_COLORS if reason in seen] + sorted(seen - set(END_COLORS))
    parts = [Series(reason.replace("_", " "), tuple(shares.get(reason, 0.0) for shares in ended)) for reason in reasons]
    colors = [END_COLORS.get(reason, OTHER_END) for reason in reasons]
    return stacked_bars(f"{title}: how episodes ended", [run.run.label for run in group], parts, colors)


def _walked(title: str, run: RunFigures, walks: Walks) -> Drawing:
    episodes = run.run.episodes
    ends = [(episode.final_view.pose, bool(episode.cart)) for episode in episodes]
    return heat_map(f"{title}: walks with {run.run.label}", walks.scene, walks.heat(episodes), ends)
