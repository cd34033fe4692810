"""Roles that are models, as they are typed (S24)."""

import io
import json
import random
import sys

import pytest
from schema_reply import reply_to

from siturec_gym.evaluation import model_facts
from siturec_gym.llm.clients import ModelFacts

SECRET = "sk-canary-4242"


@pytest.fixture
def server(chat_server):
    def script(number, body):
        schema = body["response_format"]["json_schema"]["schema"]
        if "over" in schema["properties"]:
            return json.dumps({"reason": "enough", "over": "yes"})
        return reply_to(schema, random.Random(number))

    chat_server.script = script
    return chat_server


MODELS = ("--assistant", "llm:tiny", "--user", "llm:tiny", "--moderator", "llm:tiny", "--tasks", "0:1")
BLIND = ("--set", "assistant.images=0", "--set", "user.images=0")


def test_models_play_every_role_and_resume_asks_them_as_the_run_did(siturec, server, tmp_path):
    folder = str(tmp_path / "run")
    run = ("run", *MODELS, *BLIND, "--base-url", server.url, "--out", folder, "--json")
    status, out, err = siturec(*run, "--set", "user.temperature=0.5", "--requests-per-minute", "6000")
    assert (status, err) == (0, "")
    assert json.loads(out)["usage"]["user"]["requests"] == 1
    (tmp_path / "run" / "episodes.jsonl").write_text("")
    assert siturec("resume", folder, "--json")[0] == 0
    assert [body["temperature"] for body in server.bodies] == [0.0, 0.5, 0.0] * 2
    kept = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert kept["models"]["per_minute"] == 6000
    assert kept["arguments"]["settings"]["user.temperature"] == 0.5


def test_each_role_has_an_address_of_its_own(siturec, server, tmp_path):
    dead = "http://127.0.0.1:9/v1"
    for role in ("assistant", "user", "moderator"):
        others = [word for other in ("assistant", "user", "moderator") if other != role
                  for word in (f"--{other}-url", server.url)]  # fmt: skip
        status, _, err = siturec("run", *MODELS, *others, f"--{role}-url", dead, "--out", str(tmp_path / role))
        assert status == 1
        assert err.startswith(f"siturec: {dead} cannot be reached")
        assert err.count("\n") == 1
        assert not (tmp_path / role).exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--set", "assistant"), "--set takes ROLE.NAME=VALUE, such as assistant.temperature=0.7; got 'assistant'"),
        (("--set", "assistant.colour=1"), "--set assistant.colour: no such setting"),
        (("--set", "judge.seed=1"), "--set judge.seed: no role 'judge' here"),
        (("--user", "llm:"), "'llm:' names no model; give llm:MODEL or hf:PATH"),
        (("--requests-per-minute", "0"), "Invalid value for '--requests-per-minute'"),
        (("--dtype", "int4"), "unknown dtype 'int4'; choose from auto, bfloat16, float16, float32"),
        (("--base-url", "ftp://x"), "base URL 'ftp://x' must begin with http:// or https://"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(siturec, server, tmp_path, words, line):
    run = ("run", *MODELS, "--base-url", server.url, *words, "--out", str(tmp_path / "run"))
    status, _, err = siturec(*run)
    assert status == 2
    assert err.startswith(f"siturec: {line}")
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("limit", "line"),
    [
        (("--concurrency", "2"), "a concurrency of 2 is too little for 8 workers"),
        (("--requests-per-minute", "7.5"), "7.5 requests per minute are too few for 8 workers"),
    ],
)
def test_a_limit_that_workers_cannot_share_is_one_line_for_run_and_resume(siturec, server, tmp_path, limit, line):
    run = ("run", *MODELS, *BLIND, "--base-url", server.url, "--out")
    status, _, err = siturec(*run, str(tmp_path / "refused"), "--workers", "8", *limit)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(f"siturec: {line}")
    assert not (tmp_path / "refused").exists()
    assert siturec(*run, str(tmp_path / "run"), "--workers", "1", *limit)[0] == 0
    asked = len(server.bodies)
    status, _, err = siturec("resume", str(tmp_path / "run"), "--workers", "8")
    assert (status, err.startswith(f"siturec: {line}")) == (2, True)
    assert len(server.bodies) == asked


def test_a_price_file_that_cannot_be_read_is_one_line_and_leaves_nothing(siturec, server, tmp_path):
    run = ("run", *MODELS, "--base-url", server.url, "--prices", "/no/such.json", "--out", str(tmp_path / "run"))
    status, _, err = siturec(*run)
    assert status == 1
    assert err.startswith("siturec: price file '/no/such.json' cannot be read")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "typed", [SECRET, f"assistant={SECRET}", f"={SECRET}", f"{SECRET}=", "clerk=OPENAI_API_KEY", "SKCANARY4242"]
)
def test_a_key_typed_in_place_of_its_variable_is_not_shown(siturec, server, tmp_path, typed):
    run = ("run", *MODELS, "--base-url", server.url, "--key-from", typed, "--out", str(tmp_path / "run"))
    status, out, err = siturec(*run)
    assert status == 2
    assert "--key-from" in err
    assert "anary" not in (out + err).lower()
    assert err.count("\n") == 1


