"""Requests and replies in the form of OpenAI's chat completions, which vLLM and most others speak."""

import json
from collections.abc import Mapping
from typing import Any

from siturec_gym.core.errors import ReplyError
from siturec_gym.llm.messages import ChatReply, ChatRequest, Message, TextPart, Usage
from siturec_gym.llm.reasoning import split_reasoning
from siturec_gym.llm.sampling import sampling_seed

_QUOTED = 200


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


def _usage(counts: Mapping[str, Any]) -> Usage:
    prompt, completion = counts.get("prompt_tokens") or 0, counts.get("completion_tokens") or 0
    return Usage(requests=1, prompt_tokens=int(prompt), completion_tokens=int(completion))
