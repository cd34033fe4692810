"""What no phrase of the lexicon covers is guessed from its words, and only where they tell enough."""

import pytest

from siturec_gym.users.agenda.understanding import Context, Kind, Slot, understand
from siturec_gym.users.agenda.understanding.guessing import guess, load_weights, signs

OATS = "Oatwyn Organic Rolled Oats 500 g"


def test_signs_are_words_pairs_and_pairs_with_a_gap_each_once():
    assert list(signs(("put", "2", ",", "put"))) == [
        "put", "#", "^ put", "put #", "# put", "put $", "^ _ #", "put _ put", "# _ $",
    ]  # fmt: skip


def test_every_class_has_its_weights():
    weights = load_weights()
    assert len(weights.prior) == len(weights.absent) == len(weights.classes)
    assert all(0 <= number < len(weights.classes) for told in weights.words.values() for number in told[::2])


def test_words_that_tell_nothing_give_no_guess():
    assert guess(()) is None
    assert guess(("zzyzx", "qwrt")) is None


@pytest.mark.parametrize(
    ("said", "kind", "slot"),
    [
        ("I wouldn't want to go beyond what you're happy to pay, so help me a little.", Kind.ASK, Slot.BUDGET),
        ("That one would be so much happier back on the shelf.", Kind.PUT_BACK, None),
    ],
)
def test_a_guess_takes_the_names_in_mind(said, kind, slot):
    act = understand(said, Context(products=(OATS,), held=OATS)).acts[0]
    assert (act.kind, act.slot) == (kind, slot)
    assert act.product in {None, OATS}
