"""A two-agent environment and policies that follow a script, to test the evaluation loop by itself."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from chat_server import ChatServer

from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, UserRecord, ViewRecord

VIEW = ViewRecord((), (), Pose(0.0, 0.0, 0.0))


class ScriptedEnv:
    """Ends at the given turn; buys P001 when the user calls add_to_cart. Actions are the records themselves."""

    def __init__(self, limit: int = 3) -> None:
        self.limit = limit

    def reset(self, seed: int, options: dict[str, Any]) -> None:
        self.seed, self.task = seed, options["task"]
        self.turns, self.cart, self.agent, self.said, self.error = [], (), "assistant", None, None

    @property
    def over(self) -> bool:
        return bool(self.cart) or len(self.turns) >= self.limit

    @property
    def terminations(self) -> dict[str, bool]:
        return {"assistant": self.over, "user": self.over}

    @property
    def truncations(self) -> dict[str, bool]:
        return {"assistant": False, "user": False}

    def agent_iter(self):
        while True:
            yield self.agent

    def last(self):
        rgb = np.full((2, 2, 3), len(self.turns), np.uint8)
        return {"turn": len(self.turns), "rgb": rgb}, 0.0, self.over, False, {}

    def encode_action(self, agent: str, action: Any) -> Any:
        if not isinstance(action, AssistantAction | UserAction):
            raise ValueError(f"{agent}: not an action: {action!r}")
        return action

    def step(self, action: Any) -> None:
        if self.agent == "assistant":
            self.said, self.agent = action, "user"
            return
        said = AssistantRecord(self.said.utterance, self.said.act, None, None, None, ())
        done = UserRecord(action.utterance, action.call, action.call)
        self.turns.append(TurnRecord(len(self.turns), VIEW, said, done))
        self.cart = ("P001",) if action.call.tool == "add_to_cart" else ()
        self.agent = "assistant"

    def fail(self, error: str) -> None:
        self.error = error

    def episode_record(self, trial: int = 0) -> EpisodeRecord:
        end = "generation_failure" if self.error else "success_cart_added" if self.cart else "turn_limit"
        status = "failed" if self.error else "complete"
        return EpisodeRecord(
            self.task, trial, self.seed, "supermarket", self.task.split(".")[0], ("P001",), status, end,
            self.cart, tuple(self.turns), VIEW, self.error,
        )  # fmt: skip


@dataclass
class Script:
    """A policy that gives its actions in turn; an exception among them is raised. Its state is the next index."""

    actions: list[Any]
    seeds: list[int] = field(default_factory=list)

    def initial_state(self, seed: int) -> int:
        self.seeds.append(seed)
        return 0

    def step(self, observation: Any, state: int) -> tuple[Any, int]:
        action = self.actions[state % len(self.actions)]
        if isinstance(action, Exception):
            raise action
        return action, state + 1


@pytest.fixture
def env() -> ScriptedEnv:
    return ScriptedEnv()


@pytest.fixture
def script() -> type[Script]:
    return Script


@pytest.fixture
def talk() -> AssistantAction:
    return AssistantAction("Hello.", "Greet")


@pytest.fixture
def wait() -> UserAction:
    return UserAction("Hm.")


@pytest.fixture
def buy() -> UserAction:
    return UserAction("I take it.", ToolCall("add_to_cart"))


@pytest.fixture
def make_record():
    def build(task: str = "supermarket/01.1", trial: int = 0, seed: int = 0, **changes: Any) -> EpisodeRecord:
        fields = {
            "scene": "supermarket", "profile_id": task.split(".", maxsplit=1)[0], "reference_set": ("P001",),
            "status": "complete", "end_reason": "turn_limit", "cart": (), "turns": (), "final_view": VIEW,
        }  # fmt: skip
        return EpisodeRecord(task, trial, seed, **(fields | changes))

    return build


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.stop()
