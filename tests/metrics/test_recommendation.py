"""R@5, NDCG@10, R-MRR@10 and Catalog % on hand-computed lists (S21, C.1 Recommendation Utility)."""

import math

import pytest

from siturec_gym.metrics.recommendation import (
    cart_discounted_gain,
    cart_recall,
    catalog_validity,
    discounted_gain,
    recall,
    reciprocal_rank,
    reference_reciprocal_rank,
)

TEN = tuple(f"P{i:03d}" for i in range(1, 11))


def test_recall_counts_the_top_five_only():
    assert recall(TEN, ["P005"]) == 1.0
    assert recall(TEN, ["P006"]) == 0.0
    assert recall(TEN, ["P001", "P006"]) == 0.5


def test_repeats_take_ranks_in_recall():
    assert recall(("P001", "P001", "P001", "P001", "P001", "P002"), ["P002"]) == 0.0


def test_discounted_gain_by_hand():
    assert discounted_gain(TEN, ["P001"]) == 1.0
    assert discounted_gain(TEN, ["P003"]) == pytest.approx(0.5)
    ideal = 1 + 1 / math.log2(3)
    assert discounted_gain(TEN, ["P001", "P003"]) == pytest.approx((1 + 0.5) / ideal)
    assert discounted_gain(TEN, ["P999"]) == 0.0


def test_a_repeated_product_earns_credit_once_and_shifts_nothing():
    assert discounted_gain(("P001", "P001", "P002"), ["P001"]) == 1.0
    assert discounted_gain(("P009", "P009", "P002"), ["P002"]) == pytest.approx(0.5)


def test_rank_eleven_is_too_late():
    assert discounted_gain((*TEN, "P011"), ["P011"]) == 0.0
    assert reciprocal_rank((*TEN, "P011"), ["P011"]) == 0.0


def test_reciprocal_rank_of_the_first_reference_item():
    assert reciprocal_rank(TEN, ["P004", "P009"]) == 0.25
    assert reciprocal_rank((), ["P004"]) == 0.0


def test_empty_lists_score_zero_but_count(make_episode):
    episode = make_episode(cart=["P001"], reference=["P001"], rankings=[("P001",), (), ("P002", "P001")])
    assert cart_recall(episode).points == pytest.approx(2 / 3)
    assert cart_discounted_gain(episode).points == pytest.approx((1 + 1 / math.log2(3)) / 3)
    assert reference_reciprocal_rank(episode).points == pytest.approx((1 + 0 + 0.5) / 3)


def test_an_empty_cart_scores_zero_and_is_eligible(make_episode):
    episode = make_episode(rankings=[TEN])
    assert (cart_recall(episode), cart_discounted_gain(episode)) == ((0.0, 1.0), (0.0, 1.0))


def test_no_saved_list_scores_zero_for_the_cart_and_is_left_out_of_mrr(make_episode):
    episode = make_episode(cart=["P001"], reference=["P001"])
    assert cart_recall(episode).points == 0.0
    assert reference_reciprocal_rank(episode) is None


def test_catalog_share_pools_entries_and_counts_repeats(make_episode):
    episode = make_episode(rankings=[("P001", "P001", "made up"), ("P002",), ()])
    assert catalog_validity(episode, {"P001", "P002"}) == (3.0, 4.0)
    assert catalog_validity(make_episode(rankings=[()]), {"P001"}) is None
