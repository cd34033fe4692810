"""Cumulative Goal Visibility (S21, S22; Appendix C.1), hand-computed and as properties."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import Navigation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, TurnRecord, UserRecord, ViewRecord
from siturec_gym.metrics.visibility import (
    HORIZONS,
    UNCHECKABLE,
    GoalEvent,
    goal_events,
    goal_visibility,
    shows,
    visibility_gains,
)

IDLE = ToolCall("idle")
NO_PRODUCTS: dict[str, tuple[str, ...]] = {}


def view(places="", products="") -> ViewRecord:
    return ViewRecord(tuple(places.split()), tuple(products.split()), Pose(0.0, 0.0, 0.0))


@pytest.fixture
def goes(make_turn):
    """A turn that names a goal ("" none) and sees places."""

    def build(number, goal="", places="", products="", flags=()) -> TurnRecord:
        turn = make_turn(number)
        navigation = Navigation(goal) if goal else None
        assistant = replace(turn.assistant, act="Navigate" if goal else "Greet", navigation=navigation)
        return replace(turn, visible=view(places, products), assistant=assistant, flags=flags)

    return build


def rates(episode, products_of_place=NO_PRODUCTS):
    scores = [goal_visibility(episode, horizon, products_of_place) for horizon in HORIZONS]
    return [None if score is None else (score.points, score.weight) for score in scores]


def test_the_window_opens_at_the_event_and_looks_h_turns_ahead(make_episode, goes):
    """F01 is named at turn 0 and seen at turn 2: visible from h = 2 on."""
    episode = make_episode(turns=[goes(0, "F01"), goes(1), goes(2, places="F01"), goes(3)])
    assert goal_events(episode, NO_PRODUCTS) == [GoalEvent(0, "F01", 2, True)]
    assert rates(episode) == [(0, 1), (0, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]


def test_every_naming_of_a_goal_is_an_event_of_its_own(make_episode, goes):
    """Turn 0: in view 1 later; turn 1: now; turn 2: F02 never. CGV_0 = 1/3, CGV_1 on = 2/3."""
    episode = make_episode(turns=[goes(0, "F01"), goes(1, "F01", "F01"), goes(2, "F02")])
    assert rates(episode) == [(1, 3), *[(2, 3)] * 6]


def test_what_was_in_view_before_the_event_does_not_count(make_episode, goes):
    episode = make_episode(turns=[goes(0, places="F01"), goes(1, "F01"), goes(2)])
    assert rates(episode)[-1] == (0, 1)


def test_the_final_view_counts_for_end_alone(make_episode, goes):
    """Seen only after the last action, one turn after the event: not at h = 1..5, but at End."""
    episode = make_episode(turns=[goes(0, "F01")], final_view=view("F01"))
    assert rates(episode) == [*[(0, 1)] * 6, (1, 1)]


def test_a_turn_without_goal_is_no_event_and_an_episode_without_events_not_eligible(make_episode, goes):
    assert rates(make_episode(turns=[goes(0), goes(1)])) == [None] * 7
    assert rates(make_episode()) == [None] * 7


def test_a_goal_that_names_no_place_is_an_event_that_is_never_seen(make_episode, goes):
    episode = make_episode(turns=[goes(0, "unknown", "F01 F02"), goes(1, places="F01")])
    assert rates(episode) == [(0, 1)] * 7


def test_a_null_goal_of_a_navigate_act_is_no_event(make_episode, goes):
    turn = goes(0, "F01", "F01")
    turn = replace(turn, assistant=replace(turn.assistant, navigation=Navigation(None)))
    assert rates(make_episode(turns=[turn])) == [None] * 7


def test_an_uncheckable_turn_is_no_event_and_shows_nothing(make_episode, goes):
    lost = goes(1, "F01", "F01", flags=(UNCHECKABLE,))
    episode = make_episode(turns=[goes(0, "F01"), lost, goes(2)])
    assert rates(episode) == [(0, 1)] * 7


def test_a_missing_turn_keeps_its_place_in_the_window(make_episode, goes):
    """Turn 1 was not saved; turn 2 is two turns after the event all the same."""
    episode = make_episode(turns=[goes(0, "F01"), goes(2, places="F01")])
    assert rates(episode)[:3] == [(0, 1), (0, 1), (1, 1)]


def test_in_the_home_store_a_product_of_the_destination_shows_it(make_episode, goes):
    """A visible area of a store does not show the store (Readings)."""
    products = {"S1": ("P001", "P002"), "A01": ("P001",)}
    episode = make_episode(turns=[goes(0, "S1", "A01"), goes(1, products="P002")])
    assert rates(episode, products)[:2] == [(0, 1), (1, 1)]
    assert shows(view(products="P001"), "A01", products)
    assert not shows(view(products="P002"), "A01", products)


def test_in_the_supermarket_products_show_no_fixture(tiny_scene, make_episode, goes):
    assert tiny_scene.products_showing_place == {}
    episode = make_episode(turns=[goes(0, "F01", products="P001 P002")])
    assert rates(episode, tiny_scene.products_showing_place)[0] == (0, 1)


def test_gains_are_pooled_over_events_and_not_averaged_over_episodes(make_episode, goes):
    """One event seen at h = 1 in one episode, three unseen in another: 100 * 1/4, not 100 * 1/2."""
    one = make_episode(turns=[goes(0, "F01"), goes(1, places="F01")])
    three = make_episode(turns=[goes(number, "F02") for number in range(3)])
    assert visibility_gains([one, three]) == {1: 25.0, 2: 25.0, 3: 25.0, 4: 25.0, 5: 25.0, None: 25.0}
    assert visibility_gains([make_episode()]) is None


def test_a_negative_horizon_is_refused(make_episode):
    with pytest.raises(ValueError, match="-1"):
        goal_visibility(make_episode(), -1)


PLACES = st.lists(st.sampled_from(["F01", "F02", "F03"]), unique=True, max_size=3).map(" ".join)


@st.composite
def episodes(draw, make_episode):
    turns = []
    for number in sorted(draw(st.sets(st.integers(0, 9), max_size=8))):
        goal = draw(st.sampled_from([None, "F01", "F02", "unknown"]))
        said = AssistantRecord("", "Navigate", None, Navigation(goal), None, ())
        turns.append(TurnRecord(number, view(draw(PLACES)), said, UserRecord("", IDLE, IDLE)))
    return make_episode(turns=turns, final_view=view(draw(PLACES)))


@given(data=st.data())
def test_cgv_never_falls_with_the_horizon_and_keeps_its_denominator(data, make_episode):
    values = rates(data.draw(episodes(make_episode)))
    if values[0] is None:
        assert values == [None] * 7
        return
    assert len({weight for _, weight in values}) == 1
    points = [point for point, _ in values]
    assert points == sorted(points)
    assert 0 <= points[0] <= points[-1] <= values[0][1]


@given(data=st.data())
def test_end_is_the_limit_of_long_horizons_but_for_the_final_view(data, make_episode):
    episode = data.draw(episodes(make_episode))
    blind = replace(episode, final_view=view())
    assert goal_visibility(blind, 100) == goal_visibility(blind, None)
