"""What may be spoken about in a turn."""

from typing import Any

import pytest

from siturec_gym.core.text import dump_lines
from siturec_gym.policies.llm.outlook import read_outlook

ITEMS = {"pick_up_item", "check_item", "add_to_cart", "drop_item", "do_not_add_to_cart"}
HELD = dump_lines([{"product": "P001", "name": "A thing"}])


@pytest.mark.parametrize(
    ("scene", "held", "expected"),
    [
        ("supermarket", "", {"pick_up_item"}),
        ("supermarket", HELD, {"add_to_cart", "drop_item"}),
        ("home_furnishings", "", {"check_item"}),
        ("home_furnishings", HELD, {"check_item", "add_to_cart", "do_not_add_to_cart"}),
    ],
)
def test_blind_what_is_in_hand_decides_what_may_be_expected(
    moments: Any, scene: str, held: str, expected: set[str]
) -> None:
    moment = next(m for m in moments if m.blind and m.env.unwrapped.scene.name == scene)
    outlook = read_outlook(moment.observation | {"held": held})
    assert outlook.legal.tools & ITEMS == expected
    assert (outlook.held is None) == (not held)
    assert (outlook.marks, outlook.seen) == ((), {})


def test_products_in_view_are_known_by_their_handles(seen_moments: Any) -> None:
    outlook = next(o for m in seen_moments["supermarket"] if (o := read_outlook(m.observation)).seen)
    named = {mark["handle"]: mark["name"] for mark in outlook.marks if mark["kind"] == "product"}
    assert {handle: item.name for handle, item in outlook.seen.items()} == named
