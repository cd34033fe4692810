"""What an assistant sees and has heard at one turn, read from a whitelist of observation keys."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.legality import tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.core.pose import Pose
from siturec_gym.core.text import parse_line, parse_lines
from siturec_gym.policies.atlas import expected_marks
from siturec_gym.policies.knowledge import Item, Store, read_store

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Situation:
    """The turn as an assistant may know it.

    Attributes:
        marks: Visible places, then products, as the observation lists them.
        held: The line of the item in the user's hands or under check, None if there is none.
        recommendations_left: Recommend annotations left before the limit.
        tools: Names of the tools of this scene.
        blind: Whether the assistant is not shown what is in view; ``marks`` are then what the map says is in view.
        view: The text that ``marks`` were read from; "" for none, so that nothing made of them is remembered.
    """

    store: Store
    pose: Pose
    history: tuple[Line, ...]
    marks: tuple[Line, ...]
    held: Line | None
    turn: int
    recommendations_left: int
    tools: frozenset[str] = frozenset()
    blind: bool = False
    view: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether items are picked up here; else they are checked where they stand."""
        return Tool.CHECK_ITEM not in self.tools

    def inspect(self, handle: str | None) -> ToolCall:
        """The call that looks at a product closely; without a handle where none is known."""
        return ToolCall(Tool.PICK_UP_ITEM if self.by_hand else Tool.CHECK_ITEM, target=handle)

    @property
    def leave(self) -> ToolCall:
        """The call that parts with the product in hand or under check."""
        return ToolCall(Tool.DROP_ITEM if self.by_hand else Tool.DO_NOT_ADD_TO_CART)

    @cached_property
    def last_user(self) -> Line | None:
        """The user's latest entry in the history."""
        return next((line for line in reversed(self.history) if line["role"] == "user"), None)

    @cached_property
    def said(self) -> frozenset[str]:
        """Everything the assistant has said so far, word for word."""
        return frozenset(line["utterance"] for line in self.history if line["role"] == "assistant")

    @cached_property
    def held_item(self) -> Item | None:
        """The catalog item in the user's hands."""
        return None if self.held is None else self.store.by_name.get(self.held["name"])

    @cached_property
    def product_marks(self) -> dict[str, Line]:
        """Marks of visible products by product id."""
        return _seen_before(self.view, self.store)[0] if self.view else _products(self.marks, self.store)

    @cached_property
    def place_marks(self) -> dict[str, Line]:
        """Marks of visible places by place id."""
        return _seen_before(self.view, self.store)[1] if self.view else _places(self.marks, self.store)


@lru_cache(maxsize=512)
def _seen_before(view: str, store: Store) -> tuple[dict[str, Line], dict[str, Line]]:
    """Marks of products and of places by id; many turns pass before the same view."""
    marks = parse_lines(view)
    return _products(marks, store), _places(marks, store)


def _products(marks: Iterable[Line], store: Store) -> dict[str, Line]:
    seen, items = (line for line in marks if line["kind"] == "product"), store.by_name
    return {items[line["name"]].id: line for line in seen if line["name"] in items}


def _places(marks: Iterable[Line], store: Store) -> dict[str, Line]:
    seen, places = (line for line in marks if line["kind"] != "product"), store.place_by_name
    return {places[line["name"]].id: line for line in seen if line["name"] in places}


def read_situation(observation: Observation) -> Situation:
    """The situation that an assistant's observation describes. No other key is touched."""
    x, y, yaw_deg, pitch_deg = (float(value) for value in observation["pose"])
    held = parse_lines(observation["held"])
    store, pose = read_store(observation["catalog"], observation["location_index"]), Pose(x, y, yaw_deg, pitch_deg)
    blind = bool(observation.get("place_index"))
    return Situation(
        store=store,
        pose=pose,
        history=tuple([parse_line(line) for line in observation["history"].split("\n") if line]),
        marks=expected_marks(store, pose) if blind else parse_lines(observation["marks"]),
        held=held[0] if held else None,
        turn=int(observation["turn"]),
        recommendations_left=int(observation["recommendations_left"]),
        tools=tools_here(observation["tools"]),
        blind=blind,
        view="" if blind else observation["marks"],
    )
