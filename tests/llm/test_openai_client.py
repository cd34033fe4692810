"""The client against a real server on this machine: what is sent, what comes back, and every way it can fail."""

import json
import socket
import threading
import time
from dataclasses import replace

import pytest
from file_server import Answer, FileServer

from siturec_gym.core.errors import (
    ContextOverflowError,
    DeterministicModelError,
    ModelError,
    ReplyError,
    TransientModelError,
)
from siturec_gym.llm import ChatRequest, Decoding, ImagePart, Message, Usage, openai_client
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.exchange import LARGEST_BODY
from siturec_gym.llm.openai_client import OpenAIClient
from siturec_gym.llm.retry import Retries

ASK = ChatRequest((Message.of("system", "Be brief."), Message.of("user", "Hello?")))
ONCE = Retries(attempts=1)
COUNTED = b'{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": %s}}'


def test_text_settings_and_schema_are_sent_as_the_protocol_has_them(server, make_client):
    schema = {"type": "object", "properties": {}}
    decoding = Decoding(temperature=0.5, top_p=0.9, max_tokens=7, seed=3, extra={"top_k": 5})
    reply = make_client().complete(ChatRequest(ASK.messages, decoding, schema))
    (body,) = server.bodies
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}]
    sent = {name: body[name] for name in ("model", "temperature", "top_p", "max_tokens", "top_k")}
    assert sent == {"model": "tiny", "temperature": 0.5, "top_p": 0.9, "max_tokens": 7, "top_k": 5}
    form = {"name": "reply", "schema": schema, "strict": True}
    assert body["response_format"] == {"type": "json_schema", "json_schema": form}
    assert (reply.text, reply.finish_reason) == ("hello", "stop")
    assert reply.usage == Usage(requests=1, prompt_tokens=11, completion_tokens=3)


def test_images_go_as_data_urls_in_their_place(server, make_client):
    make_client().complete(ChatRequest((Message.of("user", "Look:", ImagePart(b"\x89PNG"), "what is it?"),)))
    parts = server.bodies[0]["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url", "text"]
    assert parts[1]["image_url"]["url"] == "data:image/png;base64,iVBORw=="


def test_tokens_and_their_probabilities_come_back_where_asked_for(server, make_client, body_of):
    answer = body_of("yes") | {"prompt_token_ids": [1, 2]}
    answer["choices"][0] |= {"token_ids": [7], "logprobs": {"content": [{"token": "yes", "logprob": -0.25}]}}
    server.script = lambda number, body: answer if number else "yes"
    client = make_client()
    plain, told = client.complete(ASK), client.complete(ASK)
    assert (plain.token_ids, plain.logprobs, plain.prompt_token_ids) == (None, None, None)
    assert (told.token_ids, told.logprobs, told.prompt_token_ids) == ((7,), (-0.25,), (1, 2))


@pytest.mark.parametrize("drawn", [{"token_ids": ["x"]}, {"token_ids": 7}, {"logprobs": {"content": [{}]}}])
def test_tokens_that_are_none_are_no_chat_completion(server, make_client, body_of, drawn):
    answer = body_of("yes")
    answer["choices"][0] |= drawn
    server.script = lambda number, body: answer
    with pytest.raises(TransientModelError, match="no chat completion"):
        make_client(retries=ONCE).complete(ASK)


@pytest.mark.parametrize(
    "message",
    [
        {"content": "<think>hm</think>\nyes"},
        {"content": "hm</think>yes"},
        {"content": "yes", "reasoning_content": "hm"},
        {"content": "yes", "reasoning": "hm"},
    ],
)
def test_reasoning_is_kept_apart(server, make_client, body_of, message):
    server.script = lambda number, body: body_of(None, **message)
    reply = make_client().complete(ASK)
    assert (reply.text, reply.reasoning) == ("yes", "hm")


