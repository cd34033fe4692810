"""Client of any server that speaks OpenAI's chat completions: vLLM, a hosted service, a proxy."""

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from siturec_gym.core.errors import (
    ContextOverflowError,
    DeterministicModelError,
    ModelError,
    ReplyError,
    TransientModelError,
)
from siturec_gym.core.seeding import generator
from siturec_gym.llm.cache import cache_key
from siturec_gym.llm.endpoint import Endpoint, gate_of, public_url
from siturec_gym.llm.messages import ChatReply, ChatRequest, Message, TextPart, Usage
from siturec_gym.llm.reasoning import split_reasoning
from siturec_gym.llm.retry import with_retries

LARGEST_BODY = 8 << 20
LONGEST_PAUSE_S = 60.0
_OVERFLOW = re.compile(r"context[ _]length|maximum context|context window|too many tokens|prompt is too long", re.I)
_NO_KEY = "none"
_QUOTED = 200
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429})
Result = TypeVar("Result")


class OpenAIClient:
    """Asks one model at one endpoint. Threads may share it.

    Every failure has a type: what may pass is tried again with growing, jittered waits; what will not is raised at
    once. Messages name the endpoint and never hold the key.

    Args:
        model: Name of the model as the endpoint knows it.
        endpoint: Where it is served.

    Raises:
        DeterministicModelError: The package ``openai`` is not installed.
    """

    def __init__(self, model: str, endpoint: Endpoint | None = None) -> None:
        self._model = model
        self._endpoint = endpoint or Endpoint()
        self._url = public_url(self._endpoint.url)
        self._key = os.environ.get(self._endpoint.key_variable) or _NO_KEY
        self._gate = gate_of(self._endpoint)
        self._openai = _import_openai()
        self._api = self._openai.OpenAI(
            api_key=self._key, base_url=self._endpoint.url, max_retries=0, timeout=self._timeout()
        )

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply; see ``ChatClient.complete`` for what is raised."""
        body = request_body(self._model, request)
        content = with_retries(lambda: self._attempt(body), self._endpoint.retries, lambda: self._chance(request))
        return read_reply(content, self._url)

    def _chance(self, request: ChatRequest) -> np.random.Generator:
        """What the waits between attempts are drawn from; another for every request."""
        return generator(request.seed, "backoff", cache_key("", self._model, request))

    def check(self) -> None:
        """Ask the endpoint once which models it serves.

        Raises:
            TransientModelError: It cannot be reached.
            DeterministicModelError: It does not serve the model, or refuses the key.
        """
        try:
            served = [str(entry.id) for entry in self._translating(self._api.models.list).data]
        except ReplyError:
            return
        except DeterministicModelError as error:
            if "404" in str(error):
                return  # an endpoint need not list its models
            raise
        if served and self._model not in served:
            names = ", ".join(served[:10])
            raise DeterministicModelError(f"{self._url} does not serve {self._model!r}; it serves {names}")

    def _attempt(self, body: Mapping[str, Any]) -> bytes:
        """One request; the body of its reply."""
        with self._gate.passing():
            try:
                return self._translating(lambda: self._send(body))
            except TransientModelError as error:
                if error.retry_after_s:
                    self._gate.close_for(min(error.retry_after_s, LONGEST_PAUSE_S))
                raise

    def _send(self, body: Mapping[str, Any]) -> bytes:
        deadline = time.monotonic() + self._endpoint.timeout_s
        extra = {name: value for name, value in body.items() if name not in ("model", "messages")}
        streaming = self._api.chat.completions.with_streaming_response
        with streaming.create(model=body["model"], messages=body["messages"], extra_body=extra) as response:
            return self._read(response, deadline)

    def _read(self, response: Any, deadline: float) -> bytes:
        """The whole body, but neither more than it may hold nor for longer than it may take."""
        content = bytearray()
        try:
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > LARGEST_BODY:
                    raise ReplyError(f"{self._url} sent a reply of more than {LARGEST_BODY >> 20} MB")
                if time.monotonic() > deadline:
                    raise TransientModelError(f"{self._url} took more than {self._endpoint.timeout_s:g} s to reply")
        except ModelError:
            raise
        except Exception as error:  # whatever the transport raises while bytes arrive is a broken connection
            raise TransientModelError(f"{self._url} broke off its reply: {self._words(error)}") from error
        return bytes(content)

    def _translating(self, call: Callable[[], Result]) -> Result:
        """The call's result; its failure as one of ours."""
        openai = self._openai
        try:
            return call()
        except openai.APITimeoutError as error:
            limit = self._endpoint.timeout_s
            raise TransientModelError(f"{self._url} gave no answer within {limit:g} s") from error
        except openai.APIStatusError as error:
            raise self._refused(error) from error
        except openai.APIConnectionError as error:
            raise TransientModelError(
                f"{self._url} cannot be reached: {self._words(error.__cause__ or error)}"
            ) from error
        except (openai.OpenAIError, ValueError) as error:
            raise ReplyError(f"{self._url} sent what is no reply: {self._words(error)}") from error

    def _refused(self, error: Any) -> ModelError:
        status, words = error.status_code, self._short(_told(error))
        message = f"{self._url} answered {status}: {words}"
        if status == 413 or (status in (400, 422) and _OVERFLOW.search(words)):
            return ContextOverflowError(message)
        if getattr(error, "code", None) == "insufficient_quota":
            return DeterministicModelError(message)
        if status >= 500 or status in _TRANSIENT_STATUS:
            return TransientModelError(message, _retry_after_s(error.response.headers))
        return DeterministicModelError(message)

    def _words(self, error: BaseException) -> str:
        """The error in one short line, without the key."""
        return self._short(str(error)) or type(error).__name__

    def _short(self, text: str) -> str:
        words = " ".join(text.split())
        hidden = words if self._key == _NO_KEY else words.replace(self._key, "***")
        return hidden[:_QUOTED]

    def _timeout(self) -> Any:
        return self._openai.Timeout(self._endpoint.timeout_s, connect=self._endpoint.connect_s)


