"""Wrappers keep their word over every registered environment: same episodes, pictures, ablations, learners' forms."""

import warnings
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.text import parse_lines
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.wrappers import DiscreteAssistantActions, TokenizeText, VectorFeatures


def bare(record: EpisodeRecord) -> EpisodeRecord:
    """A record without reward terms, which the raw environment does not know."""
    return replace(record, turns=tuple(replace(turn, reward_terms={}) for turn in record.turns))


@pytest.mark.parametrize("assistant", ["heuristic", "random"])
def test_raw_and_composed_play_the_same_episode(facade: ModuleType, small: dict[str, Any], assistant: str) -> None:
    raw, composed = facade.raw_env(images=False, **small), facade.env(images=False, **small)
    for task in list(raw.tasks)[:100:33]:
        one, other = (play(env, make_assistant(assistant), make_user("agenda"), task.id, 8) for env in (raw, composed))
        assert one == bare(other)
        assert all(turn.reward_terms for turn in other.turns)


def test_with_and_without_images_is_the_same_episode(facade: ModuleType, small: dict[str, Any]) -> None:
    plain, seeing = facade.env(images=False, **small), facade.env(**small)
    task = plain.unwrapped.tasks[10].id
    one, other = (play(env, make_assistant("heuristic"), make_user("agenda"), task, 3) for env in (plain, seeing))
    assert one == other


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_marks_are_drawn_on_each_roles_picture(facade: ModuleType, small: dict[str, Any], role: str) -> None:
    env = facade.env(**small | {"image_size": (320, 240)})
    env.reset(seed=1)
    observation = env.observe(role)
    assert env.observation_space(role).contains(observation)
    assert observation["som_image"].shape == observation["rgb"].shape == (240, 320, 3)
    changed = (observation["som_image"] != observation["rgb"]).any(axis=2)
    assert 0 < changed.mean() < 0.5
    for mark in parse_lines(observation["marks"]):
        x0, y0, x1, y1 = (round(value * size) for value, size in zip(mark["box"], (320, 240) * 2, strict=True))
        near = changed[max(0, y0 - 24) : y1 + 24, max(0, x0 - 24) : x1 + 24]
        assert near.any() or mark["distance_m"] > (6.0 if mark["kind"] == "product" else 20.0), mark


@pytest.mark.parametrize("ablation", ["without_egocentric_view", "without_view_and_caption"])
def test_ablations_take_the_assistants_view_alone(facade: ModuleType, small: dict[str, Any], ablation: str) -> None:
    env = facade.env(ablation=ablation, **small)
    env.reset(seed=1)
    shown = env.observe("assistant")
    assert not {"rgb", "som_image"} & set(shown)
    assert {"rgb", "som_image", "marks"} <= set(env.observe("user"))
    if ablation == "without_view_and_caption":
        assert shown["marks"] == ""
        assert len(list(parse_lines(shown["place_index"]))) == len(env.unwrapped.scene.navigation_targets)
    record = play(env, make_assistant("heuristic"), make_user("agenda"), env.unwrapped.tasks[0].id, 1)
    assert record.status == "complete"
    assert env.observation_space("assistant").contains(env.observe("assistant"))


def test_a_recorded_run_holds_the_episode(facade: ModuleType, small: dict[str, Any], tmp_path: Path) -> None:
    env = facade.env(images=False, record_to=tmp_path / "run", **small)
    record = play(env, make_assistant("heuristic"), make_user("agenda"), env.unwrapped.tasks[3].id, 1)
    env.close()
    lines = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    assert len(lines) == 1
    assert f'"task":"{record.task}"' in lines[0].replace(": ", ":")


@pytest.mark.parametrize("wrapper", [VectorFeatures, TokenizeText])
def test_learners_forms_pass_the_checker(facade: ModuleType, small: dict[str, Any], wrapper: Any) -> None:
    env = wrapper(DiscreteAssistantActions(facade.gym_env(images=False, tasks="train", **small)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_masked_discrete_actions_are_whole_turns(facade: ModuleType, small: dict[str, Any]) -> None:
    """What the masks allow always says something, expects an action, and means a product or a place."""
    env = VectorFeatures(DiscreteAssistantActions(facade.gym_env(images=False, tasks="train", **small)))
    env.action_space.seed(0)
    for seed in range(12):
        row, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.observation_space.contains(row)
            row, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
            assert np.isfinite(reward)
        turns = env.unwrapped.episode_record().turns
        assert {flag for turn in turns for flag in turn.flags} <= {"worded_by_template"}
        assert all(turn.assistant.utterance for turn in turns)
