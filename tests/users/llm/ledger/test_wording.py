"""The ways to word a detail, for goals of our own and for labels of the stores."""

import pytest

from siturec_gym.users.agenda.shopper import Detail
from siturec_gym.users.llm.ledger.wording import alike, wording_of


def detail(key: str, words: str) -> Detail:
    return Detail(key, words, frozenset())


def test_a_use_is_its_words_or_most_of_those_that_count() -> None:
    wording = wording_of(detail("use", "for my coffee at work"))
    assert wording.phrases == {("my", "coffee", "at", "work")}
    assert wording.sets == (frozenset(("coffee", "work")),)
    assert not wording.avoided


def test_a_category_is_also_what_people_call_it_and_never_a_group_of_words() -> None:
    wording = wording_of(detail("category", "some milk"))
    assert ("milk",) in wording.phrases
    assert wording.sets == ()
    assert wording_of(detail("category", "some soup or a stew")).phrases >= {("soup",), ("stew",)}


@pytest.mark.parametrize(("key", "avoided"), [("need:colour: gray", False), ("avoid:colour: gray", True)])
def test_a_label_is_its_value_the_shoppers_words_and_everyday_ones(key: str, avoided: bool) -> None:
    wording = wording_of(detail(key, "in the shade of ash"))
    assert {("shade", "of", "ash"), ("gray",), ("grey",)} <= wording.phrases
    assert wording.sets == (frozenset(("shade", "ash")),)
    assert wording.avoided is avoided


def test_one_word_that_tells_nothing_by_itself_is_no_phrase() -> None:
    assert wording_of(detail("need:fresh", "fresh")).phrases == frozenset()
    assert ("fresh", "catch") in wording_of(detail("need:fresh catch", "a fresh catch")).phrases


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("wood", "wood", True),
        ("wood", "wooden", True),  # two letters more
        ("plant", "planting", True),  # three
        ("plant", "plantation", False),  # five
        ("tea", "team", False),  # too short to be a stem
        ("2kg", "2kgs", False),
        ("spiciness", "spicine", True),
        ("creamy", "creama", True),  # all but the last two letters
        ("cream", "creek", False),
        ("leather", "weather", False),
    ],
)
def test_words_are_alike_but_for_an_ending(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same
