"""The last thing that happened, as text for a person (render mode "human")."""

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.records import TurnRecord
from siturec_gym.envs.situated.state import EpisodeState


def told(state: EpisodeState) -> str:
    """What was said or done last, and how the episode ended if it did."""
    if state.spoken is not None:
        said = state.spoken.record
        return f"[turn {state.turn}] assistant ({said.act}): {said.utterance}"
    if not state.turns:
        return f"[start] {state.task.id.partition('/')[0]}: the shopper stands at the entrance"
    lines = [_user_line(state.turns[-1])]
    if state.end is not None:
        lines.append(f"[end] {state.end.reason.value}; cart: {', '.join(state.world.cart) or 'empty'}")
    return "\n".join(lines)


def _user_line(turn: TurnRecord) -> str:
    refused = f", refused: {turn.user.refusal}" if turn.user.refusal else ""
    return f"[turn {turn.turn}] user: {turn.user.utterance} -> {_call(turn.user.tool_requested)}{refused}"


def _call(call: ToolCall) -> str:
    names = ("direction", "angle_deg", "distance_m", "duration_s", "target", "approach")
    given = {name: getattr(call, name) for name in names}
    return f"{call.tool}({', '.join(f'{name}={value}' for name, value in given.items() if value is not None)})"
