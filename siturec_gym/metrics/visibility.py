"""Whether what the assistant navigates to comes into view (SituRecBench, Appendix C.1, Cumulative Goal Visibility).

An event is a turn with a navigation goal and a checkable observation. The goal counts as visible at horizon h once it
appears in the view of the event's own turn or of one of the next h turns; "End" looks on through the saved end of the
episode, the view after the last action included. A later turn that is missing or cannot be checked shows nothing.
All horizons share one denominator, so the rate never falls as the horizon grows.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from siturec_gym.core.records import EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.metrics.score import Score, mean

HORIZONS: tuple[int | None, ...] = (0, 1, 2, 3, 4, 5, None)
"""Turns to look ahead, as the paper reports them; None is "End"."""

UNCHECKABLE = "uncheckable_observation"
"""Flag of a turn whose view could not be saved: it is no event and shows nothing."""

ProductsOfPlace = Mapping[str, Collection[str]]


class GoalEvent(NamedTuple):
    """A navigation goal and when it came into view.

    Attributes:
        turn: Number of the turn that named it.
        goal: Place id; a goal that names no place is never in view.
        wait: Turns until a view showed it, 0 for the event's own; None if no turn's view did.
        by_end: Whether it was in view at any time from the event to the end, the final view included.
    """

    turn: int
    goal: str
    wait: int | None
    by_end: bool


def shows(view: ViewRecord, goal: str, products_of_place: ProductsOfPlace) -> bool:
    """Whether a view shows a place, or a product that makes it visible.

    Args:
        view: What was in view.
        goal: Place id.
        products_of_place: For stores and display areas the ids of the products there, any of which makes the place
            visible. Fixtures have no entry: only the fixture itself counts.
    """
    return goal in view.places or not set(products_of_place.get(goal, ())).isdisjoint(view.products)


def goal_events(episode: EpisodeRecord, products_of_place: ProductsOfPlace) -> list[GoalEvent]:
    """The events of an episode, in order.

    Args:
        episode: The recorded episode.
        products_of_place: See ``shows``.
    """
    turns = [turn for turn in episode.turns if UNCHECKABLE not in turn.flags]
    return [
        _followed(turn, turn.assistant.navigation.navigation_goal, turns, episode.final_view, products_of_place)
        for turn in turns
        if turn.assistant.navigation is not None and turn.assistant.navigation.navigation_goal is not None
    ]


def goal_visibility(
    episode: EpisodeRecord, horizon: int | None, products_of_place: ProductsOfPlace | None = None
) -> Score | None:
    """CGV_h = 100 * #(events whose goal is visible within h turns) / #(events), pooled over all episodes' events.

    Args:
        episode: The recorded episode; it contributes its events, and is not eligible without one.
        horizon: Turns after the event's own that are looked at; None for "End".
        products_of_place: See ``shows``.

    Raises:
        ValueError: A negative horizon.
    """
    if horizon is not None and horizon < 0:
        raise ValueError(f"horizon: expected 0 or more turns, or None for the end, got {horizon}")
    events = goal_events(episode, products_of_place or {})
    seen = sum(event.by_end if horizon is None else _within(event, horizon) for event in events)
    return Score(float(seen), float(len(events))) if events else None


def visibility_gain(
    episode: EpisodeRecord, horizon: int | None, products_of_place: ProductsOfPlace | None = None
) -> Score | None:
    """Delta CGV_h of an episode's events: visible within h turns and not at once, pooled like ``goal_visibility``."""
    later, now = (goal_visibility(episode, h, products_of_place) for h in (horizon, 0))
    return None if later is None or now is None else Score(later.points - now.points, now.weight)


def visibility_gains(
    episodes: Sequence[EpisodeRecord], products_of_place: ProductsOfPlace | None = None
) -> dict[int | None, float] | None:
    """Delta CGV_h = CGV_h - CGV_0 in percentage points for h = 1..5 and None (End), as Figures 7 and 8 draw them.

    Returns:
        Horizon -> gain, never negative and never falling; None without an event.
    """
    gains = {h: mean(visibility_gain(episode, h, products_of_place) for episode in episodes) for h in HORIZONS[1:]}
    return {horizon: 100.0 * gain for horizon, gain in gains.items() if gain is not None} or None


def _within(event: GoalEvent, horizon: int) -> bool:
    return event.wait is not None and event.wait <= horizon


def _followed(
    origin: TurnRecord, goal: str, turns: Sequence[TurnRecord], final: ViewRecord, products_of_place: ProductsOfPlace
) -> GoalEvent:
    waits = [
        turn.turn - origin.turn
        for turn in turns
        if turn.turn >= origin.turn and shows(turn.visible, goal, products_of_place)
    ]
    return GoalEvent(origin.turn, goal, min(waits, default=None), bool(waits) or shows(final, goal, products_of_place))
