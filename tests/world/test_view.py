"""What counts as in view, in reach and supported (S17), on hand-made id passes."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import Pose, bearing_deg, distance_m
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.view import REACH_M, VISIBLE_PIXELS, build_view, supported_approaches

IN_FRONT = Pose(4.0, 1.0, 90.0)


@dataclass
class Pass:
    object_ids: NDArray[np.uint16]
    pixels: NDArray[np.int32]
    boxes: NDArray[np.float32]


def id_pass(shown: dict[int, tuple[int, tuple[float, float, float, float]]]) -> Pass:
    ids = sorted(shown)
    return Pass(
        np.array(ids, np.uint16),
        np.array([shown[i][0] for i in ids], np.int32),
        np.array([shown[i][1] for i in ids], np.float32).reshape(-1, 4),
    )


LEFT, RIGHT, WIDE = (0.25, 0.5, 0.375, 0.75), (0.5, 0.25, 0.625, 0.625), (0.0, 0.0, 1.0, 1.0)


def test_pixels_of_a_product_add_up_and_its_boxes_unite(tiny_scene: Scene) -> None:
    view = build_view(tiny_scene, IN_FRONT, id_pass({1: (5, LEFT), 2: (7, RIGHT), 30_001: (900, WIDE)}))
    milk = view.products["P001"]
    assert list(view.products) == ["P001"]
    assert milk.pixels == 12
    assert milk.box == (0.25, 0.25, 0.625, 0.75)
    assert milk.approaches == ()
    assert (milk.kind, milk.name) == ("product", "Alder Whole Milk 1 L")
    assert view.pose == IN_FRONT


def test_eleven_pixels_are_not_visible(tiny_scene: Scene) -> None:
    view = build_view(tiny_scene, IN_FRONT, id_pass({1: (11, LEFT), 3: (12, LEFT), 20_001: (11, WIDE)}))
    assert list(view.products) == ["P002"]
    assert not view.places


def test_the_nearest_instance_stands_for_its_product(tiny_scene: Scene) -> None:
    view = build_view(tiny_scene, IN_FRONT, id_pass({1: (50, LEFT), 2: (50, RIGHT)}))
    milk = view.products["P001"]  # I0001 at (3.6, 2.4), I0002 at (3.7, 2.4)
    assert milk.instance_id == "I0002"
    assert milk.distance_m == pytest.approx((0.3**2 + 1.4**2) ** 0.5)
    assert milk.bearing_deg == pytest.approx(bearing_deg(IN_FRONT, 3.7, 2.4))
    assert milk.bearing_deg > 0
    assert milk.reachable


def test_ties_go_to_the_lower_id(tiny_scene: Scene) -> None:
    moved = tuple(
        replace(instance, position_m=(x, 2.0, 1.0))
        for instance, x in zip(tiny_scene.instances[:2], (3.5, 4.0), strict=True)
    )
    scene = replace(tiny_scene, name="tied", instances=(*moved, *tiny_scene.instances[2:]))
    view = build_view(scene, Pose(3.75, 2.0, 0.0), id_pass({1: (50, LEFT), 2: (50, RIGHT)}))
    assert view.products["P001"].instance_id == "I0001"


def test_reach_is_two_and_a_half_metres_on_the_floor(tiny_scene: Scene) -> None:
    shown = id_pass({5: (50, LEFT)})  # I0005 at (7.6, 2.0)
    assert build_view(tiny_scene, Pose(7.6 - 2.5, 2.0, 0.0), shown).products["P004"].reachable
    assert not build_view(tiny_scene, Pose(7.6 - 2.51, 2.0, 0.0), shown).products["P004"].reachable


def test_a_place_is_told_by_its_own_pixels_and_its_centre(tiny_scene: Scene) -> None:
    view = build_view(tiny_scene, IN_FRONT, id_pass({20_001: (40, WIDE), 20_002: (12, RIGHT)}))
    assert list(view.places) == ["F01", "F02"]
    shelf, soup = view.places["F01"], view.places["F02"]
    assert (shelf.kind, shelf.name, shelf.instance_id, shelf.reachable) == ("fixture", "Milk Shelf", None, False)
    assert shelf.distance_m == pytest.approx(1.5)
    assert shelf.bearing_deg == pytest.approx(0.0)
    assert soup.distance_m == pytest.approx(distance_m(IN_FRONT, 7.7, 2.5))
    assert soup.bearing_deg == pytest.approx(bearing_deg(IN_FRONT, 7.7, 2.5))


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (1.0, ("nearest", "front")),
        (2.19, ("nearest", "front")),
        (2.3, ("nearest", "front", "back")),
        (2.79, ("nearest", "front", "back")),
        (2.81, ("nearest", "back")),
        (4.0, ("nearest", "back")),
    ],
)
def test_a_side_is_supported_unless_the_user_stands_behind_it(
    tiny_scene: Scene, y: float, expected: tuple[str, ...]
) -> None:
    """The milk shelf spans y 2.2 to 2.8 and faces south."""
    assert supported_approaches(tiny_scene.place_by_id["F01"], Pose(5.5, y, 0.0)) == expected


def test_a_fixture_without_a_back_never_supports_it(tiny_scene: Scene) -> None:
    soup = tiny_scene.place_by_id["F02"]
    assert supported_approaches(soup, Pose(6.0, 2.5, 0.0)) == (Approach.NEAREST, Approach.FRONT)
    assert supported_approaches(soup, Pose(8.5, 2.5, 0.0)) == (Approach.NEAREST,)


def test_nothing_in_view(tiny_scene: Scene) -> None:
    view = build_view(tiny_scene, IN_FRONT, id_pass({}))
    assert not view.places
    assert not view.products


@given(
    st.dictionaries(st.integers(1, 6), st.integers(1, 40), max_size=6),
    st.floats(0, 8),
    st.floats(0, 5),
    st.floats(-180, 179),
)
def test_gathering_agrees_with_plain_counting(
    tiny_scene: Scene, shown: dict[int, int], x: float, y: float, yaw: float
) -> None:
    pose = Pose(x, y, yaw)
    view = build_view(tiny_scene, pose, id_pass({i: (count, LEFT) for i, count in shown.items()}))
    counts: dict[str, Any] = {}
    for object_id, count in shown.items():
        instance = tiny_scene.instances[object_id - 1]
        away = distance_m(pose, *instance.position_m[:2])
        total, best = counts.get(instance.product_id, (0, (9e9, "")))
        counts[instance.product_id] = total + count, min(best, (away, instance.id))
    expected = {id_: entry for id_, entry in sorted(counts.items()) if entry[0] >= VISIBLE_PIXELS}
    assert list(view.products) == list(expected)
    for id_, (total, (away, _)) in expected.items():
        seen = view.products[id_]
        assert seen.pixels == total
        assert seen.distance_m == pytest.approx(away)
        assert seen.reachable == (seen.distance_m <= REACH_M)
        assert -180.0 <= seen.bearing_deg < 180.0
