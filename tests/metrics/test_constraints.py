"""Labels wanted and unwanted in single sentences, on a tiny set of rules (the shipped ones: test_dialogue)."""

import pytest

from siturec_gym.metrics.constraints import ConstraintReader

RULES = {
    "indifferent": ["don't mind"],
    "remarks": ["^it is\\b"],
    "negators": ["no", "not", "without", "too", "than"],
    "turns": ["but"],
    "wishes": ["want", "something", "please"],
    "for_anything": ["something"],
    "wanted_labels": ["vegan", "salt-free"],
    "other_words": {"plant based": "vegan", "hot": "spicy", "unlisted": "nowhere"},
    "absences": {"salt": "salt-free"},
}
LABELS = ("Vegan", "spicy", "sweet", "salt-free", "extra sweet", "for children")


@pytest.fixture(scope="module")
def reader() -> ConstraintReader:
    return ConstraintReader(RULES, LABELS)


@pytest.mark.parametrize(
    ("sentence", "wanted", "unwanted"),
    [
        ("i want it vegan.", {"vegan"}, set()),
        ("i want it sweet.", set(), set()),
        ("something sweet.", {"sweet"}, set()),
        ("something extra sweet.", {"extra sweet"}, set()),
        ("something for children.", set(), set()),
        ("a vegan is here.", set(), set()),
        ("no salt, please.", {"salt-free"}, set()),
        ("salt, please.", set(), set()),
        ("plant based please.", {"vegan"}, set()),
        ("not hot.", set(), {"spicy"}),
        ("not spicy but vegan please.", {"vegan"}, {"spicy"}),
        ("not spicy, sweet or vegan.", set(), {"spicy", "sweet", "vegan"}),
        ("not spicy, and i want something sweet.", {"sweet"}, {"spicy"}),
        ("it is not vegan.", set(), set()),
        ("it is too sweet.", set(), {"sweet"}),
        ("i don't mind something sweet.", set(), set()),
        ("something sweet rather than spicy.", {"sweet"}, {"spicy"}),
        ("something sweet, not sweet.", set(), {"sweet"}),
        ("", set(), set()),
    ],
)
def test_sentences_by_hand(reader, sentence, wanted, unwanted):
    assert reader.read(sentence) == (wanted, unwanted)


def test_labels_that_no_product_carries_are_never_found(reader):
    assert reader.read("no unlisted nowhere.") == (frozenset(), frozenset())
