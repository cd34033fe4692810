"""The assistant's reply: its record, and what it means in the turn at hand (S15)."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from siturec_gym.core.actions import RANKING_LENGTH, Act, AssistantAction, Navigation, Recommendation, ToolCall
from siturec_gym.core.text import NAME_LIMIT
from siturec_gym.llm.roles.calls import read_call
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.text import said
from siturec_gym.llm.structured import parse_model
from siturec_gym.policies.llm.outlook import Outlook

SILENCE = "..."
_MOVES = ("move_to_store", "move_to_area")


class Talk(BaseModel):
    """An act that needs no more than its name."""

    act: Literal[
        "Greet", "AskPreference", "ClarifyNeed", "Explain", "AnswerQuestion", "Compare", "HandleRejection",
        "ConfirmPurchase",
    ]  # fmt: skip


class Lead(BaseModel):
    """Navigate. The next two belong to a store of areas."""

    act: Literal["Navigate"]
    navigation_goal: str
    next_waypoint: str | None = None
    target_approach: str | None = None
    reason: str


class Suggest(BaseModel):
    """Recommend."""

    act: Literal["Recommend"]
    product: str
    display_name: str
    visible_now: bool
    reason: str


class AssistantReply(BaseModel):
    """The whole reply."""

    ranking: list[str] = Field(max_length=RANKING_LENGTH)
    action: Annotated[Talk | Lead | Suggest, Field(discriminator="act")]
    expected_user_action: dict[str, Any]
    utterance: str
    tool_calls: list[Any] = Field(default_factory=list, max_length=0)


def read_reply(text: str, outlook: Outlook, settings: RoleSettings) -> AssistantAction:
    """The second seam: the action that a reply stands for, held against what is in view and what is legal.

    Raises:
        ValueError: It is not in the form asked for, or says what this turn does not allow; one line that says why.
    """
    reply = parse_model(text, AssistantReply)
    action = reply.action
    return AssistantAction(
        utterance=said(reply.utterance, settings.utterance_chars, "utterance"),
        act=action.act,
        expected_user_action=_expected(reply.expected_user_action, outlook),
        recommendation=_recommendation(action, outlook, settings) if isinstance(action, Suggest) else None,
        navigation=_navigation(action, outlook, settings) if isinstance(action, Lead) else None,
        ranking=tuple(_product(id_, "ranking", outlook) for id_ in reply.ranking),
    )


def _expected(given: dict[str, Any], outlook: Outlook) -> ToolCall:
    try:
        return read_call(given, outlook.legal)
    except ValueError as error:
        raise ValueError(f"expected_user_action: {error}") from error


def _recommendation(given: Suggest, outlook: Outlook, settings: RoleSettings) -> Recommendation:
    if not outlook.recommendations_left:
        raise ValueError("action: no recommendation is left, choose another act")
    product = _product(given.product, "action.product", outlook)
    visible = any(item.id == product for item in outlook.seen.values())
    if given.visible_now != visible and not outlook.blind:
        raise ValueError(f"action.visible_now: {product} is {'' if visible else 'not '}in view now")
    name = said(given.display_name, NAME_LIMIT, "action.display_name")
    return Recommendation(product, name, given.visible_now, said(given.reason, settings.reason_chars, "action.reason"))


def _navigation(given: Lead, outlook: Outlook, settings: RoleSettings) -> Navigation:
    if given.navigation_goal not in outlook.store.places:
        known = _some(tuple(outlook.store.places))
        raise ValueError(f"action.navigation_goal: {given.navigation_goal!r} is no place; places are {known}")
    reason = said(given.reason, settings.reason_chars, "action.reason")
    if outlook.by_hand or given.next_waypoint is None:
        return Navigation(given.navigation_goal, reason=reason)
    return Navigation(given.navigation_goal, given.next_waypoint, _approach(given, outlook), reason)


def _approach(given: Lead, outlook: Outlook) -> str | None:
    """How the next waypoint, which must be in view, is walked to; None for an area."""
    waypoint = str(given.next_waypoint)
    reachable = tuple(place for move in _MOVES for place in outlook.legal.targets.get(move, ()))
    if waypoint not in reachable:
        in_view = _some(reachable) or "nothing"
        raise ValueError(f"action.next_waypoint: {waypoint!r} is not in view, {in_view} is; null if there is no other")
    approaches = outlook.legal.approaches.get(waypoint, ())
    if approaches and given.target_approach not in approaches:
        raise ValueError(f"action.target_approach: {waypoint} has {' and '.join(approaches)}")
    return given.target_approach if approaches else None


def _product(id_: str, field: str, outlook: Outlook) -> str:
    if id_ not in outlook.store.by_id:
        raise ValueError(f"{field}: {id_!r} is no product of the catalogue")
    return id_


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")


def silent_action() -> AssistantAction:
    """What stands for a turn without a usable reply: silence, nothing expected. Without text, words would be put into
    the model's mouth."""
    return AssistantAction(utterance=SILENCE, act=Act.EXPLAIN)
