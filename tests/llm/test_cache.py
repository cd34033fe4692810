"""Replies on disk: found by everything that matters, lost by nothing that does not."""

import errno
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from siturec_gym.core.errors import RunError, TransientModelError
from siturec_gym.llm import ChatReply, ChatRequest, Decoding, ImagePart, Message, ScriptedClient, Usage
from siturec_gym.llm.cache import CachedClient, KeptContext, cache_key

ASK = ChatRequest((Message.of("user", "Hello?", ImagePart(b"one")),), Decoding(), {"type": "object"}, 7, 1)
CHANGED = [
    replace(ASK, messages=(Message.of("user", "Hello!", ImagePart(b"one")),)),
    replace(ASK, messages=(Message.of("system", "Hello?", ImagePart(b"one")),)),
    replace(ASK, messages=(Message.of("user", "Hello?", ImagePart(b"two")),)),
    replace(ASK, messages=(Message.of("user", "Hello?", ImagePart(b"one", "image/jpeg")),)),
    replace(ASK, decoding=Decoding(temperature=1.0)),
    replace(ASK, schema=None),
    replace(ASK, seed=8),
    replace(ASK, trial=2),
]


def test_a_second_run_asks_nothing(tmp_path):
    first = CachedClient(ScriptedClient([ChatReply("hi", "why not", "length", model="tiny-2")]), tmp_path, "judge")
    assert first.complete(ASK).usage.requests == 1
    silent = CachedClient(ScriptedClient([]), tmp_path, "judge")
    assert silent.complete(ASK) == ChatReply("hi", "why not", "length", Usage(cache_hits=1), model="tiny-2")


def test_tokens_are_kept_with_the_reply(tmp_path):
    drawn = {"token_ids": (5, 6), "logprobs": (-0.5, -1.25), "prompt_token_ids": (1,)}
    CachedClient(ScriptedClient([ChatReply("hi", **drawn)]), tmp_path, "judge").complete(ASK)
    kept = CachedClient(ScriptedClient([]), tmp_path, "judge").complete(ASK)
    assert kept == ChatReply("hi", usage=Usage(cache_hits=1), **drawn)


@pytest.mark.parametrize("changed", CHANGED)
def test_whatever_may_change_the_reply_is_in_the_key(changed):
    assert cache_key("judge", "m", changed) != cache_key("judge", "m", ASK)


def test_role_and_model_are_in_the_key_and_the_key_is_stable():
    keys = {cache_key(role, model, ASK) for role in ("judge", "user") for model in ("a", "b")}
    assert len(keys) == 4
    assert cache_key("judge", "m", ASK) == cache_key("judge", "m", replace(ASK))


def test_failures_are_not_kept(tmp_path):
    client = CachedClient(ScriptedClient([TransientModelError("down"), "hi"]), tmp_path, "judge")
    with pytest.raises(TransientModelError):
        client.complete(ASK)
    assert client.complete(ASK).text == "hi"


@pytest.mark.parametrize(
    "damage",
    [
        b'{"reply": {"te', b"", b"\xff", b"null", b"[" * 20_000, b'{"reply": 7}',
        b'{"reply": {"text": 7, "reasoning": "", "finish_reason": "stop"}}',
        b'{"reply": {"text": "", "reasoning": "", "finish_reason": "stop", "logprobs": 7}}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_asked_for_anew_and_mended(tmp_path, damage):
    CachedClient(ScriptedClient(["hi"]), tmp_path, "judge").complete(ASK)
    (kept,) = tmp_path.rglob("*.json")
    kept.write_bytes(damage)
    assert CachedClient(ScriptedClient(["again"]), tmp_path, "judge").complete(ASK).text == "again"
    assert CachedClient(ScriptedClient([]), tmp_path, "judge").complete(ASK).text == "again"


@pytest.mark.parametrize("links", [True, False])
def test_who_asks_the_same_at_once_gets_the_same_reply(tmp_path, monkeypatch, links):
    """A client whose every answer is another one; its usage is counted for each request that was made."""
    if not links:
        monkeypatch.setattr("os.link", lambda *_: (_ for _ in ()).throw(PermissionError()))
    together, answers = threading.Barrier(8), itertools.count()

    def answer(_):
        return f"answer {next(answers)}"

    class Slow(ScriptedClient):
        def complete(self, request):
            together.wait()
            return super().complete(request)

    client = CachedClient(Slow(answer), tmp_path, "judge")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(client.complete, [ASK] * 8))
    assert sum(reply.usage.requests for reply in replies) == 8
    if links:
        assert len({reply.text for reply in replies}) == 1
    assert CachedClient(ScriptedClient([]), tmp_path, "judge").complete(ASK).text in {reply.text for reply in replies}
    assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".json"]


def test_a_full_disk_is_one_line_and_leaves_no_draft(tmp_path, monkeypatch):
    def full(path, *_, **__):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(RunError, match=r"a reply cannot be kept in '.*': No space left on device"):
        CachedClient(ScriptedClient(["hi"]), tmp_path, "judge").complete(ASK)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_used_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cache folder '.*' cannot be used"):
        CachedClient(ScriptedClient([]), tmp_path / "file" / "cache", "judge")


@pytest.mark.parametrize(
    "build", [lambda path: CachedClient(ScriptedClient([]), path, "judge"), lambda path: KeptContext(path, "tiny", "u")]
)
def test_a_file_in_place_of_the_folder_is_told_as_such(tmp_path, build):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cache folder '.*/file' cannot be used: it is no folder"):
        build(tmp_path / "file")


def test_the_length_of_a_context_is_asked_for_once(tmp_path):
    asked = []

    def ask():
        asked.append(1)
        return 4096

    for _ in range(2):
        assert KeptContext(tmp_path / "new", "tiny", "http://a/v1").get(ask) == 4096
    assert len(asked) == 1
    assert KeptContext(tmp_path / "new", "tiny", "http://b/v1").get(lambda: None) is None
    assert KeptContext(tmp_path / "new", "tiny", "http://b/v1").get(ask) is None
    assert KeptContext(tmp_path / "new", "large", "http://a/v1").get(lambda: 7) == 7


def test_a_damaged_note_of_a_context_is_asked_for_again(tmp_path):
    KeptContext(tmp_path, "tiny", "http://a/v1").get(lambda: 1)
    (note,) = (tmp_path / "contexts").iterdir()
    note.write_text('{"context_tokens": "many"}')
    assert KeptContext(tmp_path, "tiny", "http://a/v1").get(lambda: 2) == 2
