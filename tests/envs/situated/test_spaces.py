"""Spaces: fixed charset, reserved codes, the same keys for each role."""

import pickle
from typing import Any

import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.text import CHARSET
from siturec_gym.envs.situated.spaces import UNKNOWN, FoldedText, Vocabularies, Vocabulary, action_spaces


@given(st.text(max_size=40))
def test_membership_agrees_with_gymnasiums_text(text: str) -> None:
    plain = spaces.Text(20, min_length=0, charset=CHARSET)
    assert FoldedText(20).contains(text) == plain.contains(text)


def test_folded_text_survives_pickling_and_equals_its_like() -> None:
    space = pickle.loads(pickle.dumps(FoldedText(30)))
    assert space == FoldedText(30)
    assert space.contains("a\nb")
    assert not space.contains("é")
    assert not space.contains(3)


def test_reserved_codes_come_last() -> None:
    words = Vocabulary(("a", "b"))
    assert [words.encode(name) for name in ("a", "b", "zzz", None)] == [0, 1, 2, 3]
    assert [words.decode(code) for code in range(4)] == ["a", "b", UNKNOWN, None]
    assert words.size == 4
    assert Vocabulary(("a", "b"), optional=False).size == 3


def test_sizes_follow_the_scene(tiny_scene: Any) -> None:
    actions = action_spaces(Vocabularies(tiny_scene))
    assert actions["assistant"]["act"].n == 10
    assert actions["assistant"]["ranking"].shape == (10,)
    assert actions["assistant"]["recommendation"]["product"].n == 5 + 2
    assert actions["user"]["tool"].n == 12 + 1
    assert actions["user"]["target"].n == 2 + 5 + 2
    assert actions["assistant"]["expected_user_action"]["tool"].n == 12 + 2


@pytest.mark.parametrize("agent", ["assistant", "user"])
def test_samples_and_observations_are_members(make_env: Any, agent: str) -> None:
    env = make_env(images=True)
    env.reset(seed=1)
    assert env.action_space(agent).contains(env.action_space(agent).sample())
    assert env.observation_space(agent).contains(env.observe(agent))
    assert env.action_space(agent).sample(env.infos[agent]["action_mask"]) in env.action_space(agent)


def test_no_sequence_and_no_key_that_pettingzoo_treats_apart(make_env: Any) -> None:
    for images in (True, False):
        env = make_env(images=images)
        for agent in env.possible_agents:
            space = env.observation_space(agent)
            assert not any(isinstance(part, spaces.Sequence | spaces.Dict) for part in space.values())
            assert not {"observation", "action_mask"} & set(space)


def test_keys_of_each_role(make_env: Any) -> None:
    shared = {"history", "tools", "marks", "marks_array", "cart", "held", "turn", "rgb"}
    env = make_env(images=True)
    assert set(env.observation_space("assistant")) == shared | {
        "map_image", "pose", "catalog", "location_index", "recommendations_left",
    }  # fmt: skip
    assert set(env.observation_space("user")) == shared | {"profile", "goal"}
    env = make_env(static_observations=False)
    assert not {"catalog", "location_index", "profile", "goal", "rgb", "map_image"} & (
        set(env.observation_space("assistant")) | set(env.observation_space("user"))
    )
