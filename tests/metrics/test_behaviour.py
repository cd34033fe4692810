"""SR(t) and the shares and rates of Figures 9 to 11 (S21), by hand and as properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import SUPERMARKET_TOOLS, Act, ToolCall
from siturec_gym.metrics.behaviour import (
    act_share,
    act_shares,
    bought_by,
    ended_by,
    same_action,
    success_by_turn,
    suggested_actions,
    suggestion_share,
    termination_shares,
)
from siturec_gym.metrics.outcome import success

LEFT, IDLE, WALK = ToolCall("turn", direction="left"), ToolCall("idle"), ToolCall("move_forward", distance_m=1.0)


def test_success_by_turn_counts_purchases_within_t_turns(make_episode):
    """Bought after 2 and after 4 turns; two episodes without a purchase: 25 % from t = 2, 50 % from t = 4."""
    episodes = [
        make_episode(["P001"], rankings=[()] * 2),
        make_episode(["P001"], rankings=[()] * 4),
        make_episode(rankings=[()] * 3),
        make_episode(rankings=[()] * 20),
    ]
    assert success_by_turn(episodes, 5) == (0.0, 0.0, 25.0, 25.0, 50.0, 50.0)
    assert len(success_by_turn(episodes)) == 21
    assert success_by_turn([]) is None


def test_act_shares_pool_responses_over_episodes(make_episode, make_turn):
    """3 of 4 responses Navigate, though one of the two episodes never does."""
    episodes = [
        make_episode(turns=[make_turn(number, act="Navigate") for number in range(3)]),
        make_episode(turns=[make_turn(act="Recommend")]),
    ]
    shares = act_shares(episodes)
    assert list(shares) == [act.value for act in Act]
    assert (shares["Navigate"], shares["Recommend"], shares["Greet"]) == (75.0, 25.0, 0.0)
    assert act_shares([make_episode()]) is None


def test_suggested_actions_look_at_navigate_responses_with_a_legal_tool(make_episode, make_turn):
    """Navigate suggests turn twice (followed once) and move_forward once (followed: arguments play no part)."""
    turns = [
        make_turn(0, expected=LEFT, asked=ToolCall("turn", direction="right"), act="Navigate"),
        make_turn(1, expected=LEFT, asked=IDLE, act="Navigate"),
        make_turn(2, expected=WALK, asked=ToolCall("move_forward", distance_m=3.0), act="Navigate"),
        make_turn(3, expected=ToolCall("fly"), asked=IDLE, act="Navigate"),
        make_turn(4, expected=None, asked=IDLE, act="Navigate"),
        make_turn(5, expected=IDLE, asked=IDLE, act="Greet"),
    ]
    figures = suggested_actions([make_episode(turns=turns)], SUPERMARKET_TOOLS)
    assert list(figures) == [tool.value for tool in SUPERMARKET_TOOLS]
    assert figures["turn"] == (pytest.approx(200 / 3), 50.0, 2)
    assert figures["move_forward"] == (pytest.approx(100 / 3), 100.0, 1)
    assert figures["idle"] == (0.0, None, 0)
    assert suggested_actions([make_episode(turns=turns[3:])], SUPERMARKET_TOOLS) is None


def test_a_refused_call_was_asked_for_all_the_same(make_episode, make_turn):
    turns = [make_turn(0, expected=WALK, asked=WALK, executed=IDLE, act="Navigate")]
    assert suggested_actions([make_episode(turns=turns)], SUPERMARKET_TOOLS)["move_forward"].same_action_rate == 100.0


def test_what_one_episode_contributes(make_episode, make_turn):
    """Two of three responses Navigate; both suggest turn, one of them is followed."""
    turns = [
        make_turn(0, expected=LEFT, asked=LEFT, act="Navigate"),
        make_turn(1, expected=LEFT, asked=IDLE, act="Navigate"),
        make_turn(2, expected=LEFT, asked=LEFT, act="Greet"),
    ]
    episode = make_episode(("P001",), turns=turns, end_reason="success_cart_added")
    assert (bought_by(episode, 2), bought_by(episode, 3)) == ((0.0, 1.0), (1.0, 1.0))
    assert act_share(episode, "Navigate") == (2.0, 3.0)
    assert suggestion_share(episode, "turn", SUPERMARKET_TOOLS) == (2.0, 2.0)
    assert same_action(episode, "turn") == (1.0, 2.0)
    assert ended_by(episode, "success_cart_added") == (1.0, 1.0)
    assert (act_share(make_episode(), "Greet"), same_action(episode, "idle")) == (None, None)


def test_termination_shares_count_failed_episodes_too(make_episode):
    reasons = ["turn_limit", "success_cart_added", "turn_limit", "generation_failure"]
    episodes = [make_episode(end_reason=reason) for reason in reasons]
    expected = {"generation_failure": 25.0, "success_cart_added": 25.0, "turn_limit": 50.0}
    assert termination_shares(episodes) == expected
    assert list(termination_shares(episodes)) == sorted(expected)
    assert termination_shares([]) is None


@st.composite
def runs(draw, make_episode, make_turn):
    call = st.sampled_from([None, IDLE, LEFT, WALK, ToolCall("fly")])
    acts = st.sampled_from([act.value for act in Act])
    reasons = st.sampled_from(["turn_limit", "success_cart_added", "motion_stall"])
    return [
        make_episode(
            draw(st.sampled_from([(), ("P001",)])),
            turns=[
                make_turn(number, expected=draw(call), asked=draw(call) or IDLE, act=draw(acts))
                for number in range(draw(st.integers(0, 5)))
            ],
            end_reason=draw(reasons),
        )
        for _ in range(draw(st.integers(1, 5)))
    ]


@given(data=st.data())
def test_shares_sum_to_a_hundred_and_order_is_of_no_consequence(data, make_episode, make_turn):
    episodes = data.draw(runs(make_episode, make_turn))
    shuffled = data.draw(st.permutations(episodes))
    figures = [
        act_shares(episodes),
        termination_shares(episodes),
        {tool: figure.share for tool, figure in (suggested_actions(episodes, SUPERMARKET_TOOLS) or {}).items()},
    ]
    for shares in filter(None, figures):
        assert sum(shares.values()) == pytest.approx(100.0)
        assert all(0.0 <= share <= 100.0 for share in shares.values())
    assert act_shares(shuffled) == act_shares(episodes)
    assert suggested_actions(shuffled, SUPERMARKET_TOOLS) == suggested_actions(episodes, SUPERMARKET_TOOLS)
    assert success_by_turn(shuffled) == success_by_turn(episodes)


@given(data=st.data())
def test_success_by_turn_never_falls_and_ends_at_the_success_rate(data, make_episode, make_turn):
    episodes = data.draw(runs(make_episode, make_turn))
    curve = success_by_turn(episodes)
    assert list(curve) == sorted(curve)
    assert curve[-1] == pytest.approx(100.0 * sum(success(episode).points for episode in episodes) / len(episodes))
