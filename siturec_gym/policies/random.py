"""Assistants without a thought: legal random actions, and a random product a turn."""

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

import numpy as np

from siturec_gym.assets import read_asset
from siturec_gym.core.actions import (
    TOOL_ARGUMENTS,
    Act,
    AssistantAction,
    Navigation,
    Recommendation,
    Tool,
    ToolCall,
)
from siturec_gym.core.legality import LegalActions, legal_actions
from siturec_gym.core.policy import Observation
from siturec_gym.core.seeding import generator
from siturec_gym.policies.knowledge import Item
from siturec_gym.policies.situation import Situation, read_situation

_ACTS = tuple(Act)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seeded:
    """State of an assistant that remembers nothing but its seed."""

    seed: int


class RandomAssistant:
    """A random act with a matching annotation, a random utterance of that act, a random legal expected action."""

    def initial_state(self, seed: int) -> Seeded:
        """The seed."""
        return Seeded(seed)

    def step(self, observation: Observation, state: Seeded) -> tuple[AssistantAction, Seeded]:
        """An action drawn from the seed and the turn alone."""
        situation = read_situation(observation)
        random = generator(state.seed, "random assistant", situation.turn)
        act = _pick(random, _ACTS)
        item, place = _some_item(random, situation), _pick(random, tuple(situation.store.places.values()))
        call = random_call(random, legal_actions(observation))
        words = _pick(random, _stock()[act]).format(product=item.name, place=place.name, **_ways(random))
        action = AssistantAction(words, act, expected_user_action=call, ranking=random_ranking(random, situation))
        if act is Act.RECOMMEND:
            visible = item.id in situation.product_marks
            return replace(
                action, recommendation=Recommendation(item.id, item.name, visible, "picked by chance")
            ), state
        if act is Act.NAVIGATE:
            return replace(action, navigation=Navigation(place.id, reason="picked by chance")), state
        return action, state


class RandomProductAssistant:
    """Recommends a random product of the catalog each turn, and says so honestly in the annotation."""

    def initial_state(self, seed: int) -> Seeded:
        """The seed."""
        return Seeded(seed)

    def step(self, observation: Observation, state: Seeded) -> tuple[AssistantAction, Seeded]:
        """A recommendation drawn from the seed and the turn alone."""
        situation = read_situation(observation)
        random = generator(state.seed, "random product assistant", situation.turn)
        item = _pick(random, situation.store.items)
        visible = item.id in situation.product_marks
        recommendation = Recommendation(item.id, item.name, visible, "picked by chance")
        ranking = (item.id, *(id_ for id_ in random_ranking(random, situation) if id_ != item.id))[:10]
        words = _pick(random, _stock()[Act.RECOMMEND]).format(product=item.name)
        call = ToolCall(Tool.IDLE)
        mark = situation.product_marks.get(item.id)
        if mark is not None and mark["reachable"] and (situation.held is None or not situation.by_hand):
            call = situation.inspect(mark["handle"])
        return AssistantAction(words, Act.RECOMMEND, call, recommendation, ranking=ranking), state


def random_ranking(random: np.random.Generator, situation: Situation) -> tuple[str, ...]:
    """Ten different products by chance."""
    items = situation.store.items
    chosen = random.choice(len(items), size=min(10, len(items)), replace=False)
    return tuple(items[index].id for index in chosen.tolist())


def random_call(random: np.random.Generator, legal: LegalActions) -> ToolCall:
    """A legal tool call with random arguments within their ranges."""
    tool = Tool(_pick(random, tuple(sorted(legal.tools))))
    takes = TOOL_ARGUMENTS[tool]
    if "target" in takes:
        target = _pick(random, legal.targets[tool])
        approach = _pick(random, legal.approaches[target]) if "approach" in takes else None
        return ToolCall(tool, target=target, approach=approach)
    directions = ("up", "down") if tool is Tool.LOOK_UP_DOWN else ("left", "right")
    return ToolCall(
        tool,
        direction=_pick(random, directions) if "direction" in takes else None,
        angle_deg=5.0 * int(random.integers(1, 13)) if "angle_deg" in takes else None,
        distance_m=0.5 * int(random.integers(1, 11)) if "distance_m" in takes else None,
    )


def _some_item(random: np.random.Generator, situation: Situation) -> Item:
    """A visible product where there is one, two times of three; else any."""
    visible = tuple(situation.product_marks)
    if visible and random.random() < 2 / 3:
        return situation.store.by_id[_pick(random, visible)]
    return _pick(random, situation.store.items)


def _ways(random: np.random.Generator) -> dict[str, str]:
    side, angle, metres = _pick(random, ("left", "right")), random.integers(1, 13) * 15, random.integers(1, 6)
    return {"side": side, "angle": str(int(angle)), "metres": str(int(metres))}


def _pick(random: np.random.Generator, choices: tuple[T, ...]) -> T:
    return choices[int(random.integers(len(choices)))]


@cache
def _stock() -> dict[str, tuple[str, ...]]:
    stock: dict[str, list[str]] = json.loads(read_asset("assistants/random_utterances.json"))
    return {act: tuple(utterances) for act, utterances in stock.items()}
