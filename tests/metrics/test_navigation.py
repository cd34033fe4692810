"""AFR and LNSR by hand (S21, C.1 Navigation Effectiveness, and the spec's readings)."""

import pytest

from siturec_gym.core.actions import SUPERMARKET_TOOLS, ToolCall
from siturec_gym.metrics.navigation import action_following, comparable, local_alignment

HOME_TOOLS = (*SUPERMARKET_TOOLS, "move_to_store", "move_to_area")
LEFT = ToolCall("turn", direction="left", angle_deg=90.0)
TO_F01 = ToolCall("move_to_fixture", target="F01", approach="front")


@pytest.fixture
def episode_of(make_episode, make_turn):
    def build(*pairs):
        return make_episode(turns=[make_turn(i, expected=e, asked=a) for i, (e, a) in enumerate(pairs)])

    return build


def test_afr_compares_tool_names_only(episode_of):
    other_angle = ToolCall("turn", direction="right", angle_deg=30.0)
    episode = episode_of((LEFT, other_angle), (LEFT, ToolCall("idle")), (ToolCall("idle"), ToolCall("idle")))
    assert action_following(episode, SUPERMARKET_TOOLS).points == pytest.approx(2 / 3)


def test_missing_and_illegal_expected_actions_are_no_events(episode_of):
    episode = episode_of((None, LEFT), (ToolCall("fly"), ToolCall("fly")), (ToolCall("move_to_store"), LEFT))
    assert action_following(episode, SUPERMARKET_TOOLS) is None
    assert local_alignment(episode, SUPERMARKET_TOOLS) is None


def test_the_request_counts_even_when_refused(make_episode, make_turn):
    turn = make_turn(expected=TO_F01, asked=TO_F01, executed=ToolCall("idle"))
    assert action_following(make_episode(turns=[turn]), SUPERMARKET_TOOLS).points == 1
    assert local_alignment(make_episode(turns=[turn]), SUPERMARKET_TOOLS).points == 1


def test_lnsr_compares_direction_but_not_angle(episode_of):
    same = ToolCall("turn", direction="left", angle_deg=10.0)
    other = ToolCall("turn", direction="right", angle_deg=90.0)
    wrong_tool = ToolCall("side_step", direction="left", distance_m=1.0)
    episode = episode_of((LEFT, same), (LEFT, other), (LEFT, wrong_tool), (LEFT, ToolCall("turn")))
    assert local_alignment(episode, SUPERMARKET_TOOLS).points == 0.25


def test_lnsr_for_fixtures_compares_the_target_and_not_the_approach(episode_of):
    back = ToolCall("move_to_fixture", target="F01", approach="back")
    elsewhere = ToolCall("move_to_fixture", target="F02", approach="front")
    assert local_alignment(episode_of((TO_F01, back), (TO_F01, elsewhere)), SUPERMARKET_TOOLS).points == 0.5


def test_actions_without_local_parameters_are_left_out(episode_of):
    forward = ToolCall("move_forward", distance_m=1.0)
    episode = episode_of((forward, forward), (ToolCall("pick_up_item", target="P001"), forward))
    assert local_alignment(episode, SUPERMARKET_TOOLS) is None
    assert action_following(episode, SUPERMARKET_TOOLS).points == 0.5


def test_unavailable_directions_and_targets_are_left_out():
    assert not comparable(ToolCall("turn", angle_deg=90.0))
    assert not comparable(ToolCall("turn", direction="sideways"))
    assert not comparable(ToolCall("move_to_fixture"))
    assert not comparable(ToolCall("move_to_fixture", target=""))
    assert comparable(ToolCall("turn", direction="up"))
    assert comparable(ToolCall("move_to_fixture", target="no such place"))


def test_store_approach_counts_only_when_it_was_expected(episode_of):
    inside = ToolCall("move_to_store", target="S1", approach="inside_doorway")
    outside = ToolCall("move_to_store", target="S1", approach="outside_doorway")
    either = ToolCall("move_to_store", target="S1")
    episode = episode_of((inside, inside), (inside, outside), (either, outside), (inside, either))
    assert local_alignment(episode, HOME_TOOLS).points == 0.5


def test_area_needs_the_same_place(episode_of):
    area = ToolCall("move_to_area", target="A1")
    assert local_alignment(episode_of((area, area), (area, ToolCall("move_to_area"))), HOME_TOOLS).points == 0.5


def test_two_names_of_nothing_are_not_the_same_place(episode_of):
    nowhere = ToolCall("move_to_fixture", target="unknown")
    assert local_alignment(episode_of((nowhere, nowhere)), SUPERMARKET_TOOLS).points == 0
