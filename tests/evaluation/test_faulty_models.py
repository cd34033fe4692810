"""Whole runs on endpoints that misbehave: nothing stops, and every fault is in the record under its own name.

The server knows which role's model it failed and how. What it did to each request is held against what the run says.
"""

import logging
from collections import Counter, defaultdict

import pytest
from fault_server import Event, served

from siturec_gym.cli.main import run_command_line
from siturec_gym.evaluation import runner
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.run_store import read_episodes
from siturec_gym.evaluation.runner import plan, plan_rest, resume, run
from siturec_gym.evaluation.workers import Crew
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.retry import Retries

ROLES = ("assistant", "user", "moderator")
FINAL = ("transient", "deterministic", "overflow")
KEY = "sk-canary-0123456789"
QUICK = Retries(attempts=3, first_wait_s=0.01, longest_wait_s=0.02)
# Seeds on the wire make every request another one, so that each has a fate of its own.
SETTINGS = {f"{role}.seed": 1 for role in ROLES} | {"assistant.images": 0, "user.images": 0}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    def endpoint(models, role):
        return Endpoint(models.url_of(role), models.concurrency, models.timeout_s, retries=QUICK)

    monkeypatch.setattr(ModelSettings, "endpoint", endpoint)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def config(tasks: int, trials: int) -> RunConfig:
    names = [f"llm:{role}" for role in ROLES]
    return RunConfig("SituRec-Supermarket-v0", *names, tasks=f"0:{tasks}", trials=trials, settings=SETTINGS)


@pytest.mark.parametrize(
    ("tasks", "trials", "seed", "timeout_s"),
    [(20, 2, 3, 3.0), pytest.param(100, 20, 1, 5.0, marks=pytest.mark.long)],
)
def test_every_fault_ends_or_disturbs_the_episode_that_it_hit(tmp_path, tasks, trials, seed, timeout_s):
    with served(seed, 0.2, timeout_s + 0.5) as (url, ask):
        folder, models = tmp_path / "run", ModelSettings(base_url=url, timeout_s=timeout_s)
        summary = run(plan(config(tasks, trials), models), folder, Crew(threads=16))
        events, redirects_followed, _ = ask("tell")
        episodes = read_episodes(folder)

        assert len(episodes) == tasks * trials == summary["counts"]["episodes"]
        check_failures(episodes, events)
        check_counts(summary["usage"], events)
        assert redirects_followed == 0

        ask("behave")
        again = resume(plan_rest(folder, models), folder, Crew(threads=16), retry={"transient"})
    check_resumed(episodes, read_episodes(folder), again)


def check_failures(episodes, events: list[Event]) -> None:
    """Each request that was refused for good is the failure of one episode, of its role and kind, and no other is.

    But for a correction without room: it is asked for in a shorter form, or the turn is given up.
    """
    last = {event.request: event for event in events if not (event.again and event.kind == "overflow")}
    lost = Counter(f"{event.role} {event.kind}" for event in last.values() if event.kind in FINAL)
    assert Counter(episode.failure for episode in episodes if episode.failure) == lost
    marks = {event.request[:12]: event.role for event in events}
    for episode in episodes:
        assert (episode.status == "failed") == (episode.end_reason == "generation_failure") == bool(episode.failure)
        if episode.failure:
            assert "\n" not in episode.error
            told = [role for mark, role in marks.items() if mark in episode.error]
            assert told in ([], [episode.failure.split()[0]])


def check_counts(usage, events: list[Event]) -> None:
    """What did not end an episode is counted: attempts that were repeated, and replies that could not be used."""
    attempts = defaultdict(list)
    for event in events:
        attempts[event.request].append(event)
    for role in ROLES:
        own = [seen for seen in attempts.values() if seen[0].role == role]
        # An attempt that was followed by another was in vain, also where a busy machine took too long to answer it.
        recovered = sum(event.kind != "parse" for seen in own if seen[-1].kind not in FINAL for event in seen[:-1])
        unusable = sum(event.kind == "parse" for seen in own for event in seen)
        assert usage[role].get("retries", 0) == recovered
        assert usage[role].get("unparsed", 0) == unusable


def check_resumed(before, after, summary) -> None:
    """Only what an endpoint lost is played again, and then nothing is lost."""
    assert not any("transient" in failure for failure in summary["failures"])
    kept = [episode for episode in before if not (episode.failure or "").endswith("transient")]
    assert [episode for episode in after if episode in kept] == kept
    assert len(after) == len(before)


def test_no_key_is_told_by_a_run_on_servers_that_repeat_it(tmp_path, caplog, capfd, monkeypatch):
    """Not in the record, the cache, the report, a message, nor in what the libraries log when they log everything."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(runner, "LOST_IN_A_ROW", 1000)  # which requests fail follows from their text
    folder, cache = tmp_path / "run", tmp_path / "cache"
    with served(5, 0.5, 2.0, ("500", "401", "thoughts")) as (url, ask):
        models = ModelSettings(base_url=url, timeout_s=1.5, cache=str(cache))
        run(plan(config(20, 3), models), folder, Crew(threads=4))
        events, _, keys = ask("tell")
    assert run_command_line(["report", str(folder)]) == 0
    assert run_command_line(["judge", str(folder), "--judge", "llm:judge", "--base-url", url, "--timeout", "0.1"]) == 1
    assert keys == {f"Bearer {KEY}"}
    assert {event.fault for event in events} == {None, "500", "401", "thoughts"}
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert [path for path, content in files.items() if b"canary" in content] == []
    assert any(b"for Bearer ***" in content for content in files.values())
    assert any(b"Bearer ***?" in content for content in files.values())
    assert "httpcore" in caplog.text
    for told in (caplog.text, *capfd.readouterr()):
        assert "canary" not in told
