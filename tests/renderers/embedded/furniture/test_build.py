"""Every product of the home store as a thing: its size, its cost, its orientation, its textures."""

from dataclasses import replace

import numpy as np
import pytest

from siturec_gym.renderers.embedded.furniture import build
from siturec_gym.renderers.embedded.furniture.build import furniture_faces, shapes
from siturec_gym.renderers.embedded.furniture.finishes import is_finish
from siturec_gym.renderers.embedded.furniture.look import look_of
from siturec_gym.renderers.embedded.furniture.patterns import is_pattern
from siturec_gym.renderers.embedded.mesh import normal_of
from siturec_gym.renderers.embedded.things import faces_of

MOST_POLYGONS, USUAL_POLYGONS = 170, 70


def share_of_fronts(faces, generator, rays=40):
    """Of rays from before and above a thing to places within it: the share that first meet the front of a face."""
    triangles = np.array([face.corners[[0, k, k + 1]] for face in faces for k in range(1, len(face.corners) - 1)])
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normals = np.cross(b - a, c - a)
    met = []
    for _ in range(rays):
        goal = low + generator.uniform(0.1, 0.9, 3) * (high - low)
        yaw, rise = generator.uniform(-1.2, 1.2), generator.uniform(0.1, 0.9)
        way = -np.array((np.cos(yaw) * np.cos(rise), np.sin(yaw) * np.cos(rise), np.sin(rise)))
        distance = _distances(goal - 5.0 * way, way, a, b - a, c - a)
        if np.isfinite(distance).any():
            nearest = distance <= distance.min() + 1e-9  # a leaf is two faces, back to back
            met.append((normals[nearest] @ way < 0.0).any())
    return np.mean(met)


def _distances(origin, way, corner, edge1, edge2):
    """Metres to each triangle, from whichever side it is met; inf where it is missed (Moeller and Trumbore)."""
    across, offset = np.cross(way, edge2), origin - corner
    turned = np.cross(offset, edge1)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / (edge1 * across).sum(axis=1)
        u, v, t = (
            (offset * across).sum(axis=1) * inverse,
            turned @ way * inverse,
            (edge2 * turned).sum(axis=1) * inverse,
        )
    return np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0), t, np.inf)


def test_everything_has_the_size_that_the_catalog_states(home_catalog):
    """S9: to the micrometre, standing on its base, its middle over its origin."""
    for product in home_catalog:
        points = np.concatenate([face.corners for face in faces_of(product)])
        width, depth, height = product.appearance.size_m
        low, high = (-depth / 2, -width / 2, 0.0), (depth / 2, width / 2, height)
        np.testing.assert_allclose(points.min(axis=0), low, atol=1e-6, err_msg=product.name)
        np.testing.assert_allclose(points.max(axis=0), high, atol=1e-6, err_msg=product.name)


def test_polygons_are_few(home_catalog):
    """What a frame costs: most things have less than 70 polygons, none more than 170."""
    counts = {product.name: len(faces_of(product)) for product in home_catalog}
    assert max(counts.values()) <= MOST_POLYGONS, max(counts, key=lambda name: counts[name])
    assert sum(count < USUAL_POLYGONS for count in counts.values()) > 0.6 * len(counts)


def test_faces_are_turned_outward(home_catalog):
    """Who stands before a thing hardly ever sees the back of a face, which the renderer would leave out."""
    generator = np.random.default_rng(8)
    shares = {product.name: share_of_fronts(faces_of(product), generator) for product in home_catalog}
    assert min(shares.values()) >= 0.8, min(shares, key=lambda name: shares[name])
    assert np.mean(list(shares.values())) > 0.985


def test_every_face_has_an_area_and_a_known_texture(home_catalog):
    for product in home_catalog:
        for face in faces_of(product):
            assert np.isfinite(normal_of(face.corners.tolist())).all(), product.name
            assert is_finish(face.texture) or is_pattern(face.texture), face.texture


def test_the_same_product_is_built_alike_each_time(home_catalog):
    """Plants and shelves of books vary by product, never by call."""
    for product in home_catalog:
        for first, second in zip(faces_of(product), faces_of(product), strict=True):
            assert np.array_equal(first.corners, second.corners)
            assert np.array_equal(first.uv, second.uv)
            assert first.texture == second.texture


def test_every_shape_is_used_and_every_builder_has_one(home_catalog):
    assert {product.appearance.shape for product in home_catalog} == set(shapes())
    assert {shape["builder"] for shape in shapes().values()} == set(build._BUILDERS)


def test_unknown_builder(home_catalog, monkeypatch):
    product = home_catalog[0]
    monkeypatch.setattr(build, "shapes", lambda: {product.appearance.shape: {"builder": "hammock"}})
    with pytest.raises(ValueError, match=rf"no builder for {product.id} 'hammock'; there are chair, sofa"):
        furniture_faces(product)


def test_unknown_material(home_catalog):
    product = replace(home_catalog[0], details={**home_catalog[0].details, "material": "ectoplasm"})
    with pytest.raises(ValueError, match=r"no material of P001 'ectoplasm'; there are fabric, linen"):
        look_of(product, shapes()[product.appearance.shape])


@pytest.mark.parametrize(
    ("builder", "parameter", "message"),
    [
        ("chair", "back", "no back 'odd'; there are pad"),
        ("chair", "legs", "no legs 'odd'; there are four"),
        ("case", "legs", "no legs 'odd'; there are plinth"),
        ("lamp", "base", "no base 'odd'; there are disc"),
        ("pendant", "shade", "no shade 'odd'; there are drum"),
        ("wall_lamp", "shade", "no shade 'odd'; there are box"),
        ("plant", "habit", "no habit 'odd'; there are large leaves"),
        ("planter", "form", "no planter 'odd'; there are urn"),
        ("vase", "profile", "no profile 'odd'; there are bottle"),
        ("framed", "frame", "no frame 'odd'; there are none"),
        ("desk_item", "what", "no thing for a desk 'odd'; there are pad"),
        ("ornament", "what", "no ornament 'odd'; there are globe"),
        ("toy", "what", "no toy 'odd'; there are blocks in a box"),
        ("console", "what", "no gaming gear 'odd'; there are upright console"),
        ("sports", "what", "no sports gear 'odd'; there are basketball"),
    ],
)
def test_unknown_parameters_are_named(home_catalog, builder, parameter, message):
    product = next(item for item in home_catalog if shapes()[item.appearance.shape]["builder"] == builder)
    shape = {**shapes()[product.appearance.shape], parameter: "odd"}
    with pytest.raises(ValueError, match=message):
        build._BUILDERS[builder](look_of(product, shape))
