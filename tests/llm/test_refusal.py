"""What statuses and bodies mean, in the words of the servers that people use."""

import json
import pickle
import time
from email.utils import formatdate

import pytest

from siturec_gym.llm.refusal import refusal, retry_after_s, told_instead

URL = "http://h/v1"
TOO_LONG = [
    # vLLM in several versions, OpenAI, SGLang, llama.cpp, Anthropic's and Google's compatible endpoints
    "This model's maximum context length is 4096 tokens. However, you requested 4700 tokens in the messages.",
    "The decoder prompt (length 12324) is longer than the maximum model length of 8192.",
    "This model's maximum context length is 262144 tokens. However, your prompt contains at least 262145 input tokens.",
    "The input (9000 tokens) is longer than the model's context length (4096 tokens).",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 250000 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
]
OTHER = ["bad field 'response_format'", "image is too large", "temperature must be below 2", ""]


def kind(status, body, **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return refusal(status, headers, content, URL).kind


@pytest.mark.parametrize("words", TOO_LONG)
@pytest.mark.parametrize("form", [lambda w: {"error": {"message": w}}, lambda w: {"message": w}, lambda w: w])
def test_a_request_longer_than_the_context_is_known_by_what_servers_say(words, form):
    assert kind(400, form(words)) == "overflow"


@pytest.mark.parametrize("words", OTHER)
def test_other_refusals_are_not_taken_for_it(words):
    assert kind(400, {"error": {"message": words}}) == "deterministic"


def test_a_long_message_is_read_to_its_end_but_told_in_short():
    error = refusal(400, {}, json.dumps({"message": "x" * 5000 + " maximum context length"}).encode(), URL)
    assert error.kind == "overflow"
    assert len(str(error)) < 260


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (408, b"", "transient"), (409, b"", "transient"), (425, b"", "transient"), (429, b"", "transient"),
        (500, b"[" * 50_000, "transient"), (503, b"\xff\xfe", "transient"), (529, b"null", "transient"),
        (413, b"", "overflow"), (401, b"7", "deterministic"), (403, b'"no"', "deterministic"),
        (404, b"", "deterministic"),
        (429, {"error": {"code": "insufficient_quota", "message": "pay"}}, "deterministic"),
        (422, {"detail": [{"msg": "maximum context length"}]}, "overflow"),
    ],
)  # fmt: skip
def test_each_status_has_its_kind_whatever_the_body_is(status, body, expected):
    assert kind(status, body) == expected
    assert str(refusal(status, {}, body if isinstance(body, bytes) else b"", URL)).startswith(
        f"{URL} answered {status}"
    )


@pytest.mark.parametrize("status", [302, 401, 404, 418])
def test_a_refusal_keeps_the_status_and_so_does_its_copy_from_another_process(status):
    assert pickle.loads(pickle.dumps(refusal(status, {}, b"answered 404", URL))).status == status


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0), ({"retry-after": "0"}, 0.0), ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None), ({"retry-after": "nan"}, None), ({"retry-after": "soon"}, None), ({}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT", "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:00 GMT", "date": "Mon, 30 Nov 2026 10:00:30 GMT"}, 0.0),
        ({"retry-after": "Mon, 99 Foo 2026 10:00:00 GMT"}, None),
    ],
)  # fmt: skip
def test_how_long_to_wait_may_be_said_in_several_ways(headers, seconds):
    assert retry_after_s(headers) == seconds


def test_a_date_without_the_servers_own_is_held_against_our_clock():
    asked = retry_after_s({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert 57 < asked < 61


def test_a_failure_told_with_status_200_is_a_failure():
    assert told_instead({"error": {"message": "gone", "code": 429}}, URL).kind == "transient"
    assert told_instead({"error": {"message": "who?", "code": 401}}, URL).kind == "deterministic"
    assert told_instead({"error": None, "choices": [{}]}, URL) is None
    assert told_instead({"error": {"message": "only a note"}, "choices": [{}]}, URL) is None
    assert told_instead([], URL) is None
