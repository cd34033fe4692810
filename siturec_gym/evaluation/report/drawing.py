"""A picture as a list of shapes, so that the page (SVG) and a paper (PNG) show the same one.

Pixels, x to the right and y downward. Colours are "#rrggbb".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

INK = "#1f2430"
SOFT_INK = "#5d6474"
GRID = "#e3e6ec"
PAPER = "#ffffff"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#4d4d4d")
"""Colours that stay apart for colour-blind readers, in the order they are given out."""


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points, or a filled area when ``fill`` is given.

    Attributes:
        dash: Lengths of strokes and gaps; empty for an unbroken line.
        hint: What a reader sees on pointing at it.
    """

    points: tuple[Point, ...]
    stroke: str | None = INK
    width: float = 1.0
    fill: str | None = None
    opacity: float = 1.0
    dash: tuple[float, ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    center: Point
    radius: float
    fill: str
    stroke: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; ``corner`` is its upper left one."""

    corner: Point
    size: tuple[float, float]
    fill: str
    stroke: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text; ``at`` is its middle line, at the end that ``anchor`` names."""

    at: Point
    text: str
    size: float = 12.0
    color: str = INK
    anchor: Anchor = "start"
    bold: bool = False


Shape = Path | Disc | Box | Label


@dataclass
class Drawing:
    """Shapes in the order they are painted, and what the picture says to those who cannot see it."""

    width: int
    height: int
    title: str
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Paint on top of what is there."""
        self.shapes.extend(shapes)

    def line(self, points: Sequence[Point], stroke: str = GRID, width: float = 1.0) -> None:
        """A plain line."""
        self.add(Path(tuple(points), stroke, width))

    def text(self, at: Point, text: str, size: float = 12.0, color: str = INK, anchor: Anchor = "start") -> None:
        """A line of text."""
        self.add(Label(at, text, size, color, anchor))


def text_width(text: str, size: float) -> float:
    """About how wide a text becomes; for placing, not for measuring."""
    narrow = sum(letter in "iljtfr.,:;|!'() []" for letter in text)
    return size * (0.63 * (len(text) - narrow) + 0.37 * narrow)


def mixed(low: str, high: str, share: float) -> str:
    """The colour ``share`` (0 to 1) of the way from ``low`` to ``high``."""
    share = min(1.0, max(0.0, share))
    parts = [(int(low[i : i + 2], 16), int(high[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def readable_on(fill: str) -> str:
    """Ink or paper, whichever stands out more on ``fill``."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else PAPER
