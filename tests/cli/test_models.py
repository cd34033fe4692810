"""Runs whose roles are models, as they are typed: the cache, servers that are dead or die, and keys."""

import json
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fault_server import FaultServer
from raw_server import full_listener

from siturec_gym.evaluation.run_store import read_episodes
from siturec_gym.llm.cache import CachedClient
from siturec_gym.llm.retry import Retries

ROLES = ("--assistant", "llm:assistant", "--user", "llm:user", "--moderator", "llm:moderator")
TEXT_ONLY = ("--set", "assistant.images=0", "--set", "user.images=0")


@pytest.fixture
def models():
    server = FaultServer(seed=1, rate=0.0, slow_s=0.0)
    yield server
    server.stop()


@pytest.fixture
def play(siturec, models, tmp_path):
    """A run of two tasks whose roles are all models; its summary."""

    def run(name: str, *more: object) -> dict:
        arguments = ("run", *ROLES, *TEXT_ONLY, "--tasks", "0:2", "--base-url", models.url, "--json")
        status, out, err = siturec(*arguments, "--out", tmp_path / name, *more)
        assert status == 0, err
        return json.loads(out)

    return run


def said(folder: Path) -> list:
    return [[(turn.assistant, turn.user) for turn in episode.turns] for episode in read_episodes(folder)]


def test_with_the_cache_a_repeated_run_asks_nothing_even_of_a_dead_server(play, siturec, models, tmp_path):
    cache = ("--cache", tmp_path / "cache")
    judge = ("--judge", "llm:judge", "--base-url", models.url, *cache, "--json")
    first = play("one", *cache)
    assert siturec("judge", tmp_path / "one", *judge)[0] == 0
    assert {event.role for event in models.events} == {"assistant", "user", "moderator", "judge"}
    asked = models.taken, models.listed
    models.stop()
    second = play("two", *cache, "--threads", "2")
    status, out, err = siturec("judge", tmp_path / "two", *judge)
    assert (models.taken, models.listed) == asked
    assert status == 0, err
    assert said(tmp_path / "two") == said(tmp_path / "one")
    assert second["metrics"] == first["metrics"]
    for usage in (*second["usage"].values(), json.loads(out)["llm:judge"]["usage"]):
        assert usage.keys() <= {"cache_hits", "unparsed", "unanswered"}
    for role, usage in second["usage"].items():
        assert usage["cache_hits"] == first["usage"][role]["requests"]


@pytest.mark.parametrize(
    ("changed", "asked_anew"),
    [
        (("--seed", "1"), {"assistant", "user", "moderator"}),
        (("--set", "assistant.temperature=0.5"), {"assistant"}),
        (("--set", "user.seed=5"), {"user"}),
        (("--set", "moderator.max_tokens=99"), {"moderator"}),
        (("--set", "assistant.utterance_chars=200"), {"assistant"}),
    ],
)
def test_whatever_the_replies_depend_on_is_asked_anew(play, models, tmp_path, changed, asked_anew):
    play("one", "--cache", tmp_path / "cache")
    models.events.clear()
    play("two", "--cache", tmp_path / "cache", *changed)
    assert asked_anew <= {event.role for event in models.events}


def test_a_second_trial_asks_for_itself_alone(play, models, tmp_path):
    play("one", "--cache", tmp_path / "cache")
    before = models.taken
    summary = play("two", "--cache", tmp_path / "cache", "--trials", "2")
    usage = summary["usage"].values()
    assert sum(used["cache_hits"] for used in usage) == before
    assert sum(used["requests"] for used in usage) == models.taken - before > 0


