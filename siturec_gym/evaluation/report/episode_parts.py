"""The parts of an episode's page: view with marks, map with the walk, metrics, judgments, the private goal."""

import base64
from collections.abc import Collection, Mapping
from html import escape

from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.evaluation.report.drawing import PAPER, Disc, Drawing, Label, Path, Point
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.layout import WIDTH
from siturec_gym.evaluation.report.replay import LOOKS, VIEW, Moment
from siturec_gym.evaluation.report.runs import judge_title
from siturec_gym.evaluation.report.svg import to_svg
from siturec_gym.evaluation.report.walks import Walks, draw_floor, draw_places, map_frame
from siturec_gym.evaluation.report.words import NameOf, counted, spaced
from siturec_gym.scenes.scene import Scene
from siturec_gym.tasks.records import Profile, Task
from siturec_gym.world.view import Seen

MARKED_WITHIN_M = {"product": 6.0}
_PLACES_WITHIN_M = 20.0
_TRACE = "#c2185b"
_ALTS = {
    VIEW: "the user's view",
    "assistant": "the view as marked for the assistant",
    "user": "the view as marked for the user",
}


def look_buttons() -> str:
    """What chooses between the view and the two marked images."""
    titles = {VIEW: "view, with ids", "assistant": "assistant's image", "user": "user's image"}
    buttons = "".join(f'<button data-look="{look}">{titles[look]}</button>' for look in LOOKS)
    return f'<div class="looks" role="group" aria-label="image">{buttons}</div>'


def view_figure(index: int, frame: bytes | None, moment: Moment | None, pointed_at: Collection[str]) -> str:
    """What there was to see at the start of a turn: the view with marks, and each role's own marked image."""
    images = {} if moment is None else {look: _data("jpeg", image) for look, image in moment.images.items()}
    if frame is not None:
        images[VIEW] = _data("png", frame)
    if not images:
        return f'<figure class="turn view empty" data-turn="{index}"><figcaption>no image</figcaption></figure>'
    shown = "".join(
        f'<img class="{look}" src="{images[look]}" alt="{_ALTS[look]}">' for look in LOOKS if look in images
    )
    seen = [] if moment is None else [entity for entity in moment.seen if _is_marked(entity)]
    marks = "".join(_mark(entity, entity.entity_id in pointed_at) for entity in seen)
    source = "view saved with the run" if frame is not None else "drawn again from the record"
    return (
        f'<figure class="turn view" data-turn="{index}"><div class="picture">{shown}'
        f'<div class="marks">{marks}</div></div><figcaption>{source}</figcaption></figure>'
    )


def seen_list(turn: TurnRecord, moment: Moment | None, name_of: NameOf) -> str:
    """What was in view, nearest first, and what was in hand and cart."""
    if moment is None:
        items = [name_of(entity) for entity in (*turn.visible.places, *turn.visible.products)]
    else:
        nearest = sorted(moment.seen, key=lambda entity: (entity.distance_m, entity.entity_id))
        items = [f"{entity.entity_id} {entity.name}, {entity.distance_m:.1f} m" for entity in nearest]
    rows = {"pose": _pose(turn)}
    if moment is not None:
        rows["in hand"] = name_of(moment.held) if moment.held else "nothing"
        rows["cart"] = ", ".join(map(name_of, moment.cart)) or "empty"
    lines = "".join(f"<li>{escape(item)}</li>" for item in items)
    count = f"{counted(len(turn.visible.places), 'place')}, {counted(len(turn.visible.products), 'product')}"
    return (
        f'<dl class="plain">{finding_rows(rows)}</dl>'
        f'<details class="seen"><summary>In view: {count}</summary><ul>{lines}</ul></details>'
    )


def trace_map(scene: Scene, episode: EpisodeRecord) -> str:
    """The store with the walk; the place and heading of each turn are switched by the page's script."""
    frame, height = map_frame(scene)
    drawing = Drawing(WIDTH, height, "the walk on the map of the store")
    draw_floor(drawing, scene, frame, 0)
    draw_places(drawing, scene, frame, 0)
    line = [frame.pixel(x, y) for x, y in Walks(scene).line(episode)]
    if len(line) > 1:
        drawing.add(Path(tuple(line), _TRACE, 2.5))
    poses = [turn.visible.pose for turn in episode.turns] + [episode.final_view.pose]
    for spot, turns in _by_spot([frame.pixel(pose.x, pose.y) for pose in poses]).items():
        drawing.add(Disc(spot, 4.0, _TRACE, PAPER, f"turns {turns}"))
        drawing.add(Label((spot[0] + 6, spot[1] - 9), turns, 11, _TRACE, bold=True))
    arrows = "".join(_arrow(i, frame.pixel(pose.x, pose.y), pose.yaw_deg) for i, pose in enumerate(poses))
    svg = to_svg(drawing).removesuffix("</svg>") + arrows + "</svg>"
    return f'<figure class="map">{svg}<figcaption>walk and turns; the arrow is the user</figcaption></figure>'


