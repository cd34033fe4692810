"""Do the goods stand properly? Items in their compartments, on their levels, in the right kind of fixture, apart."""

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import wrap_angle_deg
from siturec_gym.scenes.footprints import extent, heading_vector
from siturec_gym.scenes.interiors import Compartment, compartments
from siturec_gym.scenes.scene import Instance, Scene

TOLERANCE_M = 5e-4


def item_boxes(scene: Scene) -> NDArray[np.float64]:
    """(n, 6) x0, y0, z0, x1, y1, z1 of the upright box of each instance, in instance order."""
    return np.array([item_box(scene, instance) for instance in scene.instances], np.float64).reshape(-1, 6)


def item_box(scene: Scene, instance: Instance) -> tuple[float, float, float, float, float, float]:
    """x0, y0, z0, x1, y1, z1 of one instance, metres."""
    width, depth, height = scene.catalog.by_id[instance.product_id].appearance.size_m
    x0, y0, x1, y1 = extent(instance.position_m, instance.yaw_deg, width, depth)
    base = instance.position_m[2]
    return x0, y0, base, x1, y1, base + height


def overlapping_pairs(boxes: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Index pairs of boxes (rows x0, y0, z0, x1, y1, z1) that share more than the tolerance along all three axes."""
    low, high = boxes[:, :3] + TOLERANCE_M / 2, boxes[:, 3:] - TOLERANCE_M / 2
    apart = np.zeros((len(boxes), len(boxes)), bool)
    for axis in range(3):
        apart |= low[:, None, axis] >= high[None, :, axis]
    clash = ~(apart | apart.T)
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(clash, 1))]


def stocking_problems(scene: Scene) -> list[str]:
    """One line for each item that is out of place and each pair that overlaps."""
    spaces = {
        (fixture.id, space.side, space.level): space for fixture in scene.fixtures for space in compartments(fixture)
    }
    problems, fixtures = [], {fixture.id for fixture in scene.fixtures}
    for instance in scene.instances:
        if instance.place_id not in fixtures:
            continue
        space = spaces.get((instance.place_id, instance.side, instance.level))
        if space is None:
            problems.append(f"{instance.id}: {instance.place_id} has no {instance.side} level {instance.level}")
        else:
            problems += [f"{instance.id}: {fault}" for fault in _faults(scene, instance, space)]
    for first, second in overlapping_pairs(item_boxes(scene)):
        problems.append(f"{scene.instances[first].id} and {scene.instances[second].id} overlap")
    return problems + _index_problems(scene)


def _faults(scene: Scene, instance: Instance, space: Compartment) -> list[str]:
    """What is wrong with where one item stands."""
    product = scene.catalog.by_id[instance.product_id]
    width, depth, height = product.appearance.size_m
    offset_x, offset_y = (instance.position_m[axis] - space.origin_m[axis] for axis in (0, 1))
    normal_x, normal_y = heading_vector(space.yaw_deg)
    out, along = offset_x * normal_x + offset_y * normal_y, offset_y * normal_x - offset_x * normal_y
    form, storage = scene.place_by_id[instance.place_id].form, product.details.get("storage")
    checks = {
        f"{storage} goods on a {form}": storage == form,
        "does not face the shopper": abs(wrap_angle_deg(instance.yaw_deg - space.yaw_deg)) < 1e-6,
        "does not stand on its level": abs(instance.position_m[2] - space.base_m) <= TOLERANCE_M,
        "is too tall": height <= space.clear_m + TOLERANCE_M,
        "sticks out at an end": abs(along) + width / 2 <= space.width_m / 2 + TOLERANCE_M,
        "sticks out in front": out + depth / 2 <= space.front_m + TOLERANCE_M,
        "goes through the back": out - depth / 2 >= space.front_m - space.depth_m - TOLERANCE_M,
    }
    return [fault for fault, fine in checks.items() if not fine]


def _index_problems(scene: Scene) -> list[str]:
    """Where the product list of a fixture or area and the items on it disagree, and products that stand nowhere."""
    problems = []
    for place in (*scene.fixtures, *scene.areas):
        on_it = {instance.product_id for instance in scene.instances if instance.place_id == place.id}
        if on_it != set(place.product_ids):
            problems.append(f"{place.id}: its product list is not what stands on it")
    return problems + [f"product {id_} stands nowhere" for id_, places in scene.places_of_product.items() if not places]
