"""The view and what can be done in it, in words."""

from typing import Any

import pytest

from siturec_gym.core.legality import LegalActions
from siturec_gym.core.text import dump_lines
from siturec_gym.policies.knowledge import read_store
from siturec_gym.policies.llm.outlook import Outlook
from siturec_gym.policies.llm.view_text import marks_text, possible_text

PRODUCT = {"product": "P7", "name": "Alder Milk", "department": "dairy", "category": "milk", "tags": [], "price": 1.0,
           "brand": "Alder"}  # fmt: skip
SHELF = {"handle": "AA", "kind": "fixture", "name": "Milk Shelf", "distance_m": 6.05, "bearing_deg": -44.6,
         "approaches": ["nearest", "back"]}  # fmt: skip
AREA = {"handle": "BB", "kind": "area", "name": "Sofa Salon", "distance_m": 3, "bearing_deg": 0.4}
MILK = {"handle": "1", "kind": "product", "name": "Alder Milk", "distance_m": 0.96, "bearing_deg": 1, "reachable": True}
OTHER = {"handle": "2", "kind": "product", "name": "Brook Milk", "distance_m": 0.5, "bearing_deg": 179.7,
         "reachable": False}  # fmt: skip


def outlook(*marks: dict[str, Any], legal: LegalActions | None = None, place_index: str = "") -> Outlook:
    store = read_store(dump_lines([PRODUCT]), "")
    return Outlook(store, frozenset(), legal or LegalActions(frozenset(), {}, {}), marks, None, 3, place_index)


def test_places_come_first_and_each_kind_by_distance() -> None:
    assert marks_text(outlook(MILK, SHELF, OTHER, AREA)).split("\n") == [
        "BB Sofa Salon: 3.0 m, ahead",
        "AA Milk Shelf: 6.0 m, 45 degrees right; approach nearest, back",
        "2 Brook Milk: 0.5 m, 180 degrees left",
        "1 Alder Milk (P7): 1.0 m, 1 degrees left, within reach",
    ]


def test_an_empty_view_says_so() -> None:
    assert marks_text(outlook()) == "nothing that carries a mark"


@pytest.mark.parametrize(("place_index", "told"), [("", " 1, 2"), (dump_lines([{"place": "AA"}]), "")])
def test_what_can_be_done_names_its_targets_unless_the_view_is_not_told(place_index: str, told: str) -> None:
    legal = LegalActions(frozenset(("idle", "pick_up_item", "turn")), {"pick_up_item": ("1", "2")}, {})
    words = possible_text(outlook(MILK, OTHER, legal=legal, place_index=place_index))
    assert words == f"turn; idle; pick_up_item{told}"
