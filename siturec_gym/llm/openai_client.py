"""Client of any server that speaks OpenAI's chat completions: vLLM, a hosted service, a proxy."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from siturec_gym.core.errors import DeterministicModelError, ModelError, TransientModelError
from siturec_gym.llm.chat_form import read_reply, request_body
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.exchange import Exchange, Tally
from siturec_gym.llm.gate import gate_of
from siturec_gym.llm.messages import ChatReply, ChatRequest
from siturec_gym.llm.retry import with_retries
from siturec_gym.llm.sampling import chance_of

LONGEST_PAUSE_S = 60.0
_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"
_NOT_FOUND = 404
_CONTEXT_FIELDS = ("max_model_len", "context_length", "max_context_length")


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
        self._limit = _LIMIT
        self._gate = gate_of(self._endpoint)
        self._exchange = Exchange(self._endpoint)

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply; see ``ChatClient.complete`` for what is raised."""
        body, tally = request_body(self._model, request), Tally()

        def attempt() -> ChatReply:
            try:
                return read_reply(self._attempt(body, tally), self._exchange.url)
            except TransientModelError:
                tally.failures += 1
                raise

        retries = replace(self._endpoint.retries, attempts=1) if self._gate.lost else self._endpoint.retries
        try:
            reply = with_retries(attempt, retries, lambda: chance_of(self._model, request, "backoff"))
        except ModelError as error:
            error.url = self._exchange.url
            self._gate.lost |= isinstance(error, TransientModelError)
            raise
        self._gate.lost = False
        return replace(reply, usage=replace(reply.usage, retries=tally.failures))

    def check(self) -> int | None:
        """Ask the endpoint once which models it serves; one that lists none is asked the shortest question.

        Returns:
            Tokens of the model's context, where the endpoint tells them.

        Raises:
            TransientModelError: It cannot be reached.
            DeterministicModelError: It does not serve the model, or refuses the key.
        """
        try:
            served = _listed(self._exchange.models())
        except DeterministicModelError as error:
            if error.status != _NOT_FOUND:
                raise
            self._try_out()  # an endpoint need not list its models
            return None
        if served and self._model not in served:
            names = ", ".join(list(served)[:10])
            raise DeterministicModelError(f"{self._exchange.url} does not serve {self._model!r}; it serves {names}")
        told = (served.get(self._model, {}).get(name) for name in _CONTEXT_FIELDS)
        return next((length for length in told if type(length) is int and length > 0), None)

    def _try_out(self) -> None:
        body = {"model": self._model, "messages": [{"role": "user", "content": "Say yes."}], _LIMIT: 1}
        try:
            self._sent(body, Tally())
        except DeterministicModelError as error:
            if error.status != _NOT_FOUND:
                raise
            raise DeterministicModelError(f"{error}; the addresses of most servers end in /v1", error.status) from error

    def _attempt(self, body: Mapping[str, Any], tally: Tally) -> bytes:
        """One request; the body of its reply."""
        with self._gate.passing():
            try:
                return self._sent(body, tally)
            except TransientModelError as error:
                if error.retry_after_s:
                    self._gate.close_for(min(error.retry_after_s, LONGEST_PAUSE_S))
                raise

    def _sent(self, body: Mapping[str, Any], tally: Tally) -> bytes:
        """Send a request with the limit of its reply under the name that the endpoint takes.

        Every server takes ``max_tokens``, but for some hosted models, which refuse it and name the newer word.
        """
        limit = self._limit
        try:
            return self._exchange.send(_renamed(body, limit), tally)
        except DeterministicModelError as error:
            if limit == _NEW_LIMIT or not (_LIMIT in body and _NEW_LIMIT in str(error)):
                raise
        self._limit = _NEW_LIMIT
        return self._exchange.send(_renamed(body, _NEW_LIMIT), tally)


def _renamed(body: Mapping[str, Any], limit: str) -> dict[str, Any]:
    """The body with the limit of the reply under that name."""
    return {limit if name == _LIMIT else name: value for name, value in body.items()}


def _listed(content: bytes) -> dict[str, Mapping[str, Any]]:
    """What is told of each model in a list of them; empty where the list is in no known form."""
    try:
        return {str(entry["id"]): entry for entry in json.loads(content)["data"]}
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
