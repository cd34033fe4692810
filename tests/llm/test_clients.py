"""Clients by a model's name: the right kind, at the right address, looked at once."""

import json

import pytest

from siturec_gym.core.errors import DeterministicModelError
from siturec_gym.llm.clients import ModelFacts, look_at, make_asker, make_client
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.messages import ChatRequest, Message
from siturec_gym.llm.names import ModelName

TINY = ModelName("llm", "tiny")
ASK = ChatRequest((Message.of("user", "Hello?"),))


def test_a_served_model_is_asked_at_the_address_given_or_that_of_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert make_client(TINY, Endpoint(server.url)).complete(ASK).text == "hello"
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert make_client(TINY).complete(ASK).text == "hello"
    assert [body["model"] for body in server.bodies] == ["tiny", "tiny"]


@pytest.mark.parametrize("given", [True, False])
def test_an_asker_counts_what_its_model_takes(server, monkeypatch, given):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1" if given else server.url)
    server.script = lambda number, body: json.dumps({"n": number})
    asker = make_asker(TINY, server.url if given else None)
    assert [asker.ask(ASK, lambda text: json.loads(text)["n"]) for _ in range(2)] == [0, 1]
    assert asker.meter.take().requests == 2


def test_a_server_tells_of_a_model_no_more_than_its_context(server):
    assert look_at(TINY, Endpoint(server.url)) == ModelFacts()
    server.described = {"max_model_len": 4096}
    assert look_at(TINY, Endpoint(server.url)) == ModelFacts(context_tokens=4096)
    assert server.bodies == []


def test_what_is_not_there_is_told_by_its_address_or_folder(server, tmp_path):
    with pytest.raises(DeterministicModelError, match=f"{server.url} does not serve 'large'; it serves tiny"):
        look_at(ModelName("llm", "large"), Endpoint(server.url))
    folder = str(tmp_path / "no")
    with pytest.raises(DeterministicModelError, match=f"'{folder}' is no folder that holds a model"):
        look_at(ModelName("hf", folder))
