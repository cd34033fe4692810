"""Furnish the display areas of a home store: rows of goods on floors, furniture, walls and lamp rails (A.3).

A display area states its rows in coordinates of its own, as a shopper in front of it sees them: ``u`` metres from the
middle to the right, ``v`` metres from its back towards the shopper. A row is a line from one point to another; its
items stand along it in order with equal gaps, backs on the line, fronts to the left of its direction (so that a line
from left to right faces the shopper).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siturec_gym.catalog import Catalog, Product
from siturec_gym.core.errors import DataError
from siturec_gym.core.pose import wrap_angle_deg
from siturec_gym.scenes.footprints import heading_vector
from siturec_gym.scenes.loading import parse_places
from siturec_gym.scenes.scene import Place

FLOOR, WALL, RAIL = "floor", "wall", "rail"
LEAST_GAP_M = 0.02
_DIGITS = 4

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """Goods side by side.

    Attributes:
        start: u, v of one end of the line.
        end: u, v of the other.
        on: "floor", "wall" (``height_m`` says how high), "rail" (hanging from that height), or the id of a structure or
            of a product of the area on whose top the items stand.
        height_m: Of the base of what hangs on a wall, or of the rail that lamps hang from.
        turn_deg: How far items are turned from facing off the line, counter-clockwise as seen from above.
        products: Product ids, in order from ``start``.
    """

    start: Spot
    end: Spot
    on: str
    height_m: float
    turn_deg: float
    products: tuple[str, ...]

    @classmethod
    def parsed(cls, raw: Mapping[str, Any]) -> "Row":
        """A row of a layout file."""
        (u0, v0), (u1, v1) = raw["line"]
        return cls(
            start=(float(u0), float(v0)),
            end=(float(u1), float(v1)),
            on=raw["on"],
            height_m=float(raw.get("height_m", 0.0)),
            turn_deg=float(raw.get("turn_deg", 0.0)),
            products=tuple(raw["products"]),
        )


class Display:
    """One display area while it is being furnished."""

    def __init__(self, area: Place, rows: Sequence[Row], tops: Mapping[str, float], catalog: Catalog) -> None:
        """Prepare to furnish an area.

        Args:
            area: The area; its front faces the shopper.
            rows: Its rows, in order.
            tops: Height of the top of each structure by id, metres.
            catalog: The products.
        """
        self._area, self._rows, self._catalog = area, rows, catalog
        self._tops = dict(tops)

    def items(self) -> Iterator[dict[str, Any]]:
        """Entries of the instance file, without ids, row by row.

        Raises:
            DataError: A row names nothing known or is too short for its products.
        """
        for number, row in enumerate(self._rows):
            products = [self._product(product_id) for product_id in row.products]
            for product, middle in zip(products, self._middles(row, products), strict=True):
                base = self._base(row, product)
                self._tops[product.id] = base + product.appearance.size_m[2]
                yield {
                    "product": product.id,
                    "place": self._area.id,
                    "side": "front",
                    "level": number,
                    "position_m": [*self._position(row, product, middle), round(base, _DIGITS)],
                    "yaw_deg": self._yaw(row),
                }

    def _product(self, product_id: str) -> Product:
        try:
            return self._catalog.by_id[product_id]
        except KeyError:
            raise DataError(f"area {self._area.id} displays {product_id!r}, which is no product") from None

    def _middles(self, row: Row, products: Sequence[Product]) -> list[float]:
        """Distance of each item's middle from the start of the row: equal gaps, a lone item in the middle."""
        length = math.dist(row.start, row.end)
        widths = [self._extents(row, product)[0] for product in products]
        if len(products) == 1:
            return [length / 2]
        gap = (length - sum(widths)) / (len(products) - 1)
        if gap < LEAST_GAP_M:
            raise DataError(f"area {self._area.id}: {', '.join(row.products)} leave gaps of {gap:.3f} m on {length} m")
        starts = [sum(widths[:index]) + gap * index for index in range(len(widths))]
        return [start + width / 2 for start, width in zip(starts, widths, strict=True)]

    def _extents(self, row: Row, product: Product) -> Spot:
        """Length along the row and depth across it of an item that is turned."""
        width, depth, _ = product.appearance.size_m
        cos, sin = (abs(part) for part in heading_vector(row.turn_deg))
        return width * cos + depth * sin, width * sin + depth * cos

    def _position(self, row: Row, product: Product, along: float) -> tuple[float, float]:
        """World x, y of an item's middle."""
        du, dv = _direction(row)
        off = self._extents(row, product)[1] / 2
        u, v = row.start[0] + du * along - dv * off, row.start[1] + dv * along + du * off
        (normal_x, normal_y), (x, y) = heading_vector(self._area.yaw_deg), self._area.center_m
        ahead = v - self._area.size_m[1] / 2
        return (
            round(x + normal_x * ahead - normal_y * u, _DIGITS),
            round(y + normal_y * ahead + normal_x * u, _DIGITS),
        )

    def _yaw(self, row: Row) -> float:
        """Heading that the items' fronts face; u points a quarter turn counter-clockwise from v."""
        du, dv = _direction(row)
        return round(wrap_angle_deg(self._area.yaw_deg + math.degrees(math.atan2(-dv, du)) + row.turn_deg), 2)

    def _base(self, row: Row, product: Product) -> float:
        if row.on == FLOOR:
            return 0.0
        if row.on == WALL:
            return row.height_m
        if row.on == RAIL:
            return row.height_m - product.appearance.size_m[2]
        try:
            return self._tops[row.on]
        except KeyError:
            raise DataError(f"area {self._area.id} displays {product.id} on {row.on!r}, which is not there") from None


def _direction(row: Row) -> Spot:
    length = math.dist(row.start, row.end)
    if length == 0.0:
        raise DataError(f"a row of {', '.join(row.products)} has no length")
    return (row.end[0] - row.start[0]) / length, (row.end[1] - row.start[1]) / length


def displayed_items(layout: Mapping[str, Any], catalog: Catalog) -> list[dict[str, Any]]:
    """The items of every area of a parsed layout file, in area and row order, as entries without ids.

    Raises:
        DataError: A row names nothing known or is too short for its products.
    """
    tops = {part["id"]: float(part["box_m"][5]) for part in layout.get("structures", ())}
    pairs = zip(layout["places"], parse_places(layout, {}), strict=True)
    displays = (
        Display(area, [Row.parsed(row) for row in raw.get("display", ())], tops, catalog) for raw, area in pairs
    )
    return [entry for display in displays for entry in display.items()]
