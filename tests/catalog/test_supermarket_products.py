"""The Supermarket's packages, allergens and nutrition are coherent (S7)."""

import json
from collections import Counter

from siturec_gym.assets import read_asset
from siturec_gym.catalog import Product, load_products

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


def test_names_tell_brand_and_size() -> None:
    for product in CATALOG:
        brand, size = product.details["brand"], product.details["size"]
        assert product.name.startswith(f"{brand} ")
        assert product.name.endswith(f" {size}")
        assert len(product.name) > len(brand) + len(size) + 2


def test_goods_are_stored_as_their_category_is() -> None:
    for product in CATALOG:
        assert product.details["storage"] == CATEGORIES[product.category]["storage"]


def test_prices_are_those_of_groceries() -> None:
    for product in CATALOG:
        assert 0.5 <= product.price <= 20


def test_the_package_has_the_shape_of_its_packaging() -> None:
    for product in CATALOG:
        width, depth, height = product.appearance.size_m
        assert product.appearance.shape == SHAPE_OF_PACKAGING[product.details["packaging"]]
        assert all(0.01 <= side <= 0.45 for side in (width, depth, height))
        if product.appearance.shape in {"can", "bottle", "jar"}:
            assert width >= depth
        if product.appearance.shape in {"can", "jar"}:
            assert width == depth, "round packages"


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
