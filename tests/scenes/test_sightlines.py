"""S17: the fixed viewpoints show what they face, within reach."""

import numpy as np
import pytest

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.sightlines import pixels_in_reach, project


def test_projection_of_points_ahead_left_and_above():
    points = np.array([(2.0, 0.0, 1.6), (2.0, 1.0, 1.6), (2.0, 0.0, 2.1)])
    image = project(Pose(0.0, 0.0, 0.0), points)
    assert image[:, 0] == pytest.approx([160, 160 - 80, 160])
    assert image[:, 1] == pytest.approx([120, 120, 120 - 40])
    assert image[:, 2] == pytest.approx([2, 2, 2])


def test_a_lowered_gaze_lifts_what_lies_ahead():
    image = project(Pose(0.0, 0.0, 90.0, -45.0), np.array([(0.0, 1.6, 0.0)]))
    assert image[0, :2] == pytest.approx((160, 120))


def test_every_product_is_seen_and_reached_from_each_side_it_stands_on(store):
    for fixture in store.fixtures:
        for side in fixture.approaches:
            pixels = pixels_in_reach(store, fixture, side)
            assert pixels
            assert min(pixels.values()) >= 24


def test_both_sides_of_a_chest_show_the_same_products(store):
    chest = next(f for f in store.fixtures if f.form == "chest_freezer")
    front, back = (pixels_in_reach(store, chest, side) for side in (Approach.FRONT, Approach.BACK))
    assert front.keys() == back.keys() == set(chest.product_ids)
