"""The terms of a turn's reward (issue: decomposed reward; C.1), hand-computed, and as properties of whole records."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym import assets
from siturec_gym.core.actions import SUPERMARKET_TOOLS, Navigation, Recommendation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import TurnRecord, ViewRecord
from siturec_gym.metrics import navigation, outcome, recommendation
from siturec_gym.metrics.dialogue import Facts, Reader
from siturec_gym.metrics.moments import Standards, moments
from siturec_gym.metrics.reward_terms import TERMS, terms_of

IDLE = ToolCall("idle")
LEFT = ToolCall("turn", direction="left", angle_deg=30.0)
FACTS = {
    "P001": Facts(1.0, frozenset(("vegan",))),
    "P002": Facts(2.0, frozenset(("spicy",))),
    "P003": Facts(5.0, frozenset(("vegan", "spicy"))),
}


@pytest.fixture(scope="module")
def standards() -> Standards:
    """A_e is P001, P003; the budget is 3 dollars."""
    reader = Reader(json.loads(assets.read_asset("rewards/dialogue.json")), ("vegan", "spicy"))
    tools = frozenset(str(tool) for tool in SUPERMARKET_TOOLS)
    return Standards(frozenset(("P001", "P003")), 3.0, tools, FACTS, {"A01": ("P002",)}, reader)


@pytest.fixture(scope="module")
def exchange(make_turn) -> Callable[..., TurnRecord]:
    """A turn with all that terms look at."""

    def build(number=0, said="Hello.", reply="Okay.", places=(), products=(), flags=(), **changes: Any) -> TurnRecord:
        goal, product = changes.pop("goal", None), changes.pop("recommends", None)
        turn = make_turn(number, **{"expected": IDLE, **changes})
        assistant = replace(
            turn.assistant,
            utterance=said,
            navigation=Navigation(goal) if goal else None,
            recommendation=Recommendation(product) if product else None,
        )
        view = ViewRecord(tuple(places), tuple(products), Pose(0.0, 0.0, 0.0))
        user = replace(turn.user, utterance=reply)
        return replace(turn, visible=view, assistant=assistant, user=user, flags=tuple(flags))

    return build


@pytest.fixture
def terms(make_episode, standards) -> Callable[..., list[dict[str, float]]]:
    def build(turns, cart=(), end_reason="turn_limit", places=(), products=()) -> list[dict[str, float]]:
        final = ViewRecord(tuple(places), tuple(products), Pose(0.0, 0.0, 0.0))
        episode = make_episode(cart, turns=turns, end_reason=end_reason, final_view=final)
        return [terms_of(moment) for moment in moments(episode, standards)]

    return build


def column(rows: list[dict[str, float]], name: str) -> list[float]:
    return [row[name] for row in rows]


@pytest.mark.parametrize(
    ("cart", "value", "kept"),
    [
        ((), 0.0, 0.0),
        (("P001",), 1.0, 1.0),
        (("P002",), 0.25, 1.0),
        (("P003",), 1.0, -1.0),
        (("P002", "P001"), 1.0, 1.0),
    ],
)
def test_outcome_and_budget_come_with_the_purchase(terms, exchange, cart, value, kept):
    """P001 and P002 cost 3 dollars together, just the budget; P003 costs 5, though it is in this A_e."""
    rows = terms([exchange(0), exchange(1)], cart, "success_cart_added" if cart else "turn_limit")
    assert column(rows, "outcome") == [0.0, value]
    assert column(rows, "budget_kept") == [0.0, kept]


def test_every_turn_costs_one(terms, exchange):
    assert column(terms([exchange(0), exchange(1), exchange(2)]), "turn_cost") == [-1.0] * 3


def test_rank_and_its_gain_telescope_to_r_mrr(terms, exchange, make_episode):
    """Reciprocal ranks 0, 1/2, 1: running means 0, 1/4, 1/2, so gains 0, 1/4, 1/4."""
    turns = [exchange(0, ranking=()), exchange(1, ranking=("P002", "P001")), exchange(2, ranking=("P003", "P001"))]
    rows = terms(turns)
    assert column(rows, "reference_rank") == [0.0, 0.5, 1.0]
    assert column(rows, "reference_rank_gain") == [0.0, 0.25, 0.25]
    metric = recommendation.reference_reciprocal_rank(make_episode(turns=turns, reference=("P001", "P003")))
    assert sum(column(rows, "reference_rank_gain")) == metric.points


def test_final_cart_scores_come_at_the_end_alone(terms, exchange):
    """Lists [P002, P001] and [P001]; bought P001: R@5 = 1, NDCG = (1/log2(3) + 1) / 2 = 0.8155."""
    turns = [exchange(0, ranking=("P002", "P001")), exchange(1, ranking=("P001",))]
    rows = terms(turns, ("P001",), "success_cart_added")
    assert column(rows, "cart_recall") == [0.0, 1.0]
    assert column(rows, "cart_discounted_gain") == [0.0, pytest.approx(0.81546, abs=1e-5)]
    assert column(terms(turns), "cart_recall") == [0.0, 0.0]


def test_following_looks_at_the_call_asked_for(terms, exchange):
    rows = terms(
        [
            exchange(0, expected=LEFT, asked=replace(LEFT, angle_deg=90.0)),
            exchange(1, expected=LEFT, asked=replace(LEFT, direction="right")),
            exchange(2, expected=LEFT, asked=IDLE),
            exchange(3, expected=IDLE, asked=IDLE),
            exchange(4, expected=ToolCall("fly"), asked=ToolCall("fly")),
            exchange(5, expected=None, asked=IDLE),
        ]
    )
    assert column(rows, "action_following") == [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert column(rows, "local_alignment") == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_goal_out_of_view_is_paid_once_it_comes_into_view(terms, exchange):
    """F01 is named at turn 0, seen from turn 2 on: turn 1 made it visible. It is not paid again."""
    turns = [exchange(0, goal="F01"), exchange(1), exchange(2, places=["F01"]), exchange(3), exchange(4, goal="F01")]
    assert column(terms(turns, places=["F01"]), "goal_visibility_gain") == [0.0, 1.0, 0.0, 0.0, 0.0]


def test_a_goal_in_view_when_named_pays_nothing(terms, exchange):
    turns = [exchange(0, goal="F01", places=["F01"]), exchange(1), exchange(2)]
    assert column(terms(turns, places=["F01"]), "goal_visibility_gain") == [0.0] * 3


def test_only_the_goal_named_last_is_awaited(terms, exchange):
    """Naming many goals and hoping for one does not pay: F01 comes into view after F02 was named."""
    turns = [exchange(0, goal="F01"), exchange(1, goal="F02"), exchange(2, places=["F01"])]
    assert column(terms(turns, places=["F02"]), "goal_visibility_gain") == [0.0, 0.0, 1.0]


def test_a_goal_of_the_home_store_is_shown_by_its_products(terms, exchange):
    assert column(terms([exchange(0, goal="A01")], products=["P002"]), "goal_visibility_gain") == [1.0]


def test_saying_the_same_again_is_a_repetition(terms, exchange):
    turns = [exchange(0, said="Please walk to the shelf."), exchange(1), exchange(2, said="Please walk to the shelf!")]
    assert column(terms(turns), "repetition") == [0.0, 0.0, -1.0]


def test_asking_again_what_was_answered_is_redundant(terms, exchange):
    """Asked and answered at turn 1; asking in turn 0, before any answer, is fine."""
    question = "What is your budget?"
    turns = [
        exchange(0, said=question, reply="Hi."),
        exchange(1, said=question, reply="Up to $3."),
        exchange(2, said=question),
    ]
    assert column(terms(turns), "redundant_question") == [0.0, 0.0, -1.0]


def test_an_open_question_is_redundant_only_after_a_closing_reply(terms, exchange):
    question = "Do you have any other preferences?"
    turns = [
        exchange(0, said=question, reply="Something vegan."),
        exchange(1, said=question, reply="You know everything."),
        exchange(2, said=question),
    ]
    assert column(terms(turns), "redundant_question") == [0.0, 0.0, -1.0]


@pytest.mark.parametrize(
    ("reply", "product", "value"),
    [
        ("Okay.", "P003", 0.0),
        ("My budget is $3.", "P003", -1.0),
        ("Nothing spicy, please.", "P002", -1.0),
        ("I want something vegan.", "P002", -1.0),
        ("I want something vegan.", "P001", 0.0),
        ("Nothing spicy, please.", "unknown", 0.0),
    ],
)
def test_a_recommendation_that_breaks_what_was_said(terms, exchange, reply, product, value):
    """It goes by what was said and not by the private goal: P003 alone costs more than the task's budget."""
    rows = terms([exchange(0, reply=reply, recommends=product), exchange(1, recommends=product)])
    assert column(rows, "ignored_constraint") == [0.0, value]


