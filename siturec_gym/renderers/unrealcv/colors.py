"""Segmentation colours: which are set before a run, and what the observed ones stand for (S8).

A pixel's colour gives a *code*: the row of a product from 1 where items share their product's colour, else an object
id. Places and structures always have colours of their own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.scenes.scene import FIRST_PLACE_OBJECT, Scene

Color = tuple[int, int, int]
Transfer = Callable[[Color], Color]
"""What comes out in the mask where a colour is set."""

DARKEST = 16
"""Smaller components are left to the background, which is black, and to what engines do to dark colours."""
APART = 10
"""Two colours differ by at least this much in some component."""
BLACK: Color = (0, 0, 0)
_BRIGHTEST = 255


@dataclass(frozen=True, slots=True)
class Paint:
    """What has one colour.

    Attributes:
        code: Row of the product from 1, or object id.
        called: What an error calls it.
        objects: Names on the wire of all that is painted so.
        color: The colour set.
    """

    code: int
    called: str
    objects: tuple[str, ...]
    color: Color


def palette(wanted: Sequence[Color | None]) -> list[Color]:
    """A colour for each entry, the same ones each time.

    Args:
        wanted: Colours that entries would like; one that is dark or close to one before it is replaced.

    Returns:
        As many colours, different by ``APART`` in some component, no component under ``DARKEST``.

    Raises:
        ValueError: There are not that many.
    """
    kept: list[Color | None] = []
    for color in wanted:
        fits = color is not None and min(color) >= DARKEST and _free([color], [c for c in kept if c is not None])
        kept.append(color if fits else None)
    missing = sum(color is None for color in kept)
    others = iter(_others(missing, [color for color in kept if color is not None]))
    return [next(others) if color is None else color for color in kept]


def _others(count: int, kept: Sequence[Color]) -> list[Color]:
    """``count`` colours of a grid that is as coarse as can be, away from those kept."""
    span = _BRIGHTEST - DARKEST
    for steps in range(2, span // APART + 2):
        if steps**3 < count:
            continue
        levels = [DARKEST + i * span // (steps - 1) for i in range(steps)]
        free = _free([(r, g, b) for r in levels for g in levels for b in levels], kept)
        if len(free) >= count:
            return [free[i * len(free) // count] for i in range(count)]
    raise ValueError(f"no {count} colours are left that differ by {APART}")


def _free(colors: Sequence[Color], kept: Sequence[Color]) -> list[Color]:
    """Those that lie far enough from all that are kept."""
    if not kept:
        return list(colors)
    distances = np.abs(np.array(colors)[:, None, :] - np.array(kept)[None, :, :]).max(axis=2).min(axis=1)
    return [color for color, distance in zip(colors, distances.tolist(), strict=True) if distance >= APART]


def paints_of(scene: Scene, names: Names, per: str) -> list[Paint]:
    """What is painted in a scene and how.

    Args:
        scene: The store.
        names: Names on the wire.
        per: "product" or "instance".
    """
    rows: list[tuple[int, str, tuple[str, ...], Color | None]] = []
    if per == "product":
        objects: dict[str, list[str]] = {product.id: [] for product in scene.catalog}
        for item in scene.instances:
            objects[item.product_id].append(names.of_object(item.object_id))
        for row, product in enumerate(scene.catalog, start=1):
            rows.append((row, product.id, tuple(objects[product.id]), product.segmentation_color))
    else:
        rows += [(id_, name, (name,), None) for id_, name in names.instances]
    recorded = {place.object_id: place.segmentation_color for place in scene.navigation_targets}
    rows += [(id_, name, (name,), recorded.get(id_)) for id_, name in names.all if id_ >= FIRST_PLACE_OBJECT]
    colors = palette([color for *_, color in rows])
    return [Paint(*row[:3], color) for row, color in zip(rows, colors, strict=True)]


class ColorTable:
    """Codes of observed colours.

    Few values of a channel occur, so a small cube holds the codes:
    ``codes[offsets[0, r] + offsets[1, g] + offsets[2, b]]``.
    Values that do not occur have the offset 0, and all that lies there stands for nothing.

    Args:
        paints: What was painted.
        transfer: What each colour comes out as.
        tolerance: How far each component may be off.

    Raises:
        RendererError: Two colours, or one and the background, cannot be told apart.
    """

    def __init__(self, paints: Iterable[Paint], transfer: Transfer, tolerance: int = 0) -> None:
        owners = _owners(paints, transfer, tolerance)
        self.offsets: NDArray[np.int32] = np.zeros((3, 256), np.int32)
        stride = 1
        for channel in (2, 1, 0):
            values = sorted({color[channel] for color in owners})
            self.offsets[channel, values] = np.arange(1, len(values) + 1, dtype=np.int32) * stride
            stride *= len(values) + 1
        self.codes: NDArray[np.uint16] = np.zeros(stride, np.uint16)
        for color, paint in owners.items():
            self.codes[self._place(color)] = paint.code

    def code(self, color: Color) -> int:
        """The code of a colour, 0 for none."""
        return int(self.codes[self._place(color)])

    def _place(self, color: Color) -> int:
        return sum(int(self.offsets[channel, part]) for channel, part in enumerate(color))


def _owners(paints: Iterable[Paint], transfer: Transfer, tolerance: int) -> dict[Color, Paint]:
    """What each colour that may be observed stands for."""
    owners: dict[Color, Paint] = {}
    background = set(_around(BLACK, tolerance))
    for paint in paints:
        observed = transfer(paint.color)
        for color in _around(observed, tolerance):
            if color in background or color in owners:
                other = "the background" if color in background else _described(owners[color])
                seen = f"{_described(paint)}, seen as {_words(observed)},"
                raise RendererError(f"segmentation colours: {seen} cannot be told from {other}")
            owners[color] = paint
    return owners


def _around(color: Color, tolerance: int) -> list[Color]:
    red, green, blue = (range(max(0, part - tolerance), min(255, part + tolerance) + 1) for part in color)
    return [(r, g, b) for r in red for g in green for b in blue]


def _described(paint: Paint) -> str:
    return f"{paint.called} ({_words(paint.color)})"


def _words(color: Color) -> str:
    return " ".join(map(str, color))
