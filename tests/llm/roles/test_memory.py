"""Which views a role keeps."""

import pytest

from siturec_gym.llm.messages import ImagePart
from siturec_gym.llm.roles.memory import RoleState, seeing


def walked(most, turns=4):
    state = RoleState(7)
    for turn in range(turns):
        state = seeing(state, turn, ImagePart(bytes([turn])), most)
    return state


@pytest.mark.parametrize(("most", "turns"), [(0, []), (1, [3]), (2, [2, 3]), (9, [0, 1, 2, 3])])
def test_the_last_views_are_kept_oldest_first(most, turns):
    assert [view.turn for view in walked(most).views] == turns


def test_seeing_a_turn_again_changes_nothing():
    state = walked(2)
    assert seeing(state, 3, ImagePart(bytes([3])), 2) == state


def test_a_turn_without_a_picture_keeps_those_before():
    assert [view.turn for view in seeing(walked(2), 4, None, 2).views] == [2, 3]


def test_going_back_to_an_earlier_turn_forgets_what_came_after():
    assert [view.turn for view in seeing(walked(4), 1, ImagePart(b"x"), 4).views] == [0, 1]
