"""One turn of a model-backed role: asked, asked again, and what is remarked about it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from siturec_gym.core.errors import ContextOverflowError, ReplyError
from siturec_gym.core.policy import Remarks
from siturec_gym.llm.messages import ChatReply, ChatRequest
from siturec_gym.llm.reasoning import last_reasoning
from siturec_gym.llm.roles.context import without_oldest_image
from siturec_gym.llm.structured import Asker

Value = TypeVar("Value")


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """What came of asking: the value, or None for an invalid turn, and remarks for the record."""

    value: Value | None
    remarks: Remarks


def ask_turn(asker: Asker, request: ChatRequest, parse: Callable[[str], Value], role: str) -> Outcome[Value]:
    """Ask for a role's reply until one can be used, as often as the asker does.

    Where the endpoint has no room for the request, its oldest picture goes and it is sent again.

    Args:
        asker: The model and where its usage is counted.
        request: The question.
        parse: Gives a reply's meaning, or raises ValueError with one line that the model is shown.
        role: "assistant" or "user"; an invalid turn is flagged ``<role>_invalid_reply``.

    Raises:
        ContextOverflowError: The text alone is longer than the context.
        ModelError: The model gave no answer at all.
    """
    heard: list[ChatReply] = []
    while True:
        try:
            value = asker.ask(request, parse, heard.append)
            return Outcome(value, Remarks(reasoning=last_reasoning(heard)))
        except ContextOverflowError:
            fewer = without_oldest_image(request.messages)
            if fewer is None:
                raise
            request = replace(request, messages=fewer)
        except ReplyError:
            return Outcome(None, Remarks((f"{role}_invalid_reply",), last_reasoning(heard)))
