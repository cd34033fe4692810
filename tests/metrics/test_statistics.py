"""Intervals, paired comparisons and pass^k (issue 5): by hand, by simulation and by their properties."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.metrics import outcome, statistics
from siturec_gym.metrics.aggregate import Metric

SR = Metric("SR", outcome.success)
TURN = Metric("Turn", outcome.turns, unit="turns")
GIVEN_CART = Metric("RPR|Cart", outcome.reference_purchase_given_cart)


@pytest.fixture(scope="session")
def cohort(make_episode, make_turn):
    """Episodes from (profile, bought, turns) triples; tasks are numbered within a profile."""

    def build(*rows, trial=0):
        episodes, seen = [], {}
        for profile, bought, turns in rows:
            seen[profile] = seen.get(profile, 0) + 1
            episode = make_episode(
                turns=[make_turn(number) for number in range(turns)], cart=("P001",) if bought else ()
            )
            name = f"supermarket/{profile:02d}"
            episodes.append(replace(episode, profile_id=name, task=f"{name}.{seen[profile]}", trial=trial))
        return episodes

    return build


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_mcnemar_by_hand() -> None:
    # 1 against 5: twice (C(6,0) + C(6,1)) / 64
    assert statistics.mcnemar(1, 5) == pytest.approx(14 / 64)
    assert statistics.mcnemar(0, 0) == 1.0
    assert statistics.mcnemar(3, 3) == 1.0


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_does_not_care_who_is_first(a, b) -> None:
    assert statistics.mcnemar(a, b) == statistics.mcnemar(b, a)
    assert 0.0 < statistics.mcnemar(a, b) <= 1.0


def test_holm_by_hand() -> None:
    assert statistics.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert statistics.holm([]) == []
    assert statistics.holm([0.9, 0.8]) == [1.0, 1.0]


def test_pass_hat_k_by_hand() -> None:
    trials = {"a": [True, True, False], "b": [True, True, True], "c": [False, False, True]}
    assert statistics.pass_hat_k(trials, 1) == pytest.approx((2 / 3 + 1 + 1 / 3) / 3)
    assert statistics.pass_hat_k(trials, 2) == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert statistics.pass_hat_k(trials, 3) == pytest.approx(1 / 3)
    assert statistics.pass_hat_k(trials, 4) is None
    with pytest.raises(ValueError, match="at least 1, got 0"):
        statistics.pass_hat_k(trials, 0)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=6))
def test_pass_hat_k_counts_the_draws_that_all_succeed_and_never_rises(trials) -> None:
    tasks = {str(index): row for index, row in enumerate(trials)}
    values = [statistics.pass_hat_k(tasks, k) for k in (1, 2, 3, 4)]
    for k, value in enumerate(values, 1):
        draws = [all(draw) for row in trials for draw in itertools.combinations(row, k)]
        assert value == pytest.approx(sum(draws) / len(draws))
    assert values == sorted(values, reverse=True)


def test_the_interval_resamples_profiles_and_not_episodes(cohort) -> None:
    # Within a profile all episodes agree: with episodes as clusters the interval would be half as wide.
    rows = [(profile, profile <= 10, 3) for profile in range(1, 21) for _ in range(4)]
    low, high = statistics.clustered_interval(SR, cohort(*rows), rng())
    assert high - low == pytest.approx(2 * 1.96 * 100 * math.sqrt(0.25 / 20), rel=0.12)


def test_the_interval_repeats_with_the_seed_and_not_with_the_order(cohort) -> None:
    rows = [(profile, (profile * 7) % 3 > 0, profile) for profile in range(1, 13)]
    episodes = cohort(*rows)
    intervals = {statistics.clustered_interval(TURN, run, rng(5)) for run in (episodes, episodes[::-1])}
    assert len(intervals) == 1


def test_the_interval_covers_the_truth_about_as_often_as_it_says(cohort) -> None:
    source, hits = rng(42), 0
    for _ in range(120):
        chances = source.beta(2, 2, size=25)
        rows = [(p, source.random() < chance, 1) for p, chance in enumerate(chances, 1) for _ in range(4)]
        low, high = statistics.clustered_interval(SR, cohort(*rows), source, resamples=400)
        hits += low <= 50.0 <= high
    assert 0.88 <= hits / 120 <= 0.99


def test_all_or_none_gets_the_exact_binomial_interval_over_profiles(cohort) -> None:
    none = cohort(*((profile, False, 1) for profile in range(1, 26) for _ in range(4)))
    low, high = statistics.clustered_interval(SR, none, rng())
    assert (low, high) == (0.0, pytest.approx(100 * (1 - 0.025 ** (1 / 25))))
    every = cohort(*((profile, True, 1) for profile in range(1, 26)))
    assert statistics.clustered_interval(SR, every, rng()) == (pytest.approx(100 * 0.025 ** (1 / 25)), 100.0)


def test_one_profile_or_nothing_eligible_has_no_interval(cohort) -> None:
    assert statistics.clustered_interval(SR, cohort((1, True, 2), (1, False, 3)), rng()) is None
    assert statistics.clustered_interval(GIVEN_CART, cohort((1, False, 2), (2, False, 3)), rng()) is None
    assert statistics.clustered_interval(SR, [], rng()) is None


def test_a_paired_comparison_by_hand(cohort) -> None:
    first = cohort(*((p, p <= 2, 4) for p in range(1, 11)))
    second = cohort(*((p, p <= 8, 3) for p in range(1, 11)))
    found = statistics.compare(SR, first, second, rng())
    assert (found.difference, found.n, found.test) == (pytest.approx(60.0), 10, "exact McNemar")
    assert found.p_value == pytest.approx(2 / 64)  # six slots changed, all one way
    assert found.interval.low < 60.0 < found.interval.high
    turns = statistics.compare(TURN, first, second, rng())
    assert (turns.difference, turns.test) == (pytest.approx(-1.0), "paired bootstrap")
    assert turns.interval == pytest.approx((-1.0, -1.0))
    assert turns.p_value == pytest.approx(2 / (statistics.RESAMPLES + 1))


def test_only_slots_that_both_hold_are_compared(cohort) -> None:
    first, second = cohort(*((p, True, 1) for p in (1, 2, 3))), cohort(*((p, False, 1) for p in (2, 3, 4)))
    found = statistics.compare(SR, first, second, rng())
    assert (found.n, found.difference) == (2, -100.0)
    apart = statistics.compare(SR, first, cohort((9, True, 1)), rng())
    assert (apart.difference, apart.p_value, apart.n) == (None, None, 0)


def test_a_run_does_not_differ_from_itself(cohort) -> None:
    run = cohort(*((p, p % 2 == 0, p) for p in range(1, 9)))
    for metric in (SR, TURN, GIVEN_CART):
        found = statistics.compare(metric, run, run, rng())
        assert (found.difference, found.p_value, tuple(found.interval)) == (0.0, 1.0, (0.0, 0.0))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=10))
def test_swapping_the_runs_turns_the_difference_round(cohort, pairs) -> None:
    runs = [cohort(*((p, pair[side], 1) for p, pair in enumerate(pairs, 1))) for side in (0, 1)]
    there, back = (statistics.compare(SR, first, second, rng(), 50) for first, second in (runs, runs[::-1]))
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == back.p_value


def test_rerun_sd_is_over_trials_and_subset_sd_is_another_thing(cohort) -> None:
    trials = [cohort(*((p, p <= bought, 1) for p in range(1, 5)), trial=t) for t, bought in enumerate((1, 2, 3))]
    assert statistics.rerun_sd(SR, [episode for trial in trials for episode in trial]) == pytest.approx(25.0)
    assert statistics.rerun_sd(SR, trials[0]) is None
    assert statistics.SUBSET_SD != statistics.RERUN_SD


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_settings_out_of_range_are_refused(cohort, resamples, level) -> None:
    with pytest.raises(ValueError, match="got"):
        statistics.clustered_interval(SR, cohort((1, True, 1)), rng(), resamples, level)
