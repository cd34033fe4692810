"""Whether the user did what the assistant expected (SituRecBench, Appendix C.1, Navigation Effectiveness).

Both rates compare the expected action with the call the user asked for, whether or not it was carried out. Every
turn whose expected tool is legal is an event, not Navigate turns only.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from siturec_gym.core.actions import UNKNOWN, Direction, Tool, ToolCall
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics.score import Score

DIRECTIONAL_TOOLS = frozenset(
    {Tool.TURN_AND_MOVE, Tool.MOVE_AND_TURN, Tool.SIDE_STEP, Tool.TURN, Tool.LOOK_UP_DOWN}
)  # fmt: skip
DESTINATION_TOOLS = frozenset({Tool.MOVE_TO_FIXTURE, Tool.MOVE_TO_STORE, Tool.MOVE_TO_AREA})


class Event(NamedTuple):
    """An expected action with a legal tool, and what the user asked for in the same turn."""

    expected: ToolCall
    actual: ToolCall


def events(episode: EpisodeRecord, legal_tools: Collection[str]) -> list[Event]:
    """V_e: the turns with a legal expected tool. A missing or illegal expected action is excluded."""
    pairs = ((turn.assistant.expected_user_action, turn.user.tool_requested) for turn in episode.turns)
    return [Event(expected, actual) for expected, actual in pairs if expected and expected.tool in legal_tools]


def comparable(expected: ToolCall) -> bool:
    """Whether local parameters of an expected action can be compared (D_e).

    Directional tools need a direction among left, right, up, down; destination tools need a target. A target that
    names nothing was said all the same: it is comparable, and matches no place.
    """
    if expected.tool in DIRECTIONAL_TOOLS:
        return expected.direction in set(Direction)
    return expected.tool in DESTINATION_TOOLS and bool(expected.target)


def same_tool(expected: ToolCall, actual: ToolCall) -> bool:
    """Tool names agree, whatever the arguments."""
    return expected.tool == actual.tool


def same_local_action(expected: ToolCall, actual: ToolCall) -> bool:
    """Tool names agree, and so do direction or target; for move_to_store the approach too where it was expected."""
    if expected.tool in DIRECTIONAL_TOOLS:
        return same_tool(expected, actual) and expected.direction == actual.direction
    if expected.tool == Tool.MOVE_TO_STORE and expected.approach and expected.approach != actual.approach:
        return False
    return same_tool(expected, actual) and expected.target == actual.target != UNKNOWN


def action_following(episode: EpisodeRecord, legal_tools: Collection[str]) -> Score | None:
    """AFR_e = #(t in V_e: tools agree) / |V_e|; AFR is 100 times the mean over episodes with an event.

    Args:
        episode: The recorded episode.
        legal_tools: Tool names of the scene (12 in the Supermarket, 13 in the Home Furnishings Store).
    """
    return _share(same_tool(*event) for event in events(episode, legal_tools))


def local_alignment(episode: EpisodeRecord, legal_tools: Collection[str]) -> Score | None:
    """LNSR_e = #(t in D_e: tools and local parameters agree) / |D_e|, D_e the comparable events of V_e.

    LNSR is 100 times the mean over episodes with a comparable event. Angles, distances and durations play no part.

    Args:
        episode: The recorded episode.
        legal_tools: Tool names of the scene.
    """
    return _share(
        same_local_action(*event) for event in events(episode, legal_tools) if comparable(event.expected)
    )  # fmt: skip


def _share(matches: Iterable[bool]) -> Score | None:
    outcomes = list(matches)
    return Score(sum(outcomes) / len(outcomes)) if outcomes else None
