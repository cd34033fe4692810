"""What a simulated shopper's reply does that a good shopper's would not: one flag for each rule it breaks."""

from collections.abc import Mapping, Sequence
from typing import Any

from siturec_gym.core.actions import Tool, UserAction
from siturec_gym.core.legality import tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.users.agenda.shopper import Shopper, labels_of, read_shopper
from siturec_gym.users.llm.ledger.conduct import leaks_profile, speaks_as_staff
from siturec_gym.users.llm.ledger.details import named_in, opening_as_one, told_in
from siturec_gym.users.llm.ledger.leaving import leaves_early

TWO_DETAILS = "user_two_details"
LEAKED_PROFILE = "user_leaked_profile"
ROLE_INVERSION = "user_role_inversion"
ENDED_EARLY = "user_ended_early"
BOUGHT_UNSUITABLE = "user_bought_unsuitable"
EMPTY_REPLY = "user_empty_reply"
INVALID_REPLY = "user_invalid_reply"

Entry = Mapping[str, Any]


def breaches(observation: Observation, action: UserAction) -> tuple[str, ...]:
    """Flags for the reply ``action`` to ``observation``, in a fixed order.

    Args:
        observation: The user's, ``profile`` and ``goal`` included.
        action: What the user says and does.
    """
    shopper = read_shopper(observation["profile"], observation["goal"])
    profile, goal = parse_lines(observation["profile"])[0], parse_lines(observation["goal"])[0]
    history = parse_lines(observation["history"])
    by_hand = Tool.PICK_UP_ITEM in tools_here(observation["tools"])
    said, tool = action.utterance, action.call.tool
    noticed = {
        TWO_DETAILS: tool != Tool.ADD_TO_CART and opening_as_one(new_details(observation, said)) > 1,
        LEAKED_PROFILE: leaks_profile(said, profile, goal),
        ROLE_INVERSION: speaks_as_staff(said),
        ENDED_EARLY: leaves_early(said, tool, shopper, history, by_hand=by_hand),
        BOUGHT_UNSUITABLE: tool == Tool.ADD_TO_CART and _misfits(observation, shopper),
    }
    return tuple(flag for flag, holds in noticed.items() if holds)


def new_details(observation: Observation, said: str) -> frozenset[str]:
    """Keys of the details that the words ``said`` add: not told before, and not named by the assistant just now."""
    shopper = read_shopper(observation["profile"], observation["goal"])
    history = parse_lines(observation["history"])
    heard = next((entry["utterance"] for entry in reversed(history) if entry["role"] == "assistant"), "")
    told = told_in(said, shopper, _names(observation, history), heard)
    return told - told_before(observation) - named_in(heard, shopper)


def told_before(observation: Observation) -> frozenset[str]:
    """Keys of the details that the shopper told in earlier turns."""
    shopper = read_shopper(observation["profile"], observation["goal"])
    history = parse_lines(observation["history"])
    names = _names(observation, history)
    heard, told = "", set[str]()
    for entry in history:
        if entry["role"] == "assistant":
            heard = entry["utterance"]
        else:
            told |= told_in(entry["utterance"], shopper, names, heard)
    return frozenset(told)


def _names(observation: Observation, history: Sequence[Entry]) -> frozenset[str]:
    """Names of products and places that are or were in view; of products also without the size at their end."""
    held = [item["name"] for item in parse_lines(observation["held"])]
    seen = [mark["name"] for mark in parse_lines(observation["marks"])]
    dealt_with = [entry["target_name"] for entry in history if entry.get("target_name")]
    names = {*held, *seen, *dealt_with}
    return frozenset(names | {short for name in names if " " in (short := _without_size(name))})


def _without_size(name: str) -> str:
    words = name.split()
    while len(words) > 1 and (words[-1][0].isdigit() or words[-2][0].isdigit()):
        words = words[:-1]
    return " ".join(words)


def _misfits(observation: Observation, shopper: Shopper) -> bool:
    """Whether the item in hand or under check misses a need, has something unwanted, or costs more than the budget."""
    held = parse_lines(observation["held"])
    return bool(held) and bool(shopper.problems(labels_of(held[0]), float(held[0]["price"]), lenient=True))
