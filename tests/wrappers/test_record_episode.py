"""RecordEpisode: every finished episode on disk, whole and once."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.episodes import read_episodes, read_manifest
from siturec_gym.wrappers.metric_reward import MetricReward
from siturec_gym.wrappers.record_episode import RecordEpisode

TASK = {"task": "tiny/01.1"}


@pytest.fixture
def record(make_env: Callable[..., Any], tmp_path: Path) -> Callable[..., RecordEpisode]:
    def build(folder: str = "run", frames: bool | None = None, **keywords: Any) -> RecordEpisode:
        return RecordEpisode(make_env(**{"max_cycles": 2, **keywords}), tmp_path / folder, frames=frames)

    return build


def finish(env: Any, play_turn: Callable[..., None], task: str = "tiny/01.1") -> None:
    """An episode of two turns, to its turn limit."""
    env.reset(seed=5, options={"task": task})
    play_turn(env, ToolCall("turn", direction="left", angle_deg=30.0))
    play_turn(env)


def test_a_finished_episode_is_on_disk_before_the_next_look(record, play_turn, tmp_path):
    env = record()
    finish(env, play_turn)
    env.last()
    episodes = read_episodes(tmp_path / "run")
    assert episodes == [env.episode_record()]
    assert (episodes[0].status, episodes[0].end_reason, len(episodes[0].turns)) == ("complete", "turn_limit", 2)


@pytest.mark.parametrize("following", ["reset", "close", "observe", "step", "set_state"])
def test_whatever_is_asked_next_it_is_written_once(record, play_turn, tmp_path, following):
    env = record()
    env.reset(seed=0)
    state = env.get_state()
    finish(env, play_turn)
    calls = {
        "reset": env.reset,
        "close": env.close,
        "observe": lambda: env.observe("user"),
        "step": lambda: env.step(None),
        "set_state": lambda: env.set_state(state),
    }
    calls[following]()
    env.close()
    assert len(read_episodes(tmp_path / "run")) == 1


def test_an_episode_left_before_its_end_is_not_kept(record, play_turn, tmp_path):
    env = record()
    env.reset(seed=0)
    play_turn(env)
    finish(env, play_turn)
    env.close()
    assert [len(episode.turns) for episode in read_episodes(tmp_path / "run")] == [2]


def test_a_failed_role_ends_an_episode_that_is_kept(record, play_turn, tmp_path):
    env = record()
    env.reset(seed=0)
    play_turn(env)
    env.fail("no answer")
    env.close()
    (episode,) = read_episodes(tmp_path / "run")
    assert (episode.status, episode.error, len(episode.turns)) == ("failed", "no answer", 1)


def test_trials_count_the_episodes_of_a_task_also_across_processes(record, play_turn, tmp_path):
    for tasks in (("tiny/01.1", "tiny/01.2", "tiny/01.1"), ("tiny/01.1",)):
        env = record()
        for task in tasks:
            finish(env, play_turn, task)
        env.close()
    slots = [(episode.task, episode.trial) for episode in read_episodes(tmp_path / "run")]
    assert slots == [("tiny/01.1", 0), ("tiny/01.2", 0), ("tiny/01.1", 1), ("tiny/01.1", 2)]


def test_reward_terms_of_the_last_turn_are_in_the_record(record, play_turn, tmp_path):
    env = OrderEnforcingWrapper(MetricReward(record()))
    finish_wrapped = env.unwrapped
    env.reset(seed=5, options=TASK)
    for _ in range(2):
        play_turn(env)
    env.close()
    (episode,) = read_episodes(tmp_path / "run")
    assert [turn.reward_terms["turn_cost"] for turn in episode.turns] == [-1.0, -1.0]
    assert episode.turns == finish_wrapped.episode.turns


def test_recording_changes_nothing(record, make_env, play_turn):
    env, raw = record(), make_env(max_cycles=2)
    for each in (env, raw):
        finish(each, play_turn)
    assert env.episode_record() == raw.episode_record()
    assert env.observe("assistant")["history"] == raw.observe("assistant")["history"]
    assert env.infos["user"] == raw.infos["user"]
    assert env.rewards == raw.rewards
    assert env.observation_space("user") == raw.observation_space("user")


def test_frames_are_kept_by_content(record, play_turn, tmp_path):
    env = record(images=True, max_cycles=3)
    env.reset(seed=5, options=TASK)
    pictures = []
    for call in (ToolCall("idle"), ToolCall("turn", direction="left", angle_deg=30.0), ToolCall("idle")):
        pictures.append(env.observe("assistant")["rgb"])
        play_turn(env, call)
    env.close()
    (episode,) = read_episodes(tmp_path / "run")
    hashes = [turn.frame for turn in episode.turns]
    assert hashes[0] == hashes[1] != hashes[2]
    from PIL import Image

    for name, picture in zip(hashes, pictures, strict=True):
        path = tmp_path / "run" / "frames" / f"{name}.png"
        assert hashlib.sha256(path.read_bytes()).hexdigest() == name
        assert (picture == Image.open(path)).all()
    assert len(list((tmp_path / "run" / "frames").iterdir())) == 2


def test_frames_can_be_left_out_and_need_images(record, play_turn, tmp_path):
    env = record(images=True, frames=False)
    finish(env, play_turn)
    env.close()
    assert read_episodes(tmp_path / "run")[0].turns[0].frame is None
    with pytest.raises(ValueError, match="images=True"):
        record("other", frames=True)


def test_a_line_that_a_crash_cut_off_is_taken_away(record, play_turn, tmp_path):
    env = record()
    finish(env, play_turn)
    env.close()
    path = tmp_path / "run" / "episodes.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    again = record()
    finish(again, play_turn)
    again.close()
    assert [episode.trial for episode in read_episodes(tmp_path / "run")] == [0, 1]


def test_a_killed_process_loses_the_episode_in_flight_alone(tmp_path):
    """One episode is complete and looked at, the next is underway when the process dies without a word."""
    program = f"""
