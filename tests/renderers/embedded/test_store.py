"""The store as the kernels see it: ids, closed shapes, orientation, textures."""

from dataclasses import replace

import numpy as np
import pytest

from siturec_gym.catalog import Appearance
from siturec_gym.renderers.embedded.mesh import normal_of
from siturec_gym.renderers.embedded.printing import kind_words, package_side
from siturec_gym.renderers.embedded.store import bodies_of, store_of
from siturec_gym.renderers.embedded.things import faces_of


def test_ids_are_fixed_and_unique(shop):
    """S8: instances 1 and on in data order, places from 20001, structures from 30001; nothing else."""
    store = store_of(shop)
    assert store.object_ids.tolist() == sorted(shop.entity_of_object)
    count = len(shop.instances)
    assert store.geometry.object_ids[:count].tolist() == list(range(1, count + 1))
    assert (store.object_ids[store.geometry.objects] == store.geometry.object_ids).all()
    assert len({instance.object_id for instance in shop.instances}) == count
    assert len({place.object_id for place in shop.navigation_targets}) == len(shop.navigation_targets)


def test_store_is_built_once_for_a_scene(shop):
    assert store_of(shop) is store_of(shop)


def test_every_polygon_is_flat_convex_and_turned_outward(shop):
    geometry = store_of(shop).geometry
    bodies = np.repeat(np.arange(len(geometry.radii)), np.diff(geometry.polygon_start))
    for polygon in range(len(geometry.planes)):
        first, last = geometry.corner_start[polygon], geometry.corner_start[polygon + 1]
        points = geometry.vertices[geometry.vertex_start[bodies[polygon]] + geometry.corners[first:last]]
        normal, offset = geometry.planes[polygon, :3], geometry.planes[polygon, 3]
        assert np.abs(points @ normal - offset).max() < 1e-6
        ahead = np.roll(points, -1, axis=0) - points
        turns = np.cross(ahead, np.roll(ahead, -1, axis=0)) @ normal
        assert (turns > -1e-9).all()


def test_vertices_lie_in_their_sphere(shop):
    geometry = store_of(shop).geometry
    for body in range(len(geometry.radii)):
        points = geometry.vertices[geometry.vertex_start[body] : geometry.vertex_start[body + 1]]
        assert np.linalg.norm(points - geometry.centers[body], axis=1).max() <= geometry.radii[body]


@pytest.mark.parametrize("shape", ["carton", "can", "bottle", "jar", "bag", "tray", "tub", "produce"])
@pytest.mark.parametrize("size_m", [(0.1, 0.08, 0.25), (0.2, 0.15, 0.04)])
def test_packages_fill_their_size_and_face_outward(tiny_scene, shape, size_m):
    product = replace(tiny_scene.catalog[0], appearance=Appearance(shape, size_m, ("#ffffff", "#3366aa")))
    faces = faces_of(product)
    points = np.concatenate([face.corners for face in faces])
    width, depth, height = size_m
    np.testing.assert_allclose(points[:, 2].min(), 0.0, atol=1e-9)
    np.testing.assert_allclose(points[:, 2].max(), height)
    assert np.abs(points[:, 0]).max() <= depth / 2 + 1e-9
    assert np.abs(points[:, 1]).max() <= width / 2 + 1e-9
    for face in faces:
        normal = np.array(normal_of(face.corners.tolist()))
        level = np.array((0.0, 0.0, min(height / 2, face.corners[:, 2].mean())))
        assert normal @ (face.corners.mean(axis=0) - level) > 0


def test_unknown_shapes_and_kinds_are_named(tiny_scene):
    product = replace(tiny_scene.catalog[0], appearance=Appearance("barrel", (0.1, 0.1, 0.1), ("#ffffff",)))
    with pytest.raises(ValueError, match=r"product P001 has the shape 'barrel'; shapes are carton, can"):
        faces_of(product)
    odd = replace(tiny_scene, navigation_targets=(replace(tiny_scene.fixtures[0], form="rack"),))
    with pytest.raises(ValueError, match=r"fixture F01 is a 'rack'; kinds are shelf"):
        bodies_of(odd)
    odd = replace(tiny_scene, structures=(replace(tiny_scene.structures[0], kind="moat"),))
    with pytest.raises(ValueError, match=r"structure X01 is a 'moat'; kinds are floor"):
        bodies_of(odd)


def test_parts_of_a_fixture_stay_within_its_footprint(supermarket):
    """What the user can bump into is what she sees: nothing sticks out by more than the thickness of a tag."""
    geometry = store_of(supermarket).geometry
    for fixture in supermarket.fixtures:
        turn = np.radians(fixture.yaw_deg)
        front, right = np.array((np.cos(turn), np.sin(turn))), np.array((-np.sin(turn), np.cos(turn)))
        for body in np.flatnonzero(geometry.object_ids == fixture.object_id):
            points = geometry.vertices[geometry.vertex_start[body] : geometry.vertex_start[body + 1], :2]
            offset = points - np.array(fixture.center_m)
            assert np.abs(offset @ front).max() <= fixture.size_m[1] / 2 + 0.004
            assert np.abs(offset @ right).max() <= fixture.size_m[0] / 2 + 0.004


def test_items_do_not_cut_into_their_fixture(supermarket):
    """The middle of every item is in the open: no part of its fixture covers it."""
    geometry = store_of(supermarket).geometry
    for item in supermarket.instances[::7]:
        fixture = supermarket.place_by_id[item.place_id]
        height = supermarket.catalog.by_id[item.product_id].appearance.size_m[2]
        middle = np.add(item.position_m, (0.0, 0.0, height / 2))
        for body in np.flatnonzero(geometry.object_ids == fixture.object_id):
            planes = geometry.planes[geometry.polygon_start[body] : geometry.polygon_start[body + 1]]
            points = geometry.vertices[geometry.vertex_start[body] : geometry.vertex_start[body + 1]]
            inside_box = (points.min(axis=0) < middle).all() and (middle < points.max(axis=0)).all()
            closed = len(planes) == 6
            assert not (inside_box and closed and (planes[:, :3] @ middle < planes[:, 3]).all())


def test_every_product_is_printed_differently(supermarket):
    fronts = {package_side(product, "front").tobytes() for product in supermarket.catalog}
    assert len(fronts) == len(supermarket.catalog)


def test_packages_say_what_they_hold(tiny_scene):
    assert kind_words(tiny_scene.catalog[1]) == "Lactose-Free Milk"
