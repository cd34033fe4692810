"""What follows from a dialogue for an assistant: the shopper's needs, what was asked, put forward and turned down.

A pure function of the ``history`` observation and the public store, so it works on any assistant's episode, from any
moment of it, and holds nothing that an assistant may not know.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from siturec_gym.core.actions import Tool
from siturec_gym.core.text import parse_line
from siturec_gym.policies.heuristic.beliefs import Belief, learn
from siturec_gym.policies.heuristic.hearing import Heard, understand
from siturec_gym.policies.heuristic.vocabulary import vocabulary_of
from siturec_gym.policies.knowledge import Item, Store
from siturec_gym.policies.situation import Line
from siturec_gym.wrappers.structured.questions import topic_asked

_INSPECTING = (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM)
_LEAVING = (Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART)
_SEARCHING = (Tool.LOOK_UP_DOWN, Tool.SIDE_STEP, Tool.MOVE_BACKWARD)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The dialogue so far.

    Attributes:
        belief: What the shopper wants, and which products were turned down.
        heard: The latest reply.
        asked: Topic of each question so far.
        closed: Topics on which the shopper had nothing (more) to say.
        offered: Ids of the products the assistant has named, latest last.
        held: Id of the product last picked up or checked and not left since.
        tool: The tool of the latest reply, "" before the first.
        refused: Whether the latest tool call was refused.
        refusals: How many tool calls were refused.
        searches: Looks and small steps so far.
    """

    belief: Belief = field(default_factory=Belief)
    heard: Heard = field(default_factory=Heard)
    asked: tuple[str, ...] = ()
    closed: frozenset[str] = frozenset()
    offered: tuple[str, ...] = ()
    held: str | None = None
    tool: str = ""
    refused: bool = False
    refusals: int = 0
    searches: int = 0


def conversation_of(store: Store, history: str) -> Conversation:
    """The conversation that a ``history`` observation holds."""
    return _after(store, tuple(line for line in history.split("\n") if line))


@lru_cache(maxsize=512)
def _after(store: Store, lines: tuple[str, ...]) -> Conversation:
    """Folded from the front; what came before the latest exchange is remembered from the turn before."""
    if not lines:
        return Conversation()
    line = parse_line(lines[-1])
    before = _after(store, lines[:-1])
    return _assistant_spoke(before, line, store) if line["role"] == "assistant" else _user_replied(before, line, store)


def _assistant_spoke(before: Conversation, line: Line, store: Store) -> Conversation:
    topic = topic_asked(line["utterance"])
    named = products_named(store, line["utterance"])
    kept = tuple(product for product in before.offered if product not in named)
    return replace(before, asked=(*before.asked, topic), offered=(*kept, *named))


def _user_replied(before: Conversation, line: Line, store: Store) -> Conversation:
    topic = before.asked[-1] if before.asked else ""
    done = line["refusal"] is None
    heard = understand(line["utterance"], topic, vocabulary_of(store))
    put_back = line["tool"] in _LEAVING and done
    if put_back and not heard.accepts:
        heard = replace(heard, rejects=True)
    belief = learn(before.belief, heard, _discussed(before, store))
    news = len(belief.mentions) > len(before.belief.mentions) or belief.budget != before.belief.budget
    return replace(
        before,
        belief=belief,
        heard=heard,
        closed=before.closed | {topic} if topic and heard.no_more and not news else before.closed,
        held=_held_after(before.held, line, store),
        tool=line["tool"],
        refused=not done,
        refusals=before.refusals + (not done),
        searches=before.searches + (line["tool"] in _SEARCHING),
    )


def _discussed(conversation: Conversation, store: Store) -> Item | None:
    """The product a rejection is about: the one in the hands, else the one named last."""
    product = conversation.held or next(reversed(conversation.offered), None)
    return store.by_id.get(product) if product else None


def _held_after(held: str | None, line: Line, store: Store) -> str | None:
    if line["refusal"] is not None:
        return held
    if line["tool"] in _INSPECTING:
        item = store.by_name.get(line["target_name"] or "")
        return item.id if item else None
    return None if line["tool"] in (*_LEAVING, Tool.ADD_TO_CART) else held


@lru_cache(maxsize=1024)
def products_named(store: Store, utterance: str) -> tuple[str, ...]:
    """Ids of the products whose names ``utterance`` says, in the order they are said."""
    places = {item.id: utterance.find(name) for name, item in store.by_name.items() if name in utterance}
    return tuple(sorted(places, key=lambda product: places[product]))
