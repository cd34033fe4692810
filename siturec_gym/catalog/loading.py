"""Read the catalog of a shipped scene.

Segmentation colours (S8): products have an even blue channel of 40 or more, taken from a fixed lattice; fixtures and
structures take odd ones. Black is nobody's.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from siturec_gym import assets
from siturec_gym.catalog.catalog import Catalog
from siturec_gym.catalog.product import Appearance, Product
from siturec_gym.core.errors import DataError


@cache
def load_products(name: str) -> Catalog:
    """The catalog of a shipped scene, such as "supermarket"; the same object at each call.

    Raises:
        DataError: The product file is missing, changed or malformed.
    """
    return parse_catalog(assets.read_asset(f"{name}/products.json"), f"{name}/products.json")


def parse_catalog(content: bytes, source: str = "products.json") -> Catalog:
    """The catalog in the bytes of a product file.

    Raises:
        DataError: The content is not a list of complete products; the message is one line that names ``source``.
    """
    try:
        return Catalog(_product(entry) for entry in json.loads(content))
    except DataError as error:
        raise DataError(f"{source}: {error}") from error
    except KeyError as error:
        raise DataError(f"{source}: an entry lacks the key {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{source}: malformed: {error}") from error


def _product(raw: Mapping[str, Any]) -> Product:
    appearance = raw["appearance"]
    return Product(
        id=raw["id"],
        name=raw["name"],
        department=raw["department"],
        category=raw["category"],
        tags=tuple(raw["tags"]),
        price=float(raw["price"]),
        segmentation_color=_triple(int(value) for value in raw["segmentation_color"]),
        appearance=Appearance(
            shape=appearance["shape"],
            size_m=_triple(float(value) for value in appearance["size_m"]),
            colors=tuple(appearance["colors"]),
        ),
        details=dict(raw["details"]),
    )


def _triple(values: Iterable[Any]) -> tuple[Any, Any, Any]:
    first, second, third = values
    return first, second, third