import os
from siturec_gym import supermarket_v0
from siturec_gym.core.actions import AssistantAction, UserAction
from siturec_gym.wrappers.record_episode import RecordEpisode
env = RecordEpisode(supermarket_v0.raw_env(images=False, max_cycles=1, moderator=None), {str(tmp_path / "run")!r})
for _ in range(2):
    env.reset(seed=1)
    env.step(env.encode_action("assistant", AssistantAction("Hello.", "Greet")))
    if _ == 0:
        env.step(env.encode_action("user", UserAction("Hello.")))
        env.last()
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=120)
    assert done.returncode == -9, done.stderr.decode()
    assert [len(episode.turns) for episode in read_episodes(tmp_path / "run")] == [1]


def test_a_folder_has_one_writer(record, tmp_path):
    env = record()
    with pytest.raises(RunError, match="in use"):
        record()
    env.close()
    record().close()


def test_a_folder_that_holds_something_else_is_left_alone(record, play_turn, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("chapter one")
    with pytest.raises(RunError, match="not empty"):
        record("full")
    assert (tmp_path / "full" / "thesis.txt").read_text() == "chapter one"
    (tmp_path / "played").mkdir()
    (tmp_path / "played" / "manifest.json").write_text(json.dumps({"format": 2, "scene": "tiny"}))
    with pytest.raises(RunError, match="its kind"):
        record("played")


def test_a_recording_of_another_store_is_not_continued(record, make_env, tiny_scene, tmp_path):
    record().close()
    other = make_env(scene=replace(tiny_scene, name="other"))
    with pytest.raises(RunError, match="its scene"):
        RecordEpisode(other, tmp_path / "run")


def test_the_manifest_names_scene_and_data(record, tmp_path):
    record().close()
    manifest = read_manifest(tmp_path / "run")
    assert (manifest["kind"], manifest["scene"]) == ("recording", "tiny")
    assert manifest["data"]["rewards/dialogue.json"]


def test_a_full_disk_is_named_and_the_file_stays_whole(record, play_turn, tmp_path, monkeypatch):
    env = record()
    finish(env, play_turn)
    env.last()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    finish(env, play_turn)
    with monkeypatch.context() as patch:
        patch.setattr("siturec_gym.core.storage.files.os.fsync", full)
        with pytest.raises(RunError, match="No space left"):
            env.last()
    assert len(read_episodes(tmp_path / "run")) == 1
    env.last()
    assert len(read_episodes(tmp_path / "run")) == 2


def test_recording_goes_innermost(record, make_env):
    with pytest.raises(ValueError, match="RecordEpisode"):
        RecordEpisode(MetricReward(make_env()), "unused")