@pytest.mark.parametrize(
    "fault",
    ["reset", "half", (500, b"oops", {}), (503, b'{"error":{"message":"busy"}}', {}), (408, b"", {}), (429, b"", {})],
)
def test_what_passes_is_tried_again(server, make_client, fault):
    server.script = lambda number, body: fault if number < 2 else "at last"
    assert make_client().complete(ASK).text == "at last"
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ((500, b"oops", {}), TransientModelError, "answered 500"),
        ("reset", TransientModelError, "cannot be reached"),
        ("half", TransientModelError, "broke off its reply"),
        ((400, b'{"error":{"message":"bad field"}}', {}), DeterministicModelError, "answered 400: .*bad field"),
        ((401, b'{"error":{"message":"who are you"}}', {}), DeterministicModelError, "answered 401"),
        ((404, b'{"error":{"message":"no model"}}', {}), DeterministicModelError, "answered 404"),
        (
            (429, b'{"error":{"message":"pay first","code":"insufficient_quota"}}', {}),
            DeterministicModelError,
            "pay first",
        ),
        (
            (400, b'{"error":{"message":"This model\'s maximum context length is 1024 tokens"}}', {}),
            ContextOverflowError,
            "maximum context length is 1024",
        ),
        ((413, b"", {}), ContextOverflowError, "answered 413"),
        (b'{"choices": [', TransientModelError, "no chat completion"),
        (b"\xff\xfe\xfa", TransientModelError, "UnicodeDecodeError"),
        (b"[" * 100_000, TransientModelError, "no chat completion"),
        ({"choices": []}, TransientModelError, "no chat completion"),
        ({"choices": [{"message": {"content": ["x"]}}]}, TransientModelError, "content is no text"),
        (COUNTED % b'"many"', TransientModelError, "many"),
        (COUNTED % b"1e999", TransientModelError, "infinity"),
        (COUNTED % b"-1", TransientModelError, "usage of -1"),
        ({"error": {"message": "gone", "code": 502}}, TransientModelError, "answered 502: gone"),
        ({"error": {"message": "no such key", "code": 401}}, DeterministicModelError, "answered 401: no such key"),
        ({"error": "odd"}, TransientModelError, "answered 502: .*odd"),
        (b" " * (LARGEST_BODY + 1), ReplyError, "more than 8 MB"),
    ],
)  # fmt: skip
def test_every_fault_has_its_type_and_one_line_with_the_address(server, make_client, answer, kind, words):
    server.script = lambda number, body: answer
    with pytest.raises(kind, match=words) as caught:
        make_client(retries=ONCE).complete(ASK)
    assert server.url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_kinds_have_names_for_records():
    kinds = [TransientModelError, DeterministicModelError, ReplyError, ContextOverflowError]
    assert [kind.kind for kind in kinds] == ["transient", "deterministic", "parse", "overflow"]


def test_what_is_refused_is_not_tried_again(server, make_client):
    server.script = lambda number, body: (400, b"", {})
    with pytest.raises(DeterministicModelError):
        make_client().complete(ASK)
    assert len(server.bodies) == 1


def test_an_empty_reply_and_a_refusal_are_replies(server, make_client, body_of):
    answers = [body_of(None), body_of(None, refusal="I may not."), body_of("", "content_filter")]
    server.script = lambda number, body: answers[number]
    client = make_client()
    replies = [client.complete(ASK) for _ in answers]
    assert [reply.text for reply in replies] == ["", "", ""]
    assert [reply.finish_reason for reply in replies] == ["stop", "refusal", "content_filter"]


def test_a_server_that_hangs_is_left_after_the_timeout(server, make_client):
    server.script = lambda number, body: 3.0
    begun = time.monotonic()
    with pytest.raises(TransientModelError, match=r"no answer within 0.3 s \(1 attempt\)"):
        make_client(timeout_s=0.3, retries=ONCE).complete(ASK)
    assert time.monotonic() - begun < 2.0


