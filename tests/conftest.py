"""A tiny hand-made store, small enough to check every distance by hand."""

from typing import Any

import pytest

from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.core.actions import SUPERMARKET_TOOLS, Approach
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import Fixture, Instance, Scene, Structure, Waypoint

PRODUCTS = (
    ("P001", "Alder Whole Milk 1 L", "dairy", "milk", ("whole", "fresh"), 1.49, "carton"),
    ("P002", "Alder Lactose-Free Milk 1 L", "dairy", "milk", ("lactose-free", "fresh"), 1.99, "carton"),
    ("P003", "Brook Oat Drink 1 L", "dairy", "milk", ("vegan", "lactose-free"), 2.29, "carton"),
    ("P004", "Cedar Tomato Soup 400 g", "pantry", "soup", ("vegan",), 2.49, "can"),
    ("P005", "Cedar Chicken Soup 400 g", "pantry", "soup", (), 2.79, "can"),
)
# id, product, fixture, x, y, z, yaw, side
INSTANCES = (
    ("I0001", "P001", "F01", 3.6, 2.4, 1.0, -90.0, "front"),
    ("I0002", "P001", "F01", 3.7, 2.4, 1.0, -90.0, "front"),
    ("I0003", "P002", "F01", 4.0, 2.4, 1.0, -90.0, "front"),
    ("I0004", "P003", "F01", 4.4, 2.6, 1.0, 90.0, "back"),
    ("I0005", "P004", "F02", 7.6, 2.0, 1.0, 180.0, "front"),
    ("I0006", "P005", "F02", 7.6, 2.3, 1.0, 180.0, "front"),
)


def _product(index: int) -> Product:
    id_, name, department, category, tags, price, shape = PRODUCTS[index]
    details: dict[str, Any] = {
        "brand": name.split()[0],
        "size": " ".join(name.split()[-2:]),
        "flavour": "",
        "packaging": shape,
        "allergens": ["milk"] if "whole" in tags else [],
        "nutrition": {"energy_kcal": 60.0, "fat_g": 3.0, "sugar_g": 5.0, "protein_g": 3.0, "salt_g": 0.1},
        "storage": "shelf",
    }
    appearance = Appearance(shape, (0.08, 0.08, 0.2), ("#ffffff", "#3366aa"))
    color = (10 + index, 100, 200 - index)
    return Product(id_, name, department, category, tags, price, color, appearance, details)


def _instance(index: int) -> Instance:
    id_, product, fixture, x, y, z, yaw, side = INSTANCES[index]
    return Instance(id_, index + 1, product, fixture, (x, y, z), yaw, side, 1)


def _fixtures() -> tuple[Fixture, ...]:
    shelf = Fixture(
        id="F01", name="Milk Shelf", kind="shelf", object_id=20_001, segmentation_color=(200, 10, 10),
        center_m=(4.0, 2.5), yaw_deg=-90.0, size_m=(2.0, 0.6, 1.8), levels_m=(0.2, 1.0),
        approaches={Approach.FRONT: Pose(4.0, 1.0, 90.0), Approach.BACK: Pose(4.0, 4.0, -90.0)},
        product_ids=("P001", "P002", "P003"), sign="Milk",
    )  # fmt: skip
    wall_shelf = Fixture(
        id="F02", name="Soup Shelf", kind="shelf", object_id=20_002, segmentation_color=(10, 200, 10),
        center_m=(7.7, 2.5), yaw_deg=180.0, size_m=(2.0, 0.6, 1.8), levels_m=(0.2, 1.0),
        approaches={Approach.FRONT: Pose(6.2, 2.5, 0.0)}, product_ids=("P004", "P005"), sign="Soup",
    )  # fmt: skip
    return shelf, wall_shelf


def _structures() -> tuple[Structure, ...]:
    return (
        Structure("X01", "floor", 30_001, (1, 1, 1), (0.0, 0.0, -0.1, 8.0, 5.0, 0.0), False),
        Structure("X02", "wall", 30_002, (2, 2, 2), (-0.2, -0.2, 0.0, 0.0, 5.2, 3.0), True),
        Structure("X03", "pillar", 30_003, (3, 3, 3), (1.2, 3.8, 0.0, 1.6, 4.2, 3.0), True),
        Structure("X04", "sign", 30_004, (4, 4, 4), (3.5, 2.4, 2.3, 4.5, 2.6, 2.7), False, "Milk"),
    )


def _waypoints() -> tuple[Waypoint, ...]:
    return (
        Waypoint("W01", 1.5, 1.0, ("W02", "W04")),
        Waypoint("W02", 6.0, 1.0, ("W01", "W03")),
        Waypoint("W03", 6.0, 4.0, ("W02", "W04")),
        Waypoint("W04", 2.2, 4.0, ("W01", "W03")),
    )


@pytest.fixture(scope="session")
def tiny_scene() -> Scene:
    """A room of 8 x 5 m: "Milk Shelf" (x 3..5, y 2.2..2.8, front south, back north) and "Soup Shelf" on the east
    wall (x 7.4..8, y 1.5..3.5, front west), a pillar (x 1.2..1.6, y 3.8..4.2), four waypoints in a ring."""
    return Scene(
        name="tiny",
        title="Tiny Store",
        catalog=Catalog(_product(index) for index in range(len(PRODUCTS))),
        instances=tuple(_instance(index) for index in range(len(INSTANCES))),
        fixtures=_fixtures(),
        waypoints=_waypoints(),
        structures=_structures(),
        bounds_m=(0.0, 0.0, 8.0, 5.0),
        start_pose=Pose(1.0, 1.0, 0.0),
        tools=SUPERMARKET_TOOLS,
        fingerprint="tiny",
    )
