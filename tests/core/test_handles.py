"""Handles: two maps over the same entities that never meet (S14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.handles import ROLES, PlaceKey, assign_handles, place_handles, product_handle

FIXTURES = tuple(PlaceKey(f"F{number:02}", "fixture") for number in range(1, 30))
HOME = (
    PlaceKey("S1", "store"),
    PlaceKey("S2", "store"),
    PlaceKey("A01", "area", "S1"),
    PlaceKey("A02", "area", "S2"),
    PlaceKey("A03", "area", "S1"),
)


def test_the_users_29_fixtures() -> None:
    handles = place_handles("user", FIXTURES)
    assert handles[:3] == ("AA", "AB", "AC")
    assert handles[25:] == ("AZ", "BA", "BB", "BC")


def test_the_assistants_29_fixtures() -> None:
    assert place_handles("assistant", FIXTURES) == tuple(str(number) for number in range(1, 30))


def test_areas_carry_their_store() -> None:
    assert place_handles("user", HOME) == ("AA", "AB", "A1", "B1", "A2")
    assert place_handles("assistant", HOME) == ("1", "2", "1a", "2a", "1b")


def test_products_in_the_order_of_the_view() -> None:
    assert [product_handle("user", index) for index in (0, 1, 99)] == ["1", "2", "100"]
    assert [product_handle("assistant", index) for index in (0, 25, 26, 27, 701, 702)] == [
        "A", "Z", "AA", "AB", "ZZ", "AAA"
    ]  # fmt: skip


@given(
    st.sampled_from(ROLES),
    st.lists(st.sampled_from(["fixture", "store", "area"]), max_size=40),
    st.integers(0, 300),
    st.randoms(use_true_random=False),
)
def test_a_bijection_whatever_the_scene(role: str, kinds: list[str], products: int, random: object) -> None:
    stores = [f"X{at}" for at, kind in enumerate(kinds) if kind == "store"]
    places = [
        PlaceKey(f"X{at}", kind, random.choice(stores) if stores and kind == "area" else None)  # type: ignore[attr-defined]
        for at, kind in enumerate(kinds)
    ]
    handles = assign_handles(role, places, [f"P{at}" for at in range(products)])
    assert len(handles.entity_of) == len(handles.handle_of) == len(kinds) + products
    assert all(handles.entity_of[handle] == entity for entity, handle in handles.handle_of.items())


def test_product_handles_follow_the_view_and_place_handles_do_not() -> None:
    first = assign_handles("user", FIXTURES, ["P001", "P007"])
    second = assign_handles("user", FIXTURES, ["P007"])
    assert (first.handle_of["P007"], second.handle_of["P007"]) == ("2", "1")
    assert first.handle_of["F29"] == second.handle_of["F29"] == "BC"


@pytest.mark.parametrize(
    ("role", "places", "named"), [("cashier", HOME, "cashier"), ("user", [PlaceKey("D1", "door")], "door")]
)
def test_unknown_roles_and_kinds(role: str, places: list[PlaceKey], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        place_handles(role, places)
    if role not in ROLES:
        with pytest.raises(ValueError, match=named):
            product_handle(role, 0)
