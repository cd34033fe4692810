"""Words for a structured action that came without text, such as a learned policy's.

The user hears nothing but words, so an annotation that was sent silent is said in a fixed form before the user replies.
"""

from collections.abc import Callable

from siturec_gym.core.actions import Act, Approach, AssistantAction, Tool, ToolCall
from siturec_gym.core.text import normalise
from siturec_gym.scenes.scene import Scene

_OPENINGS = {
    Act.GREET: "Hello! What are you looking for today?",
    Act.ASK_PREFERENCE: "Do you have a preference or a budget in mind?",
    Act.CLARIFY_NEED: "Could you tell me more about what you need?",
    Act.NAVIGATE: "Let me guide you.",
    Act.RECOMMEND: "I have a recommendation for you.",
    Act.EXPLAIN: "Let me explain.",
    Act.ANSWER_QUESTION: "Here is what I know.",
    Act.COMPARE: "Let us compare the options.",
    Act.HANDLE_REJECTION: "I understand. Let us look for something else.",
    Act.CONFIRM_PURCHASE: "Shall we go with this one?",
}


_SIDES: dict[str, str] = {
    Approach.FRONT: "the front of ",
    Approach.BACK: "the back of ",
    Approach.OUTSIDE_DOORWAY: "the doorway of ",
    Approach.INSIDE_DOORWAY: "the inside of ",
}


class Wording:
    """Says actions in the names of one scene."""

    def __init__(self, scene: Scene) -> None:
        self._products = scene.catalog.by_id
        self._places = scene.place_by_id

    def words(self, action: AssistantAction) -> str:
        """What the assistant says when it sent no text of its own."""
        request = self._request(action.expected_user_action)
        if request and action.act == Act.NAVIGATE:  # naming the goal too would send the user there at once
            return normalise(request)
        return normalise(f"{self._opening(action)} {request}".strip())

    def _opening(self, action: AssistantAction) -> str:
        recommendation, navigation = action.recommendation, action.navigation
        if recommendation is not None:
            product = self._products.get(recommendation.product or "")
            name = product.name if product else recommendation.display_name
            reason = f" {recommendation.reason}" if recommendation.reason else ""
            price = f" It costs ${product.price:.2f}." if product else ""
            return f"I recommend the {name}.{price}{reason}" if name else _OPENINGS[Act.RECOMMEND]
        if navigation is not None and navigation.navigation_goal in self._places:
            return f"We are heading to the {self._places[navigation.navigation_goal].name}."
        return _OPENINGS[Act(action.act)]

    def _request(self, call: ToolCall | None) -> str:
        say = _REQUESTS.get(call.tool) if call is not None else None
        return say(self, call) if say is not None and call is not None else ""

    def _target(self, call: ToolCall, fallback: str) -> str:
        place, product = self._places.get(call.target or ""), self._products.get(call.target or "")
        named = place or product
        return f"the {named.name}" if named else fallback

    def _walk_to(self, call: ToolCall) -> str:
        side = _SIDES.get(call.approach or "", "")
        return f"Please go to {side}{self._target(call, 'that place')}."


def _length(call: ToolCall) -> str:
    metres = call.distance_m if call.distance_m is not None else call.duration_s
    if metres is None:
        return ""
    return " 1 meter" if metres == 1.0 else f" {metres:g} meters"


def _turn(call: ToolCall) -> str:
    angle = f" {call.angle_deg:g} degrees" if call.angle_deg is not None else ""
    return f"turn {call.direction or 'around'}{angle}"


_REQUESTS: dict[str, Callable[[Wording, ToolCall], str]] = {
    Tool.MOVE_FORWARD: lambda _, call: f"Please walk forward{_length(call)}.",
    Tool.MOVE_BACKWARD: lambda _, call: f"Please move back{_length(call)}.",
    Tool.TURN: lambda _, call: f"Please {_turn(call)}.",
    Tool.TURN_AND_MOVE: lambda _, call: f"Please {_turn(call)}, then walk forward{_length(call)}.",
    Tool.MOVE_AND_TURN: lambda _, call: f"Please walk forward{_length(call)}, then {_turn(call)}.",
    Tool.SIDE_STEP: lambda _, call: f"Please move sideways to the {call.direction or 'side'}{_length(call)}.",
    Tool.LOOK_UP_DOWN: lambda _, call: f"Please look {call.direction or 'around'}.",
    Tool.MOVE_TO_FIXTURE: Wording._walk_to,
    Tool.MOVE_TO_STORE: Wording._walk_to,
    Tool.MOVE_TO_AREA: Wording._walk_to,
    Tool.PICK_UP_ITEM: lambda say, call: f"Please pick up {say._target(call, 'that item')}.",
    Tool.CHECK_ITEM: lambda say, call: f"Please check {say._target(call, 'that item')}.",
    Tool.DROP_ITEM: lambda *_: "Please put the item back.",
    Tool.ADD_TO_CART: lambda *_: "Please add it to your cart.",
    Tool.DO_NOT_ADD_TO_CART: lambda *_: "Please leave this one.",
}
