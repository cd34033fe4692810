"""Run folders are read as they are; labels tell runs and scripted roles apart."""

import json

import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.evaluation.judgments import read_judgments
from siturec_gym.evaluation.manifest import changed_data
from siturec_gym.evaluation.report.runs import judge_title, read_runs, role_title


def test_a_scripted_role_is_told_as_scripted_and_a_model_by_its_name() -> None:
    assert role_title({"name": "heuristic", "kind": "scripted"}) == "heuristic (scripted)"
    assert role_title({"name": "llm:Qwen3-VL-8B", "kind": "model", "model": "Qwen3-VL-8B"}) == "Qwen3-VL-8B"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("a", "b"), ["a", "b"]),
        (("x/a", "y/a", "b"), ["x/a", "y/a", "{}/b"]),
        (("a", "b", "a"), ["a #1", "b", "a #2"]),
        (("x/a", "y/a", "x/a"), ["x/a #1", "y/a", "x/a #2"]),
    ],
)
def test_runs_of_one_assistant_are_told_apart_by_their_folders(tmp_path, make, names, told) -> None:
    for name in sorted(set(names)):
        make.run(tmp_path / name, [make.episode()])
    labels = [run.label for run in read_runs([tmp_path / name for name in names])]
    assert labels == [f"heuristic (scripted) ({end.format(tmp_path.name)})" for end in told]


def test_an_unpacked_run_is_told_apart_by_its_archive(tmp_path, make) -> None:
    folders = [make.run(tmp_path / name, [make.episode()]) for name in ("tmp1", "tmp2")]
    labels = [run.label for run in read_runs(folders, [tmp_path / "a.zip", tmp_path / "b"])]
    assert labels == ["heuristic (scripted) (a.zip)", "heuristic (scripted) (b)"]


def test_the_store_is_named_where_runs_differ_in_it(tmp_path, make) -> None:
    one = make.run(tmp_path / "a", [make.episode()])
    other = make.run(tmp_path / "b", [make.episode(scene="home_furnishings")], scene="home_furnishings")
    runs = read_runs([one, other])
    assert [run.label for run in runs] == ["heuristic (scripted)"] * 2
    assert [run.title for run in runs] == [
        "heuristic (scripted) (supermarket)",
        "heuristic (scripted) (home furnishings)",
    ]
    assert read_runs([one])[0].title == "heuristic (scripted)"


def test_users_are_named_where_runs_differ_in_them(tmp_path, make) -> None:
    other = make.manifest()["roles"] | {"user": {"name": "llm:big", "model": "big", "kind": "model"}}
    folders = [make.run(tmp_path / "a", [make.episode()]), make.run(tmp_path / "b", [make.episode()], roles=other)]
    labels = [run.label for run in read_runs(folders)]
    assert labels == ["heuristic (scripted) with agenda (scripted)", "heuristic (scripted) with big"]


def test_judgments_keep_judge_and_prompt_apart(mixed_run) -> None:
    judgments = read_judgments(mixed_run)
    assert {judge_title(judgment) for judgment in judgments} == {"offline (scripted) @01234567"}
    assert [bool(judgment.scores) for judgment in judgments] == [True] * 4 + [False]


def test_data_that_changed_since_the_run_is_named(make) -> None:
    from siturec_gym import assets

    same = assets.fingerprint("supermarket/products.json")
    kept = make.manifest(data={"supermarket/products.json": same, "supermarket/scene.json": "0", "other/x.json": "0"})
    assert changed_data(kept) == ["supermarket/scene.json"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("manifest.json", "{}", "lacks 'scene'"),
        ("manifest.json", "[", "is no run folder"),
        ("episodes.jsonl", "", "no complete episode"),
        ("episodes.jsonl", '{"task":\n{}\n', "line 1"),
        ("judgments.jsonl", '{"task": "x"}\n', "judgments.jsonl', line 1"),
        ("judgments.jsonl", "[1]\n", "judgments.jsonl', line 1"),
    ],
)
def test_a_damaged_run_is_refused_in_one_line_that_names_the_place(mixed_run, name, content, message) -> None:
    (mixed_run / name).write_text(content)
    with pytest.raises(DataError, match=message):
        read_runs([mixed_run])


def test_judgments_that_are_no_text_are_refused(mixed_run) -> None:
    (mixed_run / "judgments.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(DataError, match=r"judgments\.jsonl' cannot be read"):
        read_runs([mixed_run])


def test_an_unfinished_run_is_read_all_the_same(tmp_path, make) -> None:
    folder = make.run(tmp_path / "run", [make.episode()], slots=100)
    run = read_runs([folder])[0]
    assert (len(run.episodes), run.owed) == (1, 100)


def test_the_label_does_not_depend_on_where_the_run_lies(tmp_path, make) -> None:
    folders = [make.run(tmp_path / name / "run", [make.episode()]) for name in ("here", "there")]
    assert read_runs(folders[:1]) == read_runs(folders[1:])
    assert json.loads((folders[0] / "manifest.json").read_text())["scene"] == "supermarket"


def test_an_episode_that_is_there_twice_is_refused(tmp_path, make) -> None:
    folder = make.run(tmp_path / "a", [make.episode(), make.episode()])
    with pytest.raises(DataError, match=r"episode 2 \(.*01\.1, trial 0\) is there twice"):
        read_runs([folder])
