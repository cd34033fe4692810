"""Hand-made observations of an assistant, on the real catalog and map of the Supermarket."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from siturec_gym import supermarket_v0
from siturec_gym.core.actions import SUPERMARKET_TOOLS
from siturec_gym.core.text import dump_lines
from siturec_gym.policies.heuristic.vocabulary import Vocabulary, vocabulary_of
from siturec_gym.policies.knowledge import Store, read_store

MakeObservation = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def real_env() -> Any:
    return supermarket_v0.raw_env(images=False)


@pytest.fixture(scope="session")
def first_observation(real_env: Any) -> dict[str, Any]:
    real_env.reset(seed=0)
    return dict(real_env.observe("assistant"))


@pytest.fixture(scope="session")
def store(first_observation: dict[str, Any]) -> Store:
    return read_store(first_observation["catalog"], first_observation["location_index"])


@pytest.fixture(scope="session")
def vocabulary(store: Store) -> Vocabulary:
    return vocabulary_of(store)


@pytest.fixture(scope="session")
def observe(first_observation: dict[str, Any]) -> MakeObservation:
    """An observation with the given pose, marks, history and held line; what the user said last comes first."""

    def make(
        *user: str,
        pose: tuple[float, float, float] = (30.2, 1.5, 90.0),
        marks: tuple[dict[str, Any], ...] = (),
        held: dict[str, Any] | None = None,
        turn: int | None = None,
        left: int = 3,
        tool: str = "idle",
    ) -> dict[str, Any]:
        history: list[dict[str, Any]] = []
        for number, words in enumerate(user):
            history.append({"turn": number, "role": "assistant", "utterance": f"(assistant {number})"})
            done = {"tool": tool, "arguments": {}, "target_name": None, "refusal": None}
            history.append({"turn": number, "role": "user", "utterance": words, **done})
        return {
            **first_observation,
            "pose": np.array([*pose, 0.0], np.float32),
            "marks": dump_lines(marks),
            "history": dump_lines(history),
            "held": dump_lines([held]) if held else "",
            "tools": dump_lines({"tool": tool.value} for tool in SUPERMARKET_TOOLS),
            "turn": len(user) if turn is None else turn,
            "recommendations_left": left,
        }

    return make


@pytest.fixture(scope="session")
def place_mark(store: Store) -> Callable[..., dict[str, Any]]:
    def mark(place: str, bearing: float = 0.0, approaches: tuple[str, ...] = ("nearest", "front")) -> dict[str, Any]:
        name = store.places[place].name
        seen = {"distance_m": 6.0, "bearing_deg": bearing, "box": [0.1, 0.1, 0.2, 0.2], "approaches": list(approaches)}
        return {"handle": f"handle-{place}", "kind": "fixture", "name": name, **seen}

    return mark


@pytest.fixture(scope="session")
def product_mark(store: Store) -> Callable[..., dict[str, Any]]:
    def mark(product: str, bearing: float = 0.0, distance: float = 1.5, reachable: bool = True) -> dict[str, Any]:
        name = store.by_id[product].name
        seen = {"distance_m": distance, "bearing_deg": bearing, "box": [0.1, 0.1, 0.2, 0.2], "reachable": reachable}
        return {"handle": f"handle-{product}", "kind": "product", "name": name, **seen}

    return mark


@pytest.fixture(scope="session")
def named(store: Store) -> Callable[[str], str]:
    """Id of the product whose name holds all of these words."""

    def find(words: str) -> str:
        return next(item.id for item in store.items if all(word in item.name.lower() for word in words.split()))

    return find
