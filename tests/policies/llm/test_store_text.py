"""The store at rest in words: what a line says of a piece of furniture, an area, an empty shelf of facts."""

from typing import Any

import pytest

from siturec_gym.core.text import dump_lines
from siturec_gym.policies.llm.store_text import catalogue_text, places_text

LAMP = {
    "product": "L1", "name": "Nordlys Lamp", "department": "lighting", "category": "floor lamp", "tags": ["dimmable"],
    "price": 89.9, "brand": "Nordlys", "material": "steel", "colour": "black", "style": "modern",
    "size_category": "medium", "dimensions": "160 cm",
}  # fmt: skip
RUG = LAMP | {"product": "R1", "name": "Ull Rug", "category": "rug", "tags": [], "price": 120.0, "material": "wool",
              "style": "", "dimensions": ["200 cm", "140 cm"]}  # fmt: skip
AREA = {"place": "A1", "kind": "area", "form": "", "name": "Reading Corner", "x": 1.0, "y": 2.5, "yaw_deg": 0.0,
        "size_m": [2, 2], "sign": "", "style": "scandinavian", "store": "Light Logic",
        "approaches": {"fixed": [1.0, 4.0, 90.0]}}  # fmt: skip
STORE = {"place": "S1", "kind": "store", "form": "", "name": "Light Logic", "x": 0, "y": 0, "yaw_deg": 0.0,
         "size_m": [8, 6], "sign": "LIGHT LOGIC", "approaches": {"outside_doorway": [0, -1, 90],
         "inside_doorway": [0, 1, 90]}}  # fmt: skip


def at(product: str, *places: tuple[str, str]) -> dict[str, Any]:
    return {"product": product, "places": [{"place": place, "side": side} for place, side in places]}


def catalogue(*products: dict[str, Any], stands: tuple[dict[str, Any], ...] = ()) -> tuple[str, list[str]]:
    columns, lines = catalogue_text(dump_lines(products), dump_lines((*stands, AREA, STORE)))
    return columns, lines.split("\n")


def test_furniture_is_told_by_what_it_is_made_of_and_the_area_stands_in_the_heading() -> None:
    columns, lines = catalogue(LAMP, RUG, stands=(at("L1", ("A1", "fixed")), at("R1", ("A1", "fixed"))))
    assert columns == "material, colour, style, size category, dimensions"
    assert lines == [
        "floor lamp, at A1:",
        "L1 Nordlys Lamp; dimmable; $89.90; steel, black, modern, medium, 160 cm",
        "rug, at A1:",
        "R1 Ull Rug; $120; wool, black, medium, 200 cm, 140 cm",
    ]


def test_products_of_a_category_that_stand_apart_tell_where_each_stands() -> None:
    other = LAMP | {"product": "L2", "name": "Sol Lamp"}
    stands = (at("L1", ("A1", "fixed")), at("L2", ("A1", "fixed"), ("S1", "front")))
    assert catalogue(LAMP, other, stands=stands)[1] == [
        "floor lamp:",
        "L1 Nordlys Lamp; dimmable; $89.90; steel, black, modern, medium, 160 cm; at A1",
        "L2 Sol Lamp; dimmable; $89.90; steel, black, modern, medium, 160 cm; at A1 and S1 front",
    ]


def test_a_product_that_stands_nowhere_is_told_without_a_place() -> None:
    assert catalogue(LAMP)[1][0] == "floor lamp:"
    assert not catalogue(LAMP)[1][1].endswith(" at ")


@pytest.mark.parametrize(
    ("nutrition", "told"),
    [
        ({"energy_kcal": 250.0, "fat_g": 0.0, "sugar_g": 12.25, "protein_g": 3, "salt_g": 1.5}, "250/0/12.25/3/1.5"),
        ({"energy_kcal": 40.0, "salt_g": 0.01}, "40/-/-/-/0.01"),
    ],
)
def test_figures_of_food_stand_in_one_order_with_a_dash_for_what_is_not_told(nutrition: Any, told: str) -> None:
    food = {"product": "F1", "name": "Oats", "department": "x", "category": "oats", "tags": [], "price": 1.05,
            "brand": "b", "nutrition": nutrition}  # fmt: skip
    columns, lines = catalogue(food)
    assert columns == "kcal/fat/sugar/protein/salt per 100 g or ml (all but kcal in g)"
    assert lines == ["oats:", f"F1 Oats; $1.05; {told}"]


def test_an_empty_catalog_has_no_lines() -> None:
    assert catalogue() == ("details", [""])


def test_areas_and_stores_are_told_with_their_points() -> None:
    assert places_text("", dump_lines((AREA, STORE))).split("\n") == [
        "A1 Reading Corner (area, in Light Logic, scandinavian) at (1, 2.5); viewpoint (1, 4)",
        "S1 Light Logic (store, sign LIGHT LOGIC) at (0, 0); outside_doorway (0, -1), inside_doorway (0, 1)",
    ]


def test_who_is_not_told_the_view_is_told_the_approaches() -> None:
    index = dump_lines([{"place": "S1", "kind": "store", "name": "x", "approaches": ["inside_doorway"]}])
    area, store = places_text("", dump_lines((AREA, STORE)), index).split("\n")
    assert "approaches" not in area
    assert store.endswith("(0, 1); approaches inside_doorway")
