"""The free space inside fixtures, checked by hand on the tiny store, and inside every footprint of the shipped one."""

import pytest

from siturec_gym.scenes.footprints import place_rectangle
from siturec_gym.scenes.interiors import compartments


def test_two_sided_shelf_has_both_sides_of_each_level(tiny_scene):
    spaces = compartments(tiny_scene.fixtures[0])
    assert [(s.side, s.level, s.yaw_deg) for s in spaces] == [
        ("front", 0, -90.0), ("front", 1, -90.0), ("back", 0, 90.0), ("back", 1, 90.0),
    ]  # fmt: skip
    assert spaces[0].clear_m == pytest.approx(1.0 - 0.2 - 0.03)
    assert spaces[1].clear_m == pytest.approx(0.8)
    assert spaces[0].depth_m == pytest.approx(0.3 - 0.02 - 0.02)
    assert spaces[0].width_m == pytest.approx(2.0 - 0.08)


def test_places_are_measured_from_the_front_as_the_shopper_sees_it(tiny_scene):
    front, back = compartments(tiny_scene.fixtures[0])[0], compartments(tiny_scene.fixtures[0])[2]
    # the shopper south of the shelf looks north: right is east, further in is north
    assert front.place(0.5, 0.1) == pytest.approx((4.5, 2.5 - 0.28 + 0.1, 0.2))
    # from the north, right is west
    assert back.place(0.5, 0.1) == pytest.approx((3.5, 2.5 + 0.28 - 0.1, 0.2))


def test_tiers_of_a_stand_step_inward(store):
    stand = next(f for f in store.fixtures if f.form == "produce_stand")
    lower, upper = compartments(stand)[:2]
    assert upper.base_m > lower.base_m
    assert upper.front_m == pytest.approx(lower.front_m - lower.depth_m)


def test_free_space_lies_inside_the_footprint(store):
    for fixture in store.fixtures:
        x0, y0, x1, y1 = place_rectangle(fixture)
        for space in compartments(fixture):
            for along in (-space.width_m / 2, space.width_m / 2):
                for behind in (0.0, space.depth_m):
                    x, y, _ = space.place(along, behind)
                    assert x0 < x < x1
                    assert y0 < y < y1
