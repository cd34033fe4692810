"""What follows from a history: folded turn by turn, from any moment, from public text alone."""

from typing import Any

import pytest

from siturec_gym.core.text import dump_lines
from siturec_gym.envs.situated.observe import public_texts
from siturec_gym.policies.knowledge import Store, read_store
from siturec_gym.wrappers.structured.conversation import conversation_of, products_named
from siturec_gym.wrappers.structured.standing import shelves_of, standing_of


@pytest.fixture(scope="module")
def store(tiny_scene: Any) -> Store:
    texts = public_texts(tiny_scene)
    return read_store(texts["catalog"], texts["location_index"])


def exchange(said: str, reply: str, tool: str = "idle", target: str | None = None, refusal: str | None = None) -> Any:
    user = {"turn": 0, "role": "user", "utterance": reply, "tool": tool, "arguments": {}, "target_name": target}
    return [{"turn": 0, "role": "assistant", "utterance": said}, {**user, "refusal": refusal}]


def history(*exchanges: Any) -> str:
    return dump_lines(line for pair in exchanges for line in pair)


OPENING = exchange("Hello! What are you looking for today?", "I would like some milk, please.")
BUDGET = exchange("What is your budget?", "At most $2, if possible.")
OFFER = exchange(
    "I recommend the Alder Whole Milk 1 L. It costs $1.49.", "Let me see.", "pick_up_item", "Alder Whole Milk 1 L"
)
RETURN = exchange("Shall we go with this one?", "It is not for me, I need lactose-free milk.", "drop_item")


def test_nothing_said_is_nothing_known(store: Store) -> None:
    conversation = conversation_of(store, "")
    assert conversation.belief.mentions == ()
    assert (conversation.asked, conversation.held, conversation.tool) == ((), None, "")


def test_a_dialogue_by_hand(store: Store) -> None:
    conversation = conversation_of(store, history(OPENING, BUDGET, OFFER))
    assert conversation.asked == ("category", "budget", "")
    assert conversation.belief.budget == 2.0
    assert "category" in {mention.kind for mention in conversation.belief.mentions}
    assert conversation.offered == ("P001",)
    assert (conversation.held, conversation.tool) == ("P001", "pick_up_item")


def test_putting_back_turns_the_held_product_down(store: Store) -> None:
    conversation = conversation_of(store, history(OPENING, BUDGET, OFFER, RETURN))
    assert conversation.belief.rejected == {"P001"}
    assert conversation.held is None
    standing = standing_of(store, conversation.belief)
    assert standing.scores.best.id == "P002"  # lactose-free and within two dollars
    assert sum(standing.shares) == pytest.approx(1.0)
    assert standing.gap_of("P002") == min(standing.gaps) == 0.0
    assert standing.share_of("P002") == max(standing.shares)
    assert sum(standing.categories) == pytest.approx(1.0)
    assert sum(standing.places) == pytest.approx(1.0)


def test_a_refused_call_changes_nothing_in_the_hands(store: Store) -> None:
    refused = exchange("Please pick it up.", "Okay.", "pick_up_item", "Alder Whole Milk 1 L", "out_of_reach")
    conversation = conversation_of(store, history(OPENING, refused))
    assert conversation.held is None
    assert (conversation.refused, conversation.refusals) == (True, 1)
    assert not conversation_of(store, history(OPENING, refused, BUDGET)).refused


def test_nothing_more_to_say_closes_a_topic(store: Store) -> None:
    nothing = exchange("Is there anything you want to avoid?", "No, nothing else.")
    assert conversation_of(store, history(OPENING, nothing)).closed == {"avoid"}


def test_the_same_history_gives_the_same_whatever_was_read_before(store: Store) -> None:
    whole = history(OPENING, BUDGET, OFFER, RETURN)
    fresh = conversation_of(store, whole)
    conversation_of(store, history(BUDGET, OFFER))
    again = conversation_of(store, whole)
    assert fresh == again
    assert conversation_of(store, history(OPENING)) != again


def test_names_in_the_order_they_are_said(store: Store) -> None:
    said = "The Brook Oat Drink 1 L costs more than the Alder Whole Milk 1 L."
    assert products_named(store, said) == ("P003", "P001")


def test_viewpoints_of_places(store: Store) -> None:
    shelves = shelves_of(store)
    assert shelves.shape == (2, 2, 2)
    assert sorted(map(tuple, shelves[0].tolist())) == [(4.0, 1.0), (4.0, 4.0)]
    assert (6.2, 2.5) in map(tuple, shelves[1].tolist())
