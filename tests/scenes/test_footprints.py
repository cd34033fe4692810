"""Footprints in the tiny store, checked by hand, and distances against brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.scenes.footprints import (
    blocking_rectangles,
    extent,
    heading_vector,
    place_rectangle,
    point_clearances,
    segment_clearances,
)

BOX = np.array([[2.0, 1.0, 4.0, 2.0]])
NUMBER = st.floats(-2, 8, allow_nan=False)


def test_rectangles_of_fixtures(tiny_scene):
    assert place_rectangle(tiny_scene.fixtures[0]) == pytest.approx((3.0, 2.2, 5.0, 2.8))
    assert place_rectangle(tiny_scene.fixtures[1]) == pytest.approx((7.4, 1.5, 8.0, 3.5))


def test_only_what_blocks_is_listed_fixtures_first(tiny_scene):
    rectangles = blocking_rectangles(tiny_scene)
    assert rectangles.shape == (4, 4)
    assert rectangles[2].tolist() == [-0.2, -0.2, 0.0, 5.2]
    assert rectangles[3].tolist() == [1.2, 3.8, 1.6, 4.2]


@pytest.mark.parametrize(("yaw", "vector"), [(0, (1, 0)), (90, (0, 1)), (180, (-1, 0)), (-90, (0, -1)), (270, (0, -1))])
def test_axis_headings_are_exact(yaw, vector):
    assert heading_vector(float(yaw)) == vector


def test_extent_of_a_box_turned_by_45_degrees():
    assert extent((0, 0), 45.0, 1.0, 1.0) == pytest.approx((-(2**-0.5), -(2**-0.5), 2**-0.5, 2**-0.5))


@pytest.mark.parametrize(
    ("start", "end", "gap"),
    [
        ((0, 0), (6, 0), 1.0),
        ((0, 1.5), (6, 1.5), 0.0),
        ((3, 1.5), (3, 1.5), 0.0),
        ((5, 3), (5, 3), math.sqrt(2)),
        ((0, 0.5), (1, 1.5), 1.0),
        ((4, 4), (6, 2), math.sqrt(2)),
    ],
)
def test_clearance_of_a_segment(start, end, gap):
    assert segment_clearances(BOX, start, end)[0] == pytest.approx(gap)


@given(x0=NUMBER, y0=NUMBER, x1=NUMBER, y1=NUMBER)
def test_clearance_is_that_of_the_closest_point(x0, y0, x1, y1):
    shares = np.linspace(0, 1, 400)
    sampled = min(point_clearances(BOX, x0 + s * (x1 - x0), y0 + s * (y1 - y0))[0] for s in shares)
    exact = segment_clearances(BOX, (x0, y0), (x1, y1))[0]
    step = math.hypot(x1 - x0, y1 - y0) / 399
    assert exact <= sampled + 1e-9
    assert sampled <= exact + step
