"""Products of the home store and looks made by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.catalog import Catalog
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.scenes import load_scene


@pytest.fixture(scope="session")
def home_catalog() -> Catalog:
    return load_scene("home_furnishings").catalog


@pytest.fixture
def look() -> Callable[..., Look]:
    """Makes a look 0.6 m wide, 0.5 m deep and 0.9 m high of the shape parameters given."""

    def build(**shape: Any) -> Look:
        finishes = ("finish|cloth|#808080", "finish|cloth|#a0a0a0", "finish|wood|#704020")
        return Look("P001", 0.6, 0.5, 0.9, ("#808080", "#a0a0a0", "#704020"), *finishes, shape)

    return build
