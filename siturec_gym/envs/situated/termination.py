"""When an episode ends and under which name (S4), as functions of plain values."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from siturec_gym.envs.situated.spaces import RECOMMENDATION_LIMIT

TURN_LIMIT = 20
STALL_LIMIT = 3


class EndReason(StrEnum):
    """The one name recorded for each way an episode ends, in order of precedence."""

    SUCCESS_CART_ADDED = "success_cart_added"
    TURN_LIMIT = "turn_limit"
    RECOMMENDATION_EXHAUSTED = "recommendation_exhausted"
    MOTION_STALL = "motion_stall"
    MODERATOR_ENDED = "moderator_ended"
    GENERATION_FAILURE = "generation_failure"


@dataclass(frozen=True, slots=True)
class End:
    """How an episode ended. Both flags are true when the turn limit falls together with another reason.

    Attributes:
        reason: The reason that takes precedence.
        terminated: The shopping itself came to an end.
        truncated: It was cut off, by the turn limit or because a role could not act.
        error: What a role that could not act said.
    """

    reason: EndReason
    terminated: bool
    truncated: bool
    error: str | None = None


def end_of_turn(
    *,
    cart_added: bool,
    turns_taken: int,
    turn_limit: int,
    recommendations: int,
    stalled: int,
    moderator: Callable[[], bool],
) -> End | None:
    """What ends the episode after a complete turn; None if it goes on.

    Args:
        cart_added: The user put an item into the cart this turn.
        turns_taken: Complete turns, this one counted.
        turn_limit: Turns of an episode.
        recommendations: Recommend annotations so far, this turn's counted.
        stalled: Consecutive translational actions that moved less than 0.05 m.
        moderator: Asked only when nothing else ends the episode.
    """
    fired = {
        EndReason.SUCCESS_CART_ADDED: cart_added,
        EndReason.TURN_LIMIT: turns_taken >= turn_limit,
        EndReason.RECOMMENDATION_EXHAUSTED: recommendations >= RECOMMENDATION_LIMIT,
        EndReason.MOTION_STALL: stalled >= STALL_LIMIT,
    }
    reasons = [reason for reason, holds in fired.items() if holds]
    if not reasons and moderator():
        reasons = [EndReason.MODERATOR_ENDED]
    if not reasons:
        return None
    terminated = any(reason is not EndReason.TURN_LIMIT for reason in reasons)
    return End(reasons[0], terminated, EndReason.TURN_LIMIT in reasons)


def failed(error: str) -> End:
    """The end of an episode in which a role could not act."""
    return End(EndReason.GENERATION_FAILURE, terminated=False, truncated=True, error=error)
