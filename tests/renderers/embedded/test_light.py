"""Baked light: shipped for the shape of the store it belongs to, and never used for another."""

from dataclasses import replace

import numpy as np
import pytest

from siturec_gym import assets
from siturec_gym.core.errors import DataError, RendererError
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.embedded import bake as baking
from siturec_gym.renderers.embedded.light import (
    Bake,
    key_of,
    light_file,
    plain_light,
    read_bake,
    shipped_light,
    write_bake,
)
from siturec_gym.renderers.embedded.store import store_of


def test_the_shipped_light_fits_the_shipped_store(shop):
    light = shipped_light(store_of(shop), shop.name)
    assert light.samples.dtype == np.uint8
    assert 100 < light.samples.mean() < 240
    assert (light.grids[:, 1:] >= 2).all()


def test_light_of_another_shape_is_refused(supermarket):
    first = supermarket.instances[0]
    moved = replace(first, position_m=(first.position_m[0] + 0.02, *first.position_m[1:]))
    other = replace(supermarket, instances=(moved, *supermarket.instances[1:]))
    with pytest.raises(RendererError, match="belongs to another shape of the store; bake it with: python -m"):
        make_renderer("embedded", other, 64, 48, light="baked")


def test_a_price_may_change_under_the_light(supermarket):
    cheap = replace(supermarket.catalog[0], price=0.01)
    catalog = type(supermarket.catalog)((cheap, *supermarket.catalog[1:]))
    cheaper = make_renderer("embedded", replace(supermarket, catalog=catalog), 64, 48, light="baked")
    before = make_renderer("embedded", supermarket, 64, 48, light="baked")
    pose = supermarket.start_pose
    assert np.array_equal(cheaper.render(pose).ids, before.render(pose).ids)


def test_written_light_reads_back_and_is_the_same_bytes_each_time(tiny_scene):
    spheres, polygons = key_of(store_of(tiny_scene).geometry)
    count = int(polygons.sum())
    baked = Bake(spheres, polygons, np.full((count, 2), 2, np.uint16), np.arange(4 * count, dtype=np.uint8))
    content = write_bake(baked)
    assert content == write_bake(baked)
    again = read_bake(content)
    for name in ("spheres", "polygons", "sizes", "samples"):
        assert np.array_equal(getattr(again, name), getattr(baked, name))


@pytest.mark.parametrize("content", [b"", b"not a zip file at all", b"PK\x03\x04 cut short"])
def test_broken_light_file(content):
    with pytest.raises(DataError, match="not a light file"):
        read_bake(content)


def test_plain_light_dims_sides_and_undersides(tiny_scene):
    store = store_of(tiny_scene)
    light, up = plain_light(store), store.geometry.planes[:, 2]
    value = light.samples[light.grids[:, 0]].astype(int)
    dark = store.glows == 0
    assert value[dark & (up > 0.9)].min() > value[dark & (np.abs(up) < 0.1)].max()
    assert value[dark & (np.abs(up) < 0.1)].min() > value[dark & (up < -0.9)].max()


def test_baked_light_darkens_corners_and_leaves_ids_alone(supermarket):
    lit = make_renderer("embedded", supermarket, 160, 120, light="baked")
    plain = make_renderer("embedded", supermarket, 160, 120, light="plain")
    pose = supermarket.start_pose
    first, second = lit.render(pose), plain.render(pose)
    assert np.array_equal(first.ids, second.ids)
    assert (first.rgb != second.rgb).mean() > 0.5


def test_light_file_is_small():
    assert len(assets.read_asset(light_file("supermarket"))) < 1_000_000


def test_samples_lie_on_their_polygons(tiny_scene):
    geometry = store_of(tiny_scene).geometry
    samples = baking.sample_points(geometry)
    normals, offsets = geometry.planes[samples.polygons, :3], geometry.planes[samples.polygons, 3]
    np.testing.assert_allclose((samples.points * normals).sum(axis=1) - offsets, 0.006, atol=1e-6)


def test_tone_keeps_order_and_range():
    lit = np.array([0.0, 0.2, 0.8, 2.0, np.inf])
    tone = baking.tone(lit)
    assert (np.diff(tone.astype(int)) >= 0).all()
    assert tone[-1] == 255
    assert tone[0] > 0


def test_bake_lights_a_tiny_store(tiny_scene):
    """Under a lamp the floor is bright, under the shelf dark; the same bake twice gives the same bytes."""
    pytest.importorskip("embreex")
    floor = tiny_scene.structures[0]
    lamp = replace(floor, id="X05", kind="lamp", object_id=30_005, box_m=(3.5, 0.8, 2.9, 4.5, 1.2, 3.0))
    store = store_of(replace(tiny_scene, structures=(*tiny_scene.structures, lamp)))
    baked = baking.bake(store)
    assert baked.samples.tobytes() == baking.bake(store).samples.tobytes()
    assert baked.samples.max() == 255
    samples = baking.sample_points(store.geometry)
    on_floor = (samples.normals[:, 2] > 0.9) & (samples.points[:, 2] < 0.01)
    x, y = samples.points[:, 0], samples.points[:, 1]
    open_floor = on_floor & (abs(x - 4.0) < 0.5) & (abs(y - 1.0) < 0.3)
    under_shelf = on_floor & (abs(x - 4.0) < 0.8) & (abs(y - 2.5) < 0.2)
    assert baked.samples[open_floor].min() > 1.5 * baked.samples[under_shelf].max()


def test_bake_command_names_a_wrong_scene(capsys):
    assert baking.main(["moon"]) == 1
    assert "unknown scene 'moon'" in capsys.readouterr().err
