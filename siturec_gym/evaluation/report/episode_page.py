"""One episode, turn by turn: view, marks, dialogue, hidden annotation, walk and metrics, as one page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.evaluation.report.episode_parts import (
    episode_facts,
    finding_rows,
    goal_panel,
    judgment_panel,
    look_buttons,
    seen_list,
    trace_map,
    view_figure,
)
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.page import document
from siturec_gym.evaluation.report.replay import Moment
from siturec_gym.evaluation.report.words import NameOf, call_words, names_of, spaced, tool_words
from siturec_gym.llm.meter import dollars
from siturec_gym.tasks.records import Profile, Task

_DOLLARS = "_usd"

KEYS = (
    ("← →", "turn back, turn on"),
    ("Home End", "first, last"),
    ("v a u", "the view, the assistant's image, the user's image"),
    ("m", "marks on the view"),
    ("p", "private goal"),
    ("?", "keys"),
)


@dataclass(frozen=True)
class EpisodeView:
    """What the page of one episode is made of.

    Attributes:
        run: Figures of the run it belongs to.
        episode: The record.
        moments: The episode played again; empty where it could not be.
        frames: Saved images by content hash.
        private: Task and profile, if the shipped bank has them.
    """

    run: RunFigures
    episode: EpisodeRecord
    moments: Sequence[Moment]
    frames: Mapping[str, bytes]
    private: tuple[Task, Profile] | None


def episode_page(shown: EpisodeView) -> str:
    """The whole page; it needs nothing from outside."""
    episode, name_of = shown.episode, names_of(shown.run.scene)
    last = len(episode.turns)
    views = "".join(_view(shown, index) for index in range(last + 1))
    talks = "".join(_talk(turn, shown, name_of) for turn in episode.turns) + _ending(shown, name_of)
    trial = f", trial {episode.trial}" if episode.trial else ""
    title = f"{episode.task}{trial}"
    body = (
        f"{_header(title, shown)}\n<main>\n"
        f'<div class="views">{_differences(shown)}{look_buttons()}{views}{trace_map(shown.run.scene, episode)}</div>\n'
        f'<div class="talks">{talks}\n{_panels(shown, name_of)}</div>\n</main>\n{_keys()}'
    )
    return document(f"{title}: {shown.run.run.label}", body, "episode")


def _header(title: str, shown: EpisodeView) -> str:
    episode, run = shown.episode, shown.run.run
    steps = "".join(_step(turn) for turn in episode.turns)
    outcome = "good" if set(episode.cart) & set(episode.reference_set) else "bad"
    return (
        f'<header><div class="title"><h1>{escape(title)}</h1>'
        f"<p>{escape(run.label)} with user {escape(run.user)}</p>"
        f'<span class="outcome {outcome}">{escape(spaced(episode.end_reason))}</span></div>'
        f'<nav aria-label="turns"><button data-go="-1" aria-label="previous turn">←</button>{steps}'
        f'<button class="step" data-step="{len(episode.turns)}" title="after the last action">end</button>'
        '<button data-go="1" aria-label="next turn">→</button></nav></header>'
    )


def _step(turn: TurnRecord) -> str:
    marks = " refused" if turn.user.refusal else ""
    hint = f"turn {turn.turn}: {turn.assistant.act}; {tool_words(turn.user.tool_requested.tool)}"
    hint += f" refused, {spaced(turn.user.refusal)}" if turn.user.refusal else ""
    about = f'data-step="{turn.turn}" data-act="{escape(turn.assistant.act)}" title="{escape(hint)}"'
    return f'<button class="step{marks}" {about}>{turn.turn}</button>'


def _view(shown: EpisodeView, index: int) -> str:
    episode = shown.episode
    turn = episode.turns[index] if index < len(episode.turns) else None
    moment = shown.moments[index] if index < len(shown.moments) else None
    frame = shown.frames.get(turn.frame) if turn is not None and turn.frame else None
    return view_figure(index, frame, moment, _pointed_at(turn))


def _pointed_at(turn: TurnRecord | None) -> set[str]:
    """Ids that the turn's expected and requested actions are about."""
    if turn is None:
        return set()
    calls = (turn.assistant.expected_user_action, turn.user.tool_requested)
    return {call.target for call in calls if call is not None and call.target}


