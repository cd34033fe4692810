"""The budget rule, on cases worked out by hand and on properties (S10 and its Readings)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.tasks.budgets import TIERS, budget_for, increment

cents = st.integers(1, 300_000).map(lambda value: value / 100)


@pytest.mark.parametrize(
    ("price", "step"),
    [(0.99, 1), (19.99, 1), (20, 5), (99.99, 5), (100, 10), (299.99, 10), (300, 50), (999.99, 50), (1000, 100)],
)
def test_increments_by_the_price_range_of_the_target(price: float, step: int) -> None:
    assert increment(price) == step


@pytest.mark.parametrize(
    ("target", "eligible", "tier", "budget"),
    [
        (9.49, [9.49, 10.99, 12.49], "strict", 10),  # the price itself, rounded up
        (9.00, [9.00], "strict", 10),  # a whole price needs the next dollar to be exceeded
        (3.00, [3.00, 3.40, 4.20, 5.10], "moderate", 5),  # 3 dearer: index 1 is 4.20
        (3.00, [3.00, 3.40, 4.20, 5.10], "flexible", 6),  # index 2 is 5.10
        (3.00, [5.10, 3.40, 3.00, 4.20], "flexible", 6),  # in any order
        (3.00, [3.40, 4.20], "moderate", 4),  # 2 dearer: floor(2/3) is index 0
        (3.00, [3.40, 4.20], "flexible", 5),  # floor(4/3) is index 1
        (3.00, [3.00, 2.00, 3.40], "flexible", 4),  # 1 dearer: index 0 both times
        (3.00, [2.00, 3.00], "flexible", 4),  # none dearer: the target's price
        (3.50, [4.00], "moderate", 4),  # a start that is a multiple stays
        (227.0, [227.0, 305.0, 410.0], "moderate", 310),  # steps follow the target's range, not the start's
        (227.0, [], "strict", 230),
        (1000.0, [], "strict", 1100),
        (19.99, [20.01, 20.01, 20.01], "flexible", 21),
    ],
)
def test_hand_computed_budgets(target: float, eligible: list[float], tier: str, budget: float) -> None:
    assert budget_for(target, eligible, tier) == budget


@given(cents, st.lists(cents, max_size=12), st.sampled_from(TIERS))
def test_a_budget_exceeds_the_target_and_is_a_multiple_of_the_increment(
    target: float, eligible: list[float], tier: str
) -> None:
    budget = budget_for(target, eligible, tier)
    assert budget > target
    assert round(budget * 100) % (increment(target) * 100) == 0
    assert budget <= max([target, *eligible]) + increment(target)


@given(cents, st.lists(cents, max_size=12))
def test_tiers_are_ordered(target: float, eligible: list[float]) -> None:
    strict, moderate, flexible = (budget_for(target, eligible, tier) for tier in TIERS)
    assert strict <= moderate <= flexible


@pytest.mark.parametrize(
    ("price", "tier"), [(1.0, "generous"), (0.0, "strict"), (-1.0, "strict"), (float("nan"), "strict")]
)
def test_a_wrong_tier_or_price_is_refused_with_what_was_given(price: float, tier: str) -> None:
    with pytest.raises(ValueError, match=r"generous|target price"):
        budget_for(price, [], tier)
