"""S5, S7, S8: the shipped store loads fast, the same each time, and broken files give one clear line."""

import json
import time

import pytest

from siturec_gym.core.actions import Approach
from siturec_gym.core.errors import DataError
from siturec_gym.scenes import load_scene, parse_scene


def _parse(files):
    return parse_scene("supermarket", *(json.dumps(files[key]).encode() for key in ("layout", "products", "instances")))


def test_counts_of_the_supermarket(store):
    assert len(store.products) == 233
    assert len(store.instances) == 1324
    assert len(store.navigation_targets) == len(store.fixtures) == 29
    assert len(store.waypoints) == 42
    kinds = [fixture.form for fixture in store.fixtures]
    assert [kinds.count(k) for k in ("shelf", "chest_freezer", "upright_freezer", "open_cooler", "produce_stand")] == [
        12, 3, 8, 4, 2,
    ]  # fmt: skip


def test_ids_and_object_ids_follow_data_order(store):
    assert [i.id for i in store.instances] == [f"I{n:04d}" for n in range(1, 1325)]
    assert [i.object_id for i in store.instances] == list(range(1, 1325))
    assert [f.object_id for f in store.fixtures] == list(range(20_001, 20_030))
    assert store.structures[0].object_id == 30_001
    assert [w.id for w in store.waypoints] == [f"W{n:02d}" for n in range(1, 43)]


def test_every_fixture_can_be_named_by_a_person(store):
    assert len({fixture.name for fixture in store.fixtures}) == 29
    assert all(fixture.name.isascii() and fixture.sign for fixture in store.fixtures)
    assert all(Approach.FRONT in fixture.approaches for fixture in store.fixtures)


def test_aisle_signs_list_what_stands_there(store):
    texts = [part.text for part in store.structures if part.kind == "sign"]
    assert "Aisle 2: Crackers, Nuts, Soft Drinks" in texts
    categories = {product.category.title() for product in store.products}
    listed = {word for text in texts if text.startswith("Aisle") for word in text.split(": ")[1].split(", ")}
    assert listed <= categories


def test_location_index_lists_every_product(store):
    assert all(1 <= len(places) <= 2 for places in store.places_of_product.values())
    assert sum(len(places) == 2 for places in store.places_of_product.values()) == 7


def test_loading_is_fast_and_cached(store):
    start = time.process_time()
    load_scene.__wrapped__("supermarket")
    assert time.process_time() - start < 0.5
    assert load_scene("supermarket") is store


def test_same_bytes_same_fingerprint(files, store):
    assert _parse(files).fingerprint == _parse(files).fingerprint
    files["layout"]["title"] = "Another"
    assert _parse(files).fingerprint != store.fingerprint


def test_unknown_scene_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown scene 'bazaar'; known scenes: supermarket, home_furnishings"):
        load_scene("bazaar")


def _break_link(files):
    files["layout"]["waypoints"][2]["links"][0] = "W99"


def _one_way_link(files):
    files["layout"]["waypoints"][0]["links"].remove("W02")


def _ghost_product(files):
    files["instances"][4]["product"] = "P999"


def _ghost_fixture(files):
    files["instances"][4]["place"] = "F99"


def _missing_key(files):
    del files["layout"]["places"][3]["kind"]


def _short_pose(files):
    files["layout"]["start_pose"] = [1, 2]


def _unknown_approach(files):
    files["layout"]["places"][0]["approaches"]["roof"] = [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_break_link, "waypoint W03 links to 'W99', which does not exist"),
        (_one_way_link, "waypoint W02 links to W01, which does not link back"),
        (_ghost_product, "instance I0005 is of product 'P999'"),
        (_ghost_fixture, "instance I0005 is at place 'F99'"),
        (_missing_key, "scene.json: an entry lacks the key 'kind'"),
        (_short_pose, r"expected 4 numbers, found \[1.0, 2.0\]"),
        (_unknown_approach, "scene.json: malformed"),
    ],
)
def test_broken_files_give_one_line(files, spoil, message):
    spoil(files)
    with pytest.raises(DataError, match=message) as caught:
        _parse(files)
    assert "\n" not in str(caught.value)


def test_text_that_is_not_json_is_a_data_error():
    with pytest.raises(DataError, match=r"supermarket/instances.json: malformed"):
        parse_scene("supermarket", b"{}", b"[]", b"nonsense")
