"""What a clause says of a product is read as amounts, lists, labels and packaging."""

import pytest

from siturec_gym.users.agenda.understanding.claims import claims_in


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("it costs $3.49", [("price", "3.49")]),
        ("it has 12 g of sugar per 100 g", [("nutrition", "12 g sugar")]),
        ("it is low in fat", [("label", "low fat")]),
        ("it contains milk and soy", [("contains", "milk"), ("contains", "soy")]),
        ("it contains no nuts or soy", [("free_from", "nuts"), ("free_from", "soy")]),
        ("it is free of gluten", [("free_from", "gluten")]),
        ("the allergens are wheat and egg", [("contains", "wheat"), ("contains", "egg")]),
        ("it is not organic", [("not_label", "organic")]),
        ("one box has thirty capsules", [("packaging", "box"), ("size", "30 capsules")]),
        ("it comes in a glass bottle", [("packaging", "glass bottle")]),
        ("it tastes of vanilla", [("flavour", "vanilla")]),
        ("it is made by sojara", [("brand", "sojara")]),
        ("is it within your budget", []),
    ],
)
def test_claims(said, claims):
    found = claims_in(tuple(said.split()))
    assert sorted((str(claim.attribute), claim.value) for claim in found) == sorted(claims)
