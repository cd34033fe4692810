"""Rules of the ledger, one at a time."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import Tool, ToolCall, UserAction
from siturec_gym.tasks import load_task_bank
from siturec_gym.users.agenda.shopper import read_shopper
from siturec_gym.users.llm.ledger import breaches, new_details, told_before
from siturec_gym.users.llm.ledger.details import told_in

MILK = {
    "name": "Cloverdell Lactose-Free Milk 1 L", "price": 2.19, "flavour": "", "category": "milk", "allergens": ["milk"],
    "tags": ["lactose-free", "low-fat"],
}  # fmt: skip


def flags(observation: dict[str, Any], said: str, tool: str = "idle") -> tuple[str, ...]:
    return breaches(observation, UserAction(said, ToolCall(tool)))


def test_kind_and_use_are_one_detail_in_the_opening(observe: Any) -> None:
    opening = observe("milk", "Hello!")
    assert new_details(opening, "I'm looking for some milk for my coffee.") == {"category", "use"}
    assert flags(opening, "I'm looking for some milk for my coffee.") == ()
    assert flags(opening, "Some milk for my coffee, three dollars at most.") == ("user_two_details",)


@pytest.mark.parametrize("scene", ["supermarket", "home_furnishings"])
def test_openings_tell_the_kind_and_the_use_that_they_name(scene: str) -> None:
    bank = load_task_bank(scene)
    profiles = {profile.id: json.dumps(asdict(profile)) for profile in bank.profiles}
    missed = []
    for task in bank:
        goal = task.goal
        shopper = read_shopper(profiles[task.profile_id], json.dumps(asdict(goal)))
        named = {key for key, words in (("category", goal.category), ("use", goal.use)) if words in goal.request}
        missed += [(goal.request, key) for key in named - told_in(goal.request, shopper)]
    assert missed == []


def test_what_was_told_before_is_not_new(observe: Any) -> None:
    before = (("Hello!", "Some milk."), ("Your budget?", "$3."))
    later = observe("milk", "Anything else?", before)
    assert told_before(later) == {"category", "budget"}
    assert new_details(later, "Milk for $3 at most, and it must be lactose-free.") == {"need:lactose-free"}


def test_what_the_assistant_named_is_confirmed_not_added(observe: Any) -> None:
    asked = observe("milk", "Do you want it lactose-free and low in fat?", (("Hello!", "Some milk."),))
    assert flags(asked, "Yes, lactose-free and low in fat.") == ()
    assert told_before(observe("milk", "Fine.", (("Hi!", "Milk."), ("Lactose-free?", "Lactose-free, yes.")))) == {
        "category",
        "need:lactose-free",
    }


def test_names_of_products_and_places_tell_nothing(observe: Any) -> None:
    seen = observe("milk", "What do you see?", (("Hello!", "Some milk."),))
    said = "I see the Cloverdell Lactose-Free Milk 1 L and the Brook Low-Fat Milk by the Beans & Soup Shelf."
    assert new_details(seen, said) == set()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I see the plastic one.", set()),
        ("The plastic one is over there.", set()),
        ("I don't mind if it is plastic.", set()),
        ("It must be plastic.", {"need:material: plastic"}),
        ("Plastic.", {"need:material: plastic"}),
    ],
)
def test_pointing_at_a_product_and_not_minding_tell_no_need(observe: Any, said: str, told: set[str]) -> None:
    assert new_details(observe("console", "Which one?"), said) == told


def test_buying_ends_the_need_to_hold_back(observe: Any) -> None:
    holding = observe("milk", "What do you think?", (("Hello!", "Some milk."),), held=MILK)
    said = "It's lactose-free, low in fat and under my three dollars, so I'll take it."
    assert flags(holding, said, "add_to_cart") == ()
    assert flags(holding, said, "idle") == ("user_two_details",)


def test_a_bare_number_is_a_budget_where_money_was_asked_about(observe: Any) -> None:
    assert new_details(observe("milk", "How much would you spend?"), "Three.") == {"budget"}
    assert new_details(observe("milk", "How many do you need?"), "Three.") == set()
    earlier = (("Hi!", "Some milk."), ("How much would you spend?", "Three."))
    assert told_before(observe("milk", "Well?", earlier)) == {"category", "budget"}


@pytest.mark.parametrize("said", ["Material: plastic is what I want.", "I want material: plastic"])
def test_labels_in_the_catalogues_form_are_leaks_whatever_the_case(observe: Any, said: str) -> None:
    assert "user_leaked_profile" in flags(observe("console", "Which material?"), said)
    assert "user_leaked_profile" not in flags(observe("milk", "Which material?"), said)


@pytest.mark.parametrize("said", ["Well, unwanted_labels.", "It is in navigation_following.", "See Budget_Tier."])
def test_names_of_private_fields_are_leaks(observe: Any, said: str) -> None:
    assert flags(observe("milk", "What else?"), said) == ("user_leaked_profile",)


def test_six_words_of_the_persona_in_a_row_are_a_leak_and_five_are_not(observe: Any) -> None:
    # "Evening reader: spends every evening with a novel and wants a corner made for it"
    seen = observe("lamp", "Tell me about yourself!")
    assert flags(seen, "Someone who spends every evening with a novel.") == ("user_leaked_profile",)
    assert flags(seen, "I spend every evening with a novel.") == ()


@pytest.mark.parametrize("said", ["I will turn left.", "I should walk to the shelf.", "Shall I head over to it?"])
def test_who_speaks_of_the_own_way_does_not_guide(observe: Any, said: str) -> None:
    asked = observe("milk", "Please turn.", (("Hi!", "Some milk."),))
    assert flags(asked, said) == ()
    assert flags(asked, "Please turn left.") == ("user_role_inversion",)


def test_patience_decides_whether_leaving_is_early(observe: Any) -> None:
    said = "I give up. Goodbye."
    before = (("Hi!", "Some milk."), ("What is your budget?", "$3."), ("What is your budget?", "$3!"))
    assert flags(observe("milk", "What is your budget?", before, patience="low"), said) == ()
    assert flags(observe("milk", "What is your budget?", before[:1], patience="low"), said) == ("user_ended_early",)
    helpful = (("Hi!", "Some milk."), ("Please turn left.", "Okay."), ("Walk to the Beans & Soup Shelf.", "Okay."))
    assert flags(observe("milk", "The milk is in front of you.", helpful, patience="high"), said) == (
        "user_ended_early",
    )


def test_two_products_turned_down_are_enough_for_the_impatient(observe: Any) -> None:
    turned_down = (("Hi!", "Some milk."), ("Look left.", "I don't like it."), ("Look right.", "It is not for me."))
    plain = (("Hi!", "Some milk."), ("Look left.", "Okay."), ("Look right.", "Okay."))
    said = "I give up. Goodbye."
    assert flags(observe("milk", "Look up.", turned_down, patience="low"), said) == ()
    assert flags(observe("milk", "Look up.", turned_down, patience="high"), said) == ("user_ended_early",)
    assert flags(observe("milk", "Look up.", plain, patience="low"), said) == ("user_ended_early",)


def test_leaving_when_the_assistant_has_nothing_or_leaves_is_not_early(observe: Any) -> None:
    for heard in ("Sorry, we have nothing like that.", "Goodbye, and have a nice day!"):
        assert flags(observe("milk", heard, (("Hi!", "Some milk."),)), "Okay, goodbye.") == ()


def test_leaving_by_way_of_the_till_is_a_purchase(observe: Any) -> None:
    assert flags(observe("milk", "Do you like it?", held=MILK), "That's all, bye!", Tool.ADD_TO_CART) == ()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ()),
        ({"price": 3.01}, ("user_bought_unsuitable",)),
        ({"tags": ["low-fat"]}, ("user_bought_unsuitable",)),
        ({"flavour": "chocolate"}, ("user_bought_unsuitable",)),
        ({"category": "juice"}, ("user_bought_unsuitable",)),
    ],
)
def test_what_is_bought_must_fit_by_what_is_printed_on_it(
    observe: Any, change: dict[str, Any], expected: tuple[str, ...]
) -> None:
    holding = observe("milk", "Well?", held=MILK | change)
    assert flags(holding, "I'll take it.", "add_to_cart") == expected
    assert flags(holding, "Hm.", "drop_item") == ()


def test_a_soft_need_may_be_given_up(observe: Any) -> None:
    holding = observe("milk", "Well?", held=MILK | {"tags": ["lactose-free"]}, soft_labels=["low-fat"])
    assert flags(holding, "I'll take it.", "add_to_cart") == ()


@given(said=st.text(max_size=300), heard=st.text(max_size=80))
def test_any_words_are_judged_the_same_twice(observe: Any, said: str, heard: str) -> None:
    observation = observe("rug", heard.replace("\n", " "), (("Hi!", said.replace("\n", " ")),))
    once = flags(observation, said)
    assert once == flags(json.loads(json.dumps(observation)), said)
    assert set(once) <= {"user_two_details", "user_leaked_profile", "user_role_inversion", "user_ended_early"}


def test_what_is_written_as_a_name_is_one_even_out_of_view(observe: Any) -> None:
    before = (("Hello!", "Some milk."), ("Look!", "I like the Alder Lactose-Free Milk over there."))
    assert told_before(observe("milk", "Well?", before)) == {"category"}
    assert new_details(observe("milk", "Well?", before), "It must be lactose-free.") == {"need:lactose-free"}
