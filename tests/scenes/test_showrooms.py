"""S6, S17: every display area can be walked to and shopped from, and the validator sees each fault that is planted."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.core.actions import Approach, Tool, ToolCall
from siturec_gym.core.pose import USER_RADIUS_M, Pose, distance_m
from siturec_gym.scenes import Scene, parse_scene
from siturec_gym.scenes.boxcast import visible_pixels
from siturec_gym.scenes.footprints import blocking_rectangles, point_clearances
from siturec_gym.scenes.showrooms import _area_faults, _doorway_faults, _item_faults, pixels_of, shares_at_fixed_points
from siturec_gym.scenes.validation import measure
from siturec_gym.scenes.walkability import entry_waypoint
from siturec_gym.world import Motion

Files = dict[str, Any]


def test_a_box_covers_what_it_should() -> None:
    # a 1 m cube face 2 m ahead at eye height: 160 px a metre at 1 m, so 80 px square
    ahead = (2.0, -0.5, 1.1, 2.5, 0.5, 2.1)
    assert visible_pixels(Pose(0.0, 0.0, 0.0), ahead, ()) == pytest.approx(80 * 80, rel=0.03)
    assert visible_pixels(Pose(0.0, 0.0, 180.0), ahead, ()) == 0


def test_what_stands_in_front_hides_and_what_stands_behind_does_not() -> None:
    target = (2.0, -0.5, 1.1, 2.5, 0.5, 2.1)
    half, behind = (1.0, -1.0, 0.0, 1.1, 0.0, 3.0), (3.0, -1.0, 0.0, 3.1, 1.0, 3.0)
    whole = visible_pixels(Pose(0.0, 0.0, 0.0), target, ())
    assert visible_pixels(Pose(0.0, 0.0, 0.0), target, (behind,)) == whole
    assert visible_pixels(Pose(0.0, 0.0, 0.0), target, (half,)) == pytest.approx(whole / 2, rel=0.05)
    assert visible_pixels(Pose(0.0, 0.0, 0.0), target, ((1.0, -1.0, 0.0, 1.1, 1.0, 3.0),)) == 0


def test_from_its_point_an_area_shows_all_it_displays(mall: Scene) -> None:
    visible, reachable, displayed = shares_at_fixed_points(mall)
    assert displayed == 244
    assert visible == 244
    assert reachable >= 0.5 * displayed
    assert (
        measure(mall)[-1]
        == f"244 of 244 displayed items visible from the point of their area, {reachable} also in reach"
    )


def test_every_place_can_be_walked_to_from_the_start(mall: Scene) -> None:
    motion, start = Motion(mall), mall.start_pose
    for place in mall.navigation_targets:
        for name, pose in place.approaches.items():
            assert motion.approach_pose(start, place, name) == pose, (place.id, name)


def test_the_goods_of_an_area_are_nearer_to_its_point_than_to_those_of_others(mall: Scene) -> None:
    for item in mall.instances:
        own = mall.place_by_id[item.place_id]
        nearest = min(mall.areas, key=lambda area: distance_m(area.approaches[Approach.FIXED], *item.position_m[:2]))
        if nearest.store_id == own.store_id:
            assert nearest.id == own.id, item.id


def _move(item: dict[str, Any], dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> None:
    x, y, z = item["position_m"]
    item["position_m"] = [x + dx, y + dy, z + dz]


def _place(files: Files, id_: str) -> dict[str, Any]:
    entry: dict[str, Any] = next(entry for entry in files["layout"]["places"] if entry["id"] == id_)
    return entry


FAULTS: dict[str, tuple[Callable[[Files], Any], str]] = {
    "item floats": (lambda f: _move(f["instances"][1], dz=0.2), "I0002: neither stands, hangs nor leans on anything"),
    "item strays": (lambda f: _move(f["instances"][1], dy=5.0), "I0002: sticks out of its area"),
    "item in a wall": (lambda f: _move(f["instances"][1], dy=-0.3), "I0002: stands in wall"),
    "closed doorway": (
        lambda f: f["layout"]["structures"].append(
            {"id": "X999", "kind": "wall", "segmentation_color": [1, 2, 3], "box_m": [5, 12.4, 0, 8, 12.6, 3],
             "blocks": True, "text": ""}
        ),
        "S1: its doorway cannot be walked through",
    ),
    "points swapped": (
        lambda f: _place(f, "S1")["approaches"].update(outside_doorway=_place(f, "S1")["approaches"]["inside_doorway"]),
        "S1: its doorway points do not lie outside and inside",
    ),
    "far point": (
        lambda f: _place(f, "S1")["approaches"].update(inside_doorway=[6.45, 6.0, -90.0, 0.0]),
        "S1: its inside point is",
    ),
    "gaze away": (
        lambda f: _place(f, "S1")["approaches"]["outside_doorway"].__setitem__(2, 0.0),
        "S1: its outside point does not face the doorway",
    ),
    "area turned": (
        lambda f: _place(f, "A01")["approaches"]["fixed"].__setitem__(2, 30.0),
        "A01: its fixed point does not face it",
    ),
    "point in a sofa": (
        lambda f: _place(f, "A01").update(approaches={"fixed": [*f["instances"][1]["position_m"][:2], -90.0, 0.0]}),
        "A01: its fixed point is not free",
    ),
    "area of another store": (lambda f: _place(f, "A01").update(store="S7"), "A01: it does not lie within Vicotian"),
    "area of no store": (lambda f: _place(f, "A01").update(store="S9"), "A01: it belongs to 'S9', which is no store"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found(mall_files: Files, fault: str) -> None:
    spoil, message = FAULTS[fault]
    spoil(mall_files)
    spoiled = parse_scene(
        "home_furnishings", *(json.dumps(mall_files[key]).encode() for key in ("layout", "products", "instances"))
    )
    problems = [f"{store.id}: {line}" for store in spoiled.stores for line in _doorway_faults(spoiled, store)]
    problems += [f"{area.id}: {line}" for area in spoiled.areas for line in _area_faults(spoiled, area)]
    problems += [f"{item.id}: {line}" for item in spoiled.instances[:12] for line in _item_faults(spoiled, item)]
    assert any(line.startswith(message) for line in problems), problems


def test_an_item_behind_a_wall_shows_nothing(mall: Scene) -> None:
    item = next(item for item in mall.instances if item.place_id == "A01")
    assert pixels_of(mall, item, Pose(15.0, 8.0, -120.0)) == 0


def test_a_pocket_between_furniture_has_a_way_out(mall: Scene) -> None:
    motion, blocks = Motion(mall), blocking_rectangles(mall)
    grid = [(x / 2 + 0.3, y / 2 + 0.3) for x in range(25) for y in range(24)]
    free = [spot for spot in grid if point_clearances(blocks, *spot).min() > USER_RADIUS_M]
    pockets = [spot for spot in free if entry_waypoint(mall, blocks, spot) is None]
    assert pockets, "somewhere in Atelier Prime no waypoint is in a straight walk"
    leave = ToolCall(Tool.MOVE_TO_STORE, target="S3", approach="outside_doorway")
    for spot in pockets:
        reached = motion.execute(Pose(*spot, 0.0), leave)
        assert (reached.x, reached.y) == (16.5, 15.9)
