"""Colours to codes, visible pixels, and which item is at a pixel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.boxes import boxes_of, camera_axes, focal_px, items_at
from siturec_gym.renderers.unrealcv.calibration import unchanged
from siturec_gym.renderers.unrealcv.colors import ColorTable, Paint, palette
from siturec_gym.renderers.unrealcv.pixels import look_up, visibility_of


def product_rows(scene, ids):
    """An id image with each item's id replaced by the row of its product."""
    rows = {product.id: row for row, product in enumerate(scene.catalog, start=1)}
    table = np.arange(65536, dtype=np.uint16)
    for item in scene.instances:
        table[item.object_id] = rows[item.product_id]
    return table[ids]


@pytest.mark.parametrize(("red", "order"), [(0, (0, 1, 2)), (2, (2, 1, 0))])
def test_codes_of_colours(red, order):
    """The third colour has no paint, and the fourth shares two components with one that has."""
    paints = [Paint(7, "P001", (), (16, 32, 48)), Paint(9, "P002", (), (48, 32, 16))]
    table = ColorTable(paints, unchanged)
    colors = np.array([[(16, 32, 48), (48, 32, 16), (0, 0, 0), (16, 32, 49), (48, 32, 48)]], np.uint8)
    for pixels in (colors, np.concatenate((colors, np.full((1, 5, 1), 255, np.uint8)), axis=2)):
        ordered = pixels.copy()
        ordered[..., :3] = pixels[..., list(order)]
        out = np.empty((1, 5), np.uint16)
        look_up(ordered, red, table.offsets, table.codes, out)
        assert out.tolist() == [[7, 9, 0, 0, 0]]


@given(data=st.data(), tolerance=st.integers(0, 3))
def test_a_table_knows_what_lies_within_the_tolerance_and_nothing_else(data, tolerance):
    paints = [Paint(code, str(code), (), color) for code, color in enumerate(palette([None] * 40), start=1)]
    table = ColorTable(paints, unchanged, tolerance)
    near = data.draw(st.tuples(st.integers(0, 39), *[st.integers(-5, 5)] * 3))
    color = tuple(min(255, max(0, part + off)) for part, off in zip(paints[near[0]].color, near[1:], strict=True))
    distances = [max(abs(a - b) for a, b in zip(color, paint.color, strict=True)) for paint in paints]
    expected = [paint.code for paint, distance in zip(paints, distances, strict=True) if distance <= tolerance]
    assert table.code(color) == (expected[0] if expected else 0)
    out = np.empty((1, 1), np.uint16)
    look_up(np.array([[color]], np.uint8), 0, table.offsets, table.codes, out)
    assert out[0, 0] == table.code(color)


def test_visible_pixels_and_boxes_by_hand():
    ids = np.array([[0, 5, 5, 0], [0, 5, 0, 20001], [0, 0, 0, 20001]], np.uint16)
    seen = visibility_of(ids)
    assert seen.object_ids.tolist() == [5, 20001]
    assert seen.pixels.tolist() == [3, 2]
    assert seen.boxes == pytest.approx(np.array([(1 / 4, 0, 3 / 4, 2 / 3), (3 / 4, 1 / 3, 1, 1)], np.float32))


def test_nothing_in_view():
    seen = visibility_of(np.zeros((3, 4), np.uint16))
    assert seen.object_ids.shape == seen.pixels.shape == (0,)
    assert seen.boxes.shape == (0, 4)


def test_items_of_one_product_are_told_apart_as_the_embedded_renderer_tells_them(shop):
    """Every fixed viewpoint of both stores, and each waypoint; not one pixel may be another item's."""
    renderer, boxes = make_renderer("embedded", shop, 320, 240), boxes_of(shop)
    poses = [pose for place in shop.navigation_targets for pose in place.approaches.values()]
    poses += [Pose(point.x, point.y, 37.0 * number % 360 - 180, -20.0) for number, point in enumerate(shop.waypoints)]
    for pose in poses:
        frame = renderer.render(pose)
        codes = product_rows(shop, frame.ids)
        axes = camera_axes(pose, 1.6)
        items_at(codes, frame.depth, axes, focal_px(320), boxes.boxes, boxes.object_ids, boxes.starts)
        assert (codes == frame.ids).all(), pose


def test_a_hidden_item_is_at_no_pixel(tiny_scene):
    """I0001 and I0002 are one product, 10 cm apart; a point between them, nearer to I0001."""
    boxes = boxes_of(tiny_scene)
    pose, axes = Pose(3.64, 1.4, 90.0), camera_axes(Pose(3.64, 1.4, 90.0), 1.1)
    depth = np.array([[0.95]], np.float32)

    def item():
        codes = np.array([[1]], np.uint16)
        items_at(codes, depth, axes, focal_px(1), boxes.boxes, boxes.object_ids, boxes.starts)
        return int(codes[0, 0])

    assert pose.x - 3.6 < 3.7 - pose.x
    assert item() == 1
    boxes.show(1, visible=False)
    assert item() == 2
    boxes.show(1, visible=True)
    assert item() == 1
