"""How the roles behave and how episodes end (SituRecBench, Sections 3.4 and D.3, Figures 3 and 9 to 11).

Shares and rates are percentages pooled over the events of all episodes, not averaged over episodes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from siturec_gym.core.actions import Act
from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.metrics.navigation import same_tool

TURN_LIMIT = 20


class SuggestedAction(NamedTuple):
    """A tool as Navigate responses suggest it.

    Attributes:
        share: Percent of the Navigate responses with a legal expected tool that suggest this one.
        same_action_rate: Percent of those in which the user asked for the same tool; None if it is never suggested.
        n: Number of responses that suggest it.
    """

    share: float
    same_action_rate: float | None
    n: int


def success_by_turn(episodes: Sequence[EpisodeRecord], last_turn: int = TURN_LIMIT) -> tuple[float, ...] | None:
    """SR(t) = 100/N * #(episodes with a nonempty cart and at most t turns), for t = 0..last_turn (Appendix C.1).

    Returns:
        ``last_turn + 1`` percentages that never fall; None without an episode.
    """
    if not episodes:
        return None
    lengths = [len({turn.turn for turn in episode.turns}) for episode in episodes if episode.cart]
    return tuple(_percent(sum(length <= t for length in lengths), len(episodes)) for t in range(last_turn + 1))


def act_shares(episodes: Iterable[EpisodeRecord]) -> dict[str, float] | None:
    """Share of each dialogue act among all assistant responses (Figure 9): 100 * #(responses with it) / #(responses).

    Returns:
        Act -> percent for the ten acts in the paper's order, summing to 100; None without a response.
    """
    counted = Counter(turn.assistant.act for turn in _turns(episodes))
    total = counted.total()
    return {act.value: _percent(counted[act.value], total) for act in Act} if total else None


def suggested_actions(
    episodes: Iterable[EpisodeRecord], legal_tools: Collection[str]
) -> dict[str, SuggestedAction] | None:
    """Share and same-action rate of each tool suggested within Navigate responses (Figure 10).

    Args:
        episodes: The episodes.
        legal_tools: Tool names of the scene; a Navigate response whose expected tool is none of them is left out.

    Returns:
        Tool -> figures for each legal tool, in their order; None without such a response.
    """
    pairs = [
        (turn.assistant.expected_user_action, turn.user.tool_requested)
        for turn in _turns(episodes)
        if turn.assistant.act == Act.NAVIGATE
    ]
    followed = [(str(said.tool), same_tool(said, did)) for said, did in pairs if said and said.tool in legal_tools]
    if not followed:
        return None
    times, agreed = Counter(tool for tool, _ in followed), Counter(tool for tool, same in followed if same)
    return {
        str(tool): SuggestedAction(
            _percent(times[tool], len(followed)),
            _percent(agreed[tool], times[tool]) if times[tool] else None,
            times[tool],
        )
        for tool in legal_tools
    }


def termination_shares(episodes: Sequence[EpisodeRecord]) -> dict[str, float] | None:
    """Share of each end reason among all episodes (Figure 11): 100 * #(episodes ended by it) / N.

    Returns:
        End reason -> percent for the reasons that occur, in alphabetical order, summing to 100; None without episodes.
    """
    counted = Counter(episode.end_reason for episode in episodes)
    return {reason: _percent(counted[reason], len(episodes)) for reason in sorted(counted)} or None


def _turns(episodes: Iterable[EpisodeRecord]) -> Iterator[TurnRecord]:
    return (turn for episode in episodes for turn in episode.turns)


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole
