"""Which plots a report has, by the name of their files (Figures 3, 4, 6, 7, 9, 10, 11 and the walks)."""

from collections.abc import Sequence

from siturec_gym.core.actions import Act
from siturec_gym.evaluation.report.drawing import Drawing
from siturec_gym.evaluation.report.figures import RunFigures, by_scene
from siturec_gym.evaluation.report.layout import Series
from siturec_gym.evaluation.report.line_charts import line_chart, radar_chart
from siturec_gym.evaluation.report.published import ABLATION_TABLE, published_figures
from siturec_gym.evaluation.report.runs import FULL_CONTEXT
from siturec_gym.evaluation.report.share_charts import Spot, bubbles, matrix, stacked_bars
from siturec_gym.evaluation.report.walks import Walks, heat_map
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
        drawings |= {f"success_over_turns-{scene}": _success(title, group)}
        if any(run.judges for run in group):
            drawings[f"dialogue-{scene}"] = _dialogue(title, scene, group)
        drawings |= {
            f"goal_visibility_gain-{scene}": _gains(title, group),
            f"dialogue_acts-{scene}": _acts(title, group),
            f"suggested_actions-{scene}": _suggestions(title, group),
            f"terminations-{scene}": _ends(title, group),
        }
        walks = Walks(group[0].scene)
        for index, run in enumerate(group, start=1):
            drawings[f"walks-{scene}-{index}"] = _walked(title, run, walks)
    return drawings


def _success(title: str, group: Sequence[RunFigures]) -> Drawing:
    series = [Series(run.run.label, run.success_by_turn or ()) for run in group]
    turns = [str(turn) for turn in range(TURN_LIMIT + 1)]
    return line_chart(f"{title}: purchases made by turn t", turns, series, "SR(t), %", "turns", 100.0)


def _dialogue(title: str, scene: str, group: Sequence[RunFigures]) -> Drawing:
    series = [
        Series(
            f"{run.run.label}, judge {judge}", tuple(figure.measured.value for figure in run.ratings(judge).values())
        )
        for run in group
        for judge in run.judges
    ]
    rows = (f for f in published_figures(ABLATION_TABLE) if f.scene == scene and f.condition == FULL_CONTEXT)
    published = {figure.metric: figure for figure in rows}
    if published:
        name = f"{published[DIMENSIONS[0]].assistant}, published"
        series.append(Series(name, tuple(published[dimension].value for dimension in DIMENSIONS)))
    return radar_chart(f"{title}: dialogue ratings", DIMENSIONS, series)


def _gains(title: str, group: Sequence[RunFigures]) -> Drawing:
    series = [Series(run.run.label, run.gains) for run in group]
    horizons = ("1", "2", "3", "4", "5", "End")
    heading = f"{title}: goals that came into view later, CGV(h) - CGV(0)"
    return line_chart(heading, horizons, series, "gain, percentage points", "further turns h")


def _acts(title: str, group: Sequence[RunFigures]) -> Drawing:
    acts = [act.value for act in Act]
    shares = [[run.acts.get(act) for act in acts] for run in group]
    return matrix(f"{title}: dialogue acts, % of responses", [run.run.label for run in group], acts, shares)


def _suggestions(title: str, group: Sequence[RunFigures]) -> Drawing:
    tools = [str(tool) for tool in group[0].scene.tools]
    spots = [[_spot(run, tool) for tool in tools] for run in group]
    return bubbles(f"{title}: actions suggested by Navigate responses", [run.run.label for run in group], tools, spots)


def _spot(run: RunFigures, tool: str) -> Spot:
    found = run.suggestions.get(tool)
    return Spot(0.0, None, 0) if found is None else Spot(found.share, found.same_action_rate, found.n)


def _ends(title: str, group: Sequence[RunFigures]) -> Drawing:
    seen = {reason for run in group for reason in run.ends}
    reasons = [reason for reason in END_COLORS if reason in seen] + sorted(seen - set(END_COLORS))
    parts = [Series(reason.replace("_", " "), tuple(run.ends.get(reason, 0.0) for run in group)) for reason in reasons]
    colors = [END_COLORS.get(reason, OTHER_END) for reason in reasons]
    return stacked_bars(f"{title}: how episodes ended", [run.run.label for run in group], parts, colors)


def _walked(title: str, run: RunFigures, walks: Walks) -> Drawing:
    episodes = run.run.episodes
    ends = [(episode.final_view.pose, bool(episode.cart)) for episode in episodes]
    return heat_map(f"{title}: walks with {run.run.label}", walks.scene, walks.heat(episodes), ends)
