"""A record turn by turn: what is in view after a turn, what ended, what is in hand, what has been said."""

import json
from dataclasses import replace

import pytest

from siturec_gym import assets
from siturec_gym.core.actions import Navigation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import ViewRecord
from siturec_gym.metrics.dialogue import Reader
from siturec_gym.metrics.moments import Progress, Standards, advance, moments

TAKE, DROP, IDLE = ToolCall("pick_up_item", target="P001"), ToolCall("drop_item"), ToolCall("idle")


def view(*places: str) -> ViewRecord:
    return ViewRecord(places, (), Pose(0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def standards() -> Standards:
    reader = Reader(json.loads(assets.read_asset("rewards/dialogue.json")), ())
    return Standards(frozenset(("P001",)), 3.0, frozenset(("idle",)), {}, {}, reader)


def test_the_view_after_a_turn_is_the_next_turns_and_at_last_the_final_one(make_episode, make_turn, standards):
    turns = [replace(make_turn(number), visible=view(f"F0{number}")) for number in range(3)]
    episode = make_episode(("P001",), turns=turns, final_view=view("F09"), end_reason="success_cart_added")
    found = list(moments(episode, standards))
    assert [moment.view for moment in found] == [view("F01"), view("F02"), view("F09")]
    assert [moment.cart for moment in found] == [(), (), ("P001",)]
    assert [moment.ended for moment in found] == [False, False, True]


@pytest.mark.parametrize("reason", ["", "generation_failure"])
def test_an_episode_that_goes_on_or_failed_has_no_last_turn(make_episode, make_turn, standards, reason):
    episode = make_episode(turns=[make_turn(0)], end_reason=reason)
    assert [moment.ended for moment in moments(episode, standards)] == [False]


@pytest.mark.parametrize(
    ("calls", "held"),
    [([TAKE], "P001"), ([TAKE, IDLE], "P001"), ([TAKE, DROP], None), ([TAKE, ToolCall("add_to_cart")], None),
     ([ToolCall("check_item", target="P002"), ToolCall("check_item", target="P003")], "P003")],
)  # fmt: skip
def test_what_is_in_hand_follows_from_the_calls_carried_out(make_episode, make_turn, standards, calls, held):
    turns = [make_turn(number, asked=call) for number, call in enumerate(calls)]
    assert [moment.now.held for moment in moments(make_episode(turns=turns), standards)][-1] == held


def test_progress_is_a_value(make_turn, standards):
    """Going on twice from the same progress gives the same, and leaves it as it was."""
    start = advance(Progress(), make_turn(0, ("P002", "P001")), view(), standards)
    kept = start._replace()
    first, second = (advance(start, make_turn(1, ("P001",)), view(), standards) for _ in range(2))
    assert first == second
    assert start == kept
    assert (start.mean_reciprocal_rank, first.mean_reciprocal_rank, Progress().mean_reciprocal_rank) == (0.5, 0.75, 0.0)


def test_what_is_awaited(make_turn, standards):
    """A goal is awaited while it is out of view; one in view when named ends the waiting for the one before."""

    def naming(goal: str, *places: str):
        turn = make_turn(0)
        return replace(turn, visible=view(*places), assistant=replace(turn.assistant, navigation=Navigation(goal)))

    waiting = advance(Progress(), naming("F01"), view(), standards)
    assert (waiting.awaited, waiting.goal, waiting.found) == ("F01", "F01", frozenset())
    assert advance(waiting, naming("F02", "F02"), view("F02"), standards).awaited is None
    seen = advance(waiting, make_turn(1), view("F01"), standards)
    assert (seen.awaited, seen.found) == (None, {"F01"})
    assert advance(seen, naming("F01"), view(), standards).awaited is None
