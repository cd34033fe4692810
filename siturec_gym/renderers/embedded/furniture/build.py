"""From a product of the home store to its faces: the shape file names a builder and its parameters."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from siturec_gym import assets
from siturec_gym.catalog import Product
from siturec_gym.renderers.embedded.furniture.cases import basket, case
from siturec_gym.renderers.embedded.furniture.chairs import chair
from siturec_gym.renderers.embedded.furniture.clocks import clock
from siturec_gym.renderers.embedded.furniture.desk import desk_item
from siturec_gym.renderers.embedded.furniture.frames import framed
from siturec_gym.renderers.embedded.furniture.gaming import console
from siturec_gym.renderers.embedded.furniture.lamps import lamp, pendant
from siturec_gym.renderers.embedded.furniture.look import Look, chosen, look_of
from siturec_gym.renderers.embedded.furniture.ornaments import ornament
from siturec_gym.renderers.embedded.furniture.parts import Part
from siturec_gym.renderers.embedded.furniture.planters import plant_stand, planter
from siturec_gym.renderers.embedded.furniture.plants import plant
from siturec_gym.renderers.embedded.furniture.sofas import ottoman, sofa
from siturec_gym.renderers.embedded.furniture.sports import sports
from siturec_gym.renderers.embedded.furniture.tables import table
from siturec_gym.renderers.embedded.furniture.textiles import pillow, rug
from siturec_gym.renderers.embedded.furniture.toys import toy
from siturec_gym.renderers.embedded.furniture.vases import vase
from siturec_gym.renderers.embedded.furniture.wall_lamps import wall_lamp

SHAPE_FILE = "home_furnishings/shapes.json"


@cache
def shapes() -> Mapping[str, Mapping[str, Any]]:
    """Name of each shape -> its builder and parameters."""
    table: Mapping[str, Mapping[str, Any]] = json.loads(assets.read_asset(SHAPE_FILE))
    return table


def furniture_faces(product: Product) -> Part:
    """The faces of a piece of furniture or an ornament, in the exact size that the catalog states.

    Raises:
        ValueError: The shape has no builder.
    """
    shape = shapes()[product.appearance.shape]
    return chosen(_BUILDERS, shape["builder"], f"builder for {product.id}")(look_of(product, shape))


_BUILDERS: dict[str, Callable[[Look], Part]] = {
    "chair": chair,
    "sofa": sofa,
    "ottoman": ottoman,
    "table": table,
    "case": case,
    "basket": basket,
    "lamp": lamp,
    "pendant": pendant,
    "wall_lamp": wall_lamp,
    "plant": plant,
    "planter": planter,
    "plant_stand": plant_stand,
    "vase": vase,
    "clock": clock,
    "framed": framed,
    "rug": rug,
    "cushion": pillow,
    "desk_item": desk_item,
    "ornament": ornament,
    "toy": toy,
    "console": console,
    "sports": sports,
}
