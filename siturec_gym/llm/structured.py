"""Replies in a fixed form: a pydantic model as JSON schema, and asking again when a reply is not of it."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from siturec_gym.core.errors import ContextOverflowError, ReplyError
from siturec_gym.llm.messages import ChatReply, ChatRequest, Message, Usage
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.protocol import ChatClient

ReplyModel = TypeVar("ReplyModel", bound=BaseModel)
Parsed = TypeVar("Parsed")

ASK_AGAIN = 2
LONGEST_REPLY = 200_000
PRINTABLE = r"[ !#-\[\]-~]"
"""Class of printable ASCII without quote and backslash."""
_RUN = 64
_QUOTED = 4_000
_REASON = 300
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_DROPPED = ("title", "description", "default", "maxLength", "minLength")


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply, in the features that guided decoding honours.

    References are replaced by what they stand for, every property is required, nothing else is allowed, and limits of
    a string's length become a pattern of printable characters without quotes and backslashes.
    """
    whole = model.model_json_schema()
    definitions = whole.pop("$defs", {})
    plain: dict[str, Any] = _plain(whole, definitions)
    return plain


def repeated(characters: str, least: int, most: int) -> str:
    """Pattern of ``least`` to ``most`` characters of a class, in runs that every decoder takes.

    The xgrammar that vLLM 0.32 brings compiles no run of more than 128. The runs leave one way to cut a text up, so
    that matching stays fast.
    """
    free = most - least
    whole = max(0, (free - _RUN + 1) // _RUN)
    fixed = f"(?:{characters}{{{_RUN}}}){{{least // _RUN}}}" if least >= _RUN else ""
    fixed += f"{characters}{{{least % _RUN}}}" if least % _RUN else ""
    runs = f"(?:{characters}{{{_RUN}}}){{0,{whole}}}" if whole else ""
    return f"{fixed}{runs}{characters}{{0,{free - whole * _RUN}}}"


def _plain(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    plain = {key: _plain(value, definitions) for key, value in node.items() if key not in _DROPPED}
    if node.get("type") == "object" and "properties" in node:
        fields = {name: _plain(value, definitions) for name, value in node["properties"].items()}
        plain |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    if node.get("type") == "string" and "maxLength" in node and not {"pattern", "enum"} & node.keys():
        plain["pattern"] = f"^{repeated(PRINTABLE, node.get('minLength', 0), node['maxLength'])}$"
    return plain


def parse_model(text: str, model: type[ReplyModel]) -> ReplyModel:
    """The reply as a record. Words or a code fence around the JSON object are passed over.

    Raises:
        ValueError: There is no JSON object, or it does not fit; one line that says what is wrong.
    """
    try:
        return model.model_validate(_json_object(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where or 'the object'}: {first['msg']}") from error


def _json_object(text: str) -> Any:
    if not text.strip():
        raise ValueError("the reply is empty")
    if len(text) > LONGEST_REPLY:
        raise ValueError(f"the reply has {len(text)} characters; at most {LONGEST_REPLY} are read")
    fenced = _FENCE.search(text)
    body = fenced.group(1) if fenced else text
    start = body.find("{")
    if start < 0:
        raise ValueError("the reply holds no JSON object")
    try:
        return json.JSONDecoder().raw_decode(body, start)[0]
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the reply holds no complete JSON object: {error}") from error


class Asker:
    """Asks a model for replies in a form, again with the error when one is not, and counts what that takes.

    Args:
        client: The model.
        meter: Where usage is counted.
        repetitions: How often a reply that does not parse is asked for again.
    """

    def __init__(self, client: ChatClient, meter: Meter | None = None, repetitions: int = ASK_AGAIN) -> None:
        self.client = client
        self.meter = meter or Meter()
        self._repetitions = repetitions

    def ask(
        self,
        request: ChatRequest,
        parse: Callable[[str], Parsed],
        heard: Callable[[ChatReply], None] | None = None,
    ) -> Parsed:
        """The parsed reply.

        Args:
            request: The question.
            parse: Gives the reply's meaning, or raises ValueError with one line that the model is then shown.
            heard: Is given every reply, of use or not.

        Raises:
            ReplyError: No reply parsed; the last error is named. So it is where only the correction has no room.
            ContextOverflowError: The question itself is longer than the model's context.
            ModelError: The client failed.
        """
        forms: tuple[ChatRequest, ...] = (request,)
        problem = ""
        for _ in range(self._repetitions + 1):
            try:
                reply = self._complete(forms)
                self.meter.add(reply.usage)
                self.meter.heard(reply.model)
                if heard is not None:
                    heard(reply)
                return _parsed(reply, parse)
            except ReplyError as error:
                problem = str(error)
            except _UnparsedReplyError as error:
                problem = str(error)
                forms = _again(request, error.reply, problem)
            except ContextOverflowError as error:
                if request in forms:
                    raise
                self.meter.add(Usage(unanswered=1))
                raise ReplyError(f"no usable reply, and no room to ask again; the last: {problem}") from error
            self.meter.add(Usage(unparsed=1))
        self.meter.add(Usage(unanswered=1))
        raise ReplyError(f"no usable reply in {self._repetitions + 1} attempts; the last: {problem}")

    def _complete(self, forms: Sequence[ChatRequest]) -> ChatReply:
        """The reply to the first of the forms, from long to short, that the model has room for."""
        *longer, shortest = forms
        for form in longer:
            with suppress(ContextOverflowError):
                return self.client.complete(form)
        return self.client.complete(shortest)


class _UnparsedReplyError(Exception):
    def __init__(self, reply: ChatReply, problem: str) -> None:
        super().__init__(problem)
        self.reply = reply


def _parsed(reply: ChatReply, parse: Callable[[str], Parsed]) -> Parsed:
    try:
        return parse(reply.text)
    except ValueError as error:
        problem = " ".join(str(error).split())[:_REASON]
        if reply.finish_reason == "length":
            problem += " (the reply was cut off at its token limit)"
        elif reply.finish_reason not in ("stop", ""):
            problem += f" (the reply ended by {reply.finish_reason})"
        raise _UnparsedReplyError(reply, problem) from error


def _again(request: ChatRequest, reply: ChatReply, problem: str) -> tuple[ChatRequest, ...]:
    """The question once more, with why the reply failed: first with that reply, if it says anything, then without.

    Roles go on taking turns, for the chat forms of some models allow nothing else.
    """
    correction = f"Your reply could not be used: {problem}. Answer again, with the JSON object alone."
    *before, last = request.messages
    alone = replace(request, messages=(*before, Message.of(last.role, *last.parts, f"\n{correction}")))
    if not reply.text.strip():
        return (alone,)
    said = Message.of("assistant", reply.text[:_QUOTED])
    return replace(request, messages=(*request.messages, said, Message.of("user", correction))), alone
