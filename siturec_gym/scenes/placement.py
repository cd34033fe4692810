"""Fill the shelves: from a layout and a catalog to the instances of a store, the same bytes each time (A.3).

Display areas are furnished by ``displays``; fixtures are stocked here. The layout file says which categories (or single
products) each side of a fixture stocks and how many items the store holds. Items are dealt one facing at a time to the
emptiest side, then set out on the levels as blocks of one product, side by side, flush with the shelf edge, fronts to
the shopper.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from siturec_gym.catalog import Catalog, Product
from siturec_gym.core.errors import DataError
from siturec_gym.scenes.displays import displayed_items
from siturec_gym.scenes.interiors import Compartment, compartments
from siturec_gym.scenes.loading import parse_places
from siturec_gym.scenes.scene import Place

FACING_GAP_M = 0.012
MOST_EXTRA_GAP_M = 0.04
MOST_ROW_GAP_M = 0.08
EDGE_GAP_M = 0.01
MOST_FACINGS = 16
_DIGITS = 4


@dataclass(frozen=True)
class Block:
    """Items of one product next to (and, where the fixture is deep, behind) one another on one level."""

    product: Product
    count: int

    def rows(self, space: Compartment) -> int:
        """Items one behind another; 0 where not even one fits."""
        return min(space.rows, _how_many(space.depth_m - EDGE_GAP_M, self.product.appearance.size_m[1]), self.count)

    def columns(self, space: Compartment) -> int:
        """Items side by side."""
        return math.ceil(self.count / self.rows(space))

    def width_m(self, space: Compartment) -> float:
        """Length of shelf that the block takes, with the narrowest gaps."""
        return self.columns(space) * (self.product.appearance.size_m[0] + FACING_GAP_M) - FACING_GAP_M

    def fits(self, space: Compartment) -> bool:
        """Whether one item is low and shallow enough for the compartment."""
        return self.product.appearance.size_m[2] <= space.clear_m and self.rows(space) > 0


@dataclass
class Side:
    """One side of a fixture while it is being filled.

    Attributes:
        facings: Items of each product, by id.
        levels: Compartment index -> its blocks; what ``arrange`` found for ``facings``.
    """

    fixture: Place
    spaces: tuple[Compartment, ...]
    products: tuple[Product, ...]
    facings: dict[str, int] = field(default_factory=dict)
    levels: dict[int, list[Block]] = field(default_factory=dict)

    def fill(self) -> float:
        """Share of the shelf length that is taken."""
        taken = sum(block.width_m(self.spaces[index]) for index, blocks in self.levels.items() for block in blocks)
        return taken / sum(space.width_m for space in self.spaces)

    def add(self, product: Product) -> bool:
        """Take one more item of the product, if it fits."""
        facings = {**self.facings, product.id: self.facings.get(product.id, 0) + 1}
        levels = arrange(self.spaces, [Block(p, facings[p.id]) for p in self.products if p.id in facings])
        if levels is None:
            return False
        self.facings, self.levels = facings, levels
        return True


def place_instances(layout: Mapping[str, Any], catalog: Catalog) -> list[dict[str, Any]]:
    """The entries of an instance file, in fixture, side, level and left-to-right order.

    Args:
        layout: Parsed layout file; its fixtures carry "stock", {side: [category or product id, ...]}, its areas
            "display", a list of rows, and the file states the number of "instances".
        catalog: The products.

    Raises:
        DataError: Stock names nothing known, a product is stocked nowhere, or the items do not fit.
    """
    total = int(layout["instances"])
    displayed = displayed_items(layout, catalog)
    sides = _sides(layout, catalog)
    if sides:
        _deal(sides, total - len(displayed))
    placed = [entry for side in sides for entry in _set_out(side)] + displayed
    if homeless := {product.id for product in catalog} - {entry["product"] for entry in placed}:
        raise DataError(f"products stocked nowhere: {', '.join(sorted(homeless))}")
    if len(placed) != total:
        raise DataError(f"the areas display {len(placed)} items where {total} are to be placed")
    return [{"id": f"I{number:04d}", **entry} for number, entry in enumerate(placed, start=1)]


def instances_text(entries: Iterable[Mapping[str, Any]]) -> str:
    """The instance file: a JSON list with one entry a line."""
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n"


def arrange(spaces: Sequence[Compartment], blocks: Iterable[Block]) -> dict[int, list[Block]] | None:
    """Assign blocks to levels, widest first, each to the roomiest level it fits; None if one fits nowhere.

    Ties go to the upper level. Within a level blocks keep the order in which they were given.
    """
    order = list(blocks)
    room = [space.width_m - FACING_GAP_M for space in spaces]
    levels: dict[int, list[int]] = {}
    widths = [block.product.appearance.size_m[0] * block.count for block in order]
    for index in sorted(range(len(order)), key=lambda i: (-widths[i], i)):
        chosen = _roomiest(spaces, room, order[index])
        if chosen is None:
            return None
        room[chosen] -= order[index].width_m(spaces[chosen]) + FACING_GAP_M
        levels.setdefault(chosen, []).append(index)
    return {level: [order[i] for i in sorted(indices)] for level, indices in sorted(levels.items())}


def _roomiest(spaces: Sequence[Compartment], room: Sequence[float], block: Block) -> int | None:
    fitting = [
        level
        for level, space in enumerate(spaces)
        if block.fits(space) and block.width_m(space) + FACING_GAP_M <= room[level]
    ]
    return max(fitting, key=lambda level: (room[level], level), default=None)


def _sides(layout: Mapping[str, Any], catalog: Catalog) -> list[Side]:
    """Every side of every fixture, holding one item of each of its products."""
    sides = []
    for raw, fixture in zip(layout["places"], parse_places(layout, {}), strict=True):
        for name, stock in raw.get("stock", {}).items():
            spaces = tuple(space for space in compartments(fixture) if space.side == name)
            side = Side(fixture, spaces, _stocked(catalog, stock, fixture))
            sides.append(side)
            for product in side.products:
                if not side.add(product):
                    raise DataError(f"{fixture.id} {name}: no room for {product.id} {product.name!r}")
    return sides


def _stocked(catalog: Catalog, stock: Iterable[str], fixture: Place) -> tuple[Product, ...]:
    chosen: dict[str, Product] = {}
    for entry in stock:
        found = [product for product in catalog if entry in {product.id, product.category}]
        if not found:
            raise DataError(f"{fixture.id} stocks {entry!r}, not a product id or a stocked category")
        chosen.update((product.id, product) for product in found)
    return tuple(chosen.values())


def _deal(sides: Sequence[Side], total: int) -> None:
    """Add one facing at a time to the emptiest side, there to the product that needs it most, up to ``total``."""
    dealt = sum(sum(side.facings.values()) for side in sides)
    if dealt > total:
        raise DataError(f"one item of each product on each side makes {dealt}, more than the {total} to place")
    open_products = {index: list(side.products) for index, side in enumerate(sides)}
    while dealt < total:
        if not open_products:
            raise DataError(f"the fixtures hold {dealt} items, fewer than the {total} to place")
        index = min(open_products, key=lambda i: (sides[i].fill(), i))
        if _add_to(sides[index], open_products[index]):
            dealt += 1
        if not open_products[index]:
            del open_products[index]


def _add_to(side: Side, candidates: list[Product]) -> bool:
    """Add an item of the candidate that needs it most; one that no longer fits, or has enough, is struck off.

    Need falls with the count and, by the square root, with the width: small goods get more facings, wide ones more
    length.
    """
    product = min(
        candidates, key=lambda p: (side.facings[p.id] * p.appearance.size_m[0] ** 0.5, side.products.index(p))
    )
    if side.facings[product.id] < MOST_FACINGS and side.add(product):
        return True
    candidates.remove(product)
    return False


def _set_out(side: Side) -> Iterable[dict[str, Any]]:
    """Items of a side, level by level. Spare length widens the gaps: within blocks a little, between them the rest."""
    for level, blocks in side.levels.items():
        space = side.spaces[level]
        spare = space.width_m - sum(block.width_m(space) for block in blocks)
        inner_gaps = sum(block.columns(space) - 1 for block in blocks)
        extra = min(MOST_EXTRA_GAP_M, spare / (inner_gaps + 2 * (len(blocks) + 1)))
        outer = (spare - extra * inner_gaps) / (len(blocks) + 1)
        along = -space.width_m / 2
        for block in blocks:
            along += outer
            yield from _items(side.fixture, space, block, along, FACING_GAP_M + extra)
            along += block.width_m(space) + extra * (block.columns(space) - 1)


def _items(fixture: Place, space: Compartment, block: Block, left_m: float, gap_m: float) -> Iterable[dict[str, Any]]:
    """The items of a block whose left edge, as the shopper sees it, is at ``left_m``; nearest row first."""
    width, depth, _ = block.product.appearance.size_m
    row_step = min((space.depth_m - EDGE_GAP_M + FACING_GAP_M) / block.rows(space), depth + MOST_ROW_GAP_M)
    for number in range(block.count):
        row, column = divmod(number, block.columns(space))
        along = left_m + column * (width + gap_m) + width / 2
        behind = EDGE_GAP_M + row * row_step + depth / 2
        yield {
            "product": block.product.id,
            "place": fixture.id,
            "side": space.side,
            "level": space.level,
            "position_m": [round(value, _DIGITS) for value in space.place(along, behind)],
            "yaw_deg": space.yaw_deg,
        }


def _how_many(length_m: float, each_m: float) -> int:
    """Items of one length, with gaps between, on a stretch."""
    return max(0, math.floor((length_m + FACING_GAP_M + 1e-9) / (each_m + FACING_GAP_M)))
