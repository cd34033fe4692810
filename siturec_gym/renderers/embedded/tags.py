"""Price tags: one for each run of a product along a level."""

from collections.abc import Sequence
from itertools import groupby

from siturec_gym.renderers.embedded.bay import PRINT_LIFT_M, Bay, Part
from siturec_gym.renderers.embedded.cabinets import cooler_setback_m
from siturec_gym.renderers.embedded.mesh import Vector, quad, side_corners
from siturec_gym.scenes.interiors import Compartment
from siturec_gym.scenes.scene import Instance, Scene

_WIDEST_M, _NARROWEST_M = 0.13, 0.05
Run = tuple[float, float, str]


def price_tags(scene: Scene, bay: Bay, level: Compartment, instances: Sequence[Instance]) -> Part:
    """The tags of one level; "tag|<product id>" names the texture."""
    tags = []
    for middle, length, product_id in runs_of(scene, level, instances):
        width = min(_WIDEST_M, max(_NARROWEST_M, length - 0.005))
        tags.append(quad(_corners(bay, level, middle, width), f"tag|{product_id}"))
    return tags


def runs_of(scene: Scene, level: Compartment, instances: Sequence[Instance]) -> list[Run]:
    """Middle, length and product id of each product's items along a compartment."""
    spots = []
    for item in instances:
        if item.side == level.side and item.level == level.level:
            width = scene.catalog.by_id[item.product_id].appearance.size_m[0]
            spots.append((item.product_id, _along(level, item), width))
    runs = []
    for product_id, group in groupby(sorted(spots), key=lambda spot: spot[0]):
        items = list(group)
        left = min(along - width / 2 for _, along, width in items)
        right = max(along + width / 2 for _, along, width in items)
        runs.append(((left + right) / 2, right - left, product_id))
    return runs


def _along(level: Compartment, item: Instance) -> float:
    """Offset of an item from the middle of its compartment, to the right of a shopper who faces it."""
    right, middle = level.place(1.0, 0.0), level.place(0.0, 0.0)
    dx, dy = item.position_m[0] - middle[0], item.position_m[1] - middle[1]
    return round(dx * (right[0] - middle[0]) + dy * (right[1] - middle[1]), 6)


def _corners(bay: Bay, level: Compartment, middle: float, width: float) -> list[Vector]:
    """Corners of a tag, half as high as it is wide: on the rim of a chest, else upright on the rail."""
    y = middle - width / 2, middle + width / 2
    if bay.fixture.form == "chest_freezer":
        x = bay.front - 0.075, bay.front - 0.075 + width / 2
        return side_corners(x, y, (0.0, bay.height + PRINT_LIFT_M), "top")
    face, top = _rail(bay, level)
    return side_corners((0.0, face + PRINT_LIFT_M), y, (top - width / 2, top), "front")


def _rail(bay: Bay, level: Compartment) -> tuple[float, float]:
    """Face that the tags of a level stand on, and the height of their upper edge."""
    kind = bay.fixture.form
    if kind == "upright_freezer":
        return bay.lip + 0.008, level.base_m + 0.004
    if kind == "open_cooler":
        return bay.front - cooler_setback_m(level.level), level.base_m + 0.005
    if kind == "produce_stand":
        return bay.front if level.level == 0 else level.front_m, level.base_m + 0.03
    return bay.front, level.base_m + 0.005
