"""The changing part of the prompt: what is in view, in the hand, told so far, and what was just said."""

from collections.abc import Mapping, Sequence
from typing import Any

from siturec_gym.core.actions import Tool
from siturec_gym.core.legality import LegalActions, tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.core.seeding import draws
from siturec_gym.core.text import parse_lines
from siturec_gym.llm.roles.bearings import bearing_words
from siturec_gym.llm.roles.text import quoted
from siturec_gym.users.agenda.shopper import read_shopper
from siturec_gym.users.llm.ledger import told_before
from siturec_gym.users.llm.texts import conduct_sentences, filled_lines

_AHEAD_DEG = 8.0
_PRODUCT = "product"


def moment(observation: Observation, legal: LegalActions, seed: int) -> str:
    """The moment in words.

    Args:
        observation: The user's.
        legal: What it allows.
        seed: The user's seed of the episode, for whether directions are followed this turn.
    """
    shopper = read_shopper(observation["profile"], observation["goal"])
    told = told_before(observation)
    marks = parse_lines(observation["marks"])
    heard = [entry["utterance"] for entry in parse_lines(observation["history"]) if entry["role"] == "assistant"]
    number = int(observation["turn"])
    follows = draws(1, seed, "llm", shopper.request, number)[0] < float(shopper.settings["navigation_following"])
    values = {
        "turn": str(number),
        "told": _details(shopper.details, told, wanted=True),
        "untold": _details(shopper.details, told, wanted=False),
        "hint": "" if follows else conduct_sentences()["today own way"],
        "held": _held(observation),
        "places": "\n".join(_place(mark) for mark in marks if mark["kind"] != _PRODUCT) or "none",
        "products": "\n".join(_product(mark) for mark in marks if mark["kind"] == _PRODUCT) or "none",
        "legal": ", ".join(_call(tool, legal) for tool in Tool if tool in legal.tools),
        "heard": quoted(heard[-1]) if heard else "(nothing)",
    }
    return filled_lines("now", values)


def _details(details: Sequence[Any], told: frozenset[str], *, wanted: bool) -> str:
    names = {"category": "what kind of thing", "use": "what it is for", "budget": "what you pay at most"}
    kinds = {"avoid": "not wanted:", "need": "needed:"}
    listed = []
    for detail in details:
        if (detail.key in told) == wanted:
            kind = kinds.get(detail.key.partition(":")[0])
            listed.append(f"{kind} {detail.words}" if kind else f"{names[detail.key]} ({detail.words})")
    return "; ".join(listed) or "nothing"


def _held(observation: Observation) -> str:
    by_hand = Tool.PICK_UP_ITEM in tools_here(observation["tools"])
    held = parse_lines(observation["held"])
    if not held:
        return "Your hands are empty." if by_hand else "You have no product under check."
    facts = "; ".join(_fact(name, value) for name, value in held[0].items() if value not in ("", [], {}))
    return f"{'You hold, and read on the package' if by_hand else 'You check, and read on the tag'}: {facts}"


def _fact(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        value = ", ".join(f"{key.replace('_', ' ')} {number}" for key, number in value.items())
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    return f"{name.replace('_', ' ')} {f'${value:.2f}' if name == 'price' else value}"


def _place(mark: Mapping[str, Any]) -> str:
    approaches = ", ".join(mark["approaches"])
    parts = (mark["handle"], mark["name"], mark["kind"], _distance(mark), _where(mark), approaches)
    return " | ".join(part for part in parts if part)


def _product(mark: Mapping[str, Any]) -> str:
    reach = "within reach" if mark["reachable"] else ""
    return " | ".join(part for part in (mark["handle"], mark["name"], _distance(mark), _where(mark), reach) if part)


def _distance(mark: Mapping[str, Any]) -> str:
    return f"{float(mark['distance_m']):.1f} m"


def _where(mark: Mapping[str, Any]) -> str:
    return bearing_words(float(mark["bearing_deg"]), _AHEAD_DEG)


def _call(tool: Tool, legal: LegalActions) -> str:
    targets = legal.targets.get(tool)
    return f"{tool.value} ({' '.join(targets)})" if targets else tool.value
