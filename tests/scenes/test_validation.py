"""S5, S8: the shipped store is sound, and the validator sees each fault that is planted."""

import json
from dataclasses import replace

import pytest

from siturec_gym.catalog import Catalog
from siturec_gym.scenes import parse_scene
from siturec_gym.scenes.sightlines import sight_problems
from siturec_gym.scenes.stocking import stocking_problems
from siturec_gym.scenes.validation import counts, identity_problems, measure, validate
from siturec_gym.scenes.walkability import walkability_problems


@pytest.fixture
def parse(files):
    def parse():
        return parse_scene("supermarket", *(json.dumps(files[k]).encode() for k in ("layout", "products", "instances")))

    return parse


def test_the_shipped_scenes_are_sound(shipped):
    assert validate(shipped) == []


def test_figures_are_reported(store):
    lines = measure(store)
    assert lines[0].startswith("233 products, 1324 instances, 29 navigation targets, 42 waypoints")
    assert lines[1] == "0 overlapping items"


def test_colours_are_unique_over_products_places_and_structures(shipped):
    parts = [part for part in shipped.structures if part.place_id is None]
    things = (*shipped.products, *shipped.navigation_targets, *parts)
    assert len({thing.segmentation_color for thing in things}) == len(things)
    assert all(thing.segmentation_color[2] % 2 == 1 for thing in things[len(shipped.products) :])
    assert len({i.product_id for i in shipped.instances}) == counts(shipped)["products"]


def _move(entry, dx=0.0, dy=0.0, dz=0.0):
    x, y, z = entry["position_m"]
    entry["position_m"] = [x + dx, y + dy, z + dz]


CHECKS = {
    "all": validate,
    "stocking": stocking_problems,
    "walking": walkability_problems,
    "sight": sight_problems,
    "identity": identity_problems,
}
FAULTS = {
    "item lost": ("all", lambda f: f["instances"].pop(), "1323 instances, expected 1324"),
    "item floats": ("stocking", lambda f: _move(f["instances"][0], dz=0.05), "I0001: does not stand on its level"),
    "item leans out": ("stocking", lambda f: _move(f["instances"][0], dx=0.3), "I0001: sticks out in front"),
    "item through back": ("stocking", lambda f: _move(f["instances"][0], dx=-0.5), "I0001: goes through the back"),
    "item past end": ("stocking", lambda f: _move(f["instances"][0], dy=-0.5), "I0001: sticks out at an end"),
    "items overlap": (
        "stocking",
        lambda f: f["instances"][1].update(position_m=f["instances"][0]["position_m"]),
        "I0001 and I0002",
    ),
    "item turned": ("stocking", lambda f: f["instances"][0].update(yaw_deg=90.0), "I0001: does not face the shopper"),
    "wrong storage": ("stocking", lambda f: f["instances"][0].update(product="P122"), "chest_freezer goods on a shelf"),
    "no such level": ("stocking", lambda f: f["instances"][0].update(level=9), "I0001: F01 has no front level 9"),
    "blocked link": ("walking", lambda f: f["layout"]["waypoints"][9].update(x=13.2, y=10.0), "clears only 0.00 m"),
    "blocked viewpoint": (
        "walking",
        lambda f: f["layout"]["places"][0]["approaches"].update(front=[25.2, 10.1, 180.0, 0.0]),
        "F01 front: the viewpoint is not free",
    ),
    "turned viewpoint": (
        "walking",
        lambda f: f["layout"]["places"][0]["approaches"]["front"].__setitem__(2, 0.0),
        "F01 front: the viewpoint does not face the fixture",
    ),
    "far viewpoint": (
        "walking",
        lambda f: f["layout"]["places"][0]["approaches"]["front"].__setitem__(0, 28.0),
        "F01 front: the viewpoint is 2.30 m from the face",
    ),
    "sky gazing": (
        "sight",
        lambda f: f["layout"]["places"][0]["approaches"]["front"].__setitem__(3, 60.0),
        "shows 0 reachable pixels",
    ),
    "shared name": (
        "identity",
        lambda f: f["layout"]["places"][1].update(name=f["layout"]["places"][0]["name"]),
        "place name",
    ),
    "shared colour": (
        "identity",
        lambda f: f["layout"]["places"][1].update(segmentation_color=f["products"][7]["segmentation_color"]),
        "two things share the segmentation colour",
    ),
    "shared id": ("identity", lambda f: f["layout"]["structures"][1].update(id="W01"), "two things share the id W01"),
    "narrow aisle": (
        "walking",
        lambda f: f["layout"]["structures"][9].update(box_m=[27.0, 9.0, 0, 27.4, 11.0, 1]),
        "F01 front: the aisle is only 1.30 m wide",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found(files, parse, fault):
    check, spoil, message = FAULTS[fault]
    spoil(files)
    problems = CHECKS[check](parse())
    assert any(message in line for line in problems), problems[:5]


def test_an_island_of_waypoints_is_found(files, parse):
    waypoints = {entry["id"]: entry for entry in files["layout"]["waypoints"]}
    for other in waypoints["W38"]["links"]:
        waypoints[other]["links"].remove("W38")
    waypoints["W38"]["links"] = []
    assert "waypoint W38 cannot be reached from the start" in walkability_problems(parse())


def test_a_closed_room_strands_the_floor(store):
    boxes = ((0.0, 3.0, 0.0, 6.0, 3.1, 2.0), (6.0, 0.0, 0.0, 6.1, 3.1, 2.0))
    walls = [replace(store.structures[2], box_m=box) for box in boxes]
    problems = walkability_problems(replace(store, structures=(*store.structures, *walls)))
    assert "from (0.3, 0.3) no waypoint can be reached" in problems


def test_broken_references_are_told_before_anything_that_needs_them(tiny_scene):
    broken = replace(tiny_scene, waypoints=(replace(tiny_scene.waypoints[0], links=("W77",)),))
    assert "waypoint W01 links to 'W77', which does not exist" in validate(broken)


def test_a_product_that_stands_nowhere_is_told(tiny_scene):
    extra = replace(tiny_scene.products[0], id="P900", name="Nobody's Milk", segmentation_color=(9, 9, 9))
    lonely = replace(tiny_scene, catalog=Catalog([*tiny_scene.products, extra]))
    assert "product P900 stands nowhere" in validate(lonely)


def test_identity_of_the_tiny_store(tiny_scene):
    assert identity_problems(tiny_scene) == []
