"""A product as the catalog lists it (SituRecBench, A.3)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

LABELLED_DETAILS = {
    "flavour": "flavour",
    "material": "material",
    "colour": "colour",
    "style": "style",
    "size_category": "size",
}
"""Details that a label filter can match -> the word before the colon, as in "colour: gray"."""


@dataclass(frozen=True)
class Nutrition:
    """Per 100 g or 100 ml, as printed on the package."""

    energy_kcal: float
    fat_g: float
    sugar_g: float
    protein_g: float
    salt_g: float


@dataclass(frozen=True)
class Appearance:
    """How the renderer builds the item, and prints it where it is a package.

    Attributes:
        shape: Package (carton, can, bottle, jar, bag, tray, tub, produce), or a shape of the scene's ``shapes.json``.
        size_m: Width (along the shelf), depth (into the shelf), height of one item.
        colors: Three hex colours "#rrggbb". Package: ground, print accent, contents. Furnishing: body, accent, frame.
    """

    shape: str
    size_m: tuple[float, float, float]
    colors: tuple[str, ...]


@dataclass(frozen=True)
class Product:
    """One catalog entry.

    Attributes:
        id: Public product id, "P001" and on.
        name: Full display name: brand, kind, variant and size, unique in the catalog.
        department: The part of the store it belongs to, such as "dairy".
        category: The shelf category, such as "milk".
        tags: Attribute tags a shopper may ask for, from the scene's vocabulary.
        price: Price in dollars.
        segmentation_color: RGB 0..255, unique in the scene (S8).
        details: Scene-specific attributes. Supermarket: brand, size, flavour, packaging, allergens, nutrition. Home
            furnishings: brand, material, colour, size_category, style, dimensions.
    """

    id: str
    name: str
    department: str
    category: str
    tags: tuple[str, ...]
    price: float
    segmentation_color: tuple[int, int, int]
    appearance: Appearance
    details: dict[str, Any]

    @cached_property
    def labels(self) -> frozenset[str]:
        """Everything a label filter can match: the category, the tags and labels such as "colour: gray"."""
        values = ((prefix, self.details.get(key)) for key, prefix in LABELLED_DETAILS.items())
        return frozenset((self.category, *self.tags, *(f"{prefix}: {value}" for prefix, value in values if value)))
