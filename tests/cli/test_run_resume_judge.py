"""``siturec run``, ``resume`` and ``judge`` as they are typed."""

import json
import os

import pytest
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

from siturec_gym.renderers.unrealcv.reading import SHIPPED
from siturec_gym.scenes import load_scene

JUDGE_REPLY = json.dumps(
    {"rationale": "Fine."}
    | dict.fromkeys(
        (
            "informativeness", "naturalness", "groundedness", "preference_alignment", "proactiveness",
            "non_repetition", "overall_satisfaction",
        ),
        3,
    )
)  # fmt: skip


@pytest.fixture
def folder(siturec, tmp_path):
    """A run of two tasks."""
    status, _, err = siturec("run", "--tasks", "0:2", "--out", str(tmp_path / "run"), "--json")
    assert status == 0, err
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["run", "resume", "judge"])
def test_help_has_examples(siturec, name):
    status, out, _ = siturec(name, "--help")
    assert status == 0
    assert f"Example: siturec {name}" in out


def test_a_run_with_threads_prints_json_alone(siturec, tmp_path):
    status, out, _ = siturec("run", "--tasks", "0:3", "--threads", "3", "--out", str(tmp_path / "run"), "--json")
    assert status == 0
    assert json.loads(out)["counts"]["episodes"] == 3


def test_training_tasks_can_be_played(siturec, tmp_path):
    status, out, _ = siturec("run", "--tasks", "train:2", "--out", str(tmp_path / "run"), "--json")
    assert status == 0
    assert json.loads(out)["counts"]["episodes"] == 2
    assert siturec("judge", str(tmp_path / "run"))[0] == 0


def test_resume_finishes_what_is_missing(siturec, folder):
    whole = (folder / "episodes.jsonl").read_bytes()
    (folder / "episodes.jsonl").write_bytes(whole[: len(whole) // 2])
    status, out, _ = siturec("resume", str(folder), "--json")
    assert status == 0
    assert json.loads(out)["counts"]["episodes"] == 2
    assert (folder / "episodes.jsonl").read_bytes() == whole


def test_a_second_run_into_the_folder_says_how_to_go_on(siturec, folder):
    status, _, err = siturec("run", "--tasks", "0:2", "--out", str(folder))
    assert (status, err.count("\n")) == (1, 1)
    assert f"finish it with: siturec resume {folder}" in err


def test_a_changed_run_is_one_line(siturec, folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"code": "0" * 64}))
    status, out, err = siturec("resume", str(folder))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "cannot be resumed, since its episodes would not be alike: code was 00000000..." in err


def test_judging_prints_a_table_and_keeps_lines(siturec, folder):
    status, out, _ = siturec("judge", str(folder))
    assert status == 0
    assert "judge offline, prompt " in out
    assert "Overall Satisfaction" in out
    assert "2 episodes scored, 1 to 5; 0 unscored" in out
    assert len((folder / "judgments.jsonl").read_text().splitlines()) == 2


def test_a_model_judges_and_is_counted(siturec, folder, chat_server):
    chat_server.script = lambda number, body: JUDGE_REPLY if number else "hm"
    status, out, _ = siturec("judge", str(folder), "--judge", "llm:tiny", "--base-url", chat_server.url)
    assert status == 0
    assert "judge llm:tiny" in out
    assert "3 requests, 33 tokens read, 9 written, 1 unusable" in out
    status, out, _ = siturec("judge", str(folder), "--json")
    assert set(json.loads(out)) == {"run", "judge", "llm:tiny", "offline"}


def test_a_moderator_with_an_address_of_its_own(siturec, tmp_path, chat_server):
    chat_server.script = lambda number, body: '{"reason": "bye", "over": "yes"}'
    arguments = ("--tasks", "0:1", "--moderator", "llm:tiny", "--moderator-url", chat_server.url)
    status, out, _ = siturec("run", *arguments, "--out", str(tmp_path / "run"))
    assert status == 0
    assert "moderator llm:tiny" in out
    assert "moderator: 1 request, 11 tokens read, 3 written" in out


