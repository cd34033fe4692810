"""S25 and R10: agreement measures on cases computed by hand; tests/reference holds them against other libraries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.metrics import agreement

# Six subjects, four raters: the worked example of Shrout and Fleiss (1979), where ICC(2,1) is .29.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
NUMBERS = st.integers(-50, 50).map(float)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=12)
LABEL_PAIRS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=12)


def test_midranks_share_the_mean_of_their_places() -> None:
    assert agreement.midranks([10.0, 30.0, 20.0, 30.0, 30.0]) == [1.0, 4.0, 2.0, 4.0, 4.0]


def test_differences_below_numerical_precision_are_ties() -> None:
    third = 1 / 3
    assert agreement.midranks([third + 5e-10, third, 0.5]) == [1.5, 1.5, 3.0]
    assert agreement.midranks([third + 5e-9, third, 0.5]) == [2.0, 1.0, 3.0]


def test_pearson_by_hand() -> None:
    # deviations -1, 0, 1 and -1, 1, 0: covariance 1 over sqrt(2 * 2)
    assert agreement.pearson([1, 2, 3], [1, 3, 2]).value == pytest.approx(0.5)


def test_the_interval_of_pearson_is_fishers() -> None:
    # n = 12, r = 0.5: atanh(.5) = .5493, half width 1.96 / sqrt(9) = .6533
    x = [1.0, 1.0, -1.0, -1.0] * 3
    y = [1.0, 1.0, -1.0, 1.0] * 3
    found, r = agreement.pearson(x, y), 1 / math.sqrt(3)
    assert (found.value, found.n) == (pytest.approx(r), 12)
    bounds = [math.tanh(math.atanh(r) + side * 0.65332) for side in (-1, 1)]
    assert list(found.interval) == pytest.approx(bounds, abs=1e-4)


def test_spearman_by_hand_with_a_tie() -> None:
    # midranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)
    assert agreement.spearman([1, 2, 2, 5], [3, 4, 5, 6]).value == pytest.approx(4.5 / math.sqrt(22.5))


@pytest.mark.parametrize("correlate", [agreement.pearson, agreement.spearman])
def test_a_side_that_does_not_vary_has_no_correlation(correlate) -> None:
    assert correlate([2.0, 2.0, 2.0 + 1e-12, 2.0], [1, 2, 3, 4]) == agreement.Estimate(None, 4)
    assert correlate([1.0], [2.0]).value is None


def test_a_perfect_correlation_or_three_pairs_have_no_interval() -> None:
    assert agreement.pearson([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]) == agreement.Estimate(pytest.approx(1.0), 5, None)
    assert agreement.pearson([1, 2, 3], [1, 3, 2]).interval is None


@given(PAIRS, st.integers(1, 9))
def test_rank_correlation_looks_at_order_alone(pairs, factor) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    stretched = agreement.spearman([factor * a**3 for a in x], y).value
    assert agreement.spearman(x, y).value == (None if stretched is None else pytest.approx(stretched))


@given(PAIRS)
def test_correlations_are_symmetric_and_bounded(pairs) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    for correlate in (agreement.pearson, agreement.spearman):
        one, other = correlate(x, y), correlate(y, x)
        if one.value is None:
            assert other.value is None
        else:
            assert one.value == pytest.approx(other.value)
            assert -1.0 <= one.value <= 1.0


def test_kappa_by_hand() -> None:
    # p_o = 3/4; p_e = (3/4 * 2/4) + (1/4 * 2/4) = 1/2
    assert agreement.cohen_kappa(["yes", "yes", "no", "yes"], ["yes", "no", "no", "yes"]) == pytest.approx(0.5)


def test_quadratic_weighted_kappa_by_hand() -> None:
    # observed mean square (0 + 1 + 0 + 4) / 4 = 1.25; over all 16 pairs (0+0+1+4 + 1+1+0+1 + 4+4+1+0 + 4+4+1+0) / 16
    found = agreement.quadratic_weighted_kappa([1, 2, 3, 3], [1, 1, 3, 1], range(1, 6))
    pairs = [(a - b) ** 2 for a in (1, 2, 3, 3) for b in (1, 1, 3, 1)]
    assert found == pytest.approx(1 - 1.25 / (sum(pairs) / 16))


def test_kappas_without_any_variation_are_undefined() -> None:
    assert agreement.cohen_kappa([1, 1], [1, 1]) is None
    assert agreement.quadratic_weighted_kappa([2, 2], [2, 2], range(3)) is None
    assert agreement.cohen_kappa([], []) is None
    assert agreement.quadratic_weighted_kappa([], [], range(3)) is None


def test_the_scale_counts_and_not_the_labels_that_occur() -> None:
    near = agreement.quadratic_weighted_kappa([0, 1, 4, 0], [1, 0, 4, 4], (0, 1, 4))
    far = agreement.quadratic_weighted_kappa([0, 1, 4, 0], [1, 0, 4, 4], range(5))
    assert near != pytest.approx(far)


def test_a_label_off_the_scale_is_named() -> None:
    with pytest.raises(ValueError, match=r"label 6 .*\[1, 2, 3, 4, 5\]"):
        agreement.quadratic_weighted_kappa([6], [1], range(1, 6))


@given(LABEL_PAIRS)
def test_two_labels_make_both_kappas_one(pairs) -> None:
    a, b = [x % 2 for x, _ in pairs], [y % 2 for _, y in pairs]
    plain, weighted = agreement.cohen_kappa(a, b), agreement.quadratic_weighted_kappa(a, b, (0, 1))
    assert plain == (None if weighted is None else pytest.approx(weighted))


@given(LABEL_PAIRS)
def test_full_agreement_is_one_where_it_is_defined(pairs) -> None:
    labels = [x for x, _ in pairs]
    assert agreement.cohen_kappa(labels, labels) in (None, pytest.approx(1.0))
    assert agreement.quadratic_weighted_kappa(labels, labels, range(1, 6)) in (None, pytest.approx(1.0))


def test_icc_of_the_textbook_example() -> None:
    # MSR 11.24, MSC 32.49, MSE 1.02: (11.24 - 1.02) / (11.24 + 3.06 + 4 * 31.47 / 6)
    assert agreement.icc_2_1(SHROUT_FLEISS) == pytest.approx(0.2898, abs=5e-5)


def test_icc_counts_a_shift_between_passes_as_disagreement() -> None:
    assert agreement.icc_2_1([[1, 1], [2, 2], [3, 3]]) == pytest.approx(1.0)
    assert agreement.icc_2_1([[1, 2], [2, 3], [3, 4]]) == pytest.approx(2 / 3)


@pytest.mark.parametrize("ratings", [[], [[1, 2]], [[1], [2]], [[3, 3], [3, 3]]])
def test_icc_is_undefined_where_nothing_varies(ratings) -> None:
    assert agreement.icc_2_1(ratings) is None


def test_distances_by_hand() -> None:
    assert agreement.mean_absolute_error([1, 2, 5], [2, 2, 3]) == pytest.approx(1.0)
    assert agreement.exact_agreement([1, 2, 5], [2, 2, 5]) == pytest.approx(2 / 3)
    assert agreement.mean_pass_sd([[1, 3], [2, 2]]) == pytest.approx(math.sqrt(2) / 2)
    assert agreement.flip_rate([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"]]) == pytest.approx(2 / 3)
    assert [agreement.nearest_label(score) for score in (0.5, 1.49, 1.5, 2.5)] == [1, 1, 2, 3]


def test_nothing_to_measure_is_undefined() -> None:
    assert agreement.mean_absolute_error([], []) is None
    assert agreement.exact_agreement([], []) is None
    assert agreement.mean_pass_sd([[1]]) is None
    assert agreement.flip_rate([["a"]]) is None


@pytest.mark.parametrize(
    "measure", [agreement.pearson, agreement.cohen_kappa, agreement.mean_absolute_error, agreement.exact_agreement]
)
def test_sides_of_unequal_length_are_refused(measure) -> None:
    with pytest.raises(ValueError, match="pairs, got 2 and 1"):
        measure([1, 2], [1])


def test_an_interval_by_resampling_surrounds_the_value_and_repeats() -> None:
    a, b = [1, 2, 3, 4, 5, 4, 3, 2] * 4, [1, 3, 3, 5, 5, 4, 2, 2] * 4
    found = [agreement.with_interval(agreement.mean_absolute_error, a, b, np.random.default_rng(7)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].n == 32
    assert found[0].interval.low < found[0].value < found[0].interval.high


def test_one_pair_has_no_interval() -> None:
    found = agreement.with_interval(agreement.mean_absolute_error, [1], [3], np.random.default_rng(0))
    assert found == agreement.Estimate(2.0, 1, None)
