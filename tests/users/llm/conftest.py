"""Observations of a shopper made from a few words, a labelled corpus of replies, and a model that plays as told."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from siturec_gym.core.actions import UserAction
from siturec_gym.llm.messages import ChatReply, ChatRequest
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.users import make_user
from siturec_gym.users.llm import LLMUser

DATA = Path(__file__).parent / "data"
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


def _lines(name: str) -> Iterator[Line]:
    for text in (DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            goal, flags, said, heard, *earlier = (part.strip() for part in text.split(" | "))
            turns = [turn.split(" > ") for turn in earlier[0].split(" // ")] if earlier else []
            before = tuple((one.strip(), other.strip()) for one, other in turns)
            yield Line(goal, frozenset() if flags == "-" else frozenset(flags.split(",")), said, heard, before)


@pytest.fixture(scope="session")
def corpus() -> Callable[[str], list[Line]]:
    """The lines of "development" or "held_out"."""
    return lambda name: list(_lines(name))


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


@pytest.fixture(scope="session")
def observe() -> Callable[..., dict[str, Any]]:
    """An observation of the user: ``observe("milk", "Hi!", (("Hello!", "Some milk."),), patience="low")``.

    Further arguments: ``held`` (facts of an item), ``reachable`` (whether products are), ``home`` (the other store's
    tools), and changes of settings, traits or fields of the goal.
    """
    needs = json.loads((DATA / "goals.json").read_text("utf-8"))

    def build(goal: str, heard: str = "Hi!", before: Sequence[tuple[str, str]] = (), **changes: Any) -> dict[str, Any]:
        held, reachable, home = (changes.pop(key, default) for key, default in
                                 (("held", None), ("reachable", True), ("home", False)))  # fmt: skip
        need = needs[goal]
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

    return build


def _mark(handle: str, kind: str, name: str, reachable: bool) -> dict[str, Any]:
    seen = {"handle": handle, "kind": kind, "name": name, "distance_m": 2.0, "bearing_deg": 10.0}
    return seen | ({"reachable": reachable} if kind == "product" else {"approaches": ["nearest", "front"]})


class Player:
    """An LLMUser whose model answers what the agenda user would say and do.

    Args:
        client: Given a function of the request, makes the client.
        spoil: Changes the answers, which are JSON texts, by the number of the request.
    """

    def __init__(self, spoil: Callable[[int, str], str | ChatReply | Exception] | None = None, **settings: Any) -> None:
        self._agenda, self._spoil = make_user("agenda"), spoil or (lambda _, answer: answer)
        self._answer, self.requests = "", list[ChatRequest]()
        self.user = LLMUser(Asker(ScriptedClient(self._reply)), **settings)

    def initial_state(self, seed: int) -> Any:
        """States of both."""
        return _Both(self._agenda.initial_state(seed), self.user.initial_state(seed))

    def step(self, observation: Any, state: Any) -> tuple[UserAction, Any]:
        """The model's action, and what the policy remarks."""
        action, agenda = self._agenda.step(observation, state.agenda)
        call = {name: str(value) if name == "tool" else value for name, value in asdict(action.call).items()}
        self._answer = json.dumps({"utterance": action.utterance, "call": call})
        given, model = self.user.step(observation, state.model)
        return given, _Both(agenda, model)

    def _reply(self, request: ChatRequest) -> str | ChatReply | Exception:
        self.requests.append(request)
        return self._spoil(len(self.requests) - 1, self._answer)


@dataclass(frozen=True)
class _Both:
    agenda: Any
    model: Any

    @property
    def remarks(self) -> Any:
        return self.model.remarks


@pytest.fixture
def player() -> type[Player]:
    """The class that plays well through a model."""
    return Player


@pytest.fixture
def answering() -> Callable[..., LLMUser]:
    """A user whose model gives these answers in order: texts, ``ChatReply``s, errors, or utterances with a call."""

    def build(*answers: Any, **settings: Any) -> LLMUser:
        texts = [json.dumps(_spoken(*answer)) if isinstance(answer, tuple) else answer for answer in answers]
        return LLMUser(Asker(ScriptedClient(texts)), **settings)

    return build


def _spoken(utterance: str, tool: str = "idle", **arguments: Any) -> dict[str, Any]:
    return {"utterance": utterance, "call": {"tool": tool, **arguments}}
