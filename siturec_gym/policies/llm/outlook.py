"""What a model-backed assistant may speak about in a turn: the store, what is in view, what the user can do now."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from siturec_gym.core.actions import MOVE_OF_KIND, Tool
from siturec_gym.core.legality import ALWAYS_LEGAL, LegalActions, legal_actions, tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.policies.knowledge import Item, Store, read_store

Line = Mapping[str, Any]
_STATIC = ("catalog", "location_index")


@dataclass(frozen=True)
class Outlook:
    """The turn as the prompt, the schema and the reading of the reply need it.

    Attributes:
        legal: What the user can do now; what the assistant may expect of them where it does not know what is in view.
        marks: Marks of what is in view, as the observation lists them; none for a blind assistant.
        held: The line of the item in hand or under check.
        place_index: Every place with its approaches, for an assistant that is not told what is in view; else "".
    """

    store: Store
    tools: frozenset[str]
    legal: LegalActions
    marks: tuple[Line, ...]
    held: Line | None
    recommendations_left: int
    place_index: str = ""

    @property
    def blind(self) -> bool:
        """Whether the assistant is not told what is in view."""
        return bool(self.place_index)

    @property
    def by_hand(self) -> bool:
        """Whether products are picked up; else they are checked where they stand."""
        return Tool.CHECK_ITEM not in self.tools

    @cached_property
    def seen(self) -> dict[str, Item]:
        """Products in view by handle."""
        names = {mark["handle"]: mark["name"] for mark in self.marks if mark["kind"] == "product"}
        return {handle: self.store.by_name[name] for handle, name in names.items() if name in self.store.by_name}


def read_outlook(observation: Observation) -> Outlook:
    """The outlook that an assistant's observation gives.

    Raises:
        ValueError: The observation has no catalog or location index.
    """
    missing = [key for key in _STATIC if key not in observation]
    if missing:
        raise ValueError(
            f"an assistant that is a model needs {' and '.join(missing)} in its observation: make the environment "
            "with static_observations=True, or add what reset's info tells under 'static_observations'"
        )
    held = parse_lines(observation["held"])
    index = observation.get("place_index", "")
    return Outlook(
        store=read_store(observation["catalog"], observation["location_index"]),
        tools=tools_here(observation["tools"]),
        legal=_conceivable(observation, index) if index else legal_actions(observation),
        marks=() if index else parse_lines(observation["marks"]),
        held=held[0] if held else None,
        recommendations_left=int(observation["recommendations_left"]),
        place_index=index,
    )


def _conceivable(observation: Observation, index: str) -> LegalActions:
    """What a user may be expected to do by one who does not know what is in view (SituRecBench, D.4).

    Any place with an approach that it has, and taking or checking a product without naming it.
    """
    here, holding = tools_here(observation["tools"]), bool(observation["held"])
    places = parse_lines(index)
    by_move = {move: tuple(p["place"] for p in places if p["kind"] == kind) for kind, move in MOVE_OF_KIND.items()}
    targets = {move.value: named for move, named in by_move.items() if named}
    tools = ALWAYS_LEGAL | targets.keys()
    if holding:
        tools |= here & {Tool.ADD_TO_CART, Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART}
    if not holding or Tool.CHECK_ITEM in here:
        tools |= here & {Tool.PICK_UP_ITEM, Tool.CHECK_ITEM}
    approaches = {place["place"]: tuple(place["approaches"]) for place in places if place["approaches"]}
    return LegalActions(frozenset(map(str, tools)), targets, approaches)
