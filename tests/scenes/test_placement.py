"""A.3: placement is re-runnable to the byte, fills from the emptiest side, and fails in words when goods do not fit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym import assets
from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.core.errors import DataError
from siturec_gym.scenes.interiors import Compartment
from siturec_gym.scenes.placement import Block, arrange, instances_text, place_instances

JAR = (0.1, 0.1, 0.2)


def test_the_shipped_instances_are_rebuilt_byte_for_byte(shipped):
    layout = json.loads(assets.read_asset(f"{shipped.name}/scene.json"))
    again = instances_text(place_instances(layout, shipped.catalog))
    assert again.encode() == assets.read_asset(f"{shipped.name}/instances.json")


def test_every_product_has_several_facings_side_by_side(store):
    groups = {}
    for item in store.instances:
        groups.setdefault((item.product_id, item.place_id, item.side), []).append(item)
    assert min(len(group) for group in groups.values()) >= 2
    assert all(len({item.level for item in group}) == 1 for group in groups.values())


def test_facings_are_shared_out_evenly_and_stand_flush(make_catalog, make_layout):
    entries = place_instances(make_layout(6, ["jam"]), make_catalog(("jam", JAR), ("jam", JAR)))
    assert [e["product"] for e in entries].count("P001") == 3
    assert {e["yaw_deg"] for e in entries} == {-90.0}
    # front face 0.01 m behind the free space, which starts 0.02 m behind the fixture's face at y = 4.7
    assert {e["position_m"][1] for e in entries} == {4.78}
    assert [e["id"] for e in entries] == [f"I{n:04d}" for n in range(1, 7)]


def test_facings_go_from_left_to_right_in_equal_steps(make_catalog, make_layout):
    xs = [e["position_m"][0] for e in place_instances(make_layout(3, ["jam"]), make_catalog(("jam", JAR)))]
    # gaps within a block are 0.012 + 0.04 m at most; the block stands in the middle
    assert xs == pytest.approx([5.0 - 0.152, 5.0, 5.0 + 0.152])


def test_deep_fixtures_hold_rows(make_catalog, make_layout):
    chest = make_layout(6, ["peas"], form="chest_freezer", levels_m=[0.7])
    entries = place_instances(chest, make_catalog(("peas", (0.2, 0.1, 0.2)), storage="chest_freezer"))
    assert len({e["position_m"][1] for e in entries}) == 3
    assert len({e["position_m"][0] for e in entries}) == 2


def test_tall_goods_go_where_there_is_height(make_catalog, make_layout):
    entries = place_instances(make_layout(2, ["oil"]), make_catalog(("oil", (0.1, 0.1, 0.48))))
    assert {e["level"] for e in entries} == {1}


@pytest.mark.parametrize(
    ("instances", "stock", "size", "message"),
    [
        (4, ["honey"], JAR, "F01 stocks 'honey'"),
        (4, ["jam"], (0.1, 0.1, 0.6), "F01 front: no room for P001 'Thing 1'"),
        (4, ["jam"], (0.1, 0.7, 0.2), "F01 front: no room for P001 'Thing 1'"),
        (0, ["jam"], JAR, "makes 1, more than the 0 to place"),
        (500, ["jam"], JAR, "the fixtures hold 16 items, fewer than the 500 to place"),
    ],
)
def test_what_cannot_be_placed_is_said(make_catalog, make_layout, instances, stock, size, message):
    with pytest.raises(DataError, match=message):
        place_instances(make_layout(instances, stock), make_catalog(("jam", size)))


def test_a_product_without_a_place_is_said(make_catalog, make_layout):
    with pytest.raises(DataError, match="products stocked nowhere: P002"):
        place_instances(make_layout(3, ["jam"]), make_catalog(("jam", JAR), ("soup", JAR)))


SIZE = st.tuples(st.floats(0.03, 0.4), st.floats(0.02, 0.3), st.floats(0.02, 0.5))


@given(goods=st.lists(st.tuples(SIZE, st.integers(1, 12)), min_size=1, max_size=8), rows=st.integers(1, 3))
def test_arranged_blocks_fit_their_levels(goods, rows):
    spaces = [
        Compartment("front", level, 0.0, (0.0, 0.0), 0.3 * level, height, 2.0, 0.5, 0.4, rows)
        for level, height in enumerate((0.25, 0.4))
    ]
    blocks = [
        Block(Product(f"P{i}", f"N{i}", "d", "c", (), 1.0, (i, 0, 0), Appearance("can", size, ()), {}), count)
        for i, (size, count) in enumerate(goods)
    ]
    levels = arrange(spaces, blocks)
    if levels is None:
        return
    placed = [block for level in levels.values() for block in level]
    assert sorted(id(block) for block in placed) == sorted(id(block) for block in blocks)
    for level, here in levels.items():
        assert sum(block.width_m(spaces[level]) for block in here) + 0.012 * (len(here) + 1) <= 2.0 + 1e-9
        assert all(block.fits(spaces[level]) for block in here)


def test_catalog_order_does_not_depend_on_sets(store, files):
    shuffled = Catalog(store.catalog)
    assert place_instances(files["layout"], shuffled) == place_instances(files["layout"], store.catalog)
