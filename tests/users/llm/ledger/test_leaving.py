"""What uses up a shopper's patience beside the assistant's words: what went wrong in their own turns.

An impatient shopper bears 1.25, and words show half of what annoys: leaving stays early below 0.625. A turn that went
wrong counts 0.5; an assistant who shows the way counts nothing.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from siturec_gym.users.agenda.shopper import Shopper, read_shopper
from siturec_gym.users.llm.ledger.leaving import leaves_early

LEAVES = "I give up. Goodbye."
WAYS = ("Please turn left.", "Walk to the Beans & Soup Shelf.", "Look up.", "Go to the Beans & Soup Shelf.")
FINE = {"utterance": "Okay.", "tool": "idle", "refusal": None}


@pytest.fixture
def shopper(observe) -> Shopper:
    observation = observe("milk", patience="low")
    return read_shopper(observation["profile"], observation["goal"])


def early(shopper: Shopper, done: Sequence[dict[str, Any]]) -> bool:
    """Whether leaving is early after these turns, in which the assistant helped each time."""
    history: list[dict[str, Any]] = []
    for turn, words in zip((FINE, *done), WAYS, strict=False):
        history += [{"role": "assistant", "utterance": words}, {"role": "user", **turn}]
    return leaves_early(LEAVES, "idle", shopper, history, by_hand=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tool": "move_forward", "refusal": "no_route"},
        {"tool": "drop_item"},
        {"tool": "do_not_add_to_cart"},
        {"utterance": "I don't like it."},
        {"utterance": "Where am I?"},
    ],
)
def test_two_turns_that_went_wrong_are_enough_and_one_is_not(shopper: Shopper, wrong: dict[str, Any]) -> None:
    assert not early(shopper, [FINE | wrong, FINE | wrong])
    assert early(shopper, [FINE, FINE | wrong])


def test_turns_that_went_well_use_up_nothing(shopper: Shopper) -> None:
    assert early(shopper, [FINE | {"tool": "pick_up_item"}, FINE | {"tool": "turn"}, FINE])
