"""A shopper's observations made by hand, and a text-only store to walk an episode through."""

import importlib.util
import json
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from siturec_gym.core.actions import SUPERMARKET_TOOLS, Tool, UserAction
from siturec_gym.users import make_user

MILK = {
    "name": "Cloverdell Lactose-Free Milk 1 L", "price": 2.19, "brand": "Cloverdell", "size": "1 L", "flavour": "",
    "packaging": "carton", "allergens": ["milk"], "category": "milk", "tags": ["lactose-free", "low-fat"],
    "nutrition": {"energy_kcal": 40.0, "fat_g": 1.5, "sugar_g": 4.8, "protein_g": 3.4, "salt_g": 0.1},
}  # fmt: skip
SETTINGS = {
    "behavior_style": "practical", "patience": "medium", "price_sensitivity": "low", "explanation_seeking": "low",
    "substitute_willingness": "low", "navigation_following": 1.0, "talkativeness": "medium",
}  # fmt: skip
GOAL = {
    "request": "I'm looking for some milk for my coffee.", "category": "milk", "use": "my coffee",
    "required_labels": ["milk", "lactose-free", "low-fat"], "unwanted_labels": ["flavour: chocolate"],
    "soft_labels": ["low-fat"], "budget": 3.0, "budget_tier": "moderate",
    "needs": {"milk": "some milk", "lactose-free": "without lactose", "low-fat": "low in fat",
              "flavour: chocolate": "with a chocolate flavor"},
    "disclosure": ["category", "use", "budget", "unwanted", "needs"],
    "acceptance": {"substitutes": True, "rejection": "reason"},
}  # fmt: skip
TOOLS = "\n".join(json.dumps({"tool": tool.value}) for tool in SUPERMARKET_TOOLS)
COOLER = {"handle": "F27", "kind": "fixture", "name": "Milk & Butter Cooler", "distance_m": 6.0, "bearing_deg": 20.0,
          "box": [0.2, 0.3, 0.5, 0.7], "approaches": ["nearest", "front"]}  # fmt: skip
CARTON = {"handle": "P173", "kind": "product", "name": MILK["name"], "distance_m": 1.4, "bearing_deg": 5.0,
          "box": [0.3, 0.4, 0.35, 0.5], "reachable": True}  # fmt: skip


@dataclass
class Hearing:
    """Feeds a user utterance after utterance and keeps its replies."""

    settings: dict[str, Any] = field(default_factory=dict)
    goal: dict[str, Any] = field(default_factory=dict)
    big_five: dict[str, str] = field(default_factory=dict)
    marks: list[dict[str, Any]] = field(default_factory=list)
    held: dict[str, Any] | None = None
    seed: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    replies: list[UserAction] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = make_user("agenda")
        self.state = self.user.initial_state(self.seed)

    def hear(self, utterance: str) -> UserAction:
        """One turn."""
        turn = len(self.replies)
        self.history.append({"turn": turn, "role": "assistant", "utterance": utterance})
        action, self.state = self.user.step(self.observation(turn), self.state)
        self.replies.append(action)
        self.states.append(self.state)
        call = action.call
        self.history.append(
            {"turn": turn, "role": "user", "utterance": action.utterance, "tool": str(call.tool), "arguments": {},
             "target_name": None, "refusal": None}
        )  # fmt: skip
        return action

    def observation(self, turn: int) -> dict[str, Any]:
        """What the user sees now."""
        profile = {
            "id": "t/01", "persona": "Tester", "theme": "", "priorities": [], "context": {"household": "lives alone"},
            "big_five": self.big_five, "settings": {**SETTINGS, **self.settings},
        }  # fmt: skip
        return {
            "history": "\n".join(map(json.dumps, self.history)),
            "marks": "\n".join(map(json.dumps, self.marks)),
            "held": "" if self.held is None else json.dumps(self.held),
            "tools": TOOLS,
            "cart": "",
            "turn": turn,
            "profile": json.dumps(profile),
            "goal": json.dumps({**GOAL, **self.goal}),
        }


@pytest.fixture
def hearing() -> type[Hearing]:
    """The class that feeds a user by hand."""
    return Hearing


@pytest.fixture(scope="session")
def hearing_class() -> type[Hearing]:
    """The same for tests of hypothesis."""
    return Hearing


@pytest.fixture(scope="session")
def things() -> dict[str, dict[str, Any]]:
    """A carton of milk as held and as marked, and the cooler that it stands in."""
    return {"milk": dict(MILK), "carton": dict(CARTON), "cooler": dict(COOLER)}


@pytest.fixture
def walk_to_purchase() -> Any:
    """Plays a user in a text-only store in which every place is in view and every walk arrives."""

    def play(hearing: Hearing, utterances: list[str], product: dict[str, Any]) -> list[str]:
        hearing.marks = [dict(COOLER)]
        tools = []
        for utterance in utterances:
            call = hearing.hear(utterance).call
            tools.append(str(call.tool))
            if call.tool == Tool.MOVE_TO_FIXTURE:
                near = {**COOLER, "distance_m": 1.5, "bearing_deg": 0.0}
                hearing.marks = [near, {**CARTON, "name": product["name"]}]
            elif call.tool == Tool.PICK_UP_ITEM:
                hearing.held = product
            elif call.tool == Tool.DROP_ITEM:
                hearing.held = None
            elif call.tool == Tool.ADD_TO_CART:
                break
        return tools

    return play


@pytest.fixture(scope="session")
def measuring() -> ModuleType:
    """benchmarks/understanding.py, which holds the definition of accuracy."""
    path = Path(__file__).parents[2] / "benchmarks" / "understanding.py"
    spec = importlib.util.spec_from_file_location("measuring_understanding", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
