"""Which details words tell: overlapping phrases, what is pointed at, what is refused."""

from collections.abc import Callable

import pytest

from siturec_gym.users.agenda.shopper import Shopper, read_shopper
from siturec_gym.users.llm.ledger.details import named_in, opening_as_one, told_in

ReadShopper = Callable[..., Shopper]


@pytest.fixture
def shopper(observe) -> ReadShopper:
    """The shopper of a goal, with changes to it."""

    def read(goal: str = "milk", **changes: object) -> Shopper:
        observation = observe(goal, **changes)
        return read_shopper(observation["profile"], observation["goal"])

    return read


@pytest.fixture
def drinker(shopper: ReadShopper) -> Shopper:
    """Needs milk, "cold milk" and "cream"; will not have "sour cream"."""
    needs = {"milk": "some milk", "cold milk": "cold milk", "cream": "cream", "sour cream": "sour cream"}
    return shopper(required_labels=["milk", "cold milk", "cream"], unwanted_labels=["sour cream"], needs=needs)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I want milk.", {"category"}),
        ("I want cold milk.", {"need:cold milk"}),
        ("I want milk, cold milk.", {"category", "need:cold milk"}),
        ("I want cold milk milk.", {"category", "need:cold milk"}),
        ("I want milk cold milk.", {"category", "need:cold milk"}),
        ("I want cream cold milk.", {"need:cream", "need:cold milk"}),
        ("I do not want sour cream.", {"avoid:sour cream"}),
        ("I want sour cream.", {"need:cream"}),
    ],
)
def test_a_word_tells_the_longest_phrase_it_stands_in_and_only_that(
    drinker: Shopper, said: str, told: set[str]
) -> None:
    assert told_in(said, drinker) == told


def test_sentences_tell_each_for_itself(drinker: Shopper) -> None:
    assert told_in("Cold? Milk!", drinker) == {"category"}
    assert told_in("Cold milk. And milk.", drinker) == {"category", "need:cold milk"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Nothing with a chocolate flavor.", {"avoid:flavour: chocolate"}),
        ("Is it a chocolate flavor?", {"avoid:flavour: chocolate"}),
        ("It has a chocolate flavor.", set()),
        ("With a chocolate flavor, but no.", {"avoid:flavour: chocolate"}),
        ("With a chocolate flavor, as I have said here, no.", set()),
    ],
)
def test_what_is_not_wanted_is_told_by_refusing_it_or_asking(shopper: ReadShopper, said: str, told: set[str]) -> None:
    assert told_in(said, shopper()) == told


def test_most_words_of_a_use_tell_it_and_fewer_do_not(shopper: ReadShopper) -> None:
    """ "a dark corner of the living room": dark, corner, living and room count; 0.6 of four are three."""
    reader = shopper("lamp")
    assert told_in("My living room has a corner.", reader) == {"use"}
    assert told_in("It stands in a corner of a room.", reader) == set()


def test_words_of_another_are_named_however_they_are_meant(shopper: ReadShopper) -> None:
    milk = shopper()
    assert named_in("The lactose-free one is not low in fat.", milk) == {"need:lactose-free", "need:low-fat"}
    assert named_in("At most three dollars?", milk) == {"budget"}
    assert named_in("Hello!", milk) == set()


@pytest.mark.parametrize(
    ("keys", "count"),
    [((), 0), (("use",), 1), (("category", "use"), 1), (("category", "budget"), 2), (("category", "use", "budget"), 2)],
)
def test_kind_and_use_count_as_one(keys: tuple[str, ...], count: int) -> None:
    assert opening_as_one(keys) == count
