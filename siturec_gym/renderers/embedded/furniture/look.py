"""What a builder of furniture knows of a product: its size, its finishes and the parameters of its shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from siturec_gym.catalog import Product
from siturec_gym.renderers.embedded.furniture.finishes import KIND_OF_MATERIAL, finish

Kind = TypeVar("Kind")


def chosen(kinds: Mapping[str, Kind], name: object, what: str) -> Kind:
    """The entry of a table that the shape file asks for.

    Raises:
        ValueError: There is none of that name.
    """
    if name not in kinds:
        raise ValueError(f"no {what} {name!r}; there are {', '.join(kinds)}")
    return kinds[str(name)]


@dataclass(frozen=True)
class Look:
    """A product to be built.

    Attributes:
        product_id: For textures that belong to this product alone.
        width: Extent along y, metres; ``depth`` along x, ``height`` along z.
        colors: Body, accent and frame, "#rrggbb".
        body: Finish of what the product is mainly made of.
        accent: The same material in the accent colour.
        frame: Finish of legs, rims and mountings.
        shape: Parameters of the shape, from the shape file.
    """

    product_id: str
    width: float
    depth: float
    height: float
    colors: tuple[str, str, str]
    body: str
    accent: str
    frame: str
    shape: Mapping[str, Any]

    @property
    def size(self) -> tuple[float, float, float]:
        """Width, depth, height."""
        return self.width, self.depth, self.height

    def paint(self, kind: str, which: int = 0) -> str:
        """A finish of another kind in the product's own colour: 0 body, 1 accent, 2 frame."""
        return finish(kind, self.colors[which])


def look_of(product: Product, shape: Mapping[str, Any]) -> Look:
    """The look of a product.

    Raises:
        ValueError: The catalog names a material that has no finish.
    """
    width, depth, height = product.appearance.size_m
    given = product.appearance.colors
    body, accent, frame = (given[min(k, len(given) - 1)] for k in range(3))
    material = str(product.details.get("material", "plastic"))
    kind = "leaf" if material == "live plant" else chosen(KIND_OF_MATERIAL, material, f"material of {product.id}")
    frame_kind = kind if kind in ("wood", "metal") else _frame_kind(frame)
    return Look(
        product.id, width, depth, height, (body, accent, frame), finish(kind, body), finish(kind, accent),
        finish(frame_kind, frame), shape,
    )  # fmt: skip


def _frame_kind(color: str) -> str:
    """Brown frames are of wood, the others of metal."""
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "wood" if red > green > blue and red - blue > 24 and not (red > 150 and blue < 96) else "metal"
