"""Reading product files: what is read, and one clear line for what cannot be (S7)."""

import json

import pytest

from siturec_gym.catalog import load_products, matching, parse_catalog
from siturec_gym.core.errors import DataError

ENTRY = {
    "id": "P001", "name": "Alder Whole Milk 1 L", "department": "dairy", "category": "milk", "tags": ["whole"],
    "price": 1.5, "segmentation_color": [40, 40, 40],
    "appearance": {"shape": "carton", "size_m": [0.1, 0.1, 0.2], "colors": ["#ffffff", "#000000"]},
    "details": {"brand": "Alder", "flavour": "vanilla"},
}  # fmt: skip


def test_an_entry_becomes_a_product() -> None:
    (product,) = parse_catalog(json.dumps([ENTRY]).encode())
    assert product.appearance.size_m == (0.1, 0.1, 0.2)
    assert product.labels == {"milk", "whole", "flavour: vanilla"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "products.json: malformed"),
        (b"[3]", "products.json: malformed"),
        (json.dumps([{**ENTRY, "price": "cheap"}]).encode(), "malformed"),
        (json.dumps([{key: ENTRY[key] for key in ENTRY if key != "tags"}]).encode(), "lacks the key 'tags'"),
        (json.dumps([ENTRY, ENTRY]).encode(), "two products share the id 'P001'"),
        (json.dumps([{**ENTRY, "segmentation_color": [1, 2]}]).encode(), "malformed"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=r"products\.json") as caught:
        parse_catalog(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_scene_has_no_products() -> None:
    with pytest.raises(DataError, match=r"nowhere/products\.json"):
        load_products("nowhere")


def test_the_vocabulary_is_what_filters_can_match() -> None:
    catalog = load_products("supermarket")
    assert list(catalog.vocabulary) == sorted(catalog.vocabulary)
    for label in catalog.vocabulary:
        assert matching(catalog, [label], ()), label
        assert len(matching(catalog, [label], ())) + len(matching(catalog, (), [label])) == len(catalog)


def test_categories_partition_the_catalog() -> None:
    catalog = load_products("supermarket")
    assert [product for group in catalog.by_category.values() for product in group] == list(catalog)
