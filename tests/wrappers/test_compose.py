"""The composed environment: its pieces, their order, and the same episodes in raw and in role-handle form."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from siturec_gym import supermarket_v0
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import make_env as make_run_env
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.wrappers.ablations import WithoutEgocentricView, WithoutViewAndCaption
from siturec_gym.wrappers.base import wraps
from siturec_gym.wrappers.compose import OrderEnforcing, compose
from siturec_gym.wrappers.metric_reward import MetricReward
from siturec_gym.wrappers.record_episode import RecordEpisode
from siturec_gym.wrappers.role_handles import RoleHandles
from siturec_gym.wrappers.set_of_mark import SetOfMark

SIZE = (160, 120)


def kinds(env: Any) -> list[type]:
    """The wrappers from the outside in."""
    found = []
    while env is not env.unwrapped:
        found.append(type(env))
        env = env.env
    return found


def bare(record: EpisodeRecord) -> EpisodeRecord:
    """A record without reward terms, which the raw environment does not know."""
    return replace(record, turns=tuple(replace(turn, reward_terms={}) for turn in record.turns))


def test_the_order_of_the_pieces(tmp_path: Path) -> None:
    env = supermarket_v0.env(image_size=SIZE, ablation="without_egocentric_view", record_to=tmp_path / "run")
    assert kinds(env) == [
        OrderEnforcing, RoleHandles, WithoutEgocentricView, SetOfMark, MetricReward, RecordEpisode
    ]  # fmt: skip
    env.close()


@pytest.mark.parametrize(
    ("keywords", "left"),
    [
        ({}, [OrderEnforcing, RoleHandles, MetricReward]),
        ({"handles": False}, [OrderEnforcing, MetricReward]),
        ({"images": True, "image_size": SIZE}, [OrderEnforcing, RoleHandles, SetOfMark, MetricReward]),
        ({"images": True, "image_size": (32, 24), "som": False}, [OrderEnforcing, RoleHandles, MetricReward]),
        (
            {"ablation": "without_view_and_caption"},
            [OrderEnforcing, RoleHandles, WithoutViewAndCaption, MetricReward],
        ),
    ],
)
def test_every_piece_can_be_left_out(make_env: Callable[..., Any], keywords: dict[str, Any], left: list[type]) -> None:
    raw = {key: keywords.pop(key) for key in ("images", "image_size") if key in keywords}
    env = compose(make_env(**raw), **keywords)
    assert kinds(env) == left
    env.reset(seed=1)
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"image_size": (64, 48)}, "at least 160x120"),
        ({"ablation": "blindfold", "images": False}, "blindfold"),
        ({"reward_weights": {"joy": 1.0}, "images": False}, "joy"),
    ],
)
def test_bad_keywords_are_one_clear_line(keywords: dict[str, Any], words: str) -> None:
    for make in (supermarket_v0.env, supermarket_v0.gym_env, supermarket_v0.parallel_env):
        with pytest.raises(ValueError, match=words) as caught:
            make(**keywords)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        (RoleHandles, SetOfMark),
        (RoleHandles, WithoutEgocentricView),
        (WithoutViewAndCaption, SetOfMark),
        (SetOfMark, MetricReward),
        (RoleHandles, RoleHandles),
        (WithoutEgocentricView, WithoutViewAndCaption),
    ],
)
def test_a_wrong_order_is_an_error_when_built(
    make_env: Callable[..., Any], inner: Callable[..., Any], outer: Callable[..., Any]
) -> None:
    wrapped = inner(make_env(images=True, image_size=SIZE))
    with pytest.raises(ValueError, match=r"cannot go around .*; from the inside out the order is: raw environment"):
        outer(wrapped)


def test_the_same_episodes_in_raw_and_in_composed_form() -> None:
    raw = supermarket_v0.raw_env(images=False)
    composed = supermarket_v0.env(images=False)
    for task in list(raw.tasks)[:60:5]:
        for assistant in ("heuristic", "random"):
            records = [play(env, make_assistant(assistant), make_user("agenda"), task.id, 8) for env in (raw, composed)]
            assert records[0] == bare(records[1])
            assert all(turn.reward_terms for turn in records[1].turns)


def test_runs_and_gymnasium_play_the_composed_form() -> None:
    assert wraps(make_run_env("SituRec-Supermarket-v0"), RoleHandles) is not None
    env = gymnasium.make("SituRec-Supermarket-v0", images=False)
    observation, info = env.reset(seed=7)
    assert re.search(r'"handle":"\d+","kind":"fixture"', observation["marks"])
    assert not re.search(r'"F\d\d"', json.dumps([observation["marks"], observation["location_index"]]))
    *_, info = env.step(env.action_space.sample(info["action_mask"]))
    assert "reward_terms" in info


def test_a_running_episode_is_copied_with_all_its_wrappers(tmp_path: Path) -> None:
    env = supermarket_v0.gym_env(image_size=SIZE)
    env.reset(seed=3)
    env.action_space.seed(3)
    actions = [env.action_space.sample() for _ in range(3)]
    state = env.get_state()
    first = [env.step(action) for action in actions]
    env.set_state(state)
    second = [env.step(action) for action in actions]
    for one, other in zip(first, second, strict=True):
        assert (one[0]["som_image"] == other[0]["som_image"]).all()
        assert (one[0]["marks"], one[1:4]) == (other[0]["marks"], other[1:4])


def test_a_state_begins_an_episode_as_reset_does():
    played, fresh = supermarket_v0.env(images=False), supermarket_v0.env(images=False)
    played.reset(seed=3)
    fresh.set_state(played.get_state())
    assert fresh.agent_selection == "assistant"
    assert fresh.observe("user")["marks"] == played.observe("user")["marks"]


def test_what_the_forms_cannot_take_is_named():
    with pytest.raises(ValueError, match="user: expected a name or a policy"):
        supermarket_v0.gym_env(images=False, user=3)
    with pytest.raises(ValueError, match=r"user_config is for a user chosen by name, .*; got \['base_url'\]"):
        supermarket_v0.gym_env(images=False, user=make_user("agenda"), user_config={"base_url": "http://h/v1"})
    for config in ("x", [("base_url", "x")], {1: 2}):
        with pytest.raises(ValueError, match="user_config takes keywords such as"):
            supermarket_v0.gym_env(images=False, user="llm:x", user_config=config)
    for name, value in (("settings", 3), ("settings", 0), ("settings", {"images": 0}), ("base_url", 3)):
        with pytest.raises(ValueError, match=r"expected RoleSettings, such as|base URL must be a text"):
            supermarket_v0.gym_env(images=False, user="llm:x", user_config={name: value})
    with pytest.raises(ValueError, match="gamma: expected 0 to 1, got 'x'"):
        supermarket_v0.env(images=False, reward_gamma="x")
    with pytest.raises(ValueError, match="set_state: expected what get_state of this form gave, got int"):
        supermarket_v0.gym_env(images=False).set_state(3)
