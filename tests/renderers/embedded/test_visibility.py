"""The id pass that decides what is visible (S17): counts and boxes of exactly what an id image shows."""

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer


@pytest.mark.parametrize("pose", [Pose(4.0, 1.0, 90.0), Pose(6.0, 4.0, -120.0, -15.0), Pose(4.0, 2.5, 0.0, 10.0)])
def test_equals_a_count_over_the_id_image(make, pose):
    seen, ids = make(64, 48).visibility(pose), make(320, 240).render(pose).ids
    expected = [object_id for object_id in np.unique(ids) if object_id]
    assert seen.object_ids.tolist() == expected
    for object_id, pixels, box in zip(seen.object_ids, seen.pixels, seen.boxes, strict=True):
        rows, columns = np.nonzero(ids == object_id)
        assert pixels == len(rows)
        sides = (columns.min() / 320, rows.min() / 240, (columns.max() + 1) / 320, (rows.max() + 1) / 240)
        np.testing.assert_allclose(box, sides, rtol=1e-6)


def test_types(make):
    seen = make().visibility(Pose(4.0, 1.0, 90.0))
    assert (seen.object_ids.dtype, seen.pixels.dtype, seen.boxes.dtype) == (np.uint16, np.int32, np.float32)
    assert seen.boxes.shape == (len(seen.object_ids), 4)


def test_does_not_depend_on_image_size_or_preset(make):
    pose = Pose(4.0, 1.0, 90.0)
    small, large = make(32, 24).visibility(pose), make(640, 480, preset="vlm").visibility(pose)
    assert np.array_equal(small.object_ids, large.object_ids)
    assert np.array_equal(small.pixels, large.pixels)
    assert np.array_equal(small.boxes, large.boxes)


def test_moves_neither_user_nor_camera(make, tiny_scene):
    renderer = make()
    renderer.visibility(Pose(4.0, 1.0, 90.0))
    assert renderer.user_pose == renderer.camera_pose == tiny_scene.start_pose


def test_nothing_in_view(make):
    seen = make().visibility(Pose(4.0, 40.0, 90.0, 50.0))
    assert len(seen.object_ids) == len(seen.pixels) == len(seen.boxes) == 0


def test_every_product_and_place_can_be_seen_from_a_fixed_viewpoint(shop):
    """A shopper who goes where the store sends her sees each of them with at least the 12 pixels that count (S17)."""
    renderer = make_renderer("embedded", shop, 16, 16, light="plain")
    seen = set()
    for place in shop.navigation_targets:
        for pose in place.approaches.values():
            view = renderer.visibility(pose)
            counts: dict[str, int] = {}
            for object_id, pixels in zip(view.object_ids.tolist(), view.pixels.tolist(), strict=True):
                entity = shop.entity_of_object[object_id]
                counts[entity] = counts.get(entity, 0) + pixels
            seen |= {entity for entity, pixels in counts.items() if pixels >= 12}
    assert {product.id for product in shop.catalog} <= seen
    assert {place.id for place in shop.navigation_targets} <= seen
