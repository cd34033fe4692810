"""Our client, prompts and schemas against a real vLLM server; see ``tests/support/vllm_fixtures.py``."""

import io
import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from PIL import Image
from tiny_models import VOCABULARY
from vllm_server import CONTEXT

from siturec_gym.core.errors import ContextOverflowError, DeterministicModelError
from siturec_gym.evaluation.environments import make_env
from siturec_gym.judges.llm_conversation import ConversationReply
from siturec_gym.judges.llm_moderator import ModeratorReply
from siturec_gym.llm import ChatRequest, Decoding, ImagePart, Message, ScriptedClient
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.openai_client import OpenAIClient
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.turn import ask_turn
from siturec_gym.llm.structured import Asker, json_schema
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.policies.llm.sample import sample_schemas
from siturec_gym.users import make_user
from siturec_gym.users.llm import LLMUser

pytestmark = pytest.mark.vllm

AT_ONCE = 64
FORM = {
    "type": "object",
    "properties": {"word": {"type": "string", "pattern": "^[a-z]{1,12}$"}, "sure": {"type": "boolean"}},
    "required": ["word", "sure"],
    "additionalProperties": False,
}
GREEDY = Decoding(max_tokens=40)
TOLD = {"logprobs": True, "return_token_ids": True}


@pytest.fixture
def client_of(vllm):
    def make(kind: str, model: str | None = None) -> OpenAIClient:
        return OpenAIClient(model or kind, Endpoint(vllm(kind).url, concurrency=AT_ONCE, timeout_s=300.0))

    return make


@pytest.fixture(scope="module")
def turn_requests():
    """What an assistant and a user are asked in their fourth turn of the Supermarket, after scripted ones."""
    env = make_env("SituRec-Supermarket-v0", images=True, som=True, image_size=(320, 240), preset="vlm")
    env.reset(seed=1)
    scripted = {"assistant": make_assistant("heuristic"), "user": make_user("agenda")}
    states = {role: policy.initial_state(1) for role, policy in scripted.items()}
    settings = RoleSettings(Decoding(temperature=1.0, max_tokens=1024), utterance_chars=80, reason_chars=40)
    asked = [cls(Asker(ScriptedClient([])), settings) for cls in (LLMAssistant, LLMUser)]
    requests = []
    for number, role in zip(range(8), env.agent_iter(), strict=False):
        observation = env.last()[0]
        if number >= 6:
            policy = asked[number - 6]
            requests.append(policy.request(observation, policy.initial_state(1)))
        action, states[role] = scripted[role].step(observation, states[role])
        env.step(env.encode_action(role, action))
    return requests


def png(seed: int, width: int = 280, height: int = 224) -> ImagePart:
    """A picture of coloured squares, drawn from the seed."""
    squares = np.random.default_rng(seed).integers(0, 256, (8, 10, 3), dtype=np.uint8)
    content = io.BytesIO()
    Image.fromarray(squares).resize((width, height), Image.Resampling.NEAREST).save(content, "PNG")
    return ImagePart(content.getvalue())


def ask(*parts, decoding: Decoding = GREEDY, schema=FORM) -> ChatRequest:
    return ChatRequest((Message.of("system", "Answer in JSON."), Message.of("user", *parts)), decoding, schema)


