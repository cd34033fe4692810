"""Client of any server that speaks OpenAI's chat completions: vLLM, a hosted service, a proxy."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from siturec_gym.core.errors import DeterministicModelError, ModelError, ReplyError, TransientModelError
from siturec_gym.llm.chat_form import read_reply, request_body
from siturec_gym.llm.connection import Connections, Trip, through
from siturec_gym.llm.endpoint import Endpoint, public_url
from siturec_gym.llm.gate import gate_of
from siturec_gym.llm.key import Key
from siturec_gym.llm.messages import ChatReply, ChatRequest
from siturec_gym.llm.refusal import QUOTED, refusal
from siturec_gym.llm.retry import with_retries
from siturec_gym.llm.sampling import chance_of

LARGEST_BODY = 8 << 20
LARGEST_REFUSAL = 64 << 10
LONGEST_PAUSE_S = 60.0
STALE_CONNECTIONS = 3
"""How often in a row a request is sent again at once because a kept connection was closed under it."""
_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"
_CONTEXT_FIELDS = ("max_model_len", "context_length", "max_context_length")
Result = TypeVar("Result")


class OpenAIClient:
    """Asks one model at one endpoint. Threads may share it.

    Every failure has a type: what may pass is tried again with growing, jittered waits; what will not is raised at
    once. Messages name the endpoint and never hold the key.

    Args:
        model: Name of the model as the endpoint knows it.
        endpoint: Where it is served.

    Raises:
        DeterministicModelError: The package ``openai`` is not installed, or the key or the environment's proxy cannot
            be used.
    """

    def __init__(self, model: str, endpoint: Endpoint | None = None) -> None:
        self._model = model
        self._endpoint = endpoint or Endpoint()
        self._url = public_url(self._endpoint.url)
        self._key = Key.read(self._endpoint.key_variable)
        self._limit = _LIMIT
        self._gate = gate_of(self._endpoint)
        self._openai = _import_openai()
        self._connections = Connections(self._openai, self._endpoint, self._refuse)
        self._api = self._openai.OpenAI(
            api_key=self._key.value, base_url=self._endpoint.url, max_retries=0, http_client=self._connections.http
        )

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply; see ``ChatClient.complete`` for what is raised."""
        body = request_body(self._model, request)
        sent: list[Trip] = []

        def attempt() -> ChatReply:
            return read_reply(self._attempt(body, sent), self._url)

        retries = replace(self._endpoint.retries, attempts=1) if self._gate.lost else self._endpoint.retries
        try:
            reply = with_retries(attempt, retries, lambda: chance_of(self._model, request, "backoff"))
        except TransientModelError:
            self._gate.lost = True
            raise
        self._gate.lost = False
        return replace(reply, usage=replace(reply.usage, retries=len(sent) - 1))

    def check(self) -> int | None:
        """Ask the endpoint once which models it serves.

        Returns:
            Tokens of the model's context, where the endpoint tells them.

        Raises:
            TransientModelError: It cannot be reached.
            DeterministicModelError: It does not serve the model, or refuses the key.
        """
        listing = self._api.models.with_streaming_response.list
        try:
            served = _listed(self._exchanged(listing, []))
        except ReplyError:
            return None
        except DeterministicModelError as error:
            if "answered 404" in str(error):
                return None  # an endpoint need not list its models
            raise
        if served and self._model not in served:
            names = ", ".join(list(served)[:10])
            raise DeterministicModelError(f"{self._url} does not serve {self._model!r}; it serves {names}")
        told = (served.get(self._model, {}).get(name) for name in _CONTEXT_FIELDS)
        return next((length for length in told if type(length) is int and length > 0), None)

    def _attempt(self, body: Mapping[str, Any], sent: list[Trip]) -> bytes:
        """The body of the reply to one request, which is sent again at once where only its connection was stale."""
        with self._gate.passing():
            try:
                return self._sent_limited(body, sent)
            except TransientModelError as error:
                if error.retry_after_s:
                    self._gate.close_for(min(error.retry_after_s, LONGEST_PAUSE_S))
                raise

    def _sent_limited(self, body: Mapping[str, Any], sent: list[Trip]) -> bytes:
        """Send a request with the limit of its reply under the name that the endpoint takes.

        Every server takes ``max_tokens``, but for some hosted models, which refuse it and name the newer word.
        """
        limit = self._limit
        try:
            return self._sent(_renamed(body, limit), sent)
        except DeterministicModelError as error:
            if limit == _NEW_LIMIT or not (_LIMIT in body and _NEW_LIMIT in str(error)):
                raise
        self._limit = _NEW_LIMIT
        sent.pop()  # it was no failure
        return self._sent(_renamed(body, _NEW_LIMIT), sent)

    def _sent(self, body: Mapping[str, Any], sent: list[Trip]) -> bytes:
        # The package copies and checks messages part by part; as an extra they go out as they are.
        extra = {name: value for name, value in body.items() if name != "model"}
        create = self._api.chat.completions.with_streaming_response.create
        for _ in range(STALE_CONNECTIONS):
            try:
                return self._exchanged(lambda: create(model=body["model"], messages=[], extra_body=extra), sent)
            except _StaleConnectionError:
                continue
        return self._exchanged(lambda: create(model=body["model"], messages=[], extra_body=extra), sent)

    def _exchanged(self, call: Callable[[], Any], sent: list[Trip]) -> bytes:
        """The whole body of what the endpoint answers, without the key; a failure as one of ours."""
        with self._connections.request() as trip:
            sent.append(trip)
            with self._translating(trip), call() as response:
                content = self._read(response, trip.deadline, LARGEST_BODY)
        if len(content) > LARGEST_BODY:
            raise ReplyError(f"{self._url} sent a reply of more than {LARGEST_BODY >> 20} MB")
        return self._key.hidden_in_bytes(content)
