"""Requests and replies in the form of OpenAI's chat completions, which vLLM and most others speak."""

import json
from collections.abc import Mapping
from typing import Any

from siturec_gym.core.errors import TransientModelError
from siturec_gym.llm.messages import ChatReply, ChatRequest, Message, TextPart, Usage
from siturec_gym.llm.reasoning import split_reasoning
from siturec_gym.llm.refusal import told_instead
from siturec_gym.llm.sampling import sampling_seed

_QUOTED = 200
_MOST_TOKENS = 10**9


def request_body(model: str, request: ChatRequest) -> dict[str, Any]:
    """The request as the protocol sends it. A seed is sent only where the decoding settings have one."""
    decoding = request.decoding
    settings = {
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.max_tokens,
        "seed": None if decoding.seed is None else sampling_seed(model, request),
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
        TransientModelError: The body is no chat completion, which says nothing about the model: whatever stands
            between it and us is broken.
        ModelError: The body tells a failure in place of a completion.
    """
    try:
        body = json.loads(content.decode())
        if (failure := told_instead(body, url)) is not None:
            raise failure
        choice = body["choices"][0]
        message = choice["message"]
        text, refusal = _text(message.get("content")), message.get("refusal")
        reasoning = _text(message.get("reasoning_content") or message.get("reasoning"))
        finish = "refusal" if refusal and not text else str(choice.get("finish_reason") or "stop")[:_QUOTED]
        usage = _usage(body.get("usage") or {})
        drawn = _drawn(body, choice)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"[:_QUOTED]
        raise TransientModelError(f"{url} sent what is no chat completion: {' '.join(problem.split())}") from error
    inline, rest = split_reasoning(text)
    return ChatReply(rest, reasoning or inline, finish, usage, model=_name(body.get("model")), **drawn)


def _drawn(body: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    """The tokens and their logarithms of probability, as vLLM tells them; None for what it was not asked for."""
    ids, prompt_ids, told = choice.get("token_ids"), body.get("prompt_token_ids"), choice.get("logprobs") or {}
    tokens = told.get("content")
    return {
        "token_ids": None if ids is None else tuple(int(token) for token in ids),
        "logprobs": None if tokens is None else tuple(float(token["logprob"]) for token in tokens),
        "prompt_token_ids": None if prompt_ids is None else tuple(int(token) for token in prompt_ids),
    }


def _text(value: Any) -> str:
    """A text that can be written anywhere; JSON may hold halves of characters, which no file can."""
    if value is not None and not isinstance(value, str):
        raise ValueError("content is no text")
    return (value or "").encode(errors="replace").decode()


def _name(told: Any) -> str:
    """The name of the model that answered, in one short line."""
    return " ".join(_text(told).split())[:_QUOTED] if isinstance(told, str) else ""


def _usage(counts: Mapping[str, Any]) -> Usage:
    prompt, completion = (int(counts.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
    if not (0 <= prompt < _MOST_TOKENS and 0 <= completion < _MOST_TOKENS):
        raise ValueError(f"usage of {prompt} and {completion} tokens")
    return Usage(requests=1, prompt_tokens=prompt, completion_tokens=completion)
