"""S7: the map shows the store, the user's position and heading, fast enough for every turn."""

import time

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.scenes.footprints import place_rectangle
from siturec_gym.scenes.layout_map import KIND_COLORS, USER, MapFrame, draw_map, short_name
from siturec_gym.scenes.showroom_map import WALL, mixed


def _red(picture):
    return np.argwhere((picture == USER).all(axis=2))


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (200, 400)])
def test_the_arrow_is_where_the_user_is(shipped, size):
    picture = draw_map(shipped, Pose(15.0, 8.0, 0.0), size)
    assert picture.shape == (size[1], size[0], 3)
    assert picture.dtype == np.uint8
    column, row = MapFrame(shipped.bounds_m, size).pixel(15.0, 8.0)
    assert _red(picture).mean(axis=0) == pytest.approx((row, column), abs=2.5)


@pytest.mark.parametrize(("yaw", "axis", "sign"), [(0, 1, 1), (90, 0, -1), (180, 1, -1), (-90, 0, 1)])
def test_the_arrow_points_along_the_heading(store, yaw, axis, sign):
    spots = _red(draw_map(store, Pose(15.0, 8.0, float(yaw)), (640, 480)))
    row_column = MapFrame(store.bounds_m, (640, 480)).pixel(15.0, 8.0)[::-1]
    reach = (spots[:, axis] - row_column[axis]) * sign
    assert reach.max() > -reach.min()


def test_north_is_up_and_fixtures_have_their_colour(store):
    frame = MapFrame(store.bounds_m, (640, 480))
    assert frame.pixel(5.0, 20.0)[1] < frame.pixel(5.0, 2.0)[1]
    picture = draw_map(store, store.start_pose, (640, 480))
    for fixture in store.fixtures:
        x, y = frame.pixel(fixture.center_m[0], fixture.center_m[1])
        around = picture[round(y) - 12 : round(y) + 13, round(x) - 4 : round(x) + 5].reshape(-1, 3)
        assert (around == KIND_COLORS[fixture.form]).all(axis=1).any(), fixture.id


def test_areas_have_the_colour_of_their_patch_and_walls_are_dark(mall):
    frame, picture = MapFrame(mall.bounds_m, (640, 480)), draw_map(mall, mall.start_pose, (640, 480))
    patches = {part.place_id: part for part in mall.structures if part.kind == "patch"}
    for area in mall.areas:
        x0, y0, x1, y1 = place_rectangle(area)
        left, top, right, bottom = (round(edge) for edge in frame.box(x0 + 0.3, y0 + 0.3, x1 - 0.3, y1 - 0.3))
        inside = picture[top:bottom, left:right].reshape(-1, 3)
        assert (inside == mixed(patches[area.id].color, 0.3)).all(axis=1).mean() > 0.3, area.id
    column, row = (round(value) for value in frame.pixel(15.7, 3.0))
    assert tuple(picture[row, column]) == WALL


def test_a_doorway_is_a_gap_in_the_front(mall):
    frame, picture = MapFrame(mall.bounds_m, (640, 480)), draw_map(mall, mall.start_pose, (640, 480))
    for store in mall.stores:
        column, row = (round(value) for value in frame.pixel(*store.anchor_m))
        assert picture[row, column].min() > 150, store.name


def test_each_call_gives_its_own_picture(store):
    first = draw_map(store, store.start_pose)
    expected = first.copy()
    first[:] = 0
    assert np.array_equal(draw_map(store, store.start_pose), expected)


def test_a_user_at_the_edge_is_drawn(store):
    assert draw_map(store, Pose(-50.0, 90.0, 10.0)).shape == (240, 320, 3)


def test_a_store_of_any_size_is_drawn(tiny_scene):
    assert draw_map(tiny_scene, tiny_scene.start_pose, (400, 300)).shape == (300, 400, 3)


def test_only_the_arrow_is_drawn_per_call(shipped):
    draw_map(shipped, shipped.start_pose)
    times = []
    for turn in range(50):
        start = time.perf_counter()
        draw_map(shipped, Pose(12.0, 8.0, float(turn)))
        times.append(time.perf_counter() - start)
    assert min(times) < 1e-3


def test_short_names_tell_what_is_sold():
    assert short_name("Frozen Fish Freezer") == ["Fish"]
    assert short_name("Soft Drinks & Juice Shelf") == ["Soft Drinks &", "Juice"]
    assert short_name("Shelf") == ["Shelf"]
