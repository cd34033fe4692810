"""One turn of a model: asked again with the error, invalid at last, and pictures that go when the endpoint says so."""

import pytest

from siturec_gym.core.errors import ContextOverflowError, DeterministicModelError, TransientModelError
from siturec_gym.core.policy import Remarks
from siturec_gym.llm import ChatReply, ChatRequest, ImagePart, Message, ScriptedClient
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.roles.turn import ask_turn
from siturec_gym.llm.structured import Asker

REQUEST = ChatRequest((Message.of("user", "a", ImagePart(b"1"), ImagePart(b"2")),), seed=3)


def number(text):
    if not text.isdigit():
        raise ValueError(f"{text!r} is no number")
    return int(text)


def asked(answers, meter=None):
    client = ScriptedClient(answers)
    return ask_turn(Asker(client, meter), REQUEST, number, "user"), client


def test_the_reasoning_before_the_reply_is_kept_apart():
    outcome, _ = asked([ChatReply("5", reasoning="hm")])
    assert (outcome.value, outcome.remarks) == (5, Remarks(reasoning="hm"))


def test_a_reply_of_no_use_is_asked_for_again_with_what_was_wrong():
    outcome, client = asked([ChatReply("five", reasoning="first"), ChatReply("5", reasoning="second")])
    assert (outcome.value, outcome.remarks) == (5, Remarks(reasoning="second"))
    said, correction = client.requests[1].messages[-2:]
    assert (said.role, said.text) == ("assistant", "five")
    assert "'five' is no number" in correction.text


def test_three_replies_of_no_use_are_an_invalid_turn():
    meter = Meter()
    outcome, client = asked(["x", "", ChatReply("z", reasoning="hm")], meter)
    assert (outcome.value, outcome.remarks) == (None, Remarks(("user_invalid_reply",), "hm"))
    assert len(client.requests) == 3
    assert (meter.take().unanswered) == 1


def test_a_refusal_is_named_to_the_model():
    _, client = asked([ChatReply("", finish_reason="refusal"), "5"])
    assert "(the reply ended by refusal)" in client.requests[1].messages[-1].text


def test_where_the_endpoint_has_no_room_the_oldest_pictures_go():
    outcome, client = asked([ContextOverflowError("full"), ContextOverflowError("full"), "5"])
    assert outcome.value == 5
    sent = [[part.data for part in r.messages[0].parts if isinstance(part, ImagePart)] for r in client.requests]
    assert sent == [[b"1", b"2"], [b"2"], []]


def test_text_that_the_endpoint_has_no_room_for_is_an_overflow():
    with pytest.raises(ContextOverflowError, match="full"):
        asked([ContextOverflowError("full")] * 3)


@pytest.mark.parametrize("error", [TransientModelError("down"), DeterministicModelError("no such model")])
def test_other_failures_are_raised(error):
    with pytest.raises(type(error), match=str(error)):
        asked([error])
