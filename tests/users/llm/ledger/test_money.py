"""What counts as telling the budget."""

import pytest

from siturec_gym.users.llm.ledger.money import asks_money, tells_budget


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("$4", 4.0), ("4 dollars", 4.0), ("four bucks, tops", 4.0), ("I'd stay under $3.50.", 4.0),
        ("My limit is $1,200.", 1200.0), ("1200 dollars", 1200.0), ("forty-five dollars", 45.0),
        ("sixty dollars", 60.0),
        ("five hundred dollars", 500.0), ("No more than $450 please.", 500.0),
    ],
)  # fmt: skip
def test_a_limit_or_the_budget_itself_is_told(text: str, budget: float) -> None:
    assert tells_budget(text, budget, asked_money=False)


@pytest.mark.parametrize(
    "text", ["It costs $2.19.", "That is too expensive for me.", "I need two of them.", "It fits my budget.", "$2"]
)
def test_a_price_or_a_number_is_not(text: str) -> None:
    assert not tells_budget(text, 4.0, asked_money=False)


def test_a_bare_number_is_where_money_was_asked_about() -> None:
    assert tells_budget("Maybe four?", 4.0, asked_money=True)
    assert not tells_budget("Maybe four?", 4.0, asked_money=False)
    assert asks_money("What is your budget?")
    assert asks_money("How much may it cost?")
    assert not asks_money("Your budget is fine.")
    assert not asks_money("Which shelf do you see?")
