"""The home store's furnishings: attributes, measures, and shapes to build them from (S6, S7)."""

import json
import re

import pytest

from siturec_gym.assets import read_asset
from siturec_gym.catalog import Product, load_products

CATALOG = load_products("home_furnishings")
SHAPES = json.loads(read_asset("home_furnishings/shapes.json"))
MOUNTS = {"floor", "surface", "wall", "ceiling", "flat"}
ATTRIBUTES = {"brand", "material", "colour", "size_category", "style", "dimensions"}


@pytest.mark.parametrize("category", CATALOG.by_category)
def test_every_product_has_its_attributes(category: str) -> None:
    for product in CATALOG.by_category[category]:
        _check_attributes(product)


def _check_attributes(product: Product) -> None:
    details = product.details
    assert set(details) == ATTRIBUTES
    assert all(isinstance(value, str) and value for value in details.values())
    assert details["size_category"] in {"small", "medium", "large"}
    assert {f"material: {details['material']}", f"colour: {details['colour']}", f"size: {details['size_category']}",
            f"style: {details['style']}"} <= product.labels  # fmt: skip
    assert 10 <= product.price <= 2000


def test_dimensions_are_those_of_the_appearance() -> None:
    for product in CATALOG:
        stated = [int(value) for value in re.findall(r"\d+", product.details["dimensions"])]
        sides = [round(side * 100) for side in product.appearance.size_m]
        assert stated == sides[: len(stated)], product.name
        assert len(stated) == 3 or sides[2] <= 2, "only what is flat may leave its height out"


def test_every_shape_is_used_and_says_where_it_belongs() -> None:
    assert {product.appearance.shape for product in CATALOG} == set(SHAPES)
    for name, shape in SHAPES.items():
        assert shape["mount"] in MOUNTS, name
        assert shape["builder"], name


def test_products_of_a_category_can_be_told_apart_by_eye() -> None:
    """No two share shape, colours and size."""
    for products in CATALOG.by_category.values():
        looks = {
            (product.appearance.shape, product.appearance.colors, product.appearance.size_m) for product in products
        }
        assert len(looks) == len(products)


def test_a_larger_size_category_is_a_larger_thing() -> None:
    """Within a category no small item exceeds a large one in its longest side and volume alike."""
    for products in CATALOG.by_category.values():
        small, large = (
            [product for product in products if product.details["size_category"] == size] for size in ("small", "large")
        )
        for one in small:
            for other in large:
                assert _measure(one) < _measure(other), (one.name, other.name)


def _measure(product: Product) -> float:
    width, depth, height = product.appearance.size_m
    return max(width, height) * max(depth, min(width, height))