def episode_facts(run: RunFigures, episode: EpisodeRecord) -> dict[str, str]:
    """What the episode contributes to each metric; a dash where it is not eligible."""
    facts = {}
    for name, metric in run.metrics.items():
        score = metric.score(episode)
        if score is None:
            facts[name] = "—"
        elif metric.unit != "%":
            facts[name] = f"{score.points / score.weight:g}"
        else:
            of = f" of {counted(score.weight, 'event')}" if metric.pooled else ""
            facts[name] = f"{100 * score.points / score.weight:.1f} %{of}"
    return facts


def judgment_panel(run: RunFigures, episode: EpisodeRecord) -> str:
    """What the judges said of the episode; nothing when none was asked."""
    found = [said for said in run.run.judgments if (said.task, said.trial) == (episode.task, episode.trial)]
    parts = []
    for said in found:
        rows = {name: str(score) for name, score in said.scores.items()} or {"unscored": said.reason or ""}
        comment = f"<p>{escape(said.comment)}</p>" if said.comment else ""
        parts.append(f'<h3>{escape(judge_title(said))}</h3><dl class="plain">{finding_rows(rows)}</dl>{comment}')
    return f'<details class="panel"><summary>Judgments</summary>{"".join(parts)}</details>' if parts else ""


def goal_panel(task: Task, profile: Profile, episode: EpisodeRecord, name_of: NameOf) -> str:
    """What only the user knew, folded away under a label that says so."""
    goal = task.goal
    rows = {
        "shopper": profile.persona,
        "request": goal.request,
        "use": goal.use,
        "must be": ", ".join(goal.required_labels),
        "must not be": ", ".join(goal.unwanted_labels) or "nothing named",
        "budget": f"${goal.budget:g} ({goal.budget_tier})",
        "discloses": ", ".join(goal.disclosure),
        "accepts": ", ".join(f"{spaced(key)}: {value}" for key, value in goal.acceptance.items()),
        "behaviour": ", ".join(f"{spaced(key)} {getattr(profile.settings, key)}" for key in _settings(profile)),
        "suitable products": ", ".join(map(name_of, episode.reference_set)),
    }
    return (
        '<details class="panel private" id="private"><summary>Private: only the simulated user knew this</summary>'
        f'<p>Shown for research. The assistant had none of it.</p><dl class="plain">{finding_rows(rows)}</dl></details>'
    )


def finding_rows(rows: Mapping[str, str]) -> str:
    """Terms and their descriptions."""
    return "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in rows.items())


def _data(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _is_marked(entity: Seen) -> bool:
    """As the marks of the assistant's image: products within 6 m, places within 20 m."""
    return entity.distance_m <= MARKED_WITHIN_M.get(entity.kind, _PLACES_WITHIN_M)


def _mark(entity: Seen, pointed_at: bool) -> str:
    x0, y0, x1, y1 = (100 * part for part in entity.box)
    kind = "product" if entity.kind == "product" else "place"
    hint = f"{entity.entity_id} {entity.name}, {entity.distance_m:.1f} m"
    return (
        f'<i class="{kind}{" pointed" if pointed_at else ""}" title="{escape(hint)}" '
        f'style="left:{x0:.1f}%;top:{y0:.1f}%;width:{x1 - x0:.1f}%;height:{y1 - y0:.1f}%"><b>{entity.entity_id}</b></i>'
    )


def _by_spot(points: list[Point]) -> dict[Point, str]:
    """Numbers of the turns that began at each point, in few characters; the last one is the end."""
    spots: dict[Point, list[int]] = {}
    for index, point in enumerate(points):
        spots.setdefault(point, []).append(index)
    return {point: _ranges(turns) for point, turns in spots.items()}


def _ranges(numbers: list[int]) -> str:
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][1] + 1:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in groups)


def _arrow(index: int, at: Point, yaw_deg: float) -> str:
    place = f'transform="translate({at[0]:.1f} {at[1]:.1f}) rotate({-yaw_deg:.1f})"'
    look = 'd="M14 0L-9 8L-4 0L-9 -8Z" fill="#d50000" stroke="#fff" stroke-width="1.5"'
    return f'<path class="turn" data-turn="{index}" {look} {place}/>'


def _pose(turn: TurnRecord) -> str:
    pose = turn.visible.pose
    return f"x {pose.x:.2f} m, y {pose.y:.2f} m, heading {pose.yaw_deg:.0f}°, gaze {pose.pitch_deg:+.0f}°"


def _settings(profile: Profile) -> tuple[str, ...]:
    return tuple(type(profile.settings).__dataclass_fields__)
