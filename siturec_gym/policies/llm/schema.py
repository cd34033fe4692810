"""The form of an assistant's reply in a turn: nothing that the environment would not take.

A guided decoder keeps to it, so that even a model that understands nothing gives legal turns; ``reply`` checks the
same again for servers that do not guide.
"""

from typing import Any

from siturec_gym.core.actions import MOVE_OF_KIND, RANKING_LENGTH, Act
from siturec_gym.core.text import NAME_LIMIT
from siturec_gym.llm.roles.calls import by_approaches, call_schema, closed_object, one_of
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.text import bounded_text
from siturec_gym.policies.llm.outlook import Outlook

OTHER_ACTS = tuple(act.value for act in Act if act not in (Act.NAVIGATE, Act.RECOMMEND))
_NULL = {"type": "null"}


def reply_schema(outlook: Outlook, settings: RoleSettings) -> dict[str, Any]:
    """JSON schema of the replies to a turn. What a later part depends on comes first."""
    products = [item.id for item in outlook.store.items]
    ranking = {"type": "array", "items": one_of(products), "minItems": 1, "maxItems": RANKING_LENGTH}
    actions = [
        closed_object({"act": one_of(OTHER_ACTS)}),
        *_navigations(outlook, settings),
        *_recommendations(outlook, settings),
    ]
    return closed_object(
        {
            "ranking": ranking,
            "action": {"anyOf": actions},
            "expected_user_action": call_schema(outlook.legal),
            "utterance": bounded_text(settings.utterance_chars),
            "tool_calls": {"type": "array", "items": _NULL, "maxItems": 0},
        }
    )


def _navigations(outlook: Outlook, settings: RoleSettings) -> list[dict[str, Any]]:
    head = {"act": _only(Act.NAVIGATE), "navigation_goal": one_of(outlook.store.places)}
    tail = {"reason": bounded_text(settings.reason_chars)}
    if outlook.by_hand:
        return [closed_object({**head, **tail})]
    steps = [{"next_waypoint": _NULL, "target_approach": _NULL}]
    stores = outlook.legal.targets.get(MOVE_OF_KIND["store"], ())
    for approaches, named in by_approaches(outlook.legal, stores).items():
        steps.append({"next_waypoint": one_of(named), "target_approach": one_of(approaches)})
    areas = outlook.legal.targets.get(MOVE_OF_KIND["area"], ())
    if areas:
        steps.append({"next_waypoint": one_of(areas), "target_approach": _NULL})
    return [closed_object({**head, **step, **tail}) for step in steps]


def _recommendations(outlook: Outlook, settings: RoleSettings) -> list[dict[str, Any]]:
    """A product in view is said to be so, another one is not; none once the limit is reached."""
    if not outlook.recommendations_left:
        return []
    products = [item.id for item in outlook.store.items]
    if outlook.blind:
        return [_recommendation(products, {"type": "boolean"}, settings)]
    seen = {item.id for item in outlook.seen.values()}
    sides = {True: [id_ for id_ in products if id_ in seen], False: [id_ for id_ in products if id_ not in seen]}
    return [
        _recommendation(named, {"type": "boolean", "const": visible}, settings)
        for visible, named in sides.items()
        if named
    ]


def _recommendation(products: list[str], visible: dict[str, Any], settings: RoleSettings) -> dict[str, Any]:
    return closed_object(
        {
            "act": _only(Act.RECOMMEND),
            "product": one_of(products),
            "display_name": bounded_text(NAME_LIMIT),
            "visible_now": visible,
            "reason": bounded_text(settings.reason_chars),
        }
    )


def _only(act: Act) -> dict[str, Any]:
    return {"type": "string", "const": act.value}
