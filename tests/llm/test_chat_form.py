"""Requests and replies in the protocol's form, without a server."""

import json
from typing import Any

import pytest

from siturec_gym.core.errors import DeterministicModelError, TransientModelError
from siturec_gym.llm import ChatReply, ChatRequest, Decoding, ImagePart, Message, Usage
from siturec_gym.llm.chat_form import read_reply, request_body

URL = "http://h/v1"
ASK = (Message.of("user", "a", "b"),)


def read(message: dict[str, Any], **body: Any) -> ChatReply:
    return read_reply(json.dumps({"choices": [{"message": message}]} | body).encode(), URL)


def test_settings_that_are_none_are_left_to_the_server():
    plain = Decoding(temperature=None, max_tokens=None)
    assert request_body("m", ChatRequest(ASK, plain)) == {"model": "m", "messages": [{"role": "user", "content": "ab"}]}


def test_settings_that_are_given_are_sent():
    body = request_body("m", ChatRequest(ASK, Decoding(0.25, 0.5, 9, extra={"top_k": 3})))
    assert {name: value for name, value in body.items() if name not in ("model", "messages")} == {
        "temperature": 0.25,
        "top_p": 0.5,
        "max_tokens": 9,
        "top_k": 3,
    }


def test_each_turn_and_trial_has_a_seed_of_its_own_and_the_same_one_again():
    def seed(**changes: Any) -> int:
        return request_body("m", ChatRequest(ASK, Decoding(seed=changes.pop("drawn", 1)), **changes))["seed"]

    seeds = [seed(), seed(trial=1), seed(seed=1), seed(drawn=2)]
    assert len(set(seeds)) == 4
    assert all(0 <= one < 2**31 for one in seeds)
    assert seed(trial=1) == seeds[1]


def test_a_message_with_a_picture_is_a_list_of_parts_in_order():
    (message,) = request_body("m", ChatRequest((Message.of("user", ImagePart(b"a", "image/jpeg"), "b"),)))["messages"]
    assert message["content"] == [
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,YQ=="}},
        {"type": "text", "text": "b"},
    ]


def test_usage_is_what_is_told():
    told = {"prompt_tokens": 5, "completion_tokens": None}
    assert read({"content": "x"}, usage=told).usage == Usage(requests=1, prompt_tokens=5)
    assert read({"content": "x"}, usage=None).usage == Usage(requests=1)


@pytest.mark.parametrize(
    ("message", "text", "reasoning", "finish"),
    [
        ({"content": "x"}, "x", "", "stop"),
        ({"content": None}, "", "", "stop"),
        ({"content": None, "refusal": "No."}, "", "", "refusal"),
        ({"content": "x", "refusal": "No."}, "x", "", "stop"),
        ({"content": "x", "reasoning_content": None, "reasoning": "hm"}, "x", "hm", "stop"),
        ({"content": "<think>in</think>x", "reasoning": "out"}, "x", "out", "stop"),
        ({"content": "half \ud83d"}, "half ?", "", "stop"),
    ],
)
def test_text_reasoning_and_end_of_a_reply(message, text, reasoning, finish):
    reply = read(message)
    assert (reply.text, reply.reasoning, reply.finish_reason) == (text, reasoning, finish)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"7", b"null", b"<html>", b"\xff", b"{}", b'{"choices": []}', b'{"choices": [{}]}',
        b'{"choices": [{"message": null}]}', b'{"choices": [{"message": {"content": 7}}]}', b"[" * 100_000,
        b'{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": -1}}',
        b'{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 1e999}}',
        b'{"choices": [{"message": {"content": "x"}}], "usage": {"completion_tokens": 1000000000}}',
    ],
)  # fmt: skip
def test_a_body_that_is_no_completion_is_one_line_with_the_address(content):
    with pytest.raises(TransientModelError, match=f"^{URL} sent what is no chat completion: ") as caught:
        read_reply(content, URL)
    assert "\n" not in str(caught.value)


def test_a_failure_in_place_of_a_completion_is_that_failure():
    with pytest.raises(DeterministicModelError, match=r"answered 401: who\?"):
        read_reply(b'{"error": {"code": 401, "message": "who?"}}', URL)
