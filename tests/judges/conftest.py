"""Episodes of the tiny store, told turn by turn, for judges to read."""

import hashlib
from typing import Any

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, UserRecord, ViewRecord
from siturec_gym.judges.transcript import Transcript

HERE = Pose(1.0, 1.0, 0.0)
IDLE = ToolCall("idle")
MILK = "Alder Whole Milk 1 L"
GOOD_DIALOGUE = (
    ("Hello! What can I find for you today?", "Some milk for breakfast.", IDLE),
    ("Is there a price you want to stay under?", "At most $3.", IDLE),
    (
        "The Milk Shelf is on your left; please walk to it.",
        "Going.",
        ToolCall("move_to_fixture", target="F01", approach="front"),
    ),
    (
        f"I recommend the {MILK} on the Milk Shelf. It costs $1.49. Please pick it up.",
        "This one?",
        ToolCall("pick_up_item", target="P001"),
    ),
    ("Yes. Add it to your cart if you like it.", "I take it.", ToolCall("add_to_cart")),
)


def make_turn(
    number: int, said: str, answered: str, call: ToolCall, refusal: str | None = None, **view: Any
) -> TurnRecord:
    shown = {"places": ("F01",), "products": ("P001",)} | view
    executed = IDLE if refusal else call
    return TurnRecord(
        number,
        ViewRecord(shown["places"], shown["products"], HERE),
        AssistantRecord(said, "Greet", None, None, ToolCall("turn"), ("P005",)),
        UserRecord(answered, call, executed, refusal),
    )


@pytest.fixture
def tell(tiny_scene, tiny_bank):
    """Builds a transcript of the tiny store; its shopper wants milk for at most $3, and P001 alone will do."""

    def build(dialogue: Any, cart: tuple[str, ...] = (), end: str = "turn_limit") -> Transcript:
        turns = tuple(make_turn(number, *turn) for number, turn in enumerate(dialogue))
        episode = EpisodeRecord(
            "tiny/01.1", 0, 5, "tiny", "tiny/01", ("P001",), "complete", end, cart, turns, ViewRecord((), (), HERE)
        )
        return Transcript(episode, tiny_scene, tiny_bank.profiles[0], tiny_bank[0].goal)

    return build


@pytest.fixture
def good(tell) -> Transcript:
    return tell(GOOD_DIALOGUE, ("P001",), "success_cart_added")


@pytest.fixture
def pinned():
    """Start of a text's sha256."""
    return lambda text: hashlib.sha256(text.encode()).hexdigest()[:16]
