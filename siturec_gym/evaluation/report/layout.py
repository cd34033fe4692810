"""What the plots share: heading, legend, names of rows and columns, and how lines are told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.evaluation.report.drawing import INK, PALETTE, SOFT_INK, Box, Drawing, Label, Path, Point, text_width

WIDTH = 720
TOP = 40.0
LEGEND_LINE = 20.0
DASHES: tuple[tuple[float, ...], ...] = ((), (7.0, 4.0), (2.0, 3.0), (10.0, 3.0, 2.0, 3.0))


@dataclass(frozen=True, slots=True)
class Series:
    """One line, outline or share of a plot.

    Attributes:
        name: What the legend calls it.
        values: Its points; None is one that is undefined.
        bands: Lower and upper bound of each point, where they can be told; empty for none at all.
    """

    name: str
    values: tuple[float | None, ...]
    bands: tuple[tuple[float, float] | None, ...] = ()


def heading(drawing: Drawing, title: str) -> None:
    """The title, upper left."""
    drawing.add(Label((16, 20), title, 14, INK, bold=True))


def legend(drawing: Drawing, names: Sequence[str], *, colors: Sequence[str] = PALETTE, dashed: bool = False) -> None:
    """Names with their colours, in as many lines as they need."""
    for index, (name, (x, row)) in enumerate(zip(names, legend_places(names), strict=True)):
        y, color = TOP + 4 + LEGEND_LINE * row, colors[index % len(colors)]
        if dashed:
            drawing.add(Path(((x, y), (x + 22, y)), color, 2.4, dash=dash_of(index)))
        else:
            drawing.add(Box((x + 6, y - 6), (12, 12), color))
        drawing.text((x + 28, y), name, 11.5, INK)


def legend_places(names: Sequence[str]) -> list[tuple[float, int]]:
    """Where each entry begins: x and line."""
    places: list[tuple[float, int]] = []
    x, row = 16.0, 0
    for name in names:
        width = 28 + text_width(name, 11.5) + 20
        if x > 16.0 and x + width > WIDTH:
            x, row = 16.0, row + 1
        places.append((x, row))
        x += width
    return places


def legend_height(names: Sequence[str]) -> float:
    """Height of the legend of these names."""
    return LEGEND_LINE * (1 + max((row for _, row in legend_places(names)), default=0))


def row_names(drawing: Drawing, rows: Sequence[str], first: float, step: float) -> float:
    """Write the names of rows; where their column ends."""
    left = min(230.0, 28 + max((text_width(row, 12) for row in rows), default=0.0))
    for index, row in enumerate(rows):
        drawing.text((left - 12, first + step * index), shortened(row, left - 22, 12), 12, INK, "end")
    return left


def shortened(text: str, width: float, size: float) -> str:
    """The text, with an ellipsis for its middle where it is too wide: names often differ in their ends alone."""
    if text_width(text, size) <= width:
        return text
    cuts = (f"{text[: n - n // 2].rstrip()}…{text[len(text) - n // 2 :].lstrip()}" for n in range(len(text) - 1, 0, -1))
    return next((cut for cut in cuts if text_width(cut, size) <= width), "…")


def column_name(drawing: Drawing, at: Point, text: str, width: float, lines: int = 2) -> None:
    """A name in at most ``lines`` centred lines; CamelCase is written as words."""
    words = "".join(" " + letter if letter.isupper() and i else letter for i, letter in enumerate(text)).split()
    told = [words[0]]
    for word in words[1:]:
        if text_width(f"{told[-1]} {word}", 9.0) <= width - 4 or len(told) == lines:
            told[-1] += f" {word}"
        else:
            told.append(word)
    for row, line in enumerate(told):
        drawing.text((at[0], at[1] + 13 * (row - (len(told) - 1) / 2)), line, 9.0, SOFT_INK, "middle")


def color_of(index: int) -> str:
    """Colour of the line with this number."""
    return PALETTE[index % len(PALETTE)]


def dash_of(index: int) -> tuple[float, ...]:
    """Stroke of the line with this number, so that lines differ without colour too."""
    return DASHES[index // len(PALETTE) % len(DASHES)] if index >= len(PALETTE) else DASHES[index % len(DASHES)]


def number(value: float) -> str:
    """One decimal, none where it is zero."""
    return f"{value:.1f}".removesuffix(".0")


def or_dash(value: float | None, unit: str = "") -> str:
    """One decimal with its unit; a dash for undefined."""
    return "—" if value is None else f"{value:.1f}{unit}"
