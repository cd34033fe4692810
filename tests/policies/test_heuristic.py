"""The heuristic assistant's conduct on hand-made turns (S3, S15), and that it reads nothing private (S1)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from siturec_gym.core.actions import Act, AssistantAction, Tool
from siturec_gym.policies import make_assistant
from siturec_gym.policies.heuristic.memory import Memory
from siturec_gym.policies.knowledge import Store

READ = {
    "pose", "tools", "place_index", "held", "catalog", "location_index", "history", "marks", "turn",
    "recommendations_left",
}  # fmt: skip


class Guarded(Mapping[str, Any]):
    """An observation that tells which keys were read, and holds canaries under private ones."""

    def __init__(self, observation: Mapping[str, Any]) -> None:
        self._observation = {**observation, "profile": "CANARY-PROFILE", "goal": "CANARY-GOAL", "target": "CANARY"}
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return self._observation[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._observation)

    def __len__(self) -> int:
        return len(self._observation)


class Talk:
    """A talk with the assistant, one observation a turn; the words are what the user said last."""

    def __init__(self, observe: Callable[..., dict[str, Any]], **options: Any) -> None:
        self._policy = make_assistant(**{"name": "heuristic", **options})
        self._observe = observe
        self._words: tuple[str, ...] = ()
        self.state: Any = self._policy.initial_state(5)

    def say(self, *words: str, **scene: Any) -> AssistantAction:
        self._words += words
        action, self.state = self._policy.step(self._observe(*self._words, **scene), self.state)
        return action


@pytest.fixture
def talk(observe: Callable[..., dict[str, Any]]) -> Talk:
    return Talk(observe)


@pytest.fixture(scope="session")
def at_shelf(
    store: Store, named: Callable[[str], str], place_mark: Callable[..., Any], product_mark: Callable[..., Any]
) -> Callable[..., dict[str, Any]]:
    """Scene keywords of standing before a product's shelf with all products of its category in reach."""

    def scene(words: str, **more: Any) -> dict[str, Any]:
        item = store.by_id[named(words)]
        stand = item.stands[0]
        pose = store.places[stand.place].approaches[stand.side]
        shelf = tuple(product_mark(peer.id) for peer in store.items if stand in peer.stands)
        return {"pose": pose, "marks": (place_mark(stand.place), *shelf), **more}

    return scene


def held_line(store: Store, product: str) -> dict[str, Any]:
    return {"product": product, "name": store.by_id[product].name}


def test_it_greets_and_asks_first(talk: Talk) -> None:
    action = talk.say()
    assert action.act == Act.GREET
    assert "?" in action.utterance
    assert action.expected_user_action is not None
    assert action.expected_user_action.tool == Tool.IDLE
    assert len(set(action.ranking)) == 10


def test_it_asks_for_the_kind_of_product_when_it_heard_none(talk: Talk) -> None:
    talk.say()
    assert talk.say("Hello, nice day today.").act == Act.ASK_PREFERENCE


def test_a_visible_shelf_is_named_with_its_side_and_a_question_rides_along(
    talk: Talk, named: Callable[[str], str], store: Store, place_mark: Callable[..., Any]
) -> None:
    cookies = store.by_id[named("oat cookies")].stands[0]
    mark = place_mark(cookies.place, bearing=-60.0, approaches=("nearest", cookies.side))
    talk.say()
    action = talk.say("I'd like some cookies.", marks=(mark,))
    call, navigation = action.expected_user_action, action.navigation
    assert action.act == Act.NAVIGATE
    assert call is not None
    assert navigation is not None
    assert (call.tool, call.target, call.approach) == (Tool.MOVE_TO_FIXTURE, mark["handle"], cookies.side)
    assert navigation.navigation_goal == cookies.place
    assert store.places[cookies.place].name in action.utterance
    assert "on your right" in action.utterance
    assert "?" in action.utterance
    assert mark["handle"] not in action.utterance


def test_a_destination_out_of_view_gives_a_turn_as_said(talk: Talk) -> None:
    talk.say()
    action = talk.say("I'd like some cookies.", pose=(30.2, 1.5, -90.0))
    call = action.expected_user_action
    assert action.act == Act.NAVIGATE
    assert call is not None
    assert call.tool in (Tool.TURN, Tool.TURN_AND_MOVE)
    if call.tool == Tool.TURN:
        assert str(call.direction) in action.utterance or "turn around" in action.utterance


