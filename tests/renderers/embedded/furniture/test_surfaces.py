"""Finishes and patterns: images that follow from their names alone."""

import numpy as np
import pytest

from siturec_gym.renderers.embedded.furniture.finishes import KIND_OF_MATERIAL, finish, finish_image, is_finish
from siturec_gym.renderers.embedded.furniture.patterns import PATTERNS, is_pattern, pattern, pattern_image

COLORS = ("#c04030", "#2050a0", "#e0d0b0")


@pytest.mark.parametrize("kind", sorted({*KIND_OF_MATERIAL.values(), "leaf"}))
def test_finishes_keep_their_colour(kind):
    name = finish(kind, "#8a6f58")
    image = finish_image(name)
    assert is_finish(name)
    assert not is_pattern(name)
    assert (image.shape, image.dtype) == ((64, 64, 3), np.uint8)
    assert np.array_equal(image, finish_image(name))
    if kind != "stained":
        np.testing.assert_allclose(image.mean(axis=(0, 1)), (138, 111, 88), atol=26)


def test_finishes_of_other_colours_differ():
    assert not np.array_equal(finish_image(finish("wood", "#8a6f58")), finish_image(finish("wood", "#8a6f59")))


@pytest.mark.parametrize("kind", PATTERNS)
def test_patterns_are_drawn_in_the_product_s_colours(kind):
    name = pattern(kind, COLORS)
    image = pattern_image(name)
    assert is_pattern(name)
    assert not is_finish(name)
    assert (image.shape, image.dtype) == ((128, 128, 3), np.uint8)
    assert np.array_equal(image, pattern_image(name))
    assert not np.array_equal(image, pattern_image(pattern(kind, ("#101010", "#f0f0f0", "#30a060"))))


def test_a_dial_without_marks_where_they_would_have_its_colour():
    """The hands take the colour of the rim; at three o'clock there is a mark on other dials alone."""
    bare = pattern_image(pattern("dial", ("#202020", "#202020", "#f0f0f0")))
    marked = pattern_image(pattern("dial", ("#f0f0f0", "#202020", "#806040")))
    assert bare[64, 110].tolist() == [32, 32, 32]
    assert marked[64, 110].tolist() == [32, 32, 32]
    assert marked[64, 100].tolist() == [240, 240, 240] or marked[50, 104].tolist() == [240, 240, 240]
    assert (bare == 240).all(axis=2).any()


def test_unknown_names():
    with pytest.raises(ValueError, match="no finish 'slime'; there are plain, cloth"):
        finish_image("finish|slime|#ffffff")
    with pytest.raises(ValueError, match="no pattern 'plaid'; there are patchwork"):
        pattern_image(pattern("plaid", COLORS))