def test_a_server_that_dribbles_is_left_after_the_timeout(make_client):
    """Each byte comes in time; the whole never does."""
    listener = socket.create_server(("127.0.0.1", 0))

    def dribble():
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n")
        for _ in range(100):
            try:
                connection.sendall(b" ")
            except OSError:
                return
            time.sleep(0.05)

    threading.Thread(target=dribble, daemon=True).start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    with pytest.raises(TransientModelError, match=r"more than 0\.4 s to reply"):
        make_client(url=url, timeout_s=0.4, retries=ONCE).complete(ASK)
    listener.close()


def test_a_dead_server_is_named_within_its_patience(make_client):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    client = make_client(url=url)
    begun = time.monotonic()
    for call in (client.check, lambda: client.complete(ASK)):
        with pytest.raises(TransientModelError, match=f"{url} cannot be reached: .*refused"):
            call()
    assert time.monotonic() - begun < 3.0


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(server, make_client):
    times = []

    def script(number, body):
        times.append(time.monotonic())
        return (429, b"", {"Retry-After": "0.5"}) if number == 0 else "hello"

    server.script = script
    make_client().complete(ASK)
    assert times[1] - times[0] >= 0.5


def test_a_pause_holds_for_every_client_of_the_endpoint(server, make_client):
    """While the endpoint asks one caller to wait, no other calls it."""
    times = []

    def script(number, body):
        times.append(time.monotonic())
        return (429, b"", {"Retry-After": "0.4"}) if number == 0 else "hello"

    server.script = script
    first = threading.Thread(target=make_client().complete, args=(ASK,))
    first.start()
    while not times:
        time.sleep(0.01)
    time.sleep(0.1)
    make_client().complete(ASK)
    first.join()
    assert min(times[1:]) - times[0] >= 0.4


def test_a_pause_that_is_too_long_holds_only_who_was_asked_for_it(server, make_client, monkeypatch):
    monkeypatch.setattr(openai_client, "LONGEST_PAUSE_S", 0.2)
    server.script = lambda number, body: (429, b"", {"Retry-After": "30"}) if number == 0 else "hello"
    with pytest.raises(TransientModelError):
        make_client(retries=ONCE).complete(ASK)
    begun = time.monotonic()
    make_client(retries=ONCE).complete(ASK)
    assert 0.1 < time.monotonic() - begun < 5.0


def test_each_request_waits_by_a_chance_of_its_own(make_client, monkeypatch):
    drawn = []

    def attempt_once(attempt, retries, chance):
        drawn.append(float(chance().random()))
        return attempt()

    monkeypatch.setattr(openai_client, "with_retries", attempt_once)
    for request in (ASK, ASK, replace(ASK, trial=1), replace(ASK, seed=1)):
        make_client().complete(request)
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3


def test_no_more_requests_are_underway_than_the_endpoint_allows(server, make_client):
    server.script = lambda number, body: 0.05
    clients = [make_client(concurrency=3) for _ in range(4)]
    threads = [threading.Thread(target=client.complete, args=(ASK,)) for client in clients * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.bodies) == 12
    assert server.most_underway == 3


