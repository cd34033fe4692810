"""``siturec report``, ``view`` and ``export archive``: what they write, and one clear line for a mistake."""

import json

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, UserRecord, ViewRecord, to_json

VIEW = ViewRecord((), (), Pose(30.2, 1.5, 90.0))


@pytest.fixture
def run_folder(tmp_path):
    """One greeting, nothing bought."""
    folder, idle = tmp_path / "run", ToolCall("idle")
    folder.mkdir()
    said = AssistantRecord("Welcome!", "Greet", None, None, idle, ())
    turn = TurnRecord(0, VIEW, said, UserRecord("Hello.", idle, idle))
    episode = EpisodeRecord(
        "supermarket/03.2", 0, 1, "supermarket", "supermarket/03", (), "complete", "moderator_ended", (), (turn,), VIEW
    )
    names = {"assistant": "heuristic", "user": "agenda", "moderator": "rules"}
    manifest = {
        "scene": "supermarket", "arguments": {"env": "SituRec-Supermarket-v0"}, "slots": 1,
        "roles": {role: {"name": name, "kind": "scripted"} for role, name in names.items()},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "episodes.jsonl").write_text(to_json(episode) + "\n")
    return folder


@pytest.mark.parametrize("command", [("report",), ("view",), ("export", "archive")])
@pytest.mark.parametrize("columns", ["60", "100"])
def test_each_explains_itself_with_an_example_in_a_narrow_terminal(siturec, monkeypatch, command, columns) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    status, out, _ = siturec(*command, "--help")
    assert status == 0
    assert f"Example: siturec {' '.join(command)}" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= int(columns)


def test_a_report_goes_into_the_run_folder(siturec, run_folder) -> None:
    status, out, err = siturec("report", run_folder)
    assert (status, err) == (0, "")
    assert f"open {run_folder / 'report' / 'index.html'}" in out
    assert (run_folder / "report" / "index.html").read_text().startswith("<!doctype html>")


def test_a_report_of_several_runs_goes_where_it_is_told(siturec, run_folder, tmp_path) -> None:
    assert siturec("report", run_folder, run_folder, "--out", tmp_path / "both")[0] == 0
    assert f"heuristic (scripted) ({run_folder.name} #2)" in (tmp_path / "both" / "index.html").read_text()


def test_an_episode_is_viewed_under_its_own_name(siturec, run_folder, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert siturec("view", run_folder, "03.2", "--no-images")[0] == 0
    assert "Welcome!" in (tmp_path / "supermarket-03.2-0.html").read_text()


def test_an_archive_stands_for_its_run(siturec, run_folder, tmp_path) -> None:
    status, out, _ = siturec("export", "archive", run_folder)
    assert status == 0
    assert out.startswith("2 files")
    assert siturec("report", run_folder.with_suffix(".zip"), "--out", tmp_path / "a")[0] == 0
    assert siturec("report", run_folder, "--out", tmp_path / "b")[0] == 0
    for path in (tmp_path / "a").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("report",), 2, "Missing argument"),
        (("report", "nowhere"), 1, "'nowhere' does not exist"),
        (("report", "{run}", "--out", "{run}/episodes.jsonl"), 1, "cannot write"),
        (("report", "{run}/episodes.jsonl"), 1, "is no archive of a run"),
        (("view", "{run}"), 2, "Missing argument"),
        (("view", "{run}", "04.1"), 2, "no episode of task 'supermarket/04.1'"),
        (("view", "{run}", "03.2", "--trial", "1"), 2, "not played as trial 1"),
        (("view", "{run}", "03.2", "--trial", "-1"), 2, "--trial"),
        (("export", "archive", "nowhere"), 2, "'nowhere' is no run folder"),
        (("export", "archive", "{run}/.."), 1, "is no run folder"),
    ],
)
def test_a_mistake_is_one_clear_line(siturec, run_folder, arguments, status, message) -> None:
    found, out, err = siturec(*(argument.replace("{run}", str(run_folder)) for argument in arguments))
    assert found == status
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