def test_the_ranking_follows_what_was_said(talk: Talk, store: Store) -> None:
    talk.say()
    action = talk.say("I'd like lactose-free milk, at most $2.20.")
    assert store.by_id[action.ranking[0]].name == "Snowcap Dairy Lactose-Free Low-Fat Milk 1 L"
    assert all(store.by_id[id_].category == "milk" for id_ in action.ranking[:5])


def prepared(talk: Talk, at_shelf: Callable[..., dict[str, Any]]) -> AssistantAction:
    """Up to the first recommendation: fish fingers are to be avoided, the budget is 10 dollars."""
    talk.say()
    talk.say("I need frozen fish.")
    talk.say("At most $10.")
    action = talk.say("No more wishes, that's all.", **at_shelf("cod fillets plain"))
    assert action.act == Act.RECOMMEND
    return action


def test_it_recommends_by_exact_name_and_asks_to_pick_up(
    talk: Talk, at_shelf: Callable[..., dict[str, Any]], store: Store
) -> None:
    action = prepared(talk, at_shelf)
    recommended, call = action.recommendation, action.expected_user_action
    assert recommended is not None
    assert call is not None
    item = store.by_id[str(recommended.product)]
    assert recommended.display_name == item.name
    assert recommended.visible_now
    assert item.name in action.utterance
    assert f"${item.price:.2f}" in action.utterance
    assert item.category == "frozen fish"
    assert (call.tool, call.target) == (Tool.PICK_UP_ITEM, f"handle-{item.id}")


def test_after_a_rejection_the_reason_counts_and_another_is_put_forward(
    talk: Talk, at_shelf: Callable[..., dict[str, Any]], store: Store
) -> None:
    first = store.by_id[str(prepared(talk, at_shelf).recommendation.product)]  # type: ignore[union-attr]
    assert "breaded" in first.tags  # the cheapest while nothing is known against it
    scene = at_shelf("cod fillets plain", left=2)
    action = talk.say("I'll pass because it's breaded. I want something plain.", **scene)
    assert action.act == Act.RECOMMEND
    assert action.recommendation is not None
    second = store.by_id[str(action.recommendation.product)]
    assert "plain" in second.tags
    assert second.price <= 10.0
    assert first.id not in action.ranking[:5]


def test_whatever_is_put_forward_is_a_recommendation_to_the_last_attempt(
    talk: Talk, at_shelf: Callable[..., dict[str, Any]], store: Store
) -> None:
    """S15: the third candidate is annotated like the first, and questions left open are asked before it."""
    prepared(talk, at_shelf)
    talk.say("I don't want it because it's breaded.", **at_shelf("cod fillets plain", left=2))
    acts = []
    for words in ("No, I don't want that one either.", "The price.", "That's all.", "That's all."):
        action = talk.say(words, **at_shelf("cod fillets plain", left=1))
        acts.append(action.act)
        named = [item for item in store.items if item.name in action.utterance]
        assert bool(named) == (action.recommendation is not None)
    assert acts[0] == Act.HANDLE_REJECTION
    assert Act.RECOMMEND in acts


def test_an_item_that_the_shopper_took_unasked_is_recommended_when_it_fits(
    talk: Talk, store: Store, named: Callable[[str], str]
) -> None:
    item = named("cod fillets plain")
    talk.say()
    talk.say("I need plain frozen fish fillets without breading, at most $10.")
    action = talk.say("This one looks nice.", held=held_line(store, item), left=1, tool="pick_up_item")
    assert action.act == Act.RECOMMEND
    assert action.recommendation is not None
    assert action.recommendation.product == item
    assert action.expected_user_action is not None
    assert action.expected_user_action.tool == Tool.ADD_TO_CART


def test_something_cheaper_is_an_attempt_of_its_own(talk: Talk, at_shelf: Callable[..., Any], store: Store) -> None:
    first = str(prepared(talk, at_shelf).recommendation.product)  # type: ignore[union-attr]
    dearest = max(
        (item for item in store.items if item.category == "frozen fish" and item.price <= 10), key=lambda i: i.price
    )
    assert dearest.id != first
    action = talk.say("Is there something similar that costs less?", held=held_line(store, dearest.id), left=2)
    assert action.act == Act.RECOMMEND
    assert action.recommendation is not None
    other = store.by_id[str(action.recommendation.product)]
    assert other.price < dearest.price
    assert other.name in action.utterance