def test_the_key_is_sent_and_never_told(server, make_client, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123")
    server.script = lambda number, body: (
        401,
        json.dumps({"error": {"message": "key sk-secret-123 is bad"}}).encode(),
        {},
    )
    client = make_client()
    with pytest.raises(DeterministicModelError) as caught:
        client.complete(ASK)
    assert server.headers[0]["authorization"] == "Bearer sk-secret-123"
    assert "sk-secret" not in str(caught.value)
    assert "***" in str(caught.value)


def test_check_finds_a_model_that_is_not_served(server):
    with pytest.raises(DeterministicModelError, match="does not serve 'large'; it serves tiny"):
        OpenAIClient("large", Endpoint(server.url)).check()
    OpenAIClient("tiny", Endpoint(server.url)).check()


def test_check_asks_an_endpoint_that_lists_no_models_the_shortest_question(server):
    server.models = None
    assert OpenAIClient("large", Endpoint(server.url)).check() is None
    assert [(body["model"], body["max_tokens"]) for body in server.bodies] == [("large", 1)]
    server.script = lambda number, body: (404, b'{"detail": "Not Found"}', {})
    with pytest.raises(
        DeterministicModelError, match="answered 404: Not Found; the addresses of most servers end in /v1"
    ):
        OpenAIClient("large", Endpoint(server.url.removesuffix("/v1"))).check()


def test_a_refusal_that_speaks_of_another_404_is_a_refusal(server):
    server.models = None
    server.script = lambda number, body: (403, b'{"message": "the directory answered 404"}', {})
    with pytest.raises(DeterministicModelError, match=r"answered 403: the directory answered 404$") as caught:
        OpenAIClient("large", Endpoint(server.url)).check()
    assert caught.value.status == 403


def test_a_list_that_is_refused_is_not_taken_for_one_that_is_not_there():
    lists = FileServer(lambda _: Answer(b'{"message": "the directory answered 404"}', status=401))
    with pytest.raises(DeterministicModelError, match=r"answered 401: the directory answered 404$"):
        OpenAIClient("large", Endpoint(lists.url)).check()
    lists.stop()


def test_many_threads_and_faults_lose_no_request(server, make_client):
    """Every request is answered by its own reply, whatever happens around it."""
    faults = {1: "reset", 3: (500, b"", {}), 5: "half", 7: (429, b"", {})}
    server.script = lambda number, body: faults.get(number % 11, body["messages"][0]["content"])
    client = make_client(retries=Retries(attempts=30, first_wait_s=0.001, longest_wait_s=0.01))
    answers = {}

    def ask(number):
        answers[number] = client.complete(ChatRequest((Message.of("user", f"question {number}"),), seed=number)).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"question {number}" for number in range(60)}


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(ModelError, match=r"pip install 'siturec-gym\[llm\]'"):
        OpenAIClient("tiny", Endpoint("http://127.0.0.1:1/v1"))


NEWER = b'{"error": {"message": "Unsupported parameter: \'max_tokens\'. Use \'max_completion_tokens\' instead."}}'


def test_models_that_know_the_reply_limit_by_its_newer_name_get_it_so(server, make_client):
    server.script = lambda number, body: (400, NEWER, {}) if "max_tokens" in body else "hello"
    client = make_client()
    assert [client.complete(ASK).text for _ in range(2)] == ["hello"] * 2
    limits = [{name: value for name, value in body.items() if name.startswith("max_")} for body in server.bodies]
    assert limits == [{"max_tokens": 2048}, {"max_completion_tokens": 2048}, {"max_completion_tokens": 2048}]


def test_an_endpoint_that_takes_neither_name_is_refused_after_two_requests(server, make_client):
    server.script = lambda number, body: (400, NEWER, {})
    with pytest.raises(DeterministicModelError, match="Unsupported parameter"):
        make_client().complete(ASK)
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("described", "length"),
    [
        ({"max_model_len": 32768}, 32768),
        ({"context_length": 8192}, 8192),
        ({"max_model_len": "long"}, None),
        ({"max_model_len": 0}, None),
        ({}, None),
    ],
)
def test_check_tells_the_length_of_the_context_where_the_endpoint_does(server, described, length):
    server.described = described
    assert OpenAIClient("tiny", Endpoint(server.url)).check() == length


@pytest.mark.parametrize(
    ("told", "model"),
    [("tiny-2026\n[x]", "tiny-2026 [x]"), (None, ""), (7, ""), ("\ud83d", "?"), ("m" * 999, "m" * 200)],
)
def test_the_name_of_the_model_that_answered_is_one_short_line(server, make_client, body_of, told, model):
    server.script = lambda number, body: body_of("hello") | {"model": told}
    assert make_client().complete(ASK).model == model