@pytest.mark.long
def test_two_runs_at_once_share_a_cache_and_play_the_same(models, tmp_path):
    """The server answers the same question differently each time, so that only what is kept first can agree."""
    answer = models._answer

    def otherwise(http, body):
        answer(http, body | {"number": models.taken})

    models.script = lambda number, body: lambda http: otherwise(http, body)
    command = [sys.executable, "-m", "siturec_gym.cli.main", "run", *ROLES, *TEXT_ONLY, "--base-url", models.url]
    command += ["--tasks", "0:3", "--threads", "3", "--cache", str(tmp_path / "cache"), "--json", "--out"]
    runs = [subprocess.Popen([*command, str(tmp_path / name)], stdout=subprocess.DEVNULL) for name in ("one", "two")]
    assert [run.wait(timeout=120) for run in runs] == [0, 0]
    assert said(tmp_path / "one") == said(tmp_path / "two")
    asked = models.taken
    subprocess.run([*command, str(tmp_path / "three")], stdout=subprocess.DEVNULL, check=True)
    assert models.taken == asked
    assert said(tmp_path / "three") == said(tmp_path / "one")


def test_damaged_replies_are_asked_for_again(play, models, tmp_path):
    play("one", "--cache", tmp_path / "cache")
    asked = models.taken
    for kept in (tmp_path / "cache").rglob("*.json"):
        kept.write_bytes(kept.read_bytes()[:20])
    play("two", "--cache", tmp_path / "cache")
    assert models.taken == 2 * asked
    assert said(tmp_path / "two") == said(tmp_path / "one")