@pytest.mark.parametrize(
    ("flags", "invalid", "handle", "unannotated"),
    [
        ((), 0.0, 0.0, 0.0),
        (("worded_by_template",), 0.0, 0.0, 0.0),
        (("recommendation_names_no_product",), -1.0, 0.0, 0.0),
        (("navigation_names_no_goal",), -1.0, 0.0, 0.0),
        (("no_expected_user_action",), -1.0, 0.0, 0.0),
        (("assistant_spoke_handle",), 0.0, -1.0, 0.0),
        (("user_spoke_handle",), 0.0, 0.0, 0.0),
        (("spoken_recommendation_without_annotation",), 0.0, 0.0, -1.0),
    ],
)
def test_flags_become_penalties(terms, exchange, flags, invalid, handle, unannotated):
    row = terms([exchange(0, flags=flags)])[0]
    assert (row["invalid_annotation"], row["spoken_handle"], row["unannotated_recommendation"]) == (
        invalid, handle, unannotated,
    )  # fmt: skip


def test_an_illegal_expected_tool_is_an_invalid_annotation(terms, exchange):
    assert terms([exchange(0, expected=ToolCall("fly"))])[0]["invalid_annotation"] == -1.0


@st.composite
def records(draw, make_episode, exchange):
    call = st.sampled_from(
        [IDLE, LEFT, ToolCall("fly"), ToolCall("pick_up_item", target="P001"), ToolCall("drop_item")]
    )
    line = st.sampled_from(
        ["What is your budget?", "Up to $3.", "Nothing spicy.", "No preference.", "Go to the shelf now."]
    )
    place = st.lists(st.sampled_from(["F01", "F02"]), unique=True)
    product = st.sampled_from(["P001", "P002", "P003", "unknown"])
    turns = [
        exchange(
            number,
            draw(line),
            draw(line),
            draw(place),
            draw(st.lists(product, unique=True)),
            ranking=draw(st.lists(product, max_size=4)),
            expected=draw(st.none() | call),
            asked=draw(call),
            goal=draw(st.sampled_from([None, "F01", "F02", "unknown"])),
            recommends=draw(st.none() | product),
        )
        for number in range(draw(st.integers(1, 6)))
    ]
    bought = draw(st.lists(st.sampled_from(["P001", "P002", "P003"]), max_size=2))
    return make_episode(
        bought, turns=turns, reference=("P001", "P003"), end_reason="success_cart_added" if bought else "turn_limit"
    )


