"""A role that is a model within a run: its failures, its usage, its cost and its cache (S24)."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import completion

from siturec_gym.core.errors import DeterministicModelError, RunError, TransientModelError
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.evaluation.runner import plan, plan_rest, resume, run
from siturec_gym.evaluation.workers import Crew

NO, YES = '{"reason": "goes on", "over": "no"}', '{"reason": "bye", "over": "yes"}'
CONFIG = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", "llm:tiny", tasks="0:2")


@pytest.fixture
def models(server):
    server.script = lambda number, body: NO
    return ModelSettings(base_url=server.url, timeout_s=5.0)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr("siturec_gym.llm.retry.Retries.wait_s", lambda *_: 0.0)


def test_the_moderator_is_asked_and_its_usage_kept_by_turn_episode_and_run(tmp_path, server, models):
    summary = run(plan(CONFIG, models), tmp_path / "run")
    episodes = read_episodes(tmp_path / "run")
    asked = [turn for episode in episodes for turn in episode.turns if turn.usage]
    assert len(server.bodies) == len(asked) == summary["usage"]["moderator"]["requests"]
    once = {"requests": 1, "prompt_tokens": 11, "completion_tokens": 3, "unpriced": 1}
    assert asked[0].usage == {f"moderator_{name}": count for name, count in once.items()}
    assert episodes[0].usage["moderator_requests"] == sum(bool(turn.usage) for turn in episodes[0].turns)


def test_the_manifest_pins_model_prompt_and_decoding_but_no_address(tmp_path, server, models):
    run(plan(CONFIG, models), tmp_path / "run")
    manifest = read_manifest(tmp_path / "run")
    role = manifest["roles"]["moderator"]
    assert (role["name"], role["kind"], role["model"]) == ("llm:tiny", "model", "tiny")
    assert role["decoding"]["temperature"] == 0.0
    assert len(role["prompt_hash"]) == 16
    assert manifest["models"]["base_url"] == server.url
    assert plan_rest(tmp_path / "run").models == models
    elsewhere = ModelSettings(base_url=server.url + "/")
    assert plan_rest(tmp_path / "run", elsewhere).models == elsewhere


def test_its_verdict_ends_the_episode(tmp_path, server, models):
    server.script = lambda number, body: YES
    run(plan(CONFIG, models), tmp_path / "run")
    episodes = read_episodes(tmp_path / "run")
    assert {(episode.end_reason, len(episode.turns)) for episode in episodes} == {("moderator_ended", 1)}


def test_what_it_thought_stands_in_the_turn_and_is_told_to_nobody(tmp_path, server, models):
    server.script = lambda number, body: completion(NO if number < 2 else YES, reasoning_content=f"thought {number}")
    run(plan(replace(CONFIG, tasks="0:1"), models), tmp_path / "run")
    (episode,) = read_episodes(tmp_path / "run")
    assert [turn.reasoning for turn in episode.turns] == [{"moderator": f"thought {number}"} for number in range(3)]
    assert "thought" not in json.dumps(server.bodies)


def test_a_moderator_that_fails_ends_its_episodes_and_not_the_run(tmp_path, server, models):
    server.script = lambda number, body: NO if number < 2 else (400, b'{"error": {"message": "bad"}}', {})
    summary = run(plan(CONFIG, models), tmp_path / "run")
    first, second = read_episodes(tmp_path / "run")
    assert (first.status, first.end_reason, first.failure) == (
        "failed",
        "generation_failure",
        "moderator deterministic",
    )
    assert len(first.turns) == 2
    assert first.error.startswith("moderator: JudgeError: the moderator gave no verdict: http://127.0.0.1")
    assert second.turns == ()
    assert summary["failures"] == {"moderator deterministic": 2}
    assert summary["counts"]["status"] == {"failed": 2}


@pytest.mark.parametrize(
    ("fault", "kind"), [((500, b"", {}), "transient"), ((400, b"maximum context length", {}), "overflow")]
)
def test_failures_keep_their_kind(tmp_path, server, models, fault, kind):
    server.script = lambda number, body: fault
    assert run(plan(CONFIG, models), tmp_path / "run")["failures"] == {f"moderator {kind}": 2}


def test_the_names_of_the_models_that_answered_are_kept_with_and_without_a_cache(tmp_path, server, models):
    server.script = lambda number, body: completion(NO) | {"model": "tiny" if number % 2 else "fallback"}
    cached = replace(models, cache=str(tmp_path / "cache"))
    for name in ("first", "second"):
        summary = run(plan(CONFIG, cached), tmp_path / name)
        assert summary["models"] == {"moderator": ["fallback", "tiny"]}
        assert read_episodes(tmp_path / name)[0].models == {"moderator": ("fallback", "tiny")}
    assert "cache_hits" in summary["usage"]["moderator"]


def test_a_dead_endpoint_stops_the_run_and_its_losses_can_be_played_again(tmp_path, server, models):
    server.script = lambda number, body: NO if number < 30 else (500, b"", {})
    config = replace(CONFIG, tasks="0:20")
    with pytest.raises(
        RunError, match=r"10 episodes in a row were lost: moderator: .* answered 500.*--retry transient"
    ):
        run(plan(config, models), tmp_path / "run")
    played = len(read_episodes(tmp_path / "run"))
    assert played < 20
    server.script = lambda number, body: NO
    summary = resume(plan_rest(tmp_path / "run"), tmp_path / "run", retry={"transient"})
    assert summary["counts"]["status"] == {"complete": 20}
    assert summary["failures"] == {}
    assert len((tmp_path / "run" / "set_aside.jsonl").read_text().splitlines()) >= 10


def test_a_context_without_room_for_any_first_turn_stops_the_run(tmp_path, server, models):
    server.script = lambda number, body: (400, b"maximum context length", {})
    config = replace(CONFIG, tasks="0:12")
    with pytest.raises(RunError, match=r"10 episodes in a row were lost: moderator: .*--retry overflow"):
        run(plan(config, models), tmp_path / "run")
    assert len(read_episodes(tmp_path / "run")) == 10


def test_overflows_of_later_turns_are_the_roles_own(tmp_path, server, models):
    server.script = lambda number, body: (400, b"maximum context length", {}) if number % 2 else NO
    summary = run(plan(replace(CONFIG, tasks="0:12"), models), tmp_path / "run")
    assert summary["failures"] == {"moderator overflow": 12}


def test_only_failures_of_that_kind_are_played_again(tmp_path, server, models):
    server.script = lambda number, body: (400, b"", {})
    run(plan(CONFIG, models), tmp_path / "run")
    server.script = lambda number, body: NO
    assert resume(plan_rest(tmp_path / "run"), tmp_path / "run", retry={"transient"})["counts"]["status"] == {
        "failed": 2
    }
    assert not (tmp_path / "run" / "set_aside.jsonl").exists()
    assert resume(plan_rest(tmp_path / "run"), tmp_path / "run", retry={"deterministic"})["failures"] == {}


def test_without_a_verdict_the_episode_goes_on_and_is_counted(tmp_path, server, models):
    server.script = lambda number, body: "hm"
    summary = run(plan(CONFIG, models), tmp_path / "run")
    used = summary["usage"]["moderator"]
    assert used["unanswered"] * 3 == used["unparsed"] == used["requests"]
    assert summary["failures"] == {}


def test_prices_become_costs(tmp_path, models):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"tiny": {"prompt": 1000, "completion": 10000}}))
    priced = ModelSettings(base_url=models.base_url, prices=str(prices))
    used = run(plan(CONFIG, priced), tmp_path / "run")["usage"]["moderator"]
    assert used["cost_usd"] == pytest.approx(used["requests"] * (11 * 0.001 + 3 * 0.01))
    assert "unpriced" not in used


def test_with_the_cache_a_second_run_asks_nothing_and_is_the_same(tmp_path, server, models):
    cached = ModelSettings(base_url=models.base_url, cache=str(tmp_path / "cache"))
    run(plan(CONFIG, cached), tmp_path / "one")
    asked = len(server.bodies)
    server.stop()
    run(plan(CONFIG, cached), tmp_path / "two", Crew(threads=2))
    assert len(server.bodies) == asked
    one, two = ([[turn.user for turn in e.turns] for e in read_episodes(tmp_path / name)] for name in ("one", "two"))
    assert one == two


def test_processes_share_the_work_with_a_model(tmp_path, server, models):
    summary = run(plan(CONFIG, models), tmp_path / "run", Crew(workers=2, threads=2))
    assert summary["usage"]["moderator"]["requests"] == len(server.bodies)
    assert summary["counts"]["status"] == {"complete": 2}


def test_a_server_that_is_not_there_or_lacks_the_model_stops_before_anything_is_written(server, models):
    with pytest.raises(DeterministicModelError, match="does not serve 'large'; it serves tiny"):
        plan(RunConfig(CONFIG.env, "heuristic", "agenda", "llm:large"), models)
    server.stop()
    with pytest.raises(TransientModelError, match=f"{server.url} cannot be reached"):
        plan(CONFIG, models)


def test_a_role_may_have_an_address_of_its_own():
    settings = ModelSettings("http://a/v1", (("moderator", "http://me:pw@b/v1?key=1"),))
    assert settings.url_of("judge") == "http://a/v1"
    assert settings.url_of("moderator") == "http://me:pw@b/v1?key=1"
    assert settings.public()["urls"] == {"moderator": "http://b/v1"}
    assert ModelSettings.from_public(settings.public()).url_of("moderator") == "http://b/v1"


def test_settings_can_be_changed_one_by_one_and_shared_by_processes():
    settings = ModelSettings("http://a/v1", (("moderator", "http://b/v1"),), concurrency=9, timeout_s=7.0)
    assert settings.changed({"moderator": None}, base_url=None, timeout_s=None) == settings
    changed = settings.changed({"judge": "http://c/v1"}, cache=Path("x"), timeout_s=3.0)
    assert (changed.base_url, changed.cache, changed.timeout_s, changed.concurrency) == ("http://a/v1", "x", 3.0, 9)
    assert changed.urls == (("judge", "http://c/v1"), ("moderator", "http://b/v1"))


def test_limits_hold_for_all_processes_together():
    settings = ModelSettings(concurrency=9)
    assert [settings.shared_by(workers).concurrency for workers in (1, 2, 9)] == [9, 4, 1]
    paced = replace(settings, per_minute=10.5)
    assert [paced.shared_by(workers).per_minute for workers in (1, 2, 6)] == [10.5, 5.0, 1.0]
    with pytest.raises(ValueError, match="a concurrency of 9 is too little for 10 workers"):
        settings.shared_by(10)
    with pytest.raises(ValueError, match=r"0\.5 requests per minute are too few for 2 workers"):
        replace(settings, per_minute=0.5).shared_by(2)
    assert replace(settings, per_minute=0.5).shared_by(1).per_minute == 0.5


def test_a_run_without_models_has_no_limits_to_share(tmp_path):
    planned = plan(replace(CONFIG, moderator="rules"), ModelSettings(concurrency=1, per_minute=1))
    assert planned.models_of_each(8) == planned.models
