"""Whether words tell what the shopper would pay."""

import re

from siturec_gym.policies.heuristic import cues
from siturec_gym.policies.heuristic.vocabulary import tokens_of
from siturec_gym.users.llm.ledger.words import word_lists

_CENT = 0.005
_MONEY = re.compile(r"\$ ?(\d+(?:\.\d{1,2})?)|\b(\d+(?:\.\d{1,2})?)(?= ?(?:dollars?|bucks?|usd)\b)", re.I)
_NUMBERS = cues.NUMBER_WORDS | {"sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_SMALL = "|".join(_NUMBERS)
_AMOUNT_IN_WORDS = re.compile(rf"\b((?:{_SMALL})[- ]five|{_SMALL})\b")
_HUNDREDS = re.compile(r"\b(\d+) hundred\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def tells_budget(text: str, budget: float, asked_money: bool) -> bool:
    """Whether an amount is said as a limit, is the budget itself, or answers a question about money."""
    plain = _in_digits(text.lower())
    if any(pattern.search(plain) for pattern in cues.BUDGETS) and _MONEY.search(plain):
        return True
    amounts = [float(one or other) for one, other in _MONEY.findall(plain)]
    if asked_money and not amounts:
        amounts = [float(number) for number in cues.ANY_NUMBER.findall(plain)]
    return any(abs(amount - budget) < _CENT for amount in amounts)


def _in_digits(text: str) -> str:
    """``text`` with small numbers and hundreds that were spelled out in digits, and thousands without a comma."""

    def digits(match: re.Match[str]) -> str:
        whole = match[1]
        head, five = (whole[:-5], 5) if whole[-5:] in ("-five", " five") else (whole, 0)
        return str(int(_NUMBERS[head]) + five)

    text = _AMOUNT_IN_WORDS.sub(digits, _THOUSANDS.sub("", text))
    return _HUNDREDS.sub(lambda match: str(int(match[1]) * 100), text)


def asks_money(heard: str) -> bool:
    """Whether the assistant's words ask about money."""
    return "?" in heard and bool(word_lists()["money"].intersection(tokens_of(heard)))
