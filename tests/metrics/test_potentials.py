"""Potentials and their shaping terms: by hand, and the property that makes them harmless (they telescope)."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym import assets
from siturec_gym.core.actions import Navigation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import ViewRecord
from siturec_gym.metrics.dialogue import Reader
from siturec_gym.metrics.moments import Progress, Standards, moments
from siturec_gym.metrics.potentials import POTENTIALS, ended_potentials, potentials_of, shaping, turn_shaping

TAKE, DROP, IDLE = ToolCall("pick_up_item", target="P001"), ToolCall("drop_item"), ToolCall("idle")


def view(places=(), products=()) -> ViewRecord:
    return ViewRecord(tuple(places), tuple(products), Pose(0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def standards() -> Standards:
    reader = Reader(json.loads(assets.read_asset("rewards/dialogue.json")), ())
    return Standards(frozenset(("P001", "P003")), 3.0, frozenset(("idle",)), {}, {"A01": ("P002",)}, reader)


@pytest.mark.parametrize(
    ("progress", "seen", "expected"),
    [
        (Progress(), view(), (0.0, 0.0, 0.0, 0.0)),
        (Progress(rankings=(("P001",), ("P002", "P003"))), view(), (0.5, 0.0, 0.0, 0.0)),
        (Progress(goal="F01"), view(["F01"]), (0.0, 1.0, 0.0, 0.0)),
        (Progress(goal="A01"), view(products=["P002"]), (0.0, 1.0, 0.0, 0.0)),
        (Progress(), view(products=["P001", "P002"]), (0.0, 0.0, 1.0, 0.0)),
        (Progress(held="P003"), view(), (0.0, 0.0, 1.0, 1.0)),
        (Progress(held="P002"), view(), (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_potentials_by_hand(standards, progress, seen, expected):
    assert tuple(potentials_of(progress, seen, standards).values()) == expected
    assert tuple(potentials_of(progress, seen, standards)) == tuple(POTENTIALS)


def test_shaping_is_the_discounted_difference():
    before, after = {"potential_rank": 0.5}, {"potential_rank": 1.0}
    assert shaping(before, after, 0.9) == {"potential_rank": pytest.approx(0.4)}


@st.composite
def records(draw, make_episode, make_turn):
    products = st.lists(st.sampled_from(["P001", "P002"]), max_size=2, unique=True)
    turns = []
    for number in range(draw(st.integers(1, 6))):
        turn = make_turn(number, draw(products), asked=draw(st.sampled_from([TAKE, DROP, IDLE])))
        goal = Navigation(draw(st.sampled_from(["F01", "F02"])))
        seen = view(draw(st.lists(st.sampled_from(["F01", "F02"]), unique=True)), draw(products))
        turns.append(replace(turn, visible=seen, assistant=replace(turn.assistant, navigation=goal)))
    reason = draw(st.sampled_from(["turn_limit", "motion_stall", "success_cart_added", "moderator_ended"]))
    return make_episode(turns=turns, end_reason=reason, final_view=view(["F01"], draw(products)))


@given(data=st.data(), gamma=st.floats(0.0, 1.0))
def test_shaping_telescopes_to_minus_the_first_potential_however_the_episode_ends(
    data, gamma, make_episode, make_turn, standards
):
    """sum gamma^t F_t = gamma^T phi(s_T) - phi(s_0), and phi(s_T) = 0."""
    episode = data.draw(records(make_episode, make_turn))
    first = potentials_of(Progress(), episode.turns[0].visible, standards)
    total = dict.fromkeys(POTENTIALS, 0.0)
    for step, moment in enumerate(moments(episode, standards)):
        for name, value in turn_shaping(moment, moment.turn.visible, gamma).items():
            total[name] += gamma**step * value
    for name, value in total.items():
        assert value == pytest.approx(-first[name], abs=1e-9)


@given(data=st.data())
def test_potentials_lie_between_0_and_1(data, make_episode, make_turn, standards):
    for moment in moments(data.draw(records(make_episode, make_turn)), standards):
        assert all(0.0 <= value <= 1.0 for value in potentials_of(moment.now, moment.view, standards).values())
    assert set(ended_potentials().values()) == {0.0}
