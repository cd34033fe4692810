"""The part of the report on what went wrong: failed episodes by kind, and what was noticed in any turn."""

from collections.abc import Collection, Sequence
from html import escape

from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.evaluation.report.failures import KINDS, Failure, failures
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.transcript import anchor, failure_html
from siturec_gym.evaluation.report.words import NameOf, names_of, spaced

SHOWN_PER_KIND = 200
"""Conversations printed for each kind of failure of a run; the page says how many more there are."""
SHOWN_PER_NOTICE = 12
"""Turns named for each thing that was noticed."""

Slot = tuple[str, int]


def failures_section(runs: Sequence[RunFigures]) -> str:
    """What went wrong in each run."""
    return "".join(_of_run(index, run) for index, run in enumerate(runs, start=1))


def _of_run(index: int, run: RunFigures) -> str:
    name_of = names_of(run.scene)
    by_kind = failures(run.run.episodes, name_of)
    printed = {_slot(f.episode) for found in by_kind.values() for f in found[:SHOWN_PER_KIND]}
    kinds = "".join(_kind(index, kind, found, len(run.run.episodes), name_of) for kind, found in by_kind.items())
    heading = f"<h3>{escape(run.run.label)}, {escape(run.scene.title)}</h3>"
    body = kinds or "<p>Every episode ended in a suitable purchase.</p>"
    return heading + _noticed(index, run.run.episodes, printed) + body


def _kind(index: int, kind: str, found: Sequence[Failure], episodes: int, name_of: NameOf) -> str:
    shown = "".join(failure_html(index, failure, name_of) for failure in found[:SHOWN_PER_KIND])
    rest = len(found) - SHOWN_PER_KIND
    more = f"<p>{rest} more are not printed; siturec view shows any of them.</p>" if rest > 0 else ""
    return (
        f'<details class="kind"><summary><b>{escape(spaced(kind))}</b> {len(found)} of {episodes} '
        f"({100 * len(found) / episodes:.0f} %)</summary><p>{KINDS[kind]}</p>{shown}{more}</details>"
    )


def _noticed(index: int, episodes: Sequence[EpisodeRecord], printed: Collection[Slot]) -> str:
    """Refusals and flags, most frequent first, with the first turns of each."""
    found: dict[str, list[tuple[EpisodeRecord, TurnRecord]]] = {}
    for episode in episodes:
        for turn in episode.turns:
            for notice in _notices(turn):
                found.setdefault(notice, []).append((episode, turn))
    total = sum(len(episode.turns) for episode in episodes)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    lines = [
        f"<li>{escape(name)}: {len(where)} of {total} turns <small>{_places(index, where, printed)}</small></li>"
        for name, where in ordered
    ]
    return f'<ul class="noticed">{"".join(lines)}</ul>' if lines else ""


def _notices(turn: TurnRecord) -> list[str]:
    refused = [f"call refused: {spaced(turn.user.refusal)}"] if turn.user.refusal else []
    return refused + [spaced(flag) for flag in turn.flags]


def _places(index: int, where: Sequence[tuple[EpisodeRecord, TurnRecord]], printed: Collection[Slot]) -> str:
    named = []
    for episode, turn in where[:SHOWN_PER_NOTICE]:
        text = f"{episode.task.split('/')[-1]} turn {turn.turn}"
        address = anchor(index, episode, turn.turn)
        named.append(f'<a href="#{address}">{text}</a>' if _slot(episode) in printed else text)
    return ", ".join(named) + (", ..." if len(where) > SHOWN_PER_NOTICE else "")


def _slot(episode: EpisodeRecord) -> Slot:
    return episode.task, episode.trial
