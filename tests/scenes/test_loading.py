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


def test_counts_of_the_home_store(mall):
    assert len(mall.products) == 222
    assert len(mall.instances) == 244
    assert len(mall.navigation_targets) == 31
    assert (len(mall.stores), len(mall.areas), len(mall.fixtures)) == (7, 24, 0)
    assert len(mall.waypoints) == 38
    assert [place.id for place in mall.navigation_targets[:8]] == [*(f"S{n}" for n in range(1, 8)), "A01"]


def test_stores_of_the_home_store_are_those_of_the_paper(mall):
    assert [(store.name, store.style) for store in mall.stores] == [
        ("Atelier Prime", "modern living room furniture"),
        ("Leather and Ink", "study and office furniture"),
        ("Light Logic", "indoor lighting"),
        ("Nordic Nest", "Scandinavian everyday furnishings"),
        ("Play-cation", "gaming, sports and children's play"),
        ("The Plant", "plants and planters"),
        ("Vicotian Curio Collection", "classical furniture and vintage ornaments"),
    ]


def test_ids_and_object_ids_follow_data_order(shipped):
    items, places, ways = len(shipped.instances), len(shipped.navigation_targets), len(shipped.waypoints)
    assert [i.id for i in shipped.instances] == [f"I{n:04d}" for n in range(1, items + 1)]
    assert [i.object_id for i in shipped.instances] == list(range(1, items + 1))
    assert [p.object_id for p in shipped.navigation_targets] == list(range(20_001, 20_001 + places))
    assert shipped.structures[0].object_id == 30_001
    assert [w.id for w in shipped.waypoints] == [f"W{n:02d}" for n in range(1, ways + 1)]


def test_parts_of_a_place_carry_its_id_and_colour(mall):
    parts = [part for part in mall.structures if part.place_id]
    for part in parts:
        place = mall.place_by_id[part.place_id]
        assert (part.object_id, part.segmentation_color) == (place.object_id, place.segmentation_color)
        assert mall.entity_of_object[part.object_id] == place.id
    for store in mall.stores:
        kinds = {part.kind for part in parts if part.place_id == store.id}
        assert kinds == {"facade", "frame", "sign"}
        assert store.name in {part.text for part in parts if part.place_id == store.id}
    for area in mall.areas:
        assert sorted(part.kind for part in parts if part.place_id == area.id) == ["patch", "sign"]


def test_the_location_index_of_the_home_store_goes_by_store_and_area(mall):
    for product_id, places in mall.places_of_product.items():
        assert places, product_id
        for area in places:
            store = mall.place_by_id[mall.place_by_id[area].store_id]
            assert product_id in store.product_ids
    assert sum(len(places) > 1 for places in mall.places_of_product.values()) >= 5
    assert all(store.product_ids for store in mall.stores)


def test_doorways_are_wide_enough_and_areas_have_one_point(mall):
    for store in mall.stores:
        assert set(store.approaches) == {Approach.OUTSIDE_DOORWAY, Approach.INSIDE_DOORWAY}
        posts = [part.box_m for part in mall.structures if part.kind == "frame" and part.place_id == store.id]
        left, right = sorted(box for box in posts if box[2] == 0.0)
        assert right[0] - left[3] == pytest.approx(2.4)
    for area in mall.areas:
        assert set(area.approaches) == {Approach.FIXED}


def test_every_place_can_be_named_by_a_person(shipped):
    places = shipped.navigation_targets
    assert len({place.name for place in places}) == len(places)
    assert all(place.name.isascii() and place.sign for place in places)


def test_every_fixture_has_a_front(store):
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


def test_loading_is_fast_and_cached(shipped):
    start = time.process_time()
    load_scene.__wrapped__(shipped.name)
    assert time.process_time() - start < 0.5
    assert load_scene(shipped.name) is shipped


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
