"""From episodes to the figures of a run (S22), on hand-made runs and as properties."""

import json
import math
import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import SUPERMARKET_TOOLS, Navigation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import ViewRecord
from siturec_gym.metrics.aggregate import (
    COHORT,
    EVENT_POOLED,
    FOUR_SUBSET,
    MetricValue,
    aggregate,
    counts,
    situated_metrics,
    summarise,
)
from siturec_gym.metrics.partition import full_bank, partition

CATALOG = tuple(f"P{i:03d}" for i in range(1, 13))
BANK = full_bank("supermarket")
SUBSETS = partition(BANK)
VIEW = ViewRecord((), (), Pose(0.0, 0.0, 0.0))
METRICS = {metric.name: metric for metric in situated_metrics(SUPERMARKET_TOOLS, CATALOG)}


def test_a_full_run_gives_the_mean_and_sample_sd_of_four_subset_means(make_episode):
    buys = {task for subset, share in zip(SUBSETS, (5, 10, 15, 20), strict=True) for task in subset[:share]}
    episodes = [make_episode(task=task, cart=["P001"] if task in buys else []) for task in BANK]
    value = summarise(episodes, SUPERMARKET_TOOLS, CATALOG)["SR"]
    assert value.value == pytest.approx(50.0)
    assert value.sd == pytest.approx(statistics.stdev([20, 40, 60, 80]))
    assert (value.n, value.convention) == (100, FOUR_SUBSET)


def test_rpr_uses_the_full_cohort_even_in_a_full_run(make_episode):
    episodes = [make_episode(task=task, cart=["P001"], reference=["P001"]) for task in BANK]
    figures = summarise(episodes, SUPERMARKET_TOOLS, CATALOG)
    for name in ("RPR", "RPR|Cart"):
        assert (figures[name].value, figures[name].sd, figures[name].convention) == (100.0, None, COHORT)


def test_any_other_run_gives_cohort_means_without_sd(make_episode):
    figures = summarise([make_episode(task=task) for task in list(BANK)[:99]], SUPERMARKET_TOOLS, CATALOG)
    assert {(figure.sd, figure.convention) for figure in figures.values()} == {(None, COHORT), (None, EVENT_POOLED)}


def test_goal_visibility_is_pooled_over_events_even_in_a_full_run(make_episode, make_turn):
    """Three events, one seen at once: 100/3, where the mean over the two episodes would be 50 (S22)."""
    turn = make_turn(act="Navigate")
    unseen = replace(turn, assistant=replace(turn.assistant, navigation=Navigation("F01")))
    seen = replace(unseen, visible=replace(VIEW, places=("F01",)))
    turns = {"supermarket/01.1": [seen], "supermarket/01.2": [unseen, replace(unseen, turn=1)]}
    figures = summarise(
        [make_episode(task=task, turns=turns.get(task, [])) for task in BANK], SUPERMARKET_TOOLS, CATALOG
    )
    assert figures["CGV_0"] == MetricValue(pytest.approx(100 / 3), None, 3, EVENT_POOLED)
    assert [name for name in figures if name.startswith("CGV")] == [*(f"CGV_{h}" for h in range(6)), "CGV_End"]


def test_goal_visibility_takes_the_products_that_show_a_place(make_episode, make_turn):
    turn = make_turn(act="Navigate")
    turn = replace(
        turn,
        visible=replace(VIEW, products=("P001",)),
        assistant=replace(turn.assistant, navigation=Navigation("A01")),
    )
    episodes = [make_episode(turns=[turn])]
    assert summarise(episodes, SUPERMARKET_TOOLS, CATALOG)["CGV_0"].value == 0.0
    assert summarise(episodes, SUPERMARKET_TOOLS, CATALOG, {"A01": ("P001",)})["CGV_0"].value == 100.0


def test_subset_means_use_eligible_episodes_only(make_episode, make_turn):
    """One subset follows in 1 of 1 eligible episodes, the others in 1 of 2: (100 + 50 + 50 + 50) / 4."""
    left, idle = ToolCall("turn", direction="left"), ToolCall("idle")
    follows, ignores = make_turn(expected=left, asked=left), make_turn(expected=left, asked=idle)
    turns = {subset[0]: [follows] for subset in SUBSETS} | {subset[1]: [ignores] for subset in SUBSETS[1:]}
    episodes = [make_episode(task=task, turns=turns.get(task, [])) for task in BANK]
    figure = aggregate(METRICS["AFR"], episodes, SUBSETS)
    assert (figure.value, figure.n) == (62.5, 7)


