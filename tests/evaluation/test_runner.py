"""A run from plan to summary, with stand-in players, and once for real."""

import json
from functools import partial

import pytest

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.evaluation.runner import Watch, make_summary, plan, run

CONFIG = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:3", seed=4, trials=2)


@pytest.fixture
def player(env, script, talk, buy):
    """Plays a slot in the scripted environment: every shopper buys P001 at once."""
    return lambda: lambda slot: play(env, script([talk]), script([buy]), slot.task, slot.seed, slot.trial)


def test_a_run_keeps_every_slot_and_its_figures(tmp_path, player):
    seen, begun = [], []
    planned = plan(CONFIG)
    summary = run(planned, tmp_path / "run", 1, Watch(begun.append, seen.append), player)
    episodes = read_episodes(tmp_path / "run")
    assert [(e.task, e.trial, e.seed) for e in episodes] == [(s.task, s.trial, s.seed) for s in planned.slots]
    assert seen == episodes
    assert begun == [0]
    assert summary["counts"] == {"episodes": 6, "status": {"complete": 6}, "end_reason": {"success_cart_added": 6}}
    assert summary["metrics"]["SR"] == {"value": 100.0, "sd": None, "n": 6, "convention": "cohort"}
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == summary


def test_figures_follow_from_the_stored_episodes_alone(tmp_path, player):
    summary = run(plan(CONFIG), tmp_path / "run", make_player=player)
    assert make_summary(CONFIG.env, read_episodes(tmp_path / "run")) == summary


def test_the_manifest_says_what_was_run(tmp_path, player):
    run(plan(CONFIG), tmp_path / "run", make_player=player)
    manifest = read_manifest(tmp_path / "run")
    assert manifest["arguments"] | {"tasks": "0:3", "seed": 4, "trials": 2} == manifest["arguments"]
    assert manifest["roles"]["assistant"] == {"name": "heuristic", "kind": "scripted"}
    assert manifest["tasks"] == ["supermarket/01.1", "supermarket/01.2", "supermarket/01.3"]
    assert manifest["slots"] == 6
    assert len(manifest["data"]["supermarket/products.json"]) == 64
    assert manifest["versions"]["siturec-gym"]


def test_a_full_bank_run_uses_the_papers_partition(tmp_path, player):
    whole = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda")
    summary = run(plan(whole), tmp_path / "run", make_player=player)
    assert summary["metrics"]["SR"] == {"value": 100.0, "sd": 0.0, "n": 100, "convention": "four-subset"}
    assert summary["metrics"]["RPR"]["convention"] == "cohort"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"env": "Shop-v0"}, "unknown environment 'Shop-v0'"),
        ({"assistant": "clerk"}, "unknown assistant 'clerk'; available: random"),
        ({"user": "queen"}, "unknown user 'queen'"),
        ({"moderator": "judge"}, "unknown moderator 'judge'"),
        ({"tasks": "99.9"}, "unknown task '99.9'"),
        ({"assistant": "privileged"}, "--allow-privileged"),
        ({"seed": -1}, "seed must be 0 or more, got -1"),
        ({"trials": 0}, "trials must be at least 1, got 0"),
        ({"ablation": "blindfold"}, "expected none or one of without_egocentric_view"),
    ],
)
def test_a_plan_that_cannot_be_run_is_one_clear_line(changes, message):
    fields = {"env": CONFIG.env, "assistant": "heuristic", "user": "agenda", "tasks": "0:3"} | changes
    with pytest.raises(ValueError, match=message):
        plan(RunConfig(**fields))


def test_a_changed_data_file_stops_a_run_before_it_begins(monkeypatch):
    def changed(name):
        raise DataError(f"data file {name!r} was changed")

    monkeypatch.setattr("siturec_gym.assets.read_asset", changed)
    with pytest.raises(DataError, match="was changed"):
        plan(CONFIG)


def test_privileged_plays_when_allowed():
    fields = {"env": CONFIG.env, "assistant": "privileged", "user": "agenda", "allow_privileged": True}
    assert len(plan(RunConfig(**fields)).slots) == 100


def test_a_wrong_number_of_workers_writes_nothing(tmp_path, player):
    with pytest.raises(ValueError, match="workers must be at least 1, got 0"):
        run(plan(CONFIG), tmp_path / "run", 0, make_player=player)
    assert not (tmp_path / "run").exists()


def test_a_full_folder_is_refused_before_anything_is_played(tmp_path, player):
    (tmp_path / "old.txt").write_text("")
    with pytest.raises(RunError, match="is not empty"):
        run(plan(CONFIG), tmp_path, watch=Watch(partial(pytest.fail, "began")), make_player=player)


@pytest.mark.parametrize("ablation", ["without_egocentric_view", "without_view_and_caption"])
def test_an_ablation_is_played_kept_and_still_has_frames(tmp_path, ablation):
    config = RunConfig(CONFIG.env, "heuristic", "agenda", tasks="0:1", save_frames=True, ablation=ablation)
    run(plan(config), tmp_path / "run")
    (episode,) = read_episodes(tmp_path / "run")
    assert episode.status == "complete"
    assert all(turn.frame for turn in episode.turns)
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["arguments"]["ablation"] == ablation


def test_workers_change_nothing_and_frames_are_kept(tmp_path):
    """The real environment and roles: the same bytes from one process as from two."""
    config = RunConfig(CONFIG.env, "heuristic", "agenda", tasks="0:2", save_frames=True)
    for workers in (1, 2):
        run(plan(config), tmp_path / str(workers), workers)
    for name in ("episodes.jsonl", "summary.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    episodes = read_episodes(tmp_path / "1")
    kept = {path.stem for path in (tmp_path / "1" / "frames").iterdir()}
    assert {turn.frame for episode in episodes for turn in episode.turns} == kept
    assert {episode.status for episode in episodes} == {"complete"}


def test_a_broken_scene_is_found_before_anything_is_written(monkeypatch):
    def broken(name):
        raise DataError(f"scene {name!r}: instance I0112 is at place 'F99', which does not exist")

    monkeypatch.setattr("siturec_gym.evaluation.runner.load_scene", broken)
    with pytest.raises(DataError, match="scene 'supermarket': instance I0112"):
        plan(CONFIG)
