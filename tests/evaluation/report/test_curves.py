"""Points of plots: the figures of metrics/ point by point, each with an interval."""

import pytest

from siturec_gym.evaluation.report import curves
from siturec_gym.metrics.behaviour import act_shares, success_by_turn, suggested_actions, termination_shares
from siturec_gym.metrics.visibility import visibility_gains
from siturec_gym.scenes import load_scene


@pytest.fixture(scope="module")
def episodes(mixed_episodes, played_episodes):
    return [*mixed_episodes, *played_episodes]


@pytest.fixture(scope="module")
def found(episodes):
    plots: dict[str, list[curves.Point]] = {}
    for point in curves.points(episodes, load_scene("supermarket")):
        plots.setdefault(point.plot, []).append(point)
    return plots


def values(points):
    return [point.value for point in points]


def test_success_over_turns(found, episodes) -> None:
    assert values(found[curves.SUCCESS]) == pytest.approx(success_by_turn(episodes))
    assert {point.n for point in found[curves.SUCCESS]} == {len(episodes)}


def test_gains_in_goal_visibility(found, episodes) -> None:
    assert values(found[curves.GAIN]) == pytest.approx(list(visibility_gains(episodes).values()))


def test_dialogue_acts_and_endings(found, episodes) -> None:
    assert {p.x: p.value for p in found[curves.ACTS]} == pytest.approx(act_shares(episodes))
    assert {p.x: p.value for p in found[curves.ENDS]} == pytest.approx(termination_shares(episodes))
    assert {point.n for point in found[curves.ACTS]} == {sum(len(episode.turns) for episode in episodes)}


def test_suggested_actions_and_whether_they_were_followed(found, episodes) -> None:
    tools = [str(tool) for tool in load_scene("supermarket").tools]
    expected = suggested_actions(episodes, tools)
    assert [point.x for point in found[curves.SUGGESTED]] == tools
    assert values(found[curves.SUGGESTED]) == pytest.approx([expected[tool].share for tool in tools])
    assert values(found[curves.FOLLOWED]) == [
        None if expected[tool].same_action_rate is None else pytest.approx(expected[tool].same_action_rate)
        for tool in tools
    ]
    assert [point.n for point in found[curves.FOLLOWED]] == [expected[tool].n for tool in tools]


def test_intervals_surround_their_points(found) -> None:
    intervals = [(p.interval, p.value) for points in found.values() for p in points if p.interval is not None]
    assert intervals
    assert all(interval.low - 1e-9 <= value <= interval.high + 1e-9 for interval, value in intervals)


def test_a_run_without_any_navigation_has_undefined_points(make) -> None:
    silent = make.episode("01.1", make.turn(0, act="Greet", navigation=None))
    points = curves.points([silent], load_scene("supermarket"))
    undefined = {point.plot for point in points if point.value is None}
    assert undefined == {curves.GAIN, curves.SUGGESTED, curves.FOLLOWED}
