"""Outcome metrics (S21, C.1 Overall Outcome, RPR)."""

from siturec_gym.metrics.aggregate import situated_metrics
from siturec_gym.metrics.outcome import reference_purchase, reference_purchase_given_cart, success, turns

METRICS = {metric.name: metric for metric in situated_metrics((), ())}


def test_success_looks_at_the_final_cart_not_at_the_end_reason(make_episode):
    assert success(make_episode(cart=["P001"], end_reason="turn_limit")).points == 1
    assert success(make_episode(end_reason="success_cart_added")).points == 0


def test_turns_counts_distinct_recorded_turns(make_episode, make_turn):
    assert turns(make_episode(turns=[make_turn(0), make_turn(1), make_turn(1)])).points == 2
    assert turns(make_episode(turns=[])).points == 0


def test_any_reference_item_of_several_counts_for_rpr(make_episode):
    assert reference_purchase(make_episode(cart=["P009", "P002"], reference=["P002", "P003"])).points == 1
    assert reference_purchase(make_episode(cart=["P009"], reference=["P002"])).points == 0
    assert reference_purchase(make_episode(reference=["P002"])).points == 0


def test_rpr_given_cart_leaves_out_episodes_without_purchase(make_episode):
    assert reference_purchase_given_cart(make_episode(reference=["P001"])) is None


def test_cohort_figures_by_hand(make_episode):
    episodes = [
        make_episode(cart=["P001"], reference=["P001"], rankings=[(), ()]),
        make_episode(cart=["P002"], reference=["P001"], rankings=[()]),
        make_episode(reference=["P001"], rankings=[(), (), ()]),
        make_episode(status="failed", end_reason="generation_failure"),
    ]
    assert METRICS["SR"].of(episodes) == 50.0
    assert METRICS["Turn"].of(episodes) == 1.5
    assert METRICS["RPR"].of(episodes) == 25.0
    assert METRICS["RPR|Cart"].of(episodes) == 50.0


def test_rpr_given_cart_is_undefined_without_any_purchase(make_episode):
    assert METRICS["RPR|Cart"].of([make_episode()]) is None
    assert METRICS["RPR"].of([make_episode()]) == 0.0


def test_no_episodes_at_all_leave_every_metric_undefined():
    assert all(metric.of([]) is None for metric in METRICS.values())
