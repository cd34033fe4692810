"""An episode as text: what was said and done, turn by turn, with the annotation that the user never hears."""

from html import escape

from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.evaluation.report.failures import Failure
from siturec_gym.evaluation.report.words import NameOf, call_words, counted, spaced


def anchor(run: int, episode: EpisodeRecord, turn: int | None = None) -> str:
    """The place of an episode, or of one turn of it, on the report's page."""
    task = episode.task.replace("/", "-").replace(".", "-")
    return f"run{run}-{task}-{episode.trial}" + ("" if turn is None else f"-t{turn}")


def failure_html(run: int, failure: Failure, name_of: NameOf) -> str:
    """One failed episode: its telling turns with links, and the whole conversation folded away."""
    episode = failure.episode
    links = "".join(
        f'<li><a href="#{anchor(run, episode, sign.turn)}">turn {sign.turn}</a> {escape(sign.note)}</li>'
        for sign in failure.signs
    )
    turns = "\n".join(_turn(run, episode, turn, name_of) for turn in episode.turns)
    bought = ", ".join(map(name_of, episode.cart)) or "nothing"
    error = f'<p class="error">{escape(episode.error)} ({escape(episode.failure or "")})</p>' if episode.error else ""
    trial = f", trial {episode.trial}" if episode.trial else ""
    return (
        f'<article class="episode" id="{anchor(run, episode)}"><h5>{escape(episode.task)}{trial}'
        f'<span class="aside">{counted(len(episode.turns), "turn")}, bought {escape(bought)}</span></h5>{error}'
        f'<ul class="signs">{links}</ul>'
        f"<details><summary>Conversation</summary><ol class='turns'>{turns}</ol></details></article>"
    )


def _turn(run: int, episode: EpisodeRecord, turn: TurnRecord, name_of: NameOf) -> str:
    said, did = turn.assistant, turn.user
    refused = f' <span class="refused">refused: {escape(spaced(did.refusal))}</span>' if did.refusal else ""
    flags = "".join(f' <span class="flag">{escape(spaced(flag))}</span>' for flag in turn.flags)
    return (
        f'<li id="{anchor(run, episode, turn.turn)}"><span class="number">{turn.turn}</span>'
        f'<p class="assistant"><b>Assistant</b> {escape(said.utterance)}</p>'
        f'<p class="hidden">{escape(annotation(turn, name_of))}{flags}</p>'
        f'<p class="user"><b>User</b> {escape(did.utterance)}</p>'
        f'<p class="tool">{escape(call_words(did.tool_requested, name_of))}{refused}</p></li>'
    )


def annotation(turn: TurnRecord, name_of: NameOf) -> str:
    """What the assistant meant: act, object and expected action."""
    said = turn.assistant
    words = [said.act]
    if said.recommendation is not None:
        words.append(name_of(said.recommendation.product or said.recommendation.display_name or "nothing known"))
    if said.navigation is not None:
        words.append(f"to {name_of(said.navigation.navigation_goal or 'nowhere known')}")
    return f"{' '.join(words)}; expects: {call_words(said.expected_user_action, name_of)}"