def test_a_category_turned_down_for_another_of_the_same_name_is_left(
    talk: Talk, store: Store, named: Callable[[str], str]
) -> None:
    talk.say()
    talk.say("I'm looking for a frozen dessert, at most $7.")
    held = held_line(store, named("vanilla ice cream frostelle"))
    action = talk.say("Not what I want; I need a frozen dessert.", held=held, left=2)
    assert {store.by_id[id_].category for id_ in action.ranking[:5]} == {"frozen desserts"}


def test_a_held_item_that_fits_is_confirmed(talk: Talk, at_shelf: Callable[..., dict[str, Any]], store: Store) -> None:
    item = str(prepared(talk, at_shelf).recommendation.product)  # type: ignore[union-attr]
    action = talk.say("Let me look at it.", held=held_line(store, item), left=2, tool="pick_up_item")
    assert action.act == Act.CONFIRM_PURCHASE
    assert action.expected_user_action is not None
    assert action.expected_user_action.tool == Tool.ADD_TO_CART
    assert "cart" in action.utterance


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is it?", "$"),
        ("Does it contain any allergens?", "fish"),
        ("How is it packaged?", "cardboard box"),
        ("How big is the pack?", "300 g"),
        ("How many calories does it have?", "kcal"),
        ("Is it gluten-free?", "No"),
        ("Is it breaded?", "Yes"),
    ],
)
def test_questions_are_answered_from_the_catalog(
    question: str, answer: str, talk: Talk, at_shelf: Callable[..., Any], store: Store, named: Callable[[str], str]
) -> None:
    prepared(talk, at_shelf)
    action = talk.say(question, held=held_line(store, named("fish fingers")), left=2)
    assert action.act == Act.ANSWER_QUESTION
    assert answer in action.utterance


def test_a_held_item_that_was_refused_is_put_back(
    talk: Talk, at_shelf: Callable[..., dict[str, Any]], store: Store
) -> None:
    item = str(prepared(talk, at_shelf).recommendation.product)  # type: ignore[union-attr]
    action = talk.say("I don't want it, it's breaded.", held=held_line(store, item), left=2)
    assert action.act == Act.HANDLE_REJECTION
    assert action.expected_user_action is not None
    assert action.expected_user_action.tool == Tool.DROP_ITEM


def test_it_never_repeats_itself_word_for_word(observe: Callable[..., dict[str, Any]], place_mark: Any) -> None:
    """The same scene and the same empty words, with the assistant's own words in the history."""
    from siturec_gym.core.text import dump_lines, parse_lines

    policy, said = make_assistant("heuristic"), []
    state: Any = policy.initial_state(2)
    words: list[dict[str, Any]] = []
    for turn in range(6):
        observation = observe("I'd like some cookies.", turn=turn)
        observation["history"] = dump_lines(words)
        action, state = policy.step(observation, state)
        said.append(action.utterance)
        words += [{"turn": turn, "role": "assistant", "utterance": action.utterance}]
        words += [{**parse_lines(observe("I'd like some cookies.")["history"])[1], "turn": turn}]
    assert len(set(said)) == len(said)


def test_only_the_assistants_own_keys_are_read(observe: Callable[..., dict[str, Any]]) -> None:
    policy = make_assistant("heuristic")
    guarded = Guarded(observe("I'd like some tea."))
    action, _ = policy.step(guarded, policy.initial_state(1))
    assert guarded.read <= READ
    assert "CANARY" not in repr(action)


def test_same_seed_and_observation_same_action(observe: Callable[..., dict[str, Any]]) -> None:
    one, two = make_assistant("heuristic"), make_assistant("heuristic")
    observation = observe("I'd like some tea.")
    assert one.step(observation, one.initial_state(9)) == two.step(observation, two.initial_state(9))
    assert isinstance(one.initial_state(9), Memory)


def test_the_privileged_assistant_works_on_the_right_products_alone(
    observe: Callable[..., dict[str, Any]], named: Callable[[str], str], at_shelf: Callable[..., dict[str, Any]]
) -> None:
    right = named("cod fillets plain")
    talk = Talk(observe, name="privileged", reference_set=(right,))
    talk.say()
    action = talk.say("I need frozen fish.", **at_shelf("cod fillets plain"))
    assert action.act == Act.RECOMMEND
    assert action.recommendation is not None
    assert action.recommendation.product == right
    assert action.ranking[0] == right
