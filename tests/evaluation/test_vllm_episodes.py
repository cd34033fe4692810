"""Whole episodes whose roles are a tiny random model behind a real vLLM server.

A random model understands nothing. That its episodes go by the rules shows that schemas, prompts, pictures and records
hold from end to end.
"""

import json
import urllib.request

import pytest
from vllm_server import CONTEXT

from siturec_gym.cli.main import run_command_line
from siturec_gym.evaluation.run_store import read_episodes

pytestmark = pytest.mark.vllm

STORES = {"supermarket": "SituRec-Supermarket-v0", "home_furnishings": "SituRec-HomeFurnishings-v0"}
SIDE = 280
DRAWN = ("temperature=1", "seed=3", "utterance_chars=60")
LOOKS = {"text": ("images=0",), "vision": ("images=2", f"image_side={SIDE}")}


@pytest.fixture
def play(vllm, tmp_path, capsys):
    """Plays the first tasks of a store with a kind of model in both roles; gives the summary and the episodes."""

    def run(kind, store, name="run", tasks=3, *more):
        options = [f"{role}.{value}" for role in ("assistant", "user") for value in (*DRAWN, *LOOKS[kind])]
        options.append("assistant.reason_chars=40")
        out = tmp_path / name
        status = run_command_line(
            [
                *("run", "--env", STORES[store], "--assistant", f"llm:{kind}", "--user", f"llm:{kind}"),
                *("--base-url", vllm(kind).url, "--tasks", f"0:{tasks}", "--threads", str(tasks), "--json"),
                *("--timeout", "300", "--out", str(out), *more),
                *(part for option in options for part in ("--set", option)),
            ]
        )
        captured = capsys.readouterr()
        assert status == 0, captured.err
        return json.loads(captured.out), read_episodes(out)

    return run


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("kind", LOOKS)
def test_episodes_run_to_their_ends_and_nine_in_ten_turns_are_legal(play, vllm, kind, store):
    pictures = looked_up(vllm(kind))
    summary, episodes = play(kind, store)
    turns = [turn for episode in episodes for turn in episode.turns]
    assert summary["counts"]["status"] == {"complete": 3}
    assert summary["failures"] == {}
    assert len(turns) >= 3 * 5
    legal = [turn for turn in turns if turn.user.refusal is None and not any("invalid" in flag for flag in turn.flags)]
    assert len(legal) >= 0.9 * len(turns)
    assert len({turn.user.tool_requested.tool for turn in turns}) >= 4
    for role in ("assistant", "user"):
        usage = summary["usage"][role]
        assert usage["requests"] - usage.get("unparsed", 0) == len(turns)
        assert usage["prompt_tokens"] > 1000 * len(turns)
        assert usage["completion_tokens"] > 10 * len(turns)
        assert all(turn.usage[f"{role}_prompt_tokens"] < CONTEXT * turn.usage[f"{role}_requests"] for turn in turns)
    assert (looked_up(vllm(kind)) - pictures >= 3 * len(turns)) == (kind == "vision")


def looked_up(server) -> float:
    """How many pictures the server was sent so far."""
    with urllib.request.urlopen(server.url.removesuffix("/v1") + "/metrics", timeout=30) as response:
        lines = response.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("vllm:mm_cache_queries_total"))


def test_the_same_seed_gives_the_same_episodes_and_a_cache_asks_nothing(play, tmp_path):
    """The server's sums depend a little on what else is in a batch, so one episode of three may take another turn."""
    cache = ("--cache", str(tmp_path / "cache"))
    _, first = play("text", "supermarket", "first", 3, *cache)
    _, again = play("text", "supermarket", "again", 3)
    summary, kept = play("text", "supermarket", "kept", 3, *cache)
    assert sum(one.turns == two.turns for one, two in zip(first, again, strict=True)) >= 2
    assert [deeds(episode) for episode in first] == [deeds(episode) for episode in kept]
    turns = sum(len(episode.turns) for episode in first)
    assert {role: usage.get("requests", 0) for role, usage in summary["usage"].items()} == {"assistant": 0, "user": 0}
    assert summary["usage"]["assistant"]["cache_hits"] == turns


def test_a_moderator_and_a_judge_answer_too(play, vllm, tmp_path, capsys):
    summary, episodes = play("text", "home_furnishings", "moderated", 2, "--moderator", "llm:text")
    assert summary["failures"] == {}
    assert summary["usage"]["moderator"]["requests"] >= len(episodes)
    assert not summary["usage"]["moderator"].get("unanswered")
    run = str(tmp_path / "moderated")
    assert run_command_line(["judge", run, "--judge", "llm:text", "--base-url", vllm("text").url]) == 0
    judged = [json.loads(line) for line in (tmp_path / "moderated" / "judgments.jsonl").read_text().splitlines()]
    assert [entry["status"] for entry in judged] == ["scored", "scored"]
    assert all(len(entry["scores"]) == 7 for entry in judged)


def deeds(episode):
    return [(turn.assistant, turn.user, turn.flags) for turn in episode.turns]
