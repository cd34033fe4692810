"""Observations of a shopper made from a few words, and replies labelled by hand (``tests/users/llm/data``)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from siturec_gym.core.actions import UserAction
from siturec_gym.users.llm.ledger import breaches

DATA = Path(__file__).parent.parent / "users" / "llm" / "data"
SHOP = (
    ("AA", "fixture", "Beans & Soup Shelf"),
    ("1", "product", "Cloverdell Lactose-Free Milk 1 L"),
    ("2", "product", "Brook Low-Fat Milk 1 L"),
)
MOVES = ("move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down")
SUPERMARKET = (*MOVES, "add_to_cart", "idle", "move_to_fixture", "pick_up_item", "drop_item")
HOME = (*MOVES, "add_to_cart", "idle", "move_to_store", "move_to_area", "check_item", "do_not_add_to_cart")


@dataclass(frozen=True)
class Line:
    """A labelled reply: the goal's name, the flags it deserves, what is said, and what was said before."""

    goal: str
    flags: frozenset[str]
    said: str
    heard: str
    before: tuple[tuple[str, str], ...]


def lines_of(half: str) -> Iterator[Line]:
    """The lines of "development" or "held_out"."""
    for text in (DATA / f"{half}.txt").read_text("utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            goal, flags, said, heard, *earlier = (part.strip() for part in text.split(" | "))
            turns = [turn.split(" > ") for turn in earlier[0].split(" // ")] if earlier else []
            before = tuple((one.strip(), other.strip()) for one, other in turns)
            yield Line(goal, frozenset() if flags == "-" else frozenset(flags.split(",")), said, heard, before)


def _goal(need: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    plain = {
        "request": need["request"], "category": next(iter(need["required"])), "use": need["use"],
        "required_labels": list(need["required"]), "unwanted_labels": list(need["unwanted"]), "soft_labels": [],
        "needs": {**need["required"], **need["unwanted"]}, "budget": need["budget"], "budget_tier": "moderate",
        "disclosure": ["category", "use", "budget", "unwanted", "needs"],
        "acceptance": {"substitutes": False, "explanations": 1, "rejection": "reason"},
    }  # fmt: skip
    return plain | dict(changes)


def _profile(need: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    settings = {
        "behavior_style": need["behavior_style"], "patience": need["patience"], "price_sensitivity": "low",
        "explanation_seeking": "low", "substitute_willingness": "low", "navigation_following": 0.8,
        "talkativeness": "low",
    }  # fmt: skip
    traits = dict.fromkeys(("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"), "medium")
    return {
        "id": "supermarket/01", "persona": need["persona"], "theme": "quick meals", "priorities": ["low price"],
        "context": {"household": "lives alone", "transport": "by tram"},
        "big_five": traits | {name: value for name, value in changes.items() if name in traits},
        "settings": settings | {name: value for name, value in changes.items() if name in settings},
    }  # fmt: skip


def _entries(before: Sequence[tuple[str, str]], heard: str) -> Iterator[dict[str, Any]]:
    for turn, (asked, answered) in enumerate(before):
        yield {"turn": turn, "role": "assistant", "utterance": asked}
        yield {"turn": turn, "role": "user", "utterance": answered, "tool": "idle", "arguments": {},
               "target_name": None, "refusal": None}  # fmt: skip
    yield {"turn": len(before), "role": "assistant", "utterance": heard}


@cache
def _needs() -> dict[str, Any]:
    needs: dict[str, Any] = json.loads((DATA / "goals.json").read_text("utf-8"))
    return needs


def observation_of(
    goal: str, heard: str = "Hi!", before: Sequence[tuple[str, str]] = (), **changes: Any
) -> dict[str, Any]:
    """An observation of the user: ``observation_of("milk", "Hi!", (("Hello!", "Some milk."),), patience="low")``.

    Args:
        goal: Name of a goal in ``goals.json``.
        heard: What the assistant has just said.
        before: What was said before, the assistant's words and the shopper's.
        **changes: ``held`` (facts of an item), ``reachable`` (whether products are), ``home`` (the other store's
            tools), settings, traits, and fields of the goal.
    """
    held, reachable, home = (changes.pop(key, default) for key, default in
                             (("held", None), ("reachable", True), ("home", False)))  # fmt: skip
    need = _needs()[goal]
    of_goal = {name: value for name, value in changes.items() if name in _goal(need, {})}
    return {
        "profile": json.dumps(_profile(need, changes)),
        "goal": json.dumps(_goal(need, of_goal)),
        "history": "\n".join(map(json.dumps, _entries(before, heard))),
        "marks": "\n".join(json.dumps(_mark(*mark, reachable)) for mark in SHOP),
        "tools": "\n".join(json.dumps({"tool": tool}) for tool in (HOME if home else SUPERMARKET)),
        "held": "" if held is None else json.dumps(held),
        "cart": "",
        "turn": len(before),
    }


def _mark(handle: str, kind: str, name: str, reachable: bool) -> dict[str, Any]:
    seen = {"handle": handle, "kind": kind, "name": name, "distance_m": 2.0, "bearing_deg": 10.0}
    return seen | ({"reachable": reachable} if kind == "product" else {"approaches": ["nearest", "front"]})


@dataclass(frozen=True)
class Counts:
    """Flags found that are right, flags found that are wrong, and flags not found, by name."""

    right: Counter[str]
    wrong: Counter[str]
    missed: Counter[str]

    def precision(self, flag: str | None = None) -> float:
        """Share of what is found that is right, for one flag or for all."""
        right, wrong = (_count(found, flag) for found in (self.right, self.wrong))
        return right / (right + wrong)

    def recall(self, flag: str | None = None) -> float:
        """Share of what is labelled that is found."""
        right, missed = (_count(found, flag) for found in (self.right, self.missed))
        return right / (right + missed)


def _count(found: Counter[str], flag: str | None) -> int:
    return found.total() if flag is None else found[flag]


def measured(lines: Iterable[Line]) -> Counts:
    """The ledger held against labels."""
    counts = Counts(Counter(), Counter(), Counter())
    for line in lines:
        found = set(breaches(observation_of(line.goal, line.heard, line.before), UserAction(line.said)))
        counts.right.update(found & line.flags)
        counts.wrong.update(found - line.flags)
        counts.missed.update(line.flags - found)
    return counts
