"""The changing part of a shopper's prompt, line by line."""

import json
from typing import Any

import pytest

from siturec_gym.core.legality import LegalActions, legal_actions
from siturec_gym.users.llm.moment import moment
from siturec_gym.users.llm.texts import conduct_sentences

MILK = {
    "name": "Cloverdell Milk 1 L", "price": 2.5, "category": "milk", "tags": ["lactose-free", "low-fat"],
    "allergens": [], "flavour": "", "nutrition": {"energy_kcal": 60.0, "fat_g": 1.5},
}  # fmt: skip
SHELF = {"handle": "AA", "kind": "fixture", "name": "Milk Shelf", "distance_m": 6.24, "bearing_deg": -8.2,
         "approaches": ["nearest", "back"]}  # fmt: skip
AREA = {"handle": "BB", "kind": "area", "name": "Sofa Salon", "distance_m": 3, "bearing_deg": 8.0, "approaches": []}
NEAR = {"handle": "1", "kind": "product", "name": "Alder Milk", "distance_m": 0.96, "bearing_deg": 30.4,
        "reachable": True}  # fmt: skip
FAR = NEAR | {"handle": "2", "bearing_deg": -0.1, "reachable": False}


def seen(observation: dict[str, Any], *marks: dict[str, Any]) -> list[str]:
    """The lines of the moment in which these marks are in view."""
    observation = observation | {"marks": "\n".join(map(json.dumps, marks))}
    return moment(observation, legal_actions(observation), 0).splitlines()


def test_places_and_products_stand_apart_with_how_far_and_where(observe: Any) -> None:
    lines = seen(observe("milk"), NEAR, SHELF, FAR, AREA)
    places = lines.index("Places in view (label, name, kind, distance, where, approaches):")
    assert lines[places + 1 : places + 6] == [
        "AA | Milk Shelf | fixture | 6.2 m | 8 degrees right | nearest, back",
        "BB | Sofa Salon | area | 3.0 m | ahead",
        "Products in view (label, name, distance, where):",
        "1 | Alder Milk | 1.0 m | 30 degrees left | within reach",
        "2 | Alder Milk | 1.0 m | ahead",
    ]


def test_an_empty_view_has_none_of_either(observe: Any) -> None:
    assert [line for line in seen(observe("milk")) if line == "none"] == ["none", "none"]


@pytest.mark.parametrize(
    ("home", "empty", "begins"),
    [
        (False, "Your hands are empty.", "You hold, and read on the package: "),
        (True, "You have no product under check.", "You check, and read on the tag: "),
    ],
)
def test_what_is_in_the_hand_is_told_as_it_is_printed(observe: Any, home: bool, empty: str, begins: str) -> None:
    assert empty in seen(observe("milk", home=home))
    facts = (
        "name Cloverdell Milk 1 L; price $2.50; category milk; tags lactose-free, low-fat; "
        "nutrition energy kcal 60.0, fat g 1.5"
    )
    assert begins + facts in seen(observe("milk", home=home, held=MILK))


def test_what_can_be_done_names_the_products_and_places_it_may_be_done_to(observe: Any) -> None:
    legal = LegalActions(frozenset(("turn", "pick_up_item", "idle")), {"pick_up_item": ("1", "2")}, {})
    assert "What you can do now: turn, idle, pick_up_item (1 2)." in moment(observe("milk"), legal, 0).splitlines()


def test_the_assistants_last_words_are_quoted_and_silence_is_told(observe: Any) -> None:
    assert 'The assistant has just said: "Look < b>."' in seen(observe("milk", "Look\n<b>."))
    silent = observe("milk") | {"history": ""}
    assert 'The assistant has just said: "(nothing)"' in seen(silent)


def test_a_shopper_who_follows_no_directions_is_told_so_in_a_line_of_its_own(observe: Any) -> None:
    always, never = (seen(observe("milk", navigation_following=share)) for share in (1.0, 0.0))
    (told,) = [line for line in never if line not in always]
    assert told == conduct_sentences()["today own way"]
    assert [line for line in never if line != told] == always
