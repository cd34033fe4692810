"""Judging a run without playing it again (S23): what is owed, what stays, what never mixes."""

import json

import pytest

from siturec_gym.core.errors import DataError, RunError, TransientModelError
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.judging import judge_run, plan_judging
from siturec_gym.evaluation.judgments import read_judgments, replace_judgments
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.run_store import read_episodes
from siturec_gym.evaluation.runner import plan, run
from siturec_gym.judges.judgment import DIMENSIONS

REPLY = json.dumps(
    {"rationale": "Fine."} | {name.lower().replace(" ", "_").replace("-", "_"): 4 for name in DIMENSIONS}
)
CONFIG = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:4", trials=1)


@pytest.fixture
def folder(tmp_path, env, script, talk, buy):
    """A run of four episodes, each of one turn."""

    def make_player():
        return lambda slot: play(env, script([talk]), script([buy]), slot.task, slot.seed, slot.trial)

    run(plan(CONFIG), tmp_path / "run", make_player=make_player)
    return tmp_path / "run"


@pytest.fixture
def models(server):
    server.script = lambda number, body: REPLY
    return ModelSettings(base_url=server.url, timeout_s=5.0)


def judge(folder, name="offline", models=None, threads=1, again=False):
    return judge_run(plan_judging(folder, name, models, again=again), folder, threads)


def test_every_episode_gets_one_line_in_the_agreed_form(folder):
    judge(folder)
    lines = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
    assert [(line["task"], line["trial"]) for line in lines] == [(e.task, e.trial) for e in read_episodes(folder)]
    for line in lines:
        assert (line["judge"], line["status"], line["reason"]) == ("offline", "scored", None)
        assert len(line["prompt_hash"]) == 16
        assert tuple(line["scores"]) == DIMENSIONS


def test_the_summary_gains_the_judges_means_and_loses_nothing(folder):
    before = json.loads((folder / "summary.json").read_text())
    summary = judge(folder)
    assert {name: summary[name] for name in before if name != "judges"} == {
        n: v for n, v in before.items() if n != "judges"
    }
    figures = summary["judges"]["offline"]
    assert (figures["scored"], figures["unscored"]) == (4, {})
    assert figures["scores"]["Naturalness"] == {"value": 5.0, "sd": None, "n": 4, "convention": "cohort"}
    assert json.loads((folder / "summary.json").read_text()) == summary


def test_a_model_judges_several_at_once_and_its_usage_is_counted(folder, server, models):
    summary = judge(folder, "llm:tiny", models, threads=4)
    figures = summary["judges"]["llm:tiny"]
    assert len(server.bodies) == 4
    assert figures["scores"]["Groundedness"]["value"] == 4.0
    assert figures["usage"] == {"completion_tokens": 12, "prompt_tokens": 44, "requests": 4, "unpriced": 4}
    assert [j.task for j in read_judgments(folder)] == [e.task for e in read_episodes(folder)]


def test_two_judges_stand_side_by_side(folder, models):
    judge(folder, "llm:tiny", models)
    summary = judge(folder)
    assert list(summary["judges"]) == ["llm:tiny", "offline"]
    assert [judgment.judge for judgment in read_judgments(folder)] == ["llm:tiny"] * 4 + ["offline"] * 4


def test_what_was_scored_is_not_asked_again_unless_told_to(folder, server, models):
    judge(folder, "llm:tiny", models)
    judge(folder, "llm:tiny", models)
    assert len(server.bodies) == 4
    judge(folder, "llm:tiny", models, again=True)
    assert len(server.bodies) == 8
    assert len(read_judgments(folder)) == 4


def test_an_unscored_episode_is_counted_and_asked_again_next_time(folder, server, models):
    server.script = lambda number, body: REPLY if number > 2 else "five stars"
    figures = judge(folder, "llm:tiny", models)["judges"]["llm:tiny"]
    assert figures["scored"] == 3
    assert list(figures["unscored"].values()) == [1]
    assert next(iter(figures["unscored"])).startswith("parse: no usable reply in 3 attempts")
    assert figures["scores"]["Groundedness"]["n"] == 3
    assert figures["usage"]["unparsed"] == 3
    assert judge(folder, "llm:tiny", models)["judges"]["llm:tiny"]["scored"] == 4
    assert len(server.bodies) == 3 + 3 + 1


def test_scores_by_another_prompt_are_not_mixed_in(folder, monkeypatch):
    judge(folder)
    monkeypatch.setattr("siturec_gym.judges.offline_conversation._hash_of_rules", lambda: "0123456789abcdef")
    with pytest.raises(
        RunError, match=r"judged by offline with another prompt .* do not mix; --again replaces those 4"
    ):
        plan_judging(folder, "offline")
    judge(folder, again=True)
    assert {judgment.prompt_hash for judgment in read_judgments(folder)} == {"0123456789abcdef"}


def test_an_endpoint_that_fails_keeps_what_was_judged(folder, server, models, monkeypatch):
    monkeypatch.setattr("siturec_gym.llm.retry.Retries.wait_s", lambda *_: 0.0)
    server.script = lambda number, body: REPLY if number < 2 else (500, b"", {})
    with pytest.raises(TransientModelError, match="answered 500"):
        judge(folder, "llm:tiny", models)
    assert len(read_judgments(folder)) == 2
    server.script = lambda number, body: REPLY
    assert judge(folder, "llm:tiny", models)["judges"]["llm:tiny"]["scored"] == 4


def test_a_cut_off_line_is_taken_away(folder):
    judge(folder)
    path = folder / "judgments.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    assert len(read_judgments(folder)) == 3
    assert judge(folder)["judges"]["offline"]["scored"] == 4


def test_a_broken_line_is_named(folder):
    judge(folder)
    path = folder / "judgments.jsonl"
    path.write_text("{}\n" + path.read_text())
    with pytest.raises(DataError, match="line 1: not a judgment"):
        read_judgments(folder)


def test_with_the_cache_a_second_judging_asks_nothing(folder, server, models, tmp_path):
    cached = ModelSettings(base_url=models.base_url, cache=str(tmp_path / "cache"))
    first = judge(folder, "llm:tiny", cached)
    asked = len(server.bodies)
    server.stop()
    second = judge(folder, "llm:tiny", cached, again=True)
    assert len(server.bodies) == asked
    assert second["judges"]["llm:tiny"]["scores"] == first["judges"]["llm:tiny"]["scores"]
    assert second["judges"]["llm:tiny"]["usage"] == {"cache_hits": 4}


def test_a_judge_that_cannot_be_had_is_one_line_and_writes_nothing(folder, models):
    with pytest.raises(ValueError, match="unknown judge 'oracle'; choose offline, llm:MODEL or hf:PATH"):
        plan_judging(folder, "oracle")
    with pytest.raises(ValueError, match="names no model"):
        plan_judging(folder, "llm:")
    with pytest.raises(ValueError, match="threads must be at least 1"):
        judge(folder, threads=0)
    assert not (folder / "judgments.jsonl").exists()


def test_a_run_of_other_data_is_not_judged_by_these(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["data"]["supermarket/products.json"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=r"was played with another 'supermarket/products.json' than this version ships"):
        plan_judging(folder, "offline")


def test_an_incomplete_run_can_be_judged(folder):
    lines = (folder / "episodes.jsonl").read_text().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_text("".join(lines[:2]))
    assert judge(folder)["judges"]["offline"]["scored"] == 2


def test_all_judgments_are_replaced_in_one_step(folder):
    judge(folder)
    kept = read_judgments(folder)
    replace_judgments(folder, kept[::-1])
    assert read_judgments(folder) == kept[::-1]