def test_a_subset_without_an_eligible_episode_leaves_the_metric_undefined(make_episode):
    episodes = [make_episode(task=task, rankings=[("P001",)] if task in SUBSETS[0] else []) for task in BANK]
    figure = aggregate(METRICS["Catalog"], episodes, SUBSETS)
    assert (figure.value, figure.sd, figure.n, figure.convention) == (None, None, 25, FOUR_SUBSET)


def test_catalog_share_weighs_entries_and_not_episodes(make_episode):
    episodes = [make_episode(rankings=[("P001", "P002", "P003")]), make_episode(rankings=[("nothing",)])]
    assert METRICS["Catalog"].of(episodes) == 75.0


def test_failed_episodes_are_counted_in_every_n(make_episode):
    episodes = [
        make_episode(cart=["P001"], end_reason="success_cart_added"),
        make_episode(status="failed", end_reason="generation_failure"),
    ]
    assert METRICS["SR"].of(episodes) == 50.0
    assert counts(episodes) == {
        "episodes": 2,
        "status": {"complete": 1, "failed": 1},
        "end_reason": {"generation_failure": 1, "success_cart_added": 1},
    }


@st.composite
def runs(draw, make_episode, make_turn):
    product = st.sampled_from([*CATALOG, "made up"])
    call = st.sampled_from(
        [None, ToolCall("idle"), ToolCall("turn", direction="left"), ToolCall("turn"), ToolCall("fly"),
         ToolCall("move_to_fixture", target="F01"), ToolCall("move_to_fixture", target="F02")]
    )  # fmt: skip
    episodes = []
    for task in draw(st.lists(st.sampled_from(sorted(BANK)), max_size=6)):
        turns = [
            make_turn(i, draw(st.lists(product, max_size=10)), draw(call), draw(call) or ToolCall("idle"))
            for i in range(draw(st.integers(0, 4)))
        ]
        cart = draw(st.lists(product, max_size=3))
        episodes.append(make_episode(cart, turns=turns, reference=draw(st.lists(product, max_size=4)), task=task))
    return episodes


@given(data=st.data())
def test_percentages_stay_within_bounds_and_order_is_of_no_consequence(data, make_episode, make_turn):
    episodes = data.draw(runs(make_episode, make_turn))
    shuffled = data.draw(st.permutations(episodes))
    for metric in METRICS.values():
        value, again = metric.of(episodes), metric.of(shuffled)
        assert (value is None) == (again is None)
        if value is not None:
            assert math.isclose(value, again, abs_tol=1e-9)
            assert 0.0 <= value <= (100.0 + 1e-9 if metric.unit == "%" else 4.0)


@given(data=st.data())
def test_metrics_that_contain_each_other(data, make_episode, make_turn):
    """RPR <= SR, RPR = SR * RPR|Cart, LNSR's events are among AFR's."""
    episodes = data.draw(runs(make_episode, make_turn))
    value = {name: metric.of(episodes) for name, metric in METRICS.items()}
    if not episodes:
        return
    assert value["RPR"] <= value["SR"]
    assert value["RPR"] == pytest.approx(value["SR"] * (value["RPR|Cart"] or 0.0) / 100.0)
    assert value["LNSR"] is None or value["AFR"] is not None


@given(data=st.data())
def test_a_relevant_product_moved_up_never_lowers_a_ranking_metric(data, make_episode, make_turn):
    ranking = data.draw(st.permutations(CATALOG))[:10]
    rank = data.draw(st.integers(1, 9))
    better = [*ranking[: rank - 1], ranking[rank], ranking[rank - 1], *ranking[rank + 1 :]]
    cart = [ranking[rank]]
    for name in ("R@5", "NDCG@10", "R-MRR@10"):
        before = METRICS[name].of([make_episode(cart, [ranking], reference=cart)])
        after = METRICS[name].of([make_episode(cart, [better], reference=cart)])
        assert after >= before


def test_figures_are_plain_values(make_episode):
    figures = summarise([make_episode()], SUPERMARKET_TOOLS, CATALOG)
    text = json.dumps({name: [figure.value, figure.sd, figure.n] for name, figure in figures.items()})
    assert '"SR": [0.0, null, 1]' in text
