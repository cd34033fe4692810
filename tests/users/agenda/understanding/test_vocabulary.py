"""Words of names in view: misspelled, joined, shortened or in another number."""

import pytest

from siturec_gym.users.agenda.understanding.vocabulary import vocabulary_of

NAMES = frozenset({"Caselvino Mozzarella Ball 125 g", "Coopcroft Organic Free-Range Eggs Large 10 pieces"})
VOCABULARY = vocabulary_of(NAMES, frozenset({"Cheese & Dips Cooler"}))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("mozzarella", ("mozzarella",)),
        ("egg", ("eggs",)),
        ("mozarella", ("mozzarella",)),
        ("mozz", ("mozzarella",)),
        ("organiceggs", ()),
        ("freerange", ("free", "range")),
        ("salmon", ()),
        ("the", ()),
    ],
)
def test_what_a_word_means(word, meant):
    assert VOCABULARY.meant(word) == meant


def test_the_rarer_a_word_is_the_more_it_tells_and_measures_tell_least():
    entry = VOCABULARY.entry(0)
    assert entry.name == "Caselvino Mozzarella Ball 125 g"
    assert entry.weights["mozzarella"] > entry.weights["125"] == entry.weights["g"]
    assert entry.total == pytest.approx(sum(entry.weights.values()))


def test_sets_of_names_are_bits():
    assert VOCABULARY.having_all(("organic", "eggs")) == VOCABULARY.bits(
        tuple(NAMES - {"Caselvino Mozzarella Ball 125 g"})
    )
    assert VOCABULARY.having_all(("organic", "mozzarella")) == 0
