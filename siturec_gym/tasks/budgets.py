"""Step 4 of the task builder: the budget rule (SituRecBench, A.3; S10 and its Readings)."""

from collections.abc import Iterable, Sequence

from siturec_gym.catalog import Product, matching

TIERS = ("strict", "moderate", "flexible")
# Target price below -> increment in dollars.
_INCREMENTS = ((20.0, 1), (100.0, 5), (300.0, 10), (1000.0, 50))
_LARGEST_INCREMENT = 100


def increment(target_price: float) -> int:
    """Dollars that a budget is a multiple of, by the price range of the target."""
    return next((step for below, step in _INCREMENTS if target_price < below), _LARGEST_INCREMENT)


def budget_for(target_price: float, eligible_prices: Iterable[float], tier: str) -> float:
    """The most a shopper pays.

    Strict starts at the target's price; moderate and flexible at the price one third and two thirds up the list of
    dearer eligible products, or at the target's price if none is dearer. The start is rounded up to a multiple of
    the increment, so that the budget exceeds the target's price.

    Args:
        target_price: Dollars, above 0.
        eligible_prices: Prices of all products that meet the task's labels, in any order.
        tier: strict, moderate or flexible.

    Raises:
        ValueError: Another tier, or a price that is not positive.
    """
    if tier not in TIERS:
        raise ValueError(f"budget tier {tier!r}; allowed: {', '.join(TIERS)}")
    if not target_price > 0:
        raise ValueError(f"target price {target_price!r}; it must be above 0")
    dearer = sorted(price for price in eligible_prices if price > target_price)
    start_cents = round(_start(target_price, dearer, tier) * 100)
    step_cents = increment(target_price) * 100
    budget_cents = -(-start_cents // step_cents) * step_cents
    if budget_cents <= round(target_price * 100):
        budget_cents += step_cents
    return budget_cents / 100


def _start(target_price: float, dearer: Sequence[float], tier: str) -> float:
    if tier == "strict" or not dearer:
        return target_price
    thirds = 1 if tier == "moderate" else 2
    return dearer[min(thirds * len(dearer) // 3, len(dearer) - 1)]


def task_budget(
    products: Iterable[Product], target: Product, required: Iterable[str], unwanted: Iterable[str], tier: str
) -> float:
    """The budget for a target under label requirements, over all ``products`` of the catalog."""
    return budget_for(target.price, [product.price for product in matching(products, required, unwanted)], tier)