def request_body(model: str, request: ChatRequest) -> dict[str, Any]:
    """The request as the protocol sends it."""
    decoding = request.decoding
    settings = {
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.max_tokens,
        "seed": decoding.seed,
    }
    body: dict[str, Any] = {"model": model, "messages": [_message(message) for message in request.messages]}
    body |= {name: value for name, value in settings.items() if value is not None} | dict(decoding.extra)
    if request.schema is not None:
        form = {"name": "reply", "schema": dict(request.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _message(message: Message) -> dict[str, Any]:
    if all(isinstance(part, TextPart) for part in message.parts):
        return {"role": message.role, "content": message.text}
    parts = [
        {"type": "text", "text": part.text}
        if isinstance(part, TextPart)
        else {"type": "image_url", "image_url": {"url": part.url}}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}


def read_reply(content: bytes, url: str) -> ChatReply:
    """The reply in the body of a response.

    Raises:
        ReplyError: The body is no chat completion.
    """
    try:
        body = json.loads(content.decode())
        choice = body["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content") or "", message.get("refusal")
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        if not isinstance(text, str) or not isinstance(reasoning, str):
            raise ValueError("content is no text")
        finish = "refusal" if refusal and not text else str(choice.get("finish_reason") or "stop")
        usage = _usage(body.get("usage") or {})
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"[:_QUOTED]
        raise ReplyError(f"{url} sent what is no chat completion: {' '.join(problem.split())}") from error
    inline, rest = split_reasoning(text)
    return ChatReply(rest, reasoning or inline, finish, usage)


def _told(error: Any) -> str:
    """What a server said with a refusal."""
    body = error.body
    return str(body.get("message") or body) if isinstance(body, dict) else str(body or error)


def _usage(counts: Mapping[str, Any]) -> Usage:
    prompt, completion = counts.get("prompt_tokens") or 0, counts.get("completion_tokens") or 0
    return Usage(requests=1, prompt_tokens=int(prompt), completion_tokens=int(completion))


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for; None without one, or where it gives a date."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _import_openai() -> Any:
    try:
        import openai  # noqa: PLC0415  heavy, and an extra
    except ImportError as error:
        raise DeterministicModelError(
            "language-model roles need the package openai: pip install 'siturec-gym[llm]'"
        ) from error
    return openai