@pytest.mark.parametrize("kind", ["text", "vision"])
def test_64_replies_at_once_keep_to_the_schemas_of_a_turn(client_of, turn_requests, kind):
    """At temperature 1 a random model writes anything the schema allows: guidance with text, xgrammar with images."""
    client = client_of(kind)
    requests = turn_requests if kind == "vision" else [text_alone(request) for request in turn_requests]
    requests = [requests[number % 2] for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        replies = list(pool.map(client.complete, requests))
    assert {reply.finish_reason for reply in replies} == {"stop"}
    for request, reply in zip(requests, replies, strict=True):
        jsonschema.validate(json.loads(reply.text), request.schema)
    assert len({reply.text for reply in replies}) == AT_ONCE


@pytest.mark.parametrize("kind", ["text", "vision"])
def test_every_role_at_its_usual_lengths_is_held_to_its_schema(client_of, kind):
    """Texts of hundreds of characters too, which not every backend takes in one run."""
    schemas = [json_schema(ModeratorReply), json_schema(ConversationReply), *sample_schemas(RoleSettings())]
    client, decoding = client_of(kind), Decoding(temperature=1.0, max_tokens=4096)
    requests = [ask("Answer.", decoding=decoding, schema=schema) for schema in schemas]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for request, reply in zip(requests, pool.map(client.complete, requests), strict=True):
            jsonschema.validate(json.loads(reply.text), request.schema)


def text_alone(request: ChatRequest) -> ChatRequest:
    return replace(request, messages=tuple(Message.of(message.role, message.text) for message in request.messages))


def test_images_arrive_and_count(client_of):
    """Qwen2.5-VL cuts a picture into squares of 28 pixels, a token each, between two tokens that mark it."""
    client = client_of("vision")
    tokens = [client.complete(ask("Look: ", *images)).usage.prompt_tokens for images in
              ([], [png(1)], [png(1), png(2)], [png(1, 560, 448)])]  # fmt: skip
    assert [count - tokens[0] for count in tokens] == [0, 82, 164, 322]


def test_what_is_in_an_image_changes_the_reply(client_of):
    client, decoding = client_of("vision"), replace(GREEDY, extra=TOLD)
    first, again, other = (client.complete(ask("Look: ", png(seed), decoding=decoding)) for seed in (1, 1, 2))
    assert first.logprobs is not None
    assert first.logprobs == pytest.approx(again.logprobs, abs=1e-4)
    assert first.logprobs[:3] != pytest.approx(other.logprobs[:3], abs=1e-2)
    assert json.loads(first.text).keys() == {"word", "sure"}


@pytest.mark.parametrize("kind", ["text", "vision"])
def test_tokens_and_their_probabilities_come_back(client_of, kind):
    decoding = replace(GREEDY, max_tokens=12, extra=TOLD)
    reply = client_of(kind).complete(ask("Where is the milk?", decoding=decoding, schema=None))
    assert len(reply.token_ids) == len(reply.logprobs) == reply.usage.completion_tokens
    assert len(reply.prompt_token_ids) == reply.usage.prompt_tokens
    assert all(0 <= token < VOCABULARY for token in (*reply.token_ids, *reply.prompt_token_ids))
    assert all(-math.log(VOCABULARY) < logprob <= 0 for logprob in reply.logprobs)  # the likeliest of all tokens


def test_a_reply_follows_from_its_seed(client_of):
    client = client_of("text")
    drawn = [client.complete(ask("Hello?", decoding=Decoding(temperature=1.0, max_tokens=40, seed=seed))).text
             for seed in (1, 1, 2)]  # fmt: skip
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_server_tells_how_long_its_context_is(client_of):
    assert client_of("text").check() == CONTEXT


def test_an_unknown_model_is_refused_by_name(client_of):
    client = client_of("text", "another")
    with pytest.raises(DeterministicModelError, match=r"127\.0\.0\.1.*does not serve 'another'; it serves text"):
        client.check()
    with pytest.raises(DeterministicModelError, match=r"answered 404: .*another"):
        client.complete(ask("Hello?"))


def test_a_prompt_longer_than_the_context_is_an_overflow(client_of):
    with pytest.raises(ContextOverflowError, match="maximum context length is 32768 tokens"):
        client_of("text").complete(ask(" shelf" * (CONTEXT + 1)))


def test_where_images_do_not_fit_the_oldest_goes(client_of):
    """Three pictures take 246 tokens; beside the text and a short reply there is room for two."""
    client = client_of("vision")
    room = CONTEXT - client.complete(ask("")).usage.prompt_tokens - 230
    request = ask(" shelf" * room, png(1), png(2), png(3))
    with pytest.raises(ContextOverflowError, match="exceeds model's maximum context length"):
        client.complete(request)
    asker = Asker(client)
    outcome = ask_turn(asker, request, json.loads, "user")
    assert outcome.value.keys() == {"word", "sure"}
    assert CONTEXT - 82 < asker.meter.take().prompt_tokens < CONTEXT
