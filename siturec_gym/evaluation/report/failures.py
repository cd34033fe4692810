"""Episodes that did not end well, sorted by kind, and the turns that tell why."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.core.actions import Act
from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.evaluation.report.words import NameOf

UNSUITABLE = "unsuitable_purchase"
UNEXPLAINED = "no_purchase"
# Kinds in the order they are told, with what each means.
KINDS = {
    "generation_failure": "A role could not act; the turns before it are kept.",
    UNSUITABLE: "Something was bought that does not meet the shopper's needs and budget.",
    "recommendation_exhausted": "Three recommendations without a purchase.",
    "turn_limit": "Nothing was bought within the turn limit.",
    "moderator_ended": "The conversation was over without a purchase.",
    "motion_stall": "Three movements in a row got nowhere.",
    UNEXPLAINED: "Nothing was bought, for another reason.",
}


@dataclass(frozen=True, slots=True)
class Sign:
    """Something a turn tells about how its episode went."""

    turn: int
    note: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An episode that went wrong, and the turns to look at."""

    episode: EpisodeRecord
    kind: str
    signs: tuple[Sign, ...]


def failure_kind(episode: EpisodeRecord) -> str | None:
    """What went wrong; None after a purchase from the reference set."""
    if episode.cart:
        return UNSUITABLE if set(episode.cart).isdisjoint(episode.reference_set) else None
    return episode.end_reason if episode.end_reason in KINDS else UNEXPLAINED


def failures(episodes: Sequence[EpisodeRecord], name_of: NameOf) -> dict[str, list[Failure]]:
    """Failed episodes by kind, kinds and episodes in a fixed order.

    Args:
        episodes: All episodes of a run.
        name_of: Display name of a product or place id.
    """
    found: dict[str, list[Failure]] = {kind: [] for kind in KINDS}
    for episode in sorted(episodes, key=lambda episode: (episode.task, episode.trial)):
        kind = failure_kind(episode)
        if kind is not None:
            found[kind].append(Failure(episode, kind, signs(episode, name_of)))
    return {kind: list_ for kind, list_ in found.items() if list_}


def signs(episode: EpisodeRecord, name_of: NameOf) -> tuple[Sign, ...]:
    """Recommendations, refused calls, noticed breaches and the end, in order."""
    told = [sign for turn in episode.turns for sign in _of_turn(turn, episode, name_of)]
    if episode.turns:
        told.append(Sign(episode.turns[-1].turn, f"ended: {episode.end_reason.replace('_', ' ')}"))
    return tuple(told)


def _of_turn(turn: TurnRecord, episode: EpisodeRecord, name_of: NameOf) -> list[Sign]:
    notes = []
    if turn.assistant.act == Act.RECOMMEND:
        notes.append(_recommended(turn, episode, name_of))
    if turn.user.refusal:
        notes.append(f"{turn.user.tool_requested.tool} refused: {turn.user.refusal.replace('_', ' ')}")
    notes += [flag.replace("_", " ") for flag in turn.flags]
    return [Sign(turn.turn, note) for note in notes]


def _recommended(turn: TurnRecord, episode: EpisodeRecord, name_of: NameOf) -> str:
    product = turn.assistant.recommendation.product if turn.assistant.recommendation else None
    if product is None:
        return "recommended nothing that the catalog holds"
    suits = "suits" if product in episode.reference_set else "does not suit"
    return f"recommended {name_of(product)} ({suits})"