def test_a_full_disk_ends_the_run_in_one_line_and_nothing_is_lost(play, siturec, models, tmp_path, monkeypatch):
    complete, answered = CachedClient.complete, 0

    def until_full(client, request):
        nonlocal answered
        answered += 1
        with monkeypatch.context() as patch:
            if answered > 40:
                patch.setattr(Path, "write_text", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left")))
            return complete(client, request)

    monkeypatch.setattr(CachedClient, "complete", until_full)
    folder, cache = tmp_path / "run", tmp_path / "cache"
    arguments = ("--base-url", models.url, "--cache", cache, "--json")
    status, out, err = siturec("run", *ROLES, *TEXT_ONLY, "--tasks", "0:20", *arguments, "--out", folder)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert re.search(rf"a reply cannot be kept in '{cache}/..': No space left; \d+ of 20 episodes are kept", err)
    kept = read_episodes(folder)
    assert kept
    assert all(episode.status == "complete" for episode in kept)
    monkeypatch.setattr(CachedClient, "complete", complete)
    status, out, _ = siturec("resume", folder, *arguments)
    assert (status, json.loads(out)["counts"]["status"]) == (0, {"complete": 20})
    assert read_episodes(folder)[: len(kept)] == kept


@pytest.fixture
def silent():
    """The address of a server that takes every connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


@pytest.fixture
def blocked():
    with full_listener() as url:
        yield url


@pytest.fixture
def refusing():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.mark.parametrize(
    ("kind", "words"),
    [("refusing", "cannot be reached: .*refused"), ("silent", "gave no answer within 0.5 s"),
     ("blocked", "cannot be reached: timed out")],
)  # fmt: skip
@pytest.mark.parametrize("role", ["assistant", "user", "moderator"])
def test_a_dead_server_is_one_line_with_its_address_before_anything_is_written(
    siturec, request, tmp_path, kind, words, role
):
    url = request.getfixturevalue(kind)
    begun = time.monotonic()
    arguments = (f"--{role}", f"llm:{role}", f"--{role}-url", url, "--timeout", "0.5", "--out", tmp_path / "run")
    status, out, err = siturec("run", *arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert re.search(f"siturec: {re.escape(url)} {words}", err)
    assert time.monotonic() - begun < 10.0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("death", ["resetting", "silent"])
def test_a_server_that_dies_stops_the_run_and_resume_goes_on_with_another(
    siturec, models, tmp_path, monkeypatch, death
):
    """Only requests that are lost first are tried again; the others of the ten episodes fail within one timeout."""
    monkeypatch.setattr(Retries, "wait_s", lambda *_: 0.01)
    alive = models.script

    def script(number, body):
        if number < 30:
            return alive(number, body)
        return "reset" if death == "resetting" else 2.0

    models.script = script
    folder = tmp_path / "run"
    begun = time.monotonic()
    arguments = ("--base-url", models.url, "--timeout", "0.5", "--threads", "5", "--json")
    status, out, err = siturec("run", *ROLES, *TEXT_ONLY, "--tasks", "0:30", *arguments, "--out", folder)
    assert time.monotonic() - begun < 30.0
    assert (status, out, err.count("\n")) == (1, "", 1)
    kept = len(read_episodes(folder))
    assert re.search(rf"10 episodes in a row were lost: (assistant|user|moderator): .*{models.url}", err)
    assert f"{kept} of 30 episodes are kept; go on with: siturec resume {folder}" in err
    another = FaultServer(seed=1, rate=0.0, slow_s=0.0)
    status, out, _ = siturec("resume", folder, "--retry", "transient", "--base-url", another.url, "--json")
    another.stop()
    assert (status, json.loads(out)["counts"]["status"]) == (0, {"complete": 30})


@pytest.mark.parametrize(("answered", "status"), [(0, 1), (30, 0)])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_short_run_whose_server_dies_tells_why_and_how_to_play_it_again(
    siturec, models, tmp_path, monkeypatch, answered, status, form
):
    monkeypatch.setattr(Retries, "wait_s", lambda *_: 0.01)
    alive = models.script
    models.script = lambda number, body: alive(number, body) if number < answered else "reset"
    folder = tmp_path / "a run"
    arguments = ("--tasks", "0:6", "--base-url", models.url, *form, "--out", folder)
    got, out, err = siturec("run", *ROLES, *TEXT_ONLY, *arguments)
    failed = [episode for episode in read_episodes(folder) if episode.status == "failed"]
    assert (got, len(failed) == 6, len(failed) > 0, err.count("siturec:")) == (status, status == 1, True, 0)
    told = f"siturec resume '{folder}' --retry transient"
    assert models.url in failed[0].error
    if form:
        summary = json.loads(out)
        assert (summary["first_error"], summary["play_again"]) == (failed[0].error, told)
    else:
        assert out.splitlines()[-3:-1] == [f"first error: {failed[0].error}", f"play again: {told}"]
    models.script = alive
    got, out, err = siturec(*shlex.split(told)[1:], "--json")
    assert (got, json.loads(out)["counts"]["status"]) == (0, {"complete": 6}), err
    assert not {"first_error", "play_again"} & set(json.loads(out))


def test_a_key_that_is_refused_in_the_middle_of_a_run_stops_it(siturec, models, tmp_path):
    alive = models.script
    refused = (401, b'{"error": {"message": "this key was withdrawn"}}', {})
    models.script = lambda number, body: alive(number, body) if number < 30 else refused
    arguments = ("--tasks", "0:40", "--base-url", models.url, "--json", "--out", tmp_path / "run")
    status, out, err = siturec("run", *ROLES, *TEXT_ONLY, *arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert re.search(r"10 episodes in a row were lost: .* answered 401: this key was withdrawn", err)


def test_a_key_that_cannot_be_sent_and_one_in_an_address_are_one_line(siturec, models, tmp_path, monkeypatch):
    out = ("--out", tmp_path / "run")
    address = models.url.replace("//", "//me:sk-canary@")
    status, _, err = siturec("run", "--moderator", "llm:moderator", "--base-url", address, *out)
    assert (status, err.count("\n")) == (2, 1)
    assert f"base URL '{models.url}' must hold neither user name, password" in err
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-é")
    status, _, told = siturec("run", "--moderator", "llm:moderator", "--base-url", models.url, *out)
    assert (status, told.count("\n")) == (1, 1)
    assert "the key in OPENAI_API_KEY cannot be sent" in told
    assert "canary" not in err + told
    assert list(tmp_path.iterdir()) == []
