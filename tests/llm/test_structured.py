"""Replies in a form: the schema, what is read, and asking again."""

import contextlib
import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from siturec_gym.core.errors import ContextOverflowError, ReplyError, TransientModelError
from siturec_gym.llm import ChatReply, ChatRequest, Message, ScriptedClient, Usage
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.structured import LONGEST_REPLY, PRINTABLE, Asker, json_schema, parse_model, repeated


class Part(BaseModel):
    note: str = Field("", max_length=5)


class Reply(BaseModel):
    score: Literal[1, 2, 3]
    part: Part | None = None


ASK = ChatRequest((Message.of("user", "Score?"),))


def read(text: str) -> int:
    return parse_model(text, Reply).score


@given(st.integers(0, 900), st.integers(0, 900), st.integers(0, 1900))
def test_texts_of_the_right_length_alone_fit_and_no_run_is_too_long_for_a_decoder(least: int, more: int, length: int):
    pattern = repeated(PRINTABLE, least, least + more)
    assert bool(re.fullmatch(pattern, "x" * length)) == (least <= length <= least + more)
    assert all(re.fullmatch(pattern, "x" * edge) for edge in (least, least + more))
    assert max(map(int, re.findall(r"\d+(?=\})", pattern))) <= 128


def test_the_schema_holds_what_guided_decoding_honours():
    assert json_schema(Reply) == {
        "type": "object",
        "properties": {
            "score": {"enum": [1, 2, 3], "type": "integer"},
            "part": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"note": {"type": "string", "pattern": r"^[ !#-\[\]-~]{0,5}$"}},
                        "required": ["note"],
                        "additionalProperties": False,
                    },
                    {"type": "null"},
                ]
            },
        },
        "required": ["score", "part"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 2}',
        'Sure:\n```json\n{"score": 2}\n```',
        'I say {"score": 2}, for good reasons {}.',
        '\n {"score":2.0}',
    ],
)
def test_words_and_fences_around_the_object_are_passed_over(text):
    assert read(text) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("two", "no JSON object"),
        ('{"score": 2', "no complete JSON object"),
        ('{"score": 4}', "score: Input should be 1, 2 or 3"),
        ("{}", "score: Field required"),
        ('{"score": 2, "part": {"note": "too long"}}', "part.note: "),
        ('{"a":' * 30_000, "no complete JSON object"),
        ("{" + " " * LONGEST_REPLY, "at most 200000 are read"),
    ],
)
def test_anything_else_is_one_line(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_no_text_raises_anything_but_a_value_error(text):
    with contextlib.suppress(ValueError):
        read(text)


def test_a_reply_that_does_not_parse_is_asked_for_again_with_the_error():
    client, meter = ScriptedClient(["four", '{"score": 4}', '{"score": 3}']), Meter()
    assert Asker(client, meter).ask(ASK, read) == 3
    first, second, third = (request.messages for request in client.requests)
    assert first == ASK.messages
    assert [message.role for message in second] == ["user", "assistant", "user"]
    assert second[1].text == "four"
    assert "no JSON object" in second[2].text
    assert "Input should be 1, 2 or 3" in third[-1].text
    assert len(third) == 3
    used = meter.take()
    assert (used.requests, used.unparsed) == (3, 2)


def test_after_two_repetitions_it_gives_up_and_says_why():
    client, meter = ScriptedClient(["a", "b", "c", "d"]), Meter()
    with pytest.raises(ReplyError, match="no usable reply in 3 attempts; the last: the reply holds no JSON object"):
        Asker(client, meter).ask(ASK, read)
    assert len(client.requests) == 3
    used = meter.take()
    assert (used.requests, used.unparsed, used.unanswered) == (3, 3, 1)


def test_a_reply_cut_off_or_withheld_is_told_so():
    client = ScriptedClient([ChatReply('{"sc', finish_reason="length"), ChatReply("", finish_reason="refusal")])
    with pytest.raises(TransientModelError):
        Asker(client).ask(ASK, read)
    assert "cut off at its token limit" in client.requests[1].messages[-1].text
    assert "ended by refusal" in client.requests[2].messages[-1].text
    (again,) = client.requests[2].messages  # no reply to show, and two questions in a row some models refuse
    assert again.text.startswith(ASK.messages[0].text)


def test_what_is_no_reply_at_all_is_asked_for_again_as_it_was():
    client, meter = ScriptedClient([ReplyError("garbage"), '{"score": 1}']), Meter()
    assert Asker(client, meter).ask(ASK, read) == 1
    assert client.requests[1] == ASK
    assert meter.take().unparsed == 1


def with_room_for(characters, answer):
    """A model whose context holds so many characters."""

    def reply(request):
        length = sum(len(message.text) for message in request.messages)
        return ContextOverflowError("full") if length > characters else answer(request)

    return ScriptedClient(reply)


def test_a_correction_without_room_is_sent_without_the_reply_it_corrects():
    client = with_room_for(300, lambda request: "no" * 500 if request == ASK else '{"score": 2}')
    meter = Meter()
    assert Asker(client, meter).ask(ASK, read) == 2
    first, quoted, alone = (request.messages for request in client.requests)
    assert first == ASK.messages
    assert quoted[1].text == "no" * 500
    assert [message.role for message in alone] == ["user"]
    assert alone[0].text.startswith("Score?")
    assert "could not be used: the reply holds no JSON object" in alone[0].text
    assert meter.take().unparsed == 1


def test_no_room_to_ask_again_is_a_reply_of_no_use_and_no_overflow():
    client, meter = with_room_for(50, lambda _: "no"), Meter()
    with pytest.raises(ReplyError, match="no room to ask again; the last: the reply holds no JSON object"):
        Asker(client, meter).ask(ASK, read)
    assert len(client.requests) == 3
    used = meter.take()
    assert (used.requests, used.unparsed, used.unanswered) == (1, 1, 1)


def test_a_question_without_room_is_an_overflow():
    with pytest.raises(ContextOverflowError):
        Asker(with_room_for(5, lambda _: "")).ask(ASK, read)
    client = ScriptedClient([ReplyError("garbage"), ContextOverflowError("full")])
    with pytest.raises(ContextOverflowError):
        Asker(client).ask(ASK, read)


def test_a_failing_client_is_not_asked_again():
    client = ScriptedClient([TransientModelError("down"), '{"score": 1}'])
    with pytest.raises(TransientModelError):
        Asker(client).ask(ASK, read)
    assert len(client.requests) == 1


def test_scripted_usage_counts_words():
    assert ScriptedClient(["a b c"]).complete(ASK).usage == Usage(1, 0, 1, 3)
