"""How often something was noticed about a turn: shares of turns, pooled over the episodes of a run."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics.aggregate import Metric
from siturec_gym.metrics.score import Score


def flagged(episode: EpisodeRecord, flag: str) -> Score | None:
    """Share of an episode's turns that carry ``flag``, weighted by its turns; None without a turn."""
    turns = len(episode.turns)
    return Score(sum(flag in turn.flags for turn in episode.turns), turns) if turns else None


def flag_metric(flag: str) -> Metric:
    """The share of a run's turns that carry ``flag``."""
    return Metric(flag, partial(flagged, flag=flag), pooled=True)


def noticed(episodes: Sequence[EpisodeRecord]) -> dict[str, dict[str, Any]]:
    """Every flag of a run by name, in alphabetical order: the turns that carry it, and their share in per cent."""
    turns = [turn for episode in episodes for turn in episode.turns]
    found = Counter(flag for turn in turns for flag in set(turn.flags))
    return {flag: {"turns": count, "share": 100.0 * count / len(turns)} for flag, count in sorted(found.items())}
