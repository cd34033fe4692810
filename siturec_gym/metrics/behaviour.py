"""How the roles behave and how episodes end (SituRecBench, Sections 3.4 and D.3, Figures 4 and 9 to 11).

The first functions give what one episode contributes; the others a run's figures, in percent. Shares and rates are
pooled over the events of all episodes, not averaged over episodes.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from siturec_gym.core.actions import Act, ToolCall
from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.metrics.navigation import same_tool
from siturec_gym.metrics.outcome import turns
from siturec_gym.metrics.score import Score, mean

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


def bought_by(episode: EpisodeRecord, turn: int) -> Score:
    """1[C_e = 1 and T_e <= t] of SR(t): a nonempty final cart within ``turn`` turns. Every episode is eligible."""
    return Score(float(bool(episode.cart) and turns(episode).points <= turn))


def act_share(episode: EpisodeRecord, act: str) -> Score | None:
    """Responses with this dialogue act, out of the episode's responses (Figure 9)."""
    return _share([turn.assistant.act == act for turn in episode.turns])


def suggestion_share(episode: EpisodeRecord, tool: str, legal_tools: Collection[str]) -> Score | None:
    """Suggestions of this tool, out of the Navigate responses with a legal expected tool (Figure 10)."""
    return _share([said.tool == tool for said, _ in _suggestions(episode.turns, legal_tools)])


def same_action(episode: EpisodeRecord, tool: str) -> Score | None:
    """Navigate responses whose user asked for the same tool, out of those that suggest this one (Figure 10)."""
    return _share([same_tool(said, did) for said, did in _suggestions(episode.turns, (tool,))])


def ended_by(episode: EpisodeRecord, reason: str) -> Score:
    """1 if the episode ended for this reason (Figure 11). Every episode is eligible."""
    return Score(float(episode.end_reason == reason))


def success_by_turn(episodes: Sequence[EpisodeRecord], last_turn: int = TURN_LIMIT) -> tuple[float, ...] | None:
    """SR(t) = 100/N * #(episodes with a nonempty cart and at most t turns), for t = 0..last_turn (Appendix C.1).

    Returns:
        ``last_turn + 1`` percentages that never fall; None without an episode.
    """
    rates = [mean(bought_by(episode, turn) for episode in episodes) for turn in range(last_turn + 1)]
    return tuple(100.0 * rate for rate in rates if rate is not None) or None


def act_shares(episodes: Sequence[EpisodeRecord]) -> dict[str, float] | None:
    """Share of each dialogue act among all assistant responses (Figure 9): 100 * #(responses with it) / #(responses).

    Returns:
        Act -> percent for the ten acts in the paper's order, summing to 100; None without a response.
    """
    shares = {act.value: mean(act_share(episode, act) for episode in episodes) for act in Act}
    return {act: 100.0 * share for act, share in shares.items() if share is not None} or None


def suggested_actions(
    episodes: Sequence[EpisodeRecord], legal_tools: Collection[str]
) -> dict[str, SuggestedAction] | None:
    """Share and same-action rate of each tool suggested within Navigate responses (Figure 10).

    Args:
        episodes: The episodes.
        legal_tools: Tool names of the scene; a Navigate response whose expected tool is none of them is left out.

    Returns:
        Tool -> figures for each legal tool, in their order; None without such a response.
    """
    return {str(tool): found for tool in legal_tools if (found := _suggested(episodes, tool, legal_tools))} or None


def termination_shares(episodes: Sequence[EpisodeRecord]) -> dict[str, float] | None:
    """Share of each end reason among all episodes (Figure 11): 100 * #(episodes ended by it) / N.

    Returns:
        End reason -> percent for the reasons that occur, in alphabetical order, summing to 100; None without episodes.
    """
    reasons = sorted({episode.end_reason for episode in episodes})
    shares = {reason: mean(ended_by(episode, reason) for episode in episodes) for reason in reasons}
    return {reason: 100.0 * share for reason, share in shares.items() if share is not None} or None


def _suggested(episodes: Sequence[EpisodeRecord], tool: str, legal_tools: Collection[str]) -> SuggestedAction | None:
    share = mean(suggestion_share(episode, tool, legal_tools) for episode in episodes)
    if share is None:
        return None
    scores = [score for episode in episodes if (score := same_action(episode, tool)) is not None]
    rate = mean(scores)
    times = round(sum(score.weight for score in scores))
    return SuggestedAction(100.0 * share, None if rate is None else 100.0 * rate, times)


def _suggestions(recorded: Iterable[TurnRecord], tools: Collection[str]) -> list[tuple[ToolCall, ToolCall]]:
    """Expected action and call asked for, of the Navigate responses that expect one of ``tools``."""
    responses = (turn for turn in recorded if turn.assistant.act == Act.NAVIGATE)
    pairs = ((turn.assistant.expected_user_action, turn.user.tool_requested) for turn in responses)
    return [(said, did) for said, did in pairs if said is not None and said.tool in tools]


def _share(hits: Sequence[bool]) -> Score | None:
    return Score(float(sum(hits)), float(len(hits))) if hits else None
