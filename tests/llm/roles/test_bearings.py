"""Directions in words: degrees to a side, rounded, and what counts as ahead."""

import pytest

from siturec_gym.llm.roles.bearings import bearing_words


@pytest.mark.parametrize(
    ("bearing_deg", "words"),
    [
        (0.0, "ahead"), (-0.0, "ahead"), (0.5, "ahead"), (-0.5, "ahead"), (0.6, "1 degrees left"),
        (29.6, "30 degrees left"), (-0.7, "1 degrees right"), (-179.9, "180 degrees right"),
    ],
)  # fmt: skip
def test_bearings_grow_to_the_left(bearing_deg, words):
    assert bearing_words(bearing_deg) == words


@pytest.mark.parametrize(
    ("bearing_deg", "words"), [(8.0, "ahead"), (-8.0, "ahead"), (8.1, "8 degrees left"), (-20, "20 degrees right")]
)
def test_a_shopper_takes_more_for_ahead(bearing_deg, words):
    assert bearing_words(bearing_deg, 8.0) == words
