"""The shipped stores, and made-up goods that need no data file."""

import json
from typing import Any

import pytest

from siturec_gym import assets
from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.scenes import SCENES, Scene, load_scene


@pytest.fixture(scope="session")
def store() -> Scene:
    return load_scene("supermarket")


@pytest.fixture(scope="session")
def mall() -> Scene:
    return load_scene("home_furnishings")


@pytest.fixture(scope="session", params=SCENES)
def shipped(request: pytest.FixtureRequest) -> Scene:
    """Each shipped scene."""
    return load_scene(request.param)


@pytest.fixture
def mall_files() -> dict[str, Any]:
    """The three files of the home store, parsed, free to be spoiled."""
    return _files("home_furnishings")


@pytest.fixture
def files() -> dict[str, Any]:
    """The three files of the Supermarket, parsed, free to be spoiled."""
    return _files("supermarket")


def _files(scene: str) -> dict[str, Any]:
    names = {"layout": "scene.json", "products": "products.json", "instances": "instances.json"}
    return {key: json.loads(assets.read_asset(f"{scene}/{name}")) for key, name in names.items()}


@pytest.fixture
def make_catalog():
    """(category, size_m) pairs -> a catalog of P001, P002, ..."""

    def make(*goods: tuple[str, tuple[float, float, float]], storage: str = "shelf") -> Catalog:
        return Catalog(
            Product(
                f"P{i:03d}", f"Thing {i}", "d", category, (), 1.0, (i, 0, 40),
                Appearance("carton", size, ("#ffffff",)), {"storage": storage},
            )
            for i, (category, size) in enumerate(goods, start=1)
        )  # fmt: skip

    return make


@pytest.fixture
def make_layout():
    """A layout of one fixture whose front stocks ``stock``: 2 m wide, 0.6 deep, facing south, two levels."""

    def make(instances: int, stock: list[str], **changes: Any) -> dict[str, Any]:
        fixture = {
            "id": "F01", "name": "Shelf", "kind": "fixture", "form": "shelf", "segmentation_color": [1, 2, 3],
            "center_m": [5.0, 5.0],
            "yaw_deg": -90.0, "size_m": [2.08, 0.6, 1.2], "levels_m": [0.2, 0.7],
            "approaches": {"front": [5.0, 3.2, 90.0, -10.0]}, "sign": "", "stock": {"front": stock},
        }  # fmt: skip
        return {"instances": instances, "places": [{**fixture, **changes}]}

    return make