@given(data=st.data())
def test_every_term_keeps_to_its_range(data, make_episode, exchange, standards):
    for moment in moments(data.draw(records(make_episode, exchange)), standards):
        for name, value in terms_of(moment).items():
            assert TERMS[name].low <= value <= TERMS[name].high, name


@given(data=st.data())
def test_terms_add_up_to_the_metrics_of_the_episode(data, make_episode, exchange, standards):
    """Sums over the turns: -T_e, R-MRR@10, R@5, NDCG@10, RPR, and the counts behind AFR and LNSR."""
    episode = data.draw(records(make_episode, exchange))
    rows = [terms_of(moment) for moment in moments(episode, standards)]
    total = {name: sum(column(rows, name)) for name in TERMS}
    assert total["turn_cost"] == -outcome.turns(episode).points
    assert total["reference_rank_gain"] == pytest.approx(recommendation.reference_reciprocal_rank(episode).points)
    assert total["cart_recall"] == pytest.approx(recommendation.cart_recall(episode).points)
    assert total["cart_discounted_gain"] == pytest.approx(recommendation.cart_discounted_gain(episode).points)
    assert (total["outcome"] == 1.0) == (outcome.reference_purchase(episode).points == 1.0)
    found = navigation.events(episode, standards.legal_tools)
    afr, lnsr = (
        rate(episode, standards.legal_tools) for rate in (navigation.action_following, navigation.local_alignment)
    )
    assert total["action_following"] == pytest.approx(len(found) * (afr.points if afr else 0.0))
    local = sum(navigation.comparable(event.expected) for event in found)
    assert total["local_alignment"] == pytest.approx(local * (lnsr.points if lnsr else 0.0))


@given(data=st.data())
def test_each_goal_pays_at_most_once(data, make_episode, exchange, standards):
    episode = data.draw(records(make_episode, exchange))
    rows = [terms_of(moment) for moment in moments(episode, standards)]
    goals = {turn.assistant.navigation.navigation_goal for turn in episode.turns if turn.assistant.navigation}
    assert sum(column(rows, "goal_visibility_gain")) <= len(goals - {"unknown"})
