"""Whole episodes of models in this process: tiny ones with random weights (S24)."""

import io
import json

import pytest

from siturec_gym.cli.main import run_command_line
from siturec_gym.evaluation.run_store import read_episodes, read_manifest

pytestmark = pytest.mark.hf


def test_models_in_this_process_play_and_judge_an_episode(tiny_folder, tmp_path, capsys):
    text, vision = f"hf:{tiny_folder('text')}", f"hf:{tiny_folder('vision')}"
    capsys.readouterr()
    out = tmp_path / "run"
    roles = ("--assistant", text, "--user", vision, "--moderator", text)
    drawn = [word for role in ("assistant", "user", "moderator") for word in ("--set", f"{role}.temperature=1.5")]
    tasks = ("--env", "SituRec-HomeFurnishings-v0", "--tasks", "0:1")
    assert run_command_line(["run", *roles, *drawn, *tasks, "--out", str(out), "--json"]) == 0
    captured = capsys.readouterr()
    summary = json.loads(captured.out)
    assert captured.err == ""
    (episode,) = read_episodes(out)
    assert (episode.status, summary["failures"]) == ("complete", {})
    for role in ("assistant", "user"):
        used = summary["usage"][role]
        assert used["requests"] == len(episode.turns)
        assert used["prompt_tokens"] > 1000
        assert not {"unparsed", "unanswered"} & used.keys()
    manifest = read_manifest(out)
    assert [role["model"] for role in manifest["roles"].values()] == [text, vision, text]
    assert all(len(role["fingerprint"]) == 16 for role in manifest["roles"].values())
    told = {"assistant.context_tokens": 32768, "assistant.images": 0, "user.context_tokens": 32768}
    assert told.items() <= manifest["arguments"]["settings"].items()
    assert "user.images" not in manifest["arguments"]["settings"]

    assert run_command_line(["judge", str(out), "--judge", text, "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)
    assert judged["judge"] == text
    assert judged[text]["scored"] == 1


def test_a_person_plays_against_a_text_model_in_this_process(tiny_folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("wait\nquit\n"))
    play = ["play", "--env", "SituRec-HomeFurnishings-v0", "--assistant", f"hf:{tiny_folder('text')}", "--no-frame"]
    assert run_command_line([*play, "--set", "assistant.temperature=1.5"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "--- Turn 1 " in out
    assert "You left; nothing was kept." in out


def test_a_folder_without_a_model_is_one_line_before_anything_is_written(tmp_path, capsys):
    run = ["run", "--user", f"hf:{tmp_path / 'none'}", "--out", str(tmp_path / "run")]
    assert run_command_line(run) == 1
    assert capsys.readouterr().err == f"siturec: '{tmp_path / 'none'}' is no folder that holds a model\n"
    assert not (tmp_path / "run").exists()


def test_a_text_model_that_should_look_is_one_line_before_anything_is_written(tiny_folder, tmp_path, capsys):
    name = f"hf:{tiny_folder('text')}"
    capsys.readouterr()
    run = ["run", "--user", name, "--set", "user.images=1", "--out", str(tmp_path / "run")]
    assert run_command_line(run) == 2
    assert capsys.readouterr().err == f"siturec: --set user.images: '{name}' reads text alone\n"
    assert not (tmp_path / "run").exists()
