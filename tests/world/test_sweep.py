"""The swept disc (S17): stops at contact, never overlaps, never passes through."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.scenes.footprints import segment_clearances
from siturec_gym.world.sweep import SKIN_M, Sweeper, nearest_point, rectangle_gap

RADIUS = 0.3
BOXES = ((3.0, 2.2, 5.0, 2.8), (1.2, 3.8, 1.6, 4.2), (6.0, 0.5, 6.02, 4.5))
SWEEPER = Sweeper(BOXES, RADIUS)
coordinates = st.floats(-1.0, 9.0)
points = st.tuples(coordinates, coordinates)
ROUNDING_M = 1e-9


def stop(start: tuple[float, float], end: tuple[float, float], sweeper: Sweeper = SWEEPER) -> tuple[float, float]:
    share = sweeper.free_fraction(start, end)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def test_it_stops_at_a_face() -> None:
    assert stop((4.0, 0.0), (4.0, 4.0)) == pytest.approx((4.0, 2.2 - RADIUS - SKIN_M))


def test_it_stops_at_a_corner_on_the_circle_around_it() -> None:
    x, y = stop((2.0, 1.2), (4.0, 3.2))  # along the diagonal through the corner (3.0, 2.2)
    assert math.hypot(3.0 - x, 2.2 - y) == pytest.approx(RADIUS + SKIN_M)
    assert x - y == pytest.approx(0.8)


def test_it_passes_a_corner_that_a_square_would_hit() -> None:
    offset = 0.25  # within the square's reach of 0.3 on both axes, but sqrt(2) * 0.25 > 0.3 away
    start, end = (3.0 - offset - 1.0, 2.2 - offset + 1.0), (3.0 - offset + 0.2, 2.2 - offset - 0.2)
    assert not SWEEPER.clear(start, (3.5, 2.5))
    assert Sweeper(BOXES[:1], RADIUS).clear((3.0 - offset, 2.2 - offset), end)


def test_a_thin_wall_is_never_jumped() -> None:
    x, _ = stop((5.5, 1.0), (1e6, 1.0))
    assert x == pytest.approx(6.0 - RADIUS - SKIN_M, abs=1e-6)


def test_touching_it_may_move_along_and_away_but_not_on() -> None:
    here = stop((4.0, 0.0), (4.0, 4.0))
    assert SWEEPER.clear(here, (3.2, here[1]))
    assert SWEEPER.clear(here, (4.0, 0.5))
    assert math.dist(stop(here, (4.2, 4.0)), here) < 1e-6


def test_placed_in_an_overlap_it_may_only_leave() -> None:
    inside_reach = (4.0, 2.0)
    assert SWEEPER.free_fraction(inside_reach, (4.0, 2.5)) == 0.0
    assert SWEEPER.clear(inside_reach, (4.0, 1.0))
    assert SWEEPER.free_fraction((4.0, 2.5), (4.0, 1.0)) == 0.0


def test_a_move_of_no_length_is_free() -> None:
    assert SWEEPER.free_fraction((0.0, 0.0), (0.0, 0.0)) == 1.0
    assert SWEEPER.fits(0.0, 0.0)
    assert not SWEEPER.fits(4.0, 2.0)


def test_gaps_by_hand() -> None:
    assert rectangle_gap(BOXES[0], 0.0, 2.5) == 3.0
    assert rectangle_gap(BOXES[0], 2.7, 1.8) == pytest.approx(0.5)
    assert rectangle_gap(BOXES[0], 4.0, 2.5) == 0.0
    assert nearest_point(BOXES[0], 9.0, 2.5) == (5.0, 2.5)


@pytest.mark.filterwarnings("ignore:overflow encountered in divide")  # the oracle's, on steps near 0
@given(points, points)
def test_the_disc_never_overlaps_nor_passes_through(start: tuple[float, float], end: tuple[float, float]) -> None:
    if not SWEEPER.fits(*start):
        return
    reached = stop(start, end)
    assert math.dist(start, reached) <= math.dist(start, end) + ROUNDING_M
    assert segment_clearances(np.array(BOXES), start, reached).min() >= RADIUS


@given(points, points)
def test_it_stops_only_at_contact(start: tuple[float, float], end: tuple[float, float]) -> None:
    if not SWEEPER.fits(*start):
        return
    share = SWEEPER.free_fraction(start, end)
    reached = stop(start, end)
    if share < 1.0:
        assert min(rectangle_gap(box, *reached) for box in BOXES) <= RADIUS + SKIN_M + 1e-6
    else:
        assert reached == pytest.approx(end)


@given(points, st.lists(points, min_size=2, max_size=12))
def test_a_walk_of_many_moves_never_overlaps(start: tuple[float, float], goals: list[tuple[float, float]]) -> None:
    if not SWEEPER.fits(*start):
        return
    here = start
    for goal in goals:
        here = stop(here, goal)
        assert min(rectangle_gap(box, *here) for box in BOXES) >= RADIUS