def test_resume_reaches_models_as_before_but_for_what_is_given(siturec, tmp_path, chat_server):
    chat_server.script = lambda number, body: '{"reason": "bye", "over": "yes"}'
    folder, cache = tmp_path / "run", tmp_path / "cache"
    arguments = ("--tasks", "0:2", "--moderator", "llm:tiny", "--moderator-url", chat_server.url)
    assert siturec("run", *arguments, "--out", str(folder))[0] == 0
    (folder / "episodes.jsonl").write_text("")
    assert siturec("resume", str(folder), "--cache", str(cache), "--json")[0] == 0
    assert len(list(cache.glob("??/*.json"))) == 2
    assert len(chat_server.bodies) == 4


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("run", "--out", "x", "--threads", "0"), 2, "Invalid value for '--threads'"),
        (("run", "--out", "x", "--moderator", "llm:"), 2, "'llm:' names no model"),
        (("run", "--out", "x", "--moderator", "llm:a", "--base-url", "host"), 2, "must begin with http"),
        (
            ("run", "--out", "x", "--moderator", "llm:a", "--base-url", "http://127.0.0.1:9/v1"),
            1,
            "127.0.0.1:9/v1 cannot",
        ),
        (("run", "--out", "x", "--tasks", "train:0"), 2, "'train:0': give train:1 to train:10000"),
        (("run", "--out", "x", "--save-frames", "--ray", "auto"), 1, "leave out --save-frames or --ray"),
        (("resume", "nowhere"), 1, "'nowhere' is no run folder"),
        (("resume", "x", "--retry", "bad luck"), 2, "unknown kind of failure 'bad luck'; choose from transient"),
        (("judge", "nowhere"), 1, "'nowhere' is no run folder"),
        (("judge",), 2, "Missing argument"),
    ],
)
def test_a_mistake_is_one_line(siturec, arguments, status, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    got, out, err = siturec(*arguments)
    assert (got, out) == (status, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_unreal_store_that_does_not_answer_is_one_line(siturec, tmp_path):
    mapping = (SHIPPED / "ours.yaml").read_text().replace("port: 9000", f"socket: {tmp_path / 'nobody'}")
    (tmp_path / "mine.yaml").write_text(mapping)
    chosen = ("--renderer", "unrealcv", "--renderer-config", str(tmp_path / "mine.yaml"))
    status, out, err = siturec("run", "--tasks", "0:1", *chosen, "--out", str(tmp_path / "run"))
    assert (status, out) == (1, "")
    assert f"{tmp_path / 'nobody'}: no connection: No such file or directory" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_run_over_unreal_goes_on_where_its_store_is_now(siturec, serve, tmp_path):  # noqa: F811
    paths = [serve(load_scene("supermarket"), 320, 240).path for _ in range(2)]
    mappings = [tmp_path / "then.yaml", tmp_path / "now.yaml"]
    for mapping, path in zip(mappings, paths, strict=True):
        mapping.write_text((SHIPPED / "ours.yaml").read_text().replace("  port: 9000", f"  socket: {path}"))
    run = tmp_path / "run"
    unreal = ("--renderer", "unrealcv", "--renderer-config", str(mappings[0]), "--tasks", "0:1")
    assert siturec("run", *unreal, "--out", str(run), "--json")[0] == 0
    episodes = (run / "episodes.jsonl").read_text()
    (run / "episodes.jsonl").write_text("")
    os.rename(paths[0], f"{paths[0]}.gone")
    status, _, err = siturec("resume", str(run))
    assert status == 1
    assert err.splitlines()[-1].startswith(f"siturec: {paths[0]}: ")
    assert siturec("resume", str(run), "--renderer-config", str(mappings[1]), "--json")[0] == 0
    assert (run / "episodes.jsonl").read_text() == episodes
    os.rename(f"{paths[0]}.gone", paths[0])


def test_a_run_without_mapping_takes_none_on_resuming(siturec, folder):
    status, out, err = siturec("resume", str(folder), "--renderer-config", "ours")
    assert (status, out) == (2, "")
    assert err == "siturec: --renderer-config: the embedded renderer takes no file, received 'ours'\n"


def test_an_unknown_judge_is_one_line(siturec, folder):
    status, _, err = siturec("judge", str(folder), "--judge", "oracle")
    assert (status, err) == (2, "siturec: unknown judge 'oracle'; choose offline, llm:MODEL or hf:PATH\n")


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(siturec, tmp_path, monkeypatch):
    from siturec_gym.evaluation.run_store import RunStore

    append = RunStore.append

    def interrupted(store, episode):
        append(store, episode)
        raise KeyboardInterrupt

    monkeypatch.setattr(RunStore, "append", interrupted)
    status, _, err = siturec("run", "--tasks", "0:2", "--out", str(tmp_path / "run"), "--json")
    assert status == 130
    assert f"interrupted: 1 of 2 episodes are kept; go on with: siturec resume {tmp_path / 'run'}" in err
