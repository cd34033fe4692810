"""The disclosure ledger: what a simulated shopper's reply does that a good shopper's would not (S11, S14, S18).

It is a pure function of what the user observes and answers. What was told before is read off the history each turn, so
nothing has to be remembered. Handles said aloud are not looked for here: the environment masks and flags them itself.
"""

from siturec_gym.users.llm.ledger.breaches import (
    BOUGHT_UNSUITABLE,
    EMPTY_REPLY,
    ENDED_EARLY,
    INVALID_REPLY,
    LEAKED_PROFILE,
    ROLE_INVERSION,
    TWO_DETAILS,
    breaches,
    new_details,
    told_before,
)
from siturec_gym.users.llm.ledger.conduct import refuses_to_play

__all__ = [
    "BOUGHT_UNSUITABLE", "EMPTY_REPLY", "ENDED_EARLY", "INVALID_REPLY", "LEAKED_PROFILE", "ROLE_INVERSION",
    "TWO_DETAILS", "breaches", "new_details", "refuses_to_play", "told_before",
]  # fmt: skip
