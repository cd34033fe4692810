"""The Supermarket's catalog is complete and coherent (S5, S7, S8)."""

import json
from collections import Counter

import pytest

from siturec_gym.assets import read_asset
from siturec_gym.catalog import Product, load_products
from siturec_gym.core.text import normalise
from siturec_gym.tasks.lexicon import load_lexicon

CATALOG = load_products("supermarket")
CATEGORIES = json.loads(read_asset("supermarket/categories.json"))
SHAPE_OF_PACKAGING = {
    "can": "can", "tin": "can", "cardboard box": "carton", "drink carton": "carton", "egg carton": "carton",
    "gable-top carton": "carton", "foil wrap": "carton", "paper wrap": "carton", "foil tray": "tray",
    "sealed tray": "tray", "glass bottle": "bottle", "plastic bottle": "bottle", "glass jar": "jar",
    "paper bag": "bag", "plastic bag": "bag", "plastic wrap": "bag", "pouch": "bag", "resealable bag": "bag",
    "plastic tub": "tub", "loose": "produce", "net bag": "produce", "pre-packed bag": "produce", "punnet": "produce",
}  # fmt: skip
NOT_EATEN = {"household", "laundry", "personal care"}
GLUTEN = {"wheat", "rye", "barley"}
ANIMAL = {"milk", "egg", "fish"}
ALLERGENS = GLUTEN | ANIMAL | {"oats", "soy", "nuts", "peanuts", "sesame", "celery", "mustard"}


def is_food(product: Product) -> bool:
    return product.department not in NOT_EATEN and product.category != "diapers"


def test_there_are_233_products_in_every_category() -> None:
    assert [product.id for product in CATALOG] == [f"P{number:03d}" for number in range(1, 234)]
    assert list(CATALOG.by_category) == list(CATEGORIES)
    assert 45 <= len(CATEGORIES) <= 55


def test_each_category_offers_a_choice() -> None:
    for category, products in CATALOG.by_category.items():
        assert 3 <= len(products) <= 7, category
        assert len({product.details["brand"] for product in products}) >= 2, category
        assert len({product.labels for product in products}) == len(products), f"{category}: two are alike"
        assert len({product.price for product in products}) >= 2, category


def test_segmentation_colours_follow_the_scheme_of_products() -> None:
    colors = {product.segmentation_color for product in CATALOG}
    assert len(colors) == 233
    assert all(min(color) >= 40 and max(color) <= 255 and color[2] % 2 == 0 for color in colors)


def test_names_tell_brand_and_size_in_the_charset() -> None:
    for product in CATALOG:
        brand, size = product.details["brand"], product.details["size"]
        assert product.name.startswith(f"{brand} ")
        assert product.name.endswith(f" {size}")
        assert len(product.name) > len(brand) + len(size) + 2
        assert normalise(product.name) == product.name
        assert len(product.name) <= 64


def test_department_and_storage_are_those_of_the_category() -> None:
    for product in CATALOG:
        entry = CATEGORIES[product.category]
        assert (product.department, product.details["storage"]) == (entry["department"], entry["storage"])


def test_prices_are_cents_that_a_store_would_ask() -> None:
    for product in CATALOG:
        assert 0.5 <= product.price <= 20
        assert round(product.price * 100) == pytest.approx(product.price * 100)


def test_the_package_has_the_shape_of_its_packaging() -> None:
    for product in CATALOG:
        width, depth, height = product.appearance.size_m
        assert product.appearance.shape == SHAPE_OF_PACKAGING[product.details["packaging"]]
        assert all(0.01 <= side <= 0.45 for side in (width, depth, height))
        if product.appearance.shape in {"can", "bottle", "jar"}:
            assert width >= depth
        if product.appearance.shape in {"can", "jar"}:
            assert width == depth, "round packages"
        assert len(product.appearance.colors) == 3
        assert all(len(color) == 7 and int(color[1:], 16) >= 0 for color in product.appearance.colors)


def test_tags_are_distinct_and_do_not_contradict_each_other() -> None:
    for product in CATALOG:
        assert len(set(product.tags)) == len(product.tags) > 0
        assert load_lexicon("supermarket").opposed(product.tags) is None
        assert product.category not in product.tags


def test_tags_agree_with_allergens() -> None:
    for product in CATALOG:
        allergens = set(product.details["allergens"])
        assert allergens <= ALLERGENS
        if "vegan" in product.tags:
            assert not allergens & ANIMAL
        if "gluten-free" in product.tags:
            assert not allergens & GLUTEN
        if product.category in {"milk", "yogurt", "cheese", "butter"} and "vegan" not in product.tags:
            assert "milk" in allergens, "lactose-free milk is milk all the same"
        if not is_food(product):
            assert not allergens


def test_nutrition_is_possible() -> None:
    for product in CATALOG:
        nutrition = product.details["nutrition"]
        assert (nutrition is not None) == is_food(product)
        if nutrition is None:
            continue
        fat, sugar, protein, salt = (nutrition[key] for key in ("fat_g", "sugar_g", "protein_g", "salt_g"))
        assert min(nutrition.values()) >= 0
        assert fat + sugar + protein + salt <= 100.5
        # 9 kcal a gram of fat and 4 of sugar and protein at least; the rest could be starch at most.
        least = 9 * fat + 4 * sugar + 4 * protein
        most = 9 * fat + 4 * protein + 4 * (100 - fat - protein - salt)
        assert 0.93 * least - 3 <= nutrition["energy_kcal"] <= 1.03 * most + 3


def test_tags_agree_with_nutrition() -> None:
    for product in CATALOG:
        nutrition, tags = product.details["nutrition"], set(product.tags)
        if nutrition is None:
            assert not tags & {"gluten-free", "low-fat", "high-protein", "salted", "no added sugar"}
            continue
        if "low-fat" in tags:
            assert nutrition["fat_g"] <= 3
        if "high-protein" in tags:
            assert 4 * nutrition["protein_g"] >= 0.2 * nutrition["energy_kcal"]
        if tags & {"unsalted", "low-salt"}:
            assert nutrition["salt_g"] <= 0.12
        if "salted" in tags:
            assert nutrition["salt_g"] >= 0.5
        if "sugar-free" in tags:
            assert nutrition["sugar_g"] <= 0.5
        if "sweetened" in tags:
            assert nutrition["sugar_g"] >= 2


def test_labels_are_shared_widely_enough_to_compare() -> None:
    shared = Counter(tag for product in CATALOG for tag in product.tags)
    assert sum(count >= 2 for count in shared.values()) >= 90
    assert shared["organic"] >= 30
