"""The catalogs of all shipped scenes are complete and coherent (S5, S6, S7, S8)."""

import json
from collections import Counter
from typing import Any

import pytest

from siturec_gym.assets import read_asset
from siturec_gym.catalog import Catalog, load_products
from siturec_gym.core.text import normalise
from siturec_gym.tasks.lexicon import load_lexicon

PRODUCTS = {"supermarket": 233, "home_furnishings": 222}
pytestmark = pytest.mark.parametrize("scene", PRODUCTS)


@pytest.fixture
def catalog(scene: str) -> Catalog:
    return load_products(scene)


@pytest.fixture
def categories(scene: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(read_asset(f"{scene}/categories.json"))
    return content


def test_the_counts_of_the_paper(scene: str, catalog: Catalog) -> None:
    assert [product.id for product in catalog] == [f"P{number:03d}" for number in range(1, PRODUCTS[scene] + 1)]


def test_there_are_products_in_every_category(catalog: Catalog, categories: dict[str, Any]) -> None:
    assert list(catalog.by_category) == list(categories)
    assert 40 <= len(categories) <= 55
    assert all(product.department == categories[product.category]["department"] for product in catalog)


def test_each_category_offers_a_choice(catalog: Catalog) -> None:
    for category, products in catalog.by_category.items():
        assert 3 <= len(products) <= 8, category
        assert len({product.details["brand"] for product in products}) >= 2, category
        assert len({product.labels for product in products}) == len(products), f"{category}: two are alike"
        assert len({product.price for product in products}) >= 2, category


def test_segmentation_colours_follow_the_scheme_of_products(scene: str, catalog: Catalog) -> None:
    colors = {product.segmentation_color for product in catalog}
    assert len(colors) == PRODUCTS[scene]
    assert all(min(color) >= 40 and max(color) <= 255 and color[2] % 2 == 0 for color in colors)


def test_names_start_with_the_brand_and_keep_to_the_charset(catalog: Catalog) -> None:
    for product in catalog:
        assert product.name.startswith(f"{product.details['brand']} ")
        assert normalise(product.name) == product.name
        assert len(product.name) <= 64


def test_prices_are_whole_cents(catalog: Catalog) -> None:
    for product in catalog:
        assert product.price > 0
        assert round(product.price * 100) == pytest.approx(product.price * 100)


def test_every_appearance_has_three_colours(catalog: Catalog) -> None:
    for product in catalog:
        assert len(product.appearance.colors) == 3
        assert all(len(color) == 7 and int(color[1:], 16) >= 0 for color in product.appearance.colors)


def test_labels_are_distinct_and_do_not_contradict_each_other(scene: str, catalog: Catalog) -> None:
    for product in catalog:
        assert len(set(product.tags)) == len(product.tags) > 0
        assert load_lexicon(scene).opposed(tuple(product.labels)) is None
        assert product.category not in product.tags


def test_labels_are_shared_widely_enough_to_compare(catalog: Catalog) -> None:
    shared = Counter(label for product in catalog for label in product.labels - {product.category})
    assert sum(count >= 2 for count in shared.values()) >= 90
