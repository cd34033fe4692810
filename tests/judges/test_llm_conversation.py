"""The judge that is a model: what it reads, how its reply is read, what becomes of replies that cannot be (S23)."""

import json

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import ContextOverflowError, TransientModelError
from siturec_gym.judges import llm_conversation as llm
from siturec_gym.judges.choice import make_judge
from siturec_gym.judges.judgment import DIMENSIONS, from_line, to_line
from siturec_gym.llm import ChatReply, Decoding, ScriptedClient
from siturec_gym.llm.meter import Meter, Price

SCORES = {
    "informativeness": 5, "naturalness": 4, "groundedness": 3, "preference_alignment": 2, "proactiveness": 1,
    "non_repetition": 5, "overall_satisfaction": 4,
}  # fmt: skip
REPLY = json.dumps({"rationale": "Turn 3 decided."} | SCORES)


def test_scales_come_first_and_the_record_follows(good):
    system, record = llm.build_messages(good)
    assert (system.role, record.role) == ("system", "user")
    assert all(f"{name}:" in system.text for name in DIMENSIONS)
    assert good.dialogue() in record.text
    assert good.evidence() in record.text
    assert good.shopper() in record.text
    assert "$" not in record.text.replace("$1.49", "").replace("$3", "").replace("$0", "")


def test_what_is_filled_in_is_taken_as_it_is(tell):
    told = tell([("Only $dialogue and ${shopper} for $5!", "Ha.", ToolCall("idle"))])
    assert "Only $dialogue and ${shopper} for $5!" in llm.build_messages(told)[1].text


def test_a_reply_gives_a_score_for_every_dimension():
    scores, comment = llm.parse_reply(REPLY)
    assert scores == dict(zip(DIMENSIONS, SCORES.values(), strict=True))
    assert comment == "Turn 3 decided."


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "empty"),
        (REPLY.replace("4", "6"), "naturalness: Input should be 1, 2, 3, 4 or 5"),
        (json.dumps(SCORES | {"rationale": "x", "groundedness": "3"}), "groundedness"),
        (json.dumps(SCORES), "rationale: Field required"),
    ],
)
def test_anything_else_is_no_score(reply, message):
    with pytest.raises(ValueError, match=message):
        llm.parse_reply(reply)


def test_the_judgment_carries_name_hash_and_usage(good):
    client = ScriptedClient([REPLY], model="tiny")
    judge = llm.LLMConversationJudge(client, meter=Meter(Price(prompt=0, completion=1e6)))
    judgment = judge.judge(good)
    assert (judgment.judge, judgment.status, judgment.task, judgment.trial) == ("llm:tiny", "scored", "tiny/01.1", 0)
    assert judgment.prompt_hash == judge.prompt_hash
    assert judgment.usage["requests"] == 1
    assert judgment.usage["cost_usd"] == len(REPLY.split())
    (request,) = client.requests
    assert (request.seed, request.trial) == (5, 0)
    assert request.schema["required"][0] == "rationale"


def test_a_bad_reply_is_asked_for_twice_more_then_unscored_with_a_reason(good):
    client = ScriptedClient(["five stars"] * 3)
    judgment = llm.LLMConversationJudge(client).judge(good)
    assert (judgment.status, judgment.scores) == ("unscored", {})
    assert judgment.reason == "parse: no usable reply in 3 attempts; the last: the reply holds no JSON object"
    assert (judgment.usage["unparsed"], judgment.usage["unanswered"]) == (3, 1)
    again = llm.LLMConversationJudge(ScriptedClient(["five stars", REPLY])).judge(good)
    assert (again.status, again.usage["unparsed"]) == ("scored", 1)


def test_a_record_longer_than_the_context_is_unscored(good):
    judgment = llm.LLMConversationJudge(ScriptedClient([ContextOverflowError("too long")])).judge(good)
    assert (judgment.status, judgment.reason) == ("unscored", "overflow: too long")


@pytest.mark.parametrize(("last", "status"), [(REPLY, "scored"), ("?", "unscored")])
def test_what_it_thought_before_its_reply_stands_beside_its_scores(good, last, status):
    client = ScriptedClient([ChatReply("?", "One."), ChatReply("?", "Two."), ChatReply(last, "Three.")])
    judgment = llm.LLMConversationJudge(client).judge(good)
    assert (judgment.status, judgment.reasoning) == (status, "Three.")
    assert from_line(to_line(judgment)) == judgment
    assert not any("One." in message.text for request in client.requests for message in request.messages)


def test_a_judgment_of_before_has_no_reasoning(good):
    line = json.loads(to_line(llm.LLMConversationJudge(ScriptedClient([REPLY])).judge(good)))
    assert line.pop("reasoning") == ""
    assert from_line(json.dumps(line)).reasoning == ""


def test_an_endpoint_that_is_down_says_nothing_about_the_episode(good):
    with pytest.raises(TransientModelError):
        llm.LLMConversationJudge(ScriptedClient([TransientModelError("down")])).judge(good)


def test_the_hash_changes_with_prompt_and_decoding(monkeypatch):
    judge = llm.LLMConversationJudge(ScriptedClient([]))
    warmer = llm.LLMConversationJudge(ScriptedClient([]), Decoding(temperature=1.0))
    assert judge.prompt_hash == llm.describe()["prompt_hash"] != warmer.prompt_hash
    monkeypatch.setattr("siturec_gym.llm.templates.Templates.text", lambda self, name: "other words")
    assert llm.LLMConversationJudge(ScriptedClient([])).prompt_hash != judge.prompt_hash


@pytest.mark.parametrize(("name", "label"), [("offline", "tiny"), ("llm:tiny", "tiny"), ("hf:models/x", "hf:models/x")])
def test_judges_are_made_by_name(name, label):
    assert make_judge(name, ScriptedClient([], label)).name == name


@pytest.mark.parametrize("name", ["", "gpt", "offline:1"])
def test_other_names_are_one_clear_line(name):
    with pytest.raises(ValueError, match=r"unknown judge .*; choose offline, llm:MODEL or hf:PATH"):
        make_judge(name, ScriptedClient([]))


def test_a_judges_model_needs_a_name():
    with pytest.raises(ValueError, match="'llm:' names no model"):
        make_judge("llm:", ScriptedClient([]))
