"""What a model answers as the shopper: the schema of a turn, and the action that a reply means."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from siturec_gym.core.actions import Tool, ToolCall, UserAction
from siturec_gym.core.legality import LegalActions, legal_actions, tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.llm.roles.calls import call_schema, closed_object, read_call
from siturec_gym.llm.roles.text import bounded_text, said
from siturec_gym.llm.structured import parse_model
from siturec_gym.users.llm.ledger import refuses_to_play

NO_REPLY = UserAction("", ToolCall(Tool.IDLE))
"""What an invalid turn is: nothing said, nothing done."""
_INSPECTIONS = (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM)
_NEEDS_AN_ITEM = {
    Tool.DROP_ITEM: "your hands are empty: there is nothing to put back",
    Tool.ADD_TO_CART: "there is nothing in your hand or under check: inspect a product before you buy it",
    Tool.DO_NOT_ADD_TO_CART: "no product is under check: there is nothing to let be",
}


class UserReply(BaseModel):
    """What the model is asked to answer."""

    utterance: str
    call: dict[str, Any]


class EmptyReplyError(ValueError):
    """The model said nothing, or refused to play."""


def reply_schema(legal: LegalActions, chars: int) -> dict[str, Any]:
    """JSON schema of the replies that a turn allows.

    Args:
        legal: The tools, targets and approaches of the turn.
        chars: Longest utterance.
    """
    return closed_object({"utterance": bounded_text(chars), "call": call_schema(legal)})


def read_reply(text: str, observation: Observation, chars: int) -> UserAction:
    """The action that a reply means.

    Args:
        text: What the model wrote.
        observation: What it answered to.
        chars: Longest utterance.

    Raises:
        EmptyReplyError: It holds nothing, or a refusal to answer.
        ValueError: It is not in the form asked for, or asks for what is not possible now; one line that says why.
    """
    if not text.strip():
        raise EmptyReplyError("the reply is empty")
    if "{" not in text and refuses_to_play(text):
        raise EmptyReplyError("you are the shopper; answer as the shopper does")
    reply = parse_model(text, UserReply)
    if not reply.utterance.strip():
        raise EmptyReplyError("utterance: must not be empty")
    utterance = said(reply.utterance, chars, "utterance")
    if refuses_to_play(utterance):
        raise EmptyReplyError("utterance: you are the shopper; say what the shopper says")
    problem = _state_problem(reply.call, observation)
    if problem:
        raise ValueError(f"call: {problem}")
    try:
        return UserAction(utterance, read_call(reply.call, legal_actions(observation)))
    except ValueError as error:
        raise ValueError(f"call: {error}") from error


def _state_problem(call: Mapping[str, Any], observation: Observation) -> str | None:
    """Why hands or reach do not allow a call, in the words of someone in the store; None where they do."""
    tool, holds = call.get("tool"), bool(observation["held"])
    if not isinstance(tool, str) or tool not in tools_here(observation["tools"]):
        return None
    if tool in _NEEDS_AN_ITEM and not holds:
        return _NEEDS_AN_ITEM[Tool(tool)]
    if tool == Tool.PICK_UP_ITEM and holds:
        return "your hands are full: put back what you hold (drop_item) or buy it (add_to_cart)"
    if tool not in _INSPECTIONS:
        return None
    named = [mark for mark in parse_lines(observation["marks"]) if mark["handle"] == str(call.get("target"))]
    if named and named[0]["kind"] == "product" and not named[0]["reachable"]:
        return f"{named[0]['name']} is out of reach, {float(named[0]['distance_m']):.1f} m away: walk up to it first"
    return None
