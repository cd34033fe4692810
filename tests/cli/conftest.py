"""Observations as both roles get them, written by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from chat_server import ChatServer

from siturec_gym.cli.main import run_command_line
from siturec_gym.core.actions import SUPERMARKET_TOOLS
from siturec_gym.core.text import dump_lines

SHELF = {"handle": "F01", "kind": "fixture", "name": "Milk Shelf", "distance_m": 4.0, "bearing_deg": 0.2,
         "box": [0, 0, 1, 1], "approaches": ["nearest", "front"]}  # fmt: skip
NEAR = {"handle": "P001", "kind": "product", "name": "Alder Whole Milk 1 L", "distance_m": 2.0, "bearing_deg": 10.0,
        "box": [0, 0, 1, 1], "reachable": True}  # fmt: skip
FAR = {"handle": "P002", "kind": "product", "name": "Alder Lactose-Free Milk 1 L", "distance_m": 5.0,
       "bearing_deg": -30.0, "box": [0, 0, 1, 1], "reachable": False}  # fmt: skip
MARKS = (SHELF, NEAR, FAR)
SAID = {"turn": 0, "role": "assistant", "utterance": "Welcome! What do you need?"}
DONE = {"turn": 0, "role": "user", "utterance": "Milk, please.", "tool": "turn",
        "arguments": {"direction": "left", "angle_deg": 90.0}, "target_name": None, "refusal": None}  # fmt: skip
PROFILE = {"persona": "A nurse after a night shift"}
NEEDS = {"milk": "milk", "lactose-free": "without lactose", "oat": "anything with oats"}
GOAL = {"request": "Something for my coffee", "required_labels": ["milk", "lactose-free"], "unwanted_labels": ["oat"],
        "needs": NEEDS, "budget": 3.0}  # fmt: skip
PRODUCT = {"product": "P001", "name": "Alder Whole Milk 1 L", "department": "dairy", "category": "milk",
           "tags": ["whole"], "price": 1.49, "flavour": "", "size": "1 L"}  # fmt: skip
WHERE = {"product": "P001", "places": [{"place": "F01", "side": "front"}]}
TOOLS = dump_lines({"tool": tool.value} for tool in SUPERMARKET_TOOLS)
PLACE = {"place": "F01", "kind": "fixture", "form": "shelf", "name": "Milk Shelf", "x": 4.0, "y": 4.0}


@pytest.fixture
def marks() -> tuple[dict[str, Any], ...]:
    return MARKS


@pytest.fixture
def user_observation() -> dict[str, Any]:
    return {
        "turn": 1, "history": dump_lines([SAID, DONE, SAID | {"turn": 1}]), "marks": dump_lines(MARKS), "held": "",
        "cart": "", "tools": TOOLS, "profile": dump_lines([PROFILE]), "goal": dump_lines([GOAL]),
        "rgb": np.zeros((6, 8, 3), np.uint8),
    }  # fmt: skip


@pytest.fixture
def assistant_observation() -> dict[str, Any]:
    return {
        "turn": 1, "history": dump_lines([SAID, DONE]), "marks": dump_lines(MARKS), "held": "", "cart": "",
        "tools": TOOLS, "pose": np.zeros(4, np.float32), "recommendations_left": 3, "catalog": dump_lines([PRODUCT]),
        "location_index": dump_lines([WHERE, PLACE, {"waypoint": "W01", "x": 0, "y": 0, "links": []}]),
        "rgb": np.zeros((6, 8, 3), np.uint8),
    }  # fmt: skip


class Keyboard:
    """Gives lines one after the other and keeps what is shown; at the end the input is closed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


@pytest.fixture
def keyboard() -> Keyboard:
    return Keyboard()


@pytest.fixture
def terminal(keyboard):
    from siturec_gym.cli.console.terminal import Terminal

    return Terminal(keyboard.read, keyboard.shown.append)


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.stop()


@pytest.fixture
def siturec(capsys):
    """Runs a command line: exit status, what was printed, and what was printed to the error stream."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = run_command_line([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