def _talk(turn: TurnRecord, shown: EpisodeView, name_of: NameOf) -> str:
    said, did = turn.assistant, turn.user
    refused = f"refused: {spaced(did.refusal)}; the turn was spent idle" if did.refusal else ""
    flags = "".join(f'<p class="flag">{escape(spaced(flag))}</p>' for flag in turn.flags)
    moment = shown.moments[turn.turn] if turn.turn < len(shown.moments) else None
    annotation = finding_rows(_annotation(turn, name_of))
    return (
        f'<section class="turn" id="turn-{turn.turn}" data-turn="{turn.turn}"><h2>Turn {turn.turn}</h2>'
        f'<blockquote class="assistant"><b>Assistant</b>{escape(said.utterance)}</blockquote>'
        f'<blockquote class="user"><b>User</b>{escape(did.utterance)}</blockquote>'
        f'<p class="done"><b>Does</b> {escape(call_words(did.tool_requested, name_of))} '
        f'<span class="refused">{escape(refused)}</span></p>'
        f'<div class="hidden"><h3>Hidden from the user</h3><dl>{annotation}</dl>{flags}</div>'
        f"{seen_list(turn, moment, name_of)}</section>"
    )


def _annotation(turn: TurnRecord, name_of: NameOf) -> dict[str, str]:
    said = turn.assistant
    rows = {"act": said.act}
    if said.recommendation is not None:
        product = said.recommendation.product
        named = name_of(product) if product else said.recommendation.display_name or "nothing known"
        visible = "in view" if said.recommendation.visible_now else "not in view"
        rows["recommends"] = _with_reason(f"{named} ({visible})", said.recommendation.reason)
    if said.navigation is not None:
        goal = said.navigation
        way = f" by way of {name_of(goal.next_waypoint)}" if goal.next_waypoint else ""
        approach = f", {spaced(goal.target_approach)}" if goal.target_approach else ""
        rows["leads to"] = _with_reason(name_of(goal.navigation_goal or "nowhere known") + way + approach, goal.reason)
    rows["expects"] = call_words(said.expected_user_action, name_of)
    rows["ranking"] = ", ".join(f"{rank}. {name_of(product)}" for rank, product in enumerate(said.ranking, 1)) or "none"
    if turn.reward_terms:
        told = [f"{spaced(name)} {value:g}" for name, value in turn.reward_terms.items() if value]
        rows["reward terms"] = ", ".join(told) or "all 0"
    if turn.usage:
        rows["model usage"] = ", ".join(_used(name, amount) for name, amount in turn.usage.items())
    return rows


def _used(name: str, amount: float) -> str:
    if name.endswith(_DOLLARS):
        return f"{spaced(name.removesuffix(_DOLLARS))} {dollars(amount)}"
    return f"{spaced(name)} {amount:,.0f}"


def _with_reason(text: str, reason: str) -> str:
    return f"{text}: {reason}" if reason else text


def _ending(shown: EpisodeView, name_of: NameOf) -> str:
    episode = shown.episode
    bought = ", ".join(map(name_of, episode.cart)) or "nothing"
    error = f'<p class="refused">{escape(episode.failure or "")} {escape(episode.error)}</p>' if episode.error else ""
    last = len(episode.turns)
    when = f"After turn {last - 1}" if last else "Before the first turn was complete"
    return (
        f'<section class="turn" id="turn-end" data-turn="{last}"><h2>{when}</h2>'
        f"<p>Ended: {escape(spaced(episode.end_reason))}. In the cart: {escape(bought)}.</p>{error}</section>"
    )


def _panels(shown: EpisodeView, name_of: NameOf) -> str:
    facts = f'<dl class="plain metrics">{finding_rows(episode_facts(shown.run, shown.episode))}</dl>'
    panels = [f'<details class="panel" open><summary>Metrics of this episode</summary>{facts}</details>']
    panels.append(judgment_panel(shown.run, shown.episode))
    if shown.private is not None:
        panels.append(goal_panel(*shown.private, shown.episode, name_of))
    talk = "".join(
        f'<li><a href="#turn-{turn.turn}">{turn.turn}</a> <b>A</b> {escape(turn.assistant.utterance)} '
        f"<b>U</b> {escape(turn.user.utterance)}</li>"
        for turn in shown.episode.turns
    )
    panels.append(
        f'<details class="panel"><summary>Whole conversation</summary><ul class="whole">{talk}</ul></details>'
    )
    return "".join(panels)


def _differences(shown: EpisodeView) -> str:
    if not shown.moments:
        return (
            '<p class="warning">The episode could not be played again here: no views and no marks but saved frames.</p>'
        )
    turns = [str(index) for index, moment in enumerate(shown.moments) if not moment.as_recorded]
    if not turns:
        return ""
    words = (
        f"Played again, what is in view is not what was recorded (turn {', '.join(turns)}): code or data have changed."
    )
    return f'<p class="warning">{words} Dialogue, actions and the walk are the record\'s.</p>'


def _keys() -> str:
    rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(does)}</dd>" for key, does in KEYS)
    close = '<form method="dialog"><button>Close</button></form>'
    return f'<p class="help">? shows the keys</p><dialog id="keys"><h2>Keys</h2><dl>{rows}</dl>{close}</dialog>'
