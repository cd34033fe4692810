"""S7: words on the map stand on free floor, inside their room, and never on one another."""

import pytest

from siturec_gym.scenes.map_labels import FreeSpots

ROOM = (0.0, 0.0, 100.0, 60.0)


def test_an_empty_room_grants_the_wish():
    assert FreeSpots().take(ROOM, (20.0, 10.0), (50.0, 30.0)) == pytest.approx((50.0, 30.0), abs=3.0)


def test_a_wish_outside_the_room_ends_at_its_edge():
    assert FreeSpots().take(ROOM, (20.0, 10.0), (-40.0, 30.0)) == (10.0, pytest.approx(30.0, abs=3.0))


def test_furniture_is_left_free():
    spots = FreeSpots()
    spots.add([(0.0, 0.0, 80.0, 60.0)], 1.0)
    assert spots.take(ROOM, (20.0, 10.0), (10.0, 30.0))[0] == 90.0


def test_two_labels_do_not_overlap():
    spots = FreeSpots()
    first, second = (spots.take(ROOM, (40.0, 20.0), (50.0, 30.0)) for _ in range(2))
    assert abs(first[0] - second[0]) >= 40.0 or abs(first[1] - second[1]) >= 20.0


def test_a_label_too_long_for_its_room_is_centred():
    assert FreeSpots().take(ROOM, (140.0, 10.0), (0.0, 5.0)) == (50.0, 5.0)
