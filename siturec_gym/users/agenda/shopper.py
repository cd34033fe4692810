"""The shopper's private side: profile, goal, and what they make of a product."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.core.text import parse_lines
from siturec_gym.users.agenda.understanding import Attribute, Claim, Slot

CATEGORY, USE, BUDGET = "category", "use", "budget"
_NAMED = {
    "flavour": "flavour", "material": "material", "colour": "colour", "style": "style", "size_category": "size",
}  # fmt: skip
_LEVELS = {"low": 0, "medium": 1, "high": 2}


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing a shopper may tell.

    Attributes:
        key: "category", "use", "budget", "avoid:<label>" or "need:<label>".
        words: The shopper's words for it.
        slots: Questions that it answers.
    """

    key: str
    words: str
    slots: frozenset[Slot]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a product will not do: "price", "missing" or "unwanted", the label, the words for it, the detail it tells."""

    kind: str
    label: str
    words: str
    detail: str


@dataclass(frozen=True, slots=True)
class Shopper:
    """Profile and goal as the agenda reads them.

    Attributes:
        settings: The interaction settings by name.
        big_five: Trait -> low, medium or high.
        household: Who the shopper lives with, for questions about who it is for.
        request: The opening.
        required: Labels a product must carry.
        unwanted: Labels it must not carry.
        soft: Labels it may lack if the shopper takes substitutes.
        explanations: How many explanations are wanted before buying.
        rejection: "reason", "clarify" or "compare".
        details: All details, in the order they are told.
    """

    settings: Mapping[str, Any]
    big_five: Mapping[str, str]
    household: str
    request: str
    category: str
    required: tuple[str, ...]
    unwanted: tuple[str, ...]
    soft: frozenset[str]
    budget: float
    needs: Mapping[str, str]
    explanations: int
    rejection: str
    details: tuple[Detail, ...]

    def level(self, setting: str) -> int:
        """A low/medium/high setting as 0, 1 or 2."""
        return _LEVELS[self.settings[setting]]

    def detail(self, key: str) -> Detail | None:
        """The detail with this key, if the shopper has it."""
        return next((detail for detail in self.details if detail.key == key), None)

    def words_of(self, label: str) -> str:
        """The shopper's words for a label."""
        return self.needs.get(label, label.replace("flavour: ", "with a flavour of "))

    def problems(self, labels: Collection[str], price: float, lenient: bool) -> list[Problem]:
        """What speaks against a product whose labels and price are known; ``lenient`` lets go of the soft labels."""
        found = [self._unwanted(label) for label in self.unwanted if label in labels]
        if price > self.budget:
            found.append(self._too_dear())
        missing = [label for label in self.required if label not in labels]
        if self.category in missing:
            return [self._missing(self.category)]
        return found + [self._missing(label) for label in missing if not (lenient and label in self.soft)]

    def told_problems(self, claims: Collection[Claim]) -> list[Problem]:
        """What speaks against a product already from what was said of it."""
        found = []
        for claim in claims:
            if claim.attribute is Attribute.PRICE and float(claim.value) > self.budget:
                found.append(self._too_dear())
            elif claim.attribute is Attribute.NOT_LABEL:
                found.extend(self._missing(label) for label in self.required if _same(label, claim.value))
            elif claim.attribute is Attribute.LABEL:
                found.extend(self._unwanted(label) for label in self.unwanted if _same(label, claim.value))
            elif claim.attribute is Attribute.CONTAINS:
                found.extend(
                    self._unwanted(label) for label in self.unwanted if _same(label, f"contains: {claim.value}")
                )
        return found

    def _missing(self, label: str) -> Problem:
        detail = CATEGORY if label == self.category else f"need:{label}"
        words = self.words_of(label)
        return Problem("wrong_kind" if label == self.category else "missing", label, words, detail)

    def _unwanted(self, label: str) -> Problem:
        return Problem("unwanted", label, self.words_of(label), f"avoid:{label}")

    def _too_dear(self) -> Problem:
        return Problem("price", "price", money(self.budget), BUDGET)


def money(amount: float) -> str:
    """An amount in dollars as a person writes it."""
    return f"${amount:.0f}" if float(amount).is_integer() else f"${amount:.2f}"


def labels_of(product: Mapping[str, Any]) -> frozenset[str]:
    """Everything that is to be read off a product in the hand or under check and that a need may name."""
    named = {f"{word}: {product[key]}" for key, word in _NAMED.items() if product.get(key)}
    allergens = {f"contains: {name}" for name in product.get("allergens") or ()}
    return frozenset({product["category"], *product["tags"], *named, *allergens})


@lru_cache(maxsize=512)
def read_shopper(profile: str, goal: str) -> Shopper:
    """The shopper of the two private texts of an observation."""
    person, aim = parse_lines(profile)[0], parse_lines(goal)[0]
    return Shopper(
        settings=person["settings"],
        big_five=person["big_five"],
        household=person["context"].get("household", ""),
        request=aim["request"],
        category=aim["category"],
        required=tuple(aim["required_labels"]),
        unwanted=tuple(aim["unwanted_labels"]),
        soft=frozenset(aim["soft_labels"]),
        budget=float(aim["budget"]),
        needs=aim["needs"],
        explanations=int(aim["acceptance"].get("explanations", _LEVELS[person["settings"]["explanation_seeking"]])),
        rejection=str(aim["acceptance"].get("rejection", "reason")),
        details=tuple(_details(aim)),
    )


def _details(aim: Mapping[str, Any]) -> list[Detail]:
    order = tuple(dict.fromkeys((*aim["disclosure"], CATEGORY, USE, BUDGET, "unwanted", "needs")))
    found: list[Detail] = []
    for kind in order:
        if kind == CATEGORY:
            found.append(
                Detail(CATEGORY, aim["needs"].get(aim["category"], aim["category"]), frozenset({Slot.CATEGORY}))
            )
        elif kind == USE and aim["use"]:
            found.append(Detail(USE, aim["use"], frozenset({Slot.USE})))
        elif kind == BUDGET:
            found.append(Detail(BUDGET, money(aim["budget"]), frozenset({Slot.BUDGET, Slot.PRICE})))
        elif kind == "unwanted":
            found.extend(_label_details(aim, aim["unwanted_labels"], "avoid", Slot.AVOID))
        elif kind == "needs":
            wanted = [label for label in aim["required_labels"] if label != aim["category"]]
            found.extend(_label_details(aim, wanted, "need", Slot.NEED))
    return found


def _label_details(aim: Mapping[str, Any], labels: Collection[str], kind: str, slot: Slot) -> list[Detail]:
    return [
        Detail(f"{kind}:{label}", aim["needs"].get(label, label), frozenset({slot}) | slots_of_label(label))
        for label in labels
    ]


@lru_cache(maxsize=1)
def _slot_table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((Path(__file__).parent / "label_slots.json").read_text("utf-8"))
    return table


def slots_of_label(label: str) -> frozenset[Slot]:
    """The questions, beside "need" and "avoid", that a label answers."""
    table = _slot_table()
    for prefix, slots in table["prefixes"].items():
        if label.startswith(prefix):
            return frozenset(Slot(slot) for slot in slots)
    return frozenset(Slot(slot) for slot, labels in table.items() if slot != "prefixes" and label in labels)


def _same(label: str, said: str) -> bool:
    return label.replace("-", " ") == said.replace("-", " ")
