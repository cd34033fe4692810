"""Hooks, delegation and the order of the wrappers (STYLE 7)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym.wrappers.base import SituatedWrapper, spaces_with, spaces_without, wraps


class Inner(SituatedWrapper):
    STAGE = "SetOfMark"

    def _observation_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:
        return spaces_with(space, {"one": spaces.Discrete(2)})

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:
        return {**observation, "one": 1}


class Outer(SituatedWrapper):
    STAGE = "RoleHandles"

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.asked: list[str] = []

    def _action(self, agent: str, action: Any) -> Any:
        return {**action, "utterance": action["utterance"].upper()}

    def _info(self, agent: str, info: Any) -> dict[str, Any]:
        self.asked.append(agent)
        return {**info, "for": agent}


class Anywhere(SituatedWrapper):
    pass


@pytest.fixture
def wrapped(make_env: Callable[..., Any]) -> Any:
    env = Outer(Anywhere(Inner(make_env())))
    env.reset(seed=3)
    return env


def test_hooks_change_what_they_are_for(wrapped: Any, play_turn: Callable[..., None]) -> None:
    assert wrapped.observe("user")["one"] == 1
    assert wrapped.observation_space("user").contains(wrapped.observe("user"))
    play_turn(wrapped, reply="yes")
    assert wrapped.unwrapped.episode.turns[0].assistant.utterance == "HELLO THERE!"
    assert wrapped.unwrapped.episode.turns[0].user.utterance == "YES"


def test_spaces_are_the_same_objects_each_time(wrapped: Any) -> None:
    for agent in wrapped.possible_agents:
        assert wrapped.observation_space(agent) is wrapped.observation_space(agent)
        assert wrapped.action_space(agent) is wrapped.action_space(agent)


def test_infos_are_asked_once_a_change_and_never_changed_inside(wrapped: Any, play_turn: Callable[..., None]) -> None:
    assert wrapped.infos["user"]["for"] == "user"
    assert wrapped.infos["user"] is wrapped.infos["user"]
    assert wrapped.asked == ["assistant", "user"]
    assert "for" not in wrapped.unwrapped.infos["user"]
    play_turn(wrapped)
    assert wrapped.last()[4]["for"] == "assistant"
    assert len(wrapped.asked) == 4


def test_what_is_not_a_hook_reaches_inside(wrapped: Any, play_turn: Callable[..., None]) -> None:
    state = wrapped.get_state()
    play_turn(wrapped)
    assert wrapped.episode_record(trial=2).trial == 2
    wrapped.set_state(state)
    assert wrapped.episode_record().turns == ()
    wrapped.fail("no words")
    assert wrapped.last()[3] is True
    wrapped.step(None)
    assert wrapped.agents == ["user"]
    assert list(wrapped.infos) == ["user"]


def test_wraps_finds_the_outermost(wrapped: Any) -> None:
    assert wraps(wrapped, Outer) is wrapped
    inner = wraps(wrapped, Inner)
    assert isinstance(inner, Inner)
    assert wraps(inner, Outer) is None
    assert wraps(wrapped, type(wrapped.unwrapped)) is wrapped.unwrapped


@pytest.mark.parametrize("kinds", [(Outer, Inner), (Outer, Anywhere, Inner), (Inner, Inner)])
def test_a_wrong_order_names_both_and_the_right_one(make_env: Callable[..., Any], kinds: tuple[Any, ...]) -> None:
    env = make_env()
    for kind in kinds[:-1]:
        env = kind(env)
    with pytest.raises(ValueError, match=r"Inner cannot go around (Outer|Inner).*RecordEpisode, MetricReward"):
        kinds[-1](env)


def test_order_enforcing_comes_last(make_env: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="Outer cannot go around OrderEnforcingWrapper"):
        Outer(OrderEnforcingWrapper(make_env()))


def test_spaces_with_and_without() -> None:
    space = spaces.Dict({"a": spaces.Discrete(2), "b": spaces.Box(0, 1, (2,), np.float32)})
    assert set(spaces_with(space, {"c": spaces.Discrete(3)}).spaces) == {"a", "b", "c"}
    assert set(spaces_without(space, frozenset("a")).spaces) == {"b"}
