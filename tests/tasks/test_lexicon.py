"""The authored words and roles fit the catalog and each other (S10)."""

import pytest

from siturec_gym.tasks.habits import TIERS_OF_SENSITIVITY
from siturec_gym.tasks.lexicon import attribute_of
from siturec_gym.tasks.targets import Materials

KINDS = {"diet", "quality", "taste", "form", "look"}
supermarket_only = pytest.mark.parametrize("scene", ["supermarket"], indirect=True)
home_only = pytest.mark.parametrize("scene", ["home_furnishings"], indirect=True)


def test_every_category_and_label_has_words(materials: Materials) -> None:
    lexicon, catalog = materials.lexicon, materials.catalog
    assert set(lexicon.categories) == set(catalog.by_category)
    tags = {tag for product in catalog for tag in product.tags}
    assert tags == {label for label in lexicon.labels if not attribute_of(label)}
    assert set(lexicon.labels) <= set(catalog.vocabulary)
    assert {attribute_of(label) for label in catalog.vocabulary} == {"", *lexicon.attributes}
    for label, words in lexicon.labels.items():
        assert words.wanted or words.avoided, label
        assert words.kind in KINDS, label
    for pair in lexicon.opposites:
        assert len(pair) == 2
        assert pair <= set(catalog.vocabulary)


@supermarket_only
def test_flavours_are_worded_by_one_template(materials: Materials) -> None:
    words = materials.lexicon.label("flavour: chili")
    assert words is not None
    assert "that tastes of chili" in words.wanted
    assert materials.lexicon.label("no such label") is None


@home_only
def test_values_are_worded_by_a_template_or_by_words_of_their_own(materials: Materials) -> None:
    words = materials.lexicon.label
    assert (gray := words("colour: gray")) is not None
    assert gray.wanted == ("in gray", "gray in color")
    assert (real := words("material: live plant")) is not None
    assert real.wanted == ("that is a real plant",)
    assert words("smell: sweet") is None


def test_every_product_serves_a_use(materials: Materials) -> None:
    for product in materials.catalog:
        uses = materials.lexicon.categories[product.category].uses
        assert any(use.suits(product) for use in uses), product.id


def test_roles_speak_of_what_exists(materials: Materials) -> None:
    vocabulary, lexicon = set(materials.catalog.vocabulary), materials.lexicon
    facts = {words.requires for words in lexicon.categories.values()} | {"children", "family", "baby"}
    assert len({role.name for role in materials.roles}) == 25
    for role in materials.roles:
        assert set(role.categories) <= set(lexicon.categories)
        assert role.favoured | role.disliked <= vocabulary, role.name
        assert not role.favoured & role.disliked, role.name
        assert role.facts <= facts, role.name
        assert not role.diet or role.diet in lexicon.diets
        assert set(role.price_sensitivity) <= set(TIERS_OF_SENSITIVITY)
        assert len(role.priorities) == 3


@supermarket_only
def test_diets_judge_food_alone(materials: Materials) -> None:
    by_id, lexicon = materials.catalog.by_id, materials.lexicon
    cod, oat_drink, whole_milk, lactose_free = by_id["P138"], by_id["P183"], by_id["P178"], by_id["P181"]
    assert not lexicon.allows("vegan", cod)
    assert not lexicon.allows("vegan", whole_milk)
    assert lexicon.allows("vegan", oat_drink)
    assert not lexicon.allows("lactose-free", whole_milk)
    assert lexicon.allows("lactose-free", lactose_free)
    assert lexicon.allows("", cod)
    cat_food = materials.catalog.by_category["cat food"][0]
    assert lexicon.allows("vegan", cat_food)


@home_only
def test_a_small_home_has_no_room_for_large_things(materials: Materials) -> None:
    bulk, by_id = materials.lexicon.bulk, materials.catalog.by_id
    assert bulk.includes(by_id["P006"]), "a club chair, 88 cm wide"
    assert not bulk.includes(by_id["P001"])
