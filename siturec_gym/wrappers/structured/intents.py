"""The intents of a structured assistant: when each makes sense, and the action record it stands for.

An intent leaves its words to the environment's templates wherever they say enough; questions and facts are worded here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import Act, AssistantAction, Navigation, Recommendation, Tool, ToolCall
from siturec_gym.policies.guidance import AT_VIEWPOINT_M, at_stand, search_at, way_to
from siturec_gym.policies.heuristic.beliefs import knows_category
from siturec_gym.policies.knowledge import Item, Place, Stand
from siturec_gym.wrappers.structured import wording
from siturec_gym.wrappers.structured.conversation import Conversation
from siturec_gym.wrappers.structured.outlook import Outlook
from siturec_gym.wrappers.structured.questions import GREETING, QUESTIONS, TOPICS, act_of
from siturec_gym.wrappers.structured.standing import shelves_of

IDLE = ToolCall(Tool.IDLE)
MOST_ASKED = 2
MOST_IN_A_ROW = 2
MOST_QUESTIONS = 6
_DETAILS = ("flavour", "allergens", "packaging", "nutrition")  # topics that only make sense of some products
_MOVES = {
    "turn_left": ToolCall(Tool.TURN, direction="left", angle_deg=90.0),
    "turn_right": ToolCall(Tool.TURN, direction="right", angle_deg=90.0),
    "turn_around": ToolCall(Tool.TURN, direction="left", angle_deg=180.0),
    "walk_forward": ToolCall(Tool.MOVE_FORWARD, distance_m=2.0),
    "step_back": ToolCall(Tool.MOVE_BACKWARD, distance_m=1.0),
    "step_left": ToolCall(Tool.SIDE_STEP, direction="left", distance_m=1.0),
    "step_right": ToolCall(Tool.SIDE_STEP, direction="right", distance_m=1.0),
    "look_up": ToolCall(Tool.LOOK_UP_DOWN, direction="up", angle_deg=30.0),
    "look_down": ToolCall(Tool.LOOK_UP_DOWN, direction="down", angle_deg=30.0),
}


class Intent(StrEnum):
    """What an assistant may want to do that is neither a question of a topic nor a fixed movement."""

    GREET = "greet"
    GO_TO_PLACE = "go_to_place"
    GO_TO_CANDIDATE = "go_to_candidate"
    RECOMMEND = "recommend"
    PICK_UP = "pick_up"
    EXPLAIN = "explain"
    ANSWER = "answer"
    COMPARE = "compare"
    PUT_BACK = "put_back"
    CONFIRM = "confirm"


INTENTS = (
    Intent.GREET.value,
    *(f"ask_{topic}" for topic in TOPICS),
    Intent.GO_TO_PLACE.value,
    Intent.GO_TO_CANDIDATE.value,
    *_MOVES,
    *(intent.value for intent in tuple(Intent)[3:]),
)


@dataclass(frozen=True)
class Choice:
    """An intent with its arguments, in the turn it is for."""

    outlook: Outlook
    place: Place
    item: Item


def sensible_intents(outlook: Outlook) -> tuple[bool, ...]:
    """For each intent, whether it can be carried out with some place and candidate, and is not plainly out of place.

    Out of place are questions that were answered or would be one too many, talk of candidates before the kind of
    product is known, small movements while the way is clear, and a last recommendation that cannot end in a purchase.
    """
    situation, conversation = outlook.situation, outlook.conversation
    held, left = situation.held is not None, situation.recommendations_left
    tiring = _tiring(conversation)
    kind_known = knows_category(conversation.belief) or conversation.asked.count("category") >= MOST_ASKED
    moving = not held and _off_the_way(outlook)
    told = len(outlook.candidates) > 1 and (held or bool(conversation.offered))
    fits: dict[str, bool] = {
        Intent.GREET: not situation.history,
        Intent.GO_TO_PLACE: not held,
        Intent.GO_TO_CANDIDATE: not held and kind_known and bool(usable(Intent.GO_TO_CANDIDATE, outlook)),
        Intent.RECOMMEND: kind_known and (left > 1 or (left == 1 and held)),
        Intent.PICK_UP: kind_known and bool(usable(Intent.PICK_UP, outlook)),
        Intent.EXPLAIN: told,
        Intent.ANSWER: bool(conversation.heard.questions or conversation.heard.asked),
        Intent.COMPARE: told,
        Intent.PUT_BACK: held,
        Intent.CONFIRM: held,
        **dict.fromkeys(_MOVES, moving),
        **{f"ask_{topic}": not tiring and _open_question(topic, outlook) for topic in TOPICS},
    }
    return tuple(fits[intent] for intent in INTENTS)


def _tiring(conversation: Conversation) -> bool:
    """Whether one more question would be one too many: shoppers lose patience over questions that lead nowhere."""
    latest = conversation.asked[-MOST_IN_A_ROW:]
    return (len(latest) == MOST_IN_A_ROW and all(latest)) or sum(map(bool, conversation.asked)) >= MOST_QUESTIONS


def _open_question(topic: str, outlook: Outlook) -> bool:
    """Whether a question about the topic may bring something new."""
    conversation = outlook.conversation
    belief, asked = conversation.belief, conversation.asked.count(topic)
    if topic == "category":
        return asked < MOST_ASKED and not knows_category(belief)
    if topic == "trouble":
        return asked < MOST_ASKED and bool(belief.rejected)
    if topic == "budget" and belief.budget is not None:
        return False
    if topic in _DETAILS and not any(item.details.get(topic) for item in outlook.candidates):
        return False
    return topic not in conversation.closed and asked < (MOST_ASKED if topic == "more" else 1)


def _off_the_way(outlook: Outlook) -> bool:
    """Whether the user may need small movements: at a shelf without reaching the best candidate, or lost."""
    best, conversation = outlook.candidates[0], outlook.conversation
    searching = outlook.at_stand_of(best) and not outlook.reachable(best)
    return searching or conversation.heard.lost or conversation.refused


def usable(intent: str, outlook: Outlook) -> tuple[Item, ...]:
    """The candidates that the intent can be about, best first."""
    if intent == Intent.PICK_UP:
        unasked = outlook.situation.recommendations_left <= 1  # a recommendation would be the last
        reachable = (item for item in outlook.candidates if outlook.reachable(item))
        return tuple(item for item in reachable if unasked or item.id in outlook.conversation.offered)
    if intent == Intent.GO_TO_CANDIDATE:
        held = outlook.situation.held_item
        return tuple(
            item for item in outlook.candidates if item.stands and item is not held and not outlook.reachable(item)
        )
    return outlook.candidates


def carried_out(intent: str, choice: Choice) -> AssistantAction:
    """The action record of an intent; the expected user action is always one that is legal now."""
    if intent.startswith("ask_"):
        topic = intent.removeprefix("ask_")
        return AssistantAction(QUESTIONS[topic], act_of(topic), IDLE)
    if intent in _MOVES:
        return AssistantAction("", Act.NAVIGATE, _MOVES[intent], navigation=Navigation(choice.place.id))
    return _BUILDERS[Intent(intent)](choice)


def stand_at(outlook: Outlook, place: Place) -> Stand | None:
    """The side of ``place`` to go to: one where the user is not yet, and that the view supports if there is such."""
    mark = outlook.situation.place_marks.get(place.id)
    supported = mark.get("approaches", ()) if mark is not None else ()
    sides = [Stand(place.id, side) for side in place.approaches]
    away = [stand for stand in sides if not at_stand(outlook.situation, stand)]
    return min(away, key=lambda stand: stand.side not in supported, default=None)


def open_places(outlook: Outlook) -> NDArray[np.bool_]:
    """(places,): whether there is a side of the place at which the user does not stand yet."""
    pose = outlook.situation.pose
    shelves = shelves_of(outlook.situation.store)
    apart = np.hypot(shelves[..., 0] - pose.x, shelves[..., 1] - pose.y)
    open_ones: NDArray[np.bool_] = np.logical_and(np.isfinite(apart), apart > AT_VIEWPOINT_M).max(axis=1)
    return open_ones


def _greet(_: Choice) -> AssistantAction:
    return AssistantAction(GREETING, Act.GREET, IDLE)


def _go_to_place(choice: Choice) -> AssistantAction:
    stand = stand_at(choice.outlook, choice.place)
    step = None if stand is None else way_to(choice.outlook.situation, stand)
    return AssistantAction("", Act.NAVIGATE, step.call if step else IDLE, navigation=Navigation(choice.place.id))


def _go_to_candidate(choice: Choice) -> AssistantAction:
    stand = choice.outlook.stand_of(choice.item)
    goal = Navigation(stand.place if stand else choice.place.id)
    return AssistantAction("", Act.NAVIGATE, _way(choice), navigation=goal)


def _way(choice: Choice) -> ToolCall:
    """The next movement towards the item; idle when it is within reach or nothing is known of where it is."""
    outlook, item = choice.outlook, choice.item
    stand = outlook.stand_of(item)
    step = None if stand is None else search_at(outlook.situation, item, stand, outlook.conversation.searches)
    return IDLE if step is None else step.call


def _next_with(choice: Choice) -> ToolCall:
    """What brings the item closer to the cart: buy it, pick it up, or go there."""
    outlook, item = choice.outlook, choice.item
    held = outlook.situation.held_item
    if held is not None:
        return ToolCall(Tool.ADD_TO_CART) if item is held else outlook.situation.leave
    return _inspect(choice) if outlook.reachable(item) else _way(choice)


def _inspect(choice: Choice) -> ToolCall:
    situation = choice.outlook.situation
    return situation.inspect(situation.product_marks[choice.item.id]["handle"])


def _recommend(choice: Choice) -> AssistantAction:
    item = choice.item
    visible = item.id in choice.outlook.situation.product_marks
    reason = wording.needs_met(item, choice.outlook.conversation.belief)
    recommendation = Recommendation(item.id, item.name, visible, reason)
    return AssistantAction("", Act.RECOMMEND, _next_with(choice), recommendation)


def _pick_up(choice: Choice) -> AssistantAction:
    verb = "pick up" if choice.outlook.situation.by_hand else "check"
    return AssistantAction(f"Please {verb} the {choice.item.name}.", Act.EXPLAIN, _next_with(choice))


def _expected_after_words(choice: Choice) -> ToolCall:
    """What words about an item lead to without a request: buying it in hand, picking it up in reach, else nothing."""
    held = choice.outlook.situation.held_item
    if choice.item is held:
        return ToolCall(Tool.ADD_TO_CART)
    return _inspect(choice) if choice.outlook.reachable(choice.item) else IDLE


def _explain(choice: Choice) -> AssistantAction:
    text = wording.explanation(choice.item, choice.outlook.conversation)
    return AssistantAction(text, Act.EXPLAIN, _expected_after_words(choice))


def _answer(choice: Choice) -> AssistantAction:
    text = wording.answer(choice.item, choice.outlook.conversation)
    return AssistantAction(text, Act.ANSWER_QUESTION, _expected_after_words(choice))


def _compare(choice: Choice) -> AssistantAction:
    other = next((item for item in choice.outlook.candidates if item is not choice.item), None)
    if other is None:
        return _explain(choice)
    return AssistantAction(wording.comparison(choice.item, other), Act.COMPARE, _expected_after_words(choice))


def _put_back(choice: Choice) -> AssistantAction:
    return AssistantAction("", Act.HANDLE_REJECTION, _with_held(choice, choice.outlook.situation.leave))


def _confirm(choice: Choice) -> AssistantAction:
    return AssistantAction("", Act.CONFIRM_PURCHASE, _with_held(choice, ToolCall(Tool.ADD_TO_CART)))


def _with_held(choice: Choice, call: ToolCall) -> ToolCall:
    return IDLE if choice.outlook.situation.held is None else call


_BUILDERS: dict[Intent, Callable[[Choice], AssistantAction]] = {
    Intent.GREET: _greet,
    Intent.GO_TO_PLACE: _go_to_place,
    Intent.GO_TO_CANDIDATE: _go_to_candidate,
    Intent.RECOMMEND: _recommend,
    Intent.PICK_UP: _pick_up,
    Intent.EXPLAIN: _explain,
    Intent.ANSWER: _answer,
    Intent.COMPARE: _compare,
    Intent.PUT_BACK: _put_back,
    Intent.CONFIRM: _confirm,
}
