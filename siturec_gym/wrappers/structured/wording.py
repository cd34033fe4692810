"""Facts about candidates in fixed words, true by the catalog."""

from siturec_gym.core.text import normalise
from siturec_gym.policies.heuristic.beliefs import Belief, met_needs
from siturec_gym.policies.heuristic.facts import answers, fact, facts_about
from siturec_gym.policies.heuristic.wording import dollars, listing, utter
from siturec_gym.policies.knowledge import Item
from siturec_gym.wrappers.structured.conversation import Conversation

_MOST_LABELS = 4


def needs_met(item: Item, belief: Belief) -> str:
    """A sentence on what the shopper asked for and the item has; its first tags when nothing was asked for."""
    wanted = [label for need in met_needs(belief, item) if need.wanted for label in need.labels]
    named = [label for label in dict.fromkeys(wanted) if label in item.tags] or item.tags
    return f"It is {listing(named[:_MOST_LABELS])}." if named else ""


def explanation(item: Item, conversation: Conversation) -> str:
    """Price, needs met, and one further fact that changes from question to question."""
    kinds = [kind for kind in facts_about(item) if kind not in ("needs", "price")]
    parts = (
        f"The {item.name} costs {dollars(item.price)}.",
        needs_met(item, conversation.belief),
        _facts(item, conversation.belief, kinds[len(conversation.asked) % len(kinds)]),
    )
    return normalise(" ".join(part for part in parts if part))


def answer(item: Item, conversation: Conversation) -> str:
    """What the shopper asked about the item, as far as the catalog says; its price otherwise."""
    sentences, _ = answers(item, conversation.heard, conversation.belief)
    text = utter(sentences, 0, 0, ()) if sentences else _facts(item, conversation.belief, "price")
    return normalise(f"About the {item.name}: {text}")


def _facts(item: Item, belief: Belief, kind: str) -> str:
    return utter(fact(item, kind, belief), 0, 0, ())


def comparison(item: Item, other: Item) -> str:
    """Both by price and first tags."""
    sides = [f"the {one.name} costs {dollars(one.price)} and is {_labels(one)}" for one in (item, other)]
    return normalise(f"Compared with each other, {sides[0]}; {sides[1]}.")


def _labels(item: Item) -> str:
    return listing(item.tags[:3]) or item.category
