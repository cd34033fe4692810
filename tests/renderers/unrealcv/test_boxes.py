"""Items of one product told apart by where the seen point lies: boxes and rays worked out by hand."""

import dataclasses

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv.boxes import boxes_of, camera_axes, focal_px, items_at


def test_boxes_stand_on_their_shelf_in_catalog_order(tiny_scene):
    """P001 has two items, the others one each; all are 0.08 m wide and deep and 0.2 m high."""
    boxes = boxes_of(tiny_scene)
    assert boxes.object_ids.tolist() == [1, 2, 3, 4, 5, 6]
    assert boxes.starts.tolist() == [0, 2, 3, 4, 5, 6]
    # I0002 stands at (3.7, 2.4, 1.0) and faces south, which is -90 degrees.
    assert boxes.boxes[1] == pytest.approx([3.7, 2.4, 1.1, 0.04, 0.04, 0.1, 0.0, -1.0, 1.0])


def test_items_are_grouped_whatever_their_order_in_the_scene(tiny_scene):
    mixed = dataclasses.replace(tiny_scene, instances=tiny_scene.instances[::-1])
    boxes = boxes_of(mixed)
    assert boxes.object_ids.tolist() == [1, 2, 3, 4, 5, 6]
    assert boxes.row_of == {object_id: object_id - 1 for object_id in range(1, 7)}


def test_a_product_without_items_has_no_rows(tiny_scene):
    without = dataclasses.replace(tiny_scene, instances=tiny_scene.instances[3:])
    assert boxes_of(without).starts.tolist() == [0, 0, 0, 1, 2, 3]


def test_the_axes_of_a_camera():
    """To the north right is east; looking up by 90 degrees, forward is up and up is south."""
    level = camera_axes(Pose(1.0, 2.0, 90.0), 1.6)
    assert level == pytest.approx(np.array([(1, 2, 1.6), (1, 0, 0), (0, 0, 1), (0, 1, 0)]), abs=1e-12)
    up = camera_axes(Pose(1.0, 2.0, 90.0, 90.0), 1.6)
    assert up[1:] == pytest.approx(np.array([(1, 0, 0), (0, -1, 0), (0, 0, 1)]), abs=1e-12)


def test_at_90_degrees_the_focal_length_is_half_the_width():
    assert focal_px(640) == pytest.approx(320.0)


def seen(tiny_scene, codes, depth, hidden=()):
    """One row of two pixels from (3.65, 1.4), facing north at the height of the milk: they look at x 3.65 -+ depth/2.

    The fronts of both items of P001 lie at y 2.36, 0.96 m ahead.
    """
    boxes = boxes_of(tiny_scene)
    for object_id in hidden:
        boxes.show(object_id, False)
    ids = np.array([codes], np.uint16)
    axes = camera_axes(Pose(3.65, 1.4, 90.0), 1.1)
    depths = np.array([depth], np.float32)
    items_at(ids, depths, axes, focal_px(2), boxes.boxes, boxes.object_ids, boxes.starts)
    return ids[0].tolist()


def test_each_pixel_is_given_to_the_item_at_its_point(tiny_scene):
    assert seen(tiny_scene, [1, 1], [0.96, 0.96]) == [1, 2]


def test_only_items_of_the_pixels_own_product_count(tiny_scene):
    assert seen(tiny_scene, [3, 5], [0.96, 0.96]) == [4, 6]


def test_a_hidden_item_gets_no_pixel_and_gets_them_back(tiny_scene):
    assert seen(tiny_scene, [1, 1], [0.96, 0.96], hidden=[1]) == [2, 2]
    boxes = boxes_of(tiny_scene)
    boxes.show(1, False)
    boxes.show(1, True)
    assert (boxes.boxes == boxes_of(tiny_scene).boxes).all()


def test_background_and_places_stay_as_they_are(tiny_scene):
    assert seen(tiny_scene, [0, 20_001], [0.96, 0.96]) == [0, 20_001]


def test_the_distance_decides_behind_each_other(tiny_scene):
    """One reaches to 1.04 m ahead, the other begins at 1.06: in between the nearer one has the pixel."""
    behind = dataclasses.replace(tiny_scene.instances[1], position_m=(3.6, 2.5, 1.0))
    scene = dataclasses.replace(tiny_scene, instances=(tiny_scene.instances[0], behind, *tiny_scene.instances[2:]))
    boxes = boxes_of(scene)
    axes = camera_axes(Pose(3.6, 1.4, 90.0), 1.1)
    for depth, expected in ((0.96, 1), (1.02, 1), (1.046, 1), (1.054, 2), (1.06, 2)):
        ids = np.array([[1]], np.uint16)
        items_at(ids, np.array([[depth]], np.float32), axes, 1000.0, boxes.boxes, boxes.object_ids, boxes.starts)
        assert ids[0, 0] == expected, depth


def test_a_turned_item_ends_where_it_ends():
    """One is 1 m wide and turned by 30 degrees, so that its left end is at (-0.25, 0.43); the point lies 0.1 m beyond,
    at (-0.3, 0.52), and 0.05 m before a small item."""
    cos, sin = 3**0.5 / 2, 0.5
    rows = [(0.0, 0.0, 0.0, 0.5, 0.05, 0.1, cos, sin, 1.0), (-0.3, 0.62, 0.0, 0.05, 0.05, 0.1, 1.0, 0.0, 1.0)]
    ids, depth = np.array([[1]], np.uint16), np.array([[1.52]], np.float32)
    starts, object_ids = np.array([0, 2]), np.array([8, 9], np.uint16)
    items_at(ids, depth, camera_axes(Pose(-0.3, -1.0, 90.0), 0.0), 1000.0, np.array(rows), object_ids, starts)
    assert ids[0, 0] == 9