def test_keys_come_from_the_variables_named(siturec, server, tmp_path, monkeypatch):
    monkeypatch.setenv("ALL_KEY", "for-all")
    monkeypatch.setenv("USER_KEY", "for-user")
    keys = ("--key-from", "ALL_KEY", "--key-from", "user=USER_KEY")
    run = ("run", *MODELS, *BLIND, *keys, "--base-url", server.url, "--out", str(tmp_path / "run"))
    assert siturec(*run)[0] == 0
    sent = [headers["authorization"].removeprefix("Bearer ") for headers in server.headers]
    assert sent == ["for-all", "for-user", "for-all"]
    assert not any("for-" in path.read_text() for path in (tmp_path / "run").glob("*.json*"))


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_person_plays_against_a_model(siturec, server, monkeypatch, role):
    typed = "wait\nquit\n" if role == "user" else "say Hello!\nsend\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    other = "assistant" if role == "user" else "user"
    play = ("play", "--role", role, f"--{other}", "llm:tiny", "--base-url", server.url, "--no-frame")
    status, out, err = siturec(*play, "--moderator", "llm:tiny", "--set", f"{other}.temperature=0.3")
    assert (status, err) == (0, "")
    assert "It is over after 1 turns: moderator ended." in out
    assert [body["temperature"] for body in server.bodies] == [0.3, 0.0]


@pytest.mark.parametrize("frame", [True, False])
def test_a_person_plays_against_a_model_that_reads_text_alone(siturec, server, monkeypatch, tmp_path, frame):
    answer = server.script

    def reads_text_alone(number, body):
        looked_at = "image_url" in json.dumps(body["messages"])
        return (
            (400, {"error": {"message": "tiny is not a multimodal model"}}, {}) if looked_at else answer(number, body)
        )

    server.script = reads_text_alone
    monkeypatch.setattr(model_facts, "facts_of", lambda *_: ModelFacts(sees=False))
    monkeypatch.setattr("sys.stdin", io.StringIO("wait\nquit\n"))
    shown = ("--frame", str(tmp_path / "view.png")) if frame else ("--no-frame",)
    play = ("play", "--assistant", "llm:tiny", "--moderator", "llm:tiny", "--base-url", server.url)
    status, out, err = siturec(*play, *shown)
    assert (status, err) == (0, "")
    assert "It is over after 1 turns: moderator ended." in out
    assert (tmp_path / "view.png").exists() == frame


def test_a_person_does_not_begin_against_a_text_model_that_should_look(siturec, server, monkeypatch):
    monkeypatch.setattr(model_facts, "facts_of", lambda *_: ModelFacts(sees=False))
    play = ("play", "--assistant", "llm:tiny", "--base-url", server.url, "--set", "assistant.images=1", "--no-frame")
    assert siturec(*play) == (2, "", "siturec: --set assistant.images: 'tiny' reads text alone\n")


@pytest.mark.parametrize(("context", "given", "room"), [(9000, (), 6952), (9000, ("assistant.max_tokens=100",), 8900)])
def test_a_person_plays_against_a_model_whose_context_is_known(siturec, server, monkeypatch, context, given, room):
    server.described = {"max_model_len": context}
    monkeypatch.setattr("sys.stdin", io.StringIO("wait\nquit\n"))
    play = ("play", "--assistant", "llm:tiny", "--base-url", server.url, "--no-frame")
    status, out, _ = siturec(*play, *(word for setting in given for word in ("--set", setting)))
    assert status == 0
    assert f"a context of {context} leaves {room} beside the reply" in out
    assert server.bodies == []


@pytest.mark.parametrize("role", ["assistant", "moderator"])
def test_a_person_need_not_begin_against_a_model_that_does_not_answer(siturec, server, role):
    dead = "http://127.0.0.1:9/v1"
    status, out, err = siturec("play", "--role", "user", f"--{role}", "llm:tiny", "--base-url", dead, "--no-frame")
    assert (status, out) == (1, "")
    assert err == f"siturec: {dead} cannot be reached: [Errno 111] Connection refused\n"


def test_without_the_packages_it_says_what_to_install(siturec, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    status, _, err = siturec("run", "--user", "hf:models/tiny", "--out", str(tmp_path / "run"))
    line = "siturec: models in this process need torch and transformers: pip install 'siturec-gym[hf]'\n"
    assert (status, err) == (1, line)


def test_a_judges_replies_may_be_drawn_otherwise_and_then_do_not_mix(siturec, server, tmp_path):
    folder = str(tmp_path / "run")
    siturec("run", "--tasks", "0:1", "--out", folder)
    judge = ("judge", folder, "--judge", "llm:tiny", "--base-url", server.url)
    assert siturec(*judge)[0] == 0
    status, _, err = siturec(*judge, "--set", "judge.temperature=1")
    assert status == 1
    assert "with another prompt" in err
    assert siturec(*judge, "--set", "judge.temperature=1", "--again")[0] == 0
    assert [body["temperature"] for body in server.bodies] == [0.0, 1.0]
