"""Plots of shares: bars, shaded cells and bubbles (Figures 9 to 11)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.evaluation.report.drawing import (
    PALETTE,
    PAPER,
    SOFT_INK,
    Box,
    Disc,
    Drawing,
    Point,
    mixed,
    readable_on,
)
from siturec_gym.evaluation.report.layout import (
    TOP,
    WIDTH,
    Series,
    column_name,
    heading,
    legend,
    legend_height,
    or_dash,
    row_names,
)

LOW, HIGH = "#f3f5f9", "#0b5394"


@dataclass(frozen=True, slots=True)
class Spot:
    """One bubble: its share (percent of its row), its rate (percent, None if undefined) and its count."""

    share: float
    rate: float | None
    n: int


def stacked_bars(title: str, rows: Sequence[str], parts: Sequence[Series], colors: Sequence[str] = PALETTE) -> Drawing:
    """One bar for each row, cut into shares that make 100 percent.

    Args:
        title: Heading.
        rows: Name of each bar.
        parts: The shares; a value for every row.
        colors: One for each part.
    """
    space = legend_height([part.name for part in parts])
    drawing = Drawing(WIDTH, round(TOP + space + 34 * len(rows) + 40), title)
    heading(drawing, title)
    legend(drawing, [part.name for part in parts], colors=colors)
    left = row_names(drawing, rows, TOP + space + 26, 34)
    scale = (WIDTH - 20 - left) / 100
    for row in range(len(rows)):
        x, y = left, TOP + space + 14 + 34 * row
        for part, color in zip(parts, colors, strict=False):
            share = part.values[row] or 0.0
            hint = f"{rows[row]}: {part.name} {share:.1f} %"
            if share > 0:
                drawing.add(Box((x, y), (share * scale, 24), color, PAPER, hint))
            if share * scale > 30:
                drawing.text((x + share * scale / 2, y + 12), f"{share:.0f} %", 11, readable_on(color), "middle")
            x += share * scale
    _percent_axis(drawing, left, scale, TOP + space + 34 * len(rows) + 24)
    return drawing


def matrix(
    title: str, rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]]
) -> Drawing:
    """Shares as shaded cells with their numbers.

    Args:
        title: Heading.
        rows: Name of each row.
        columns: Name of each column; written in two lines where it has two words in one.
        values: Percent, by row and column.
    """
    drawing = Drawing(WIDTH, round(TOP + 44 + 32 * len(rows) + 12), title)
    heading(drawing, title)
    left = row_names(drawing, rows, TOP + 58, 32)
    width = (WIDTH - 16 - left) / len(columns)
    top = max((value for row in values for value in row if value is not None), default=1.0) or 1.0
    for i, column in enumerate(columns):
        column_name(drawing, (left + (i + 0.5) * width, TOP + 18), column, width)
    for j, row in enumerate(values):
        for i, value in enumerate(row):
            color = mixed(LOW, HIGH, 0.0 if value is None else value / top)
            corner = (left + i * width + 1, TOP + 43 + 32 * j)
            hint = f"{rows[j]}: {columns[i]} {or_dash(value, ' %')}"
            drawing.add(Box(corner, (width - 2, 30), color, None, hint))
            drawing.text((corner[0] + width / 2 - 1, corner[1] + 15), or_dash(value), 11, readable_on(color), "middle")
    return drawing


def bubbles(title: str, rows: Sequence[str], columns: Sequence[str], spots: Sequence[Sequence[Spot]]) -> Drawing:
    """Area shows the share, colour the rate; a small grey dot is a share of nothing.

    Args:
        title: Heading.
        rows: Name of each row.
        columns: Name of each column.
        spots: By row and column.
    """
    drawing = Drawing(WIDTH, round(TOP + 70 + 58 * len(rows) + 34), title)
    heading(drawing, title)
    left = row_names(drawing, rows, TOP + 84, 58)
    width = (WIDTH - 16 - left) / len(columns)
    for i, column in enumerate(columns):
        column_name(drawing, (left + (i + 0.5) * width, TOP + 22), column.replace("_", " "), width, 3)
    for j, row in enumerate(spots):
        y = TOP + 84 + 58 * j
        drawing.line([(left, y), (WIDTH - 16, y)])
        for i, spot in enumerate(row):
            _bubble(drawing, (left + (i + 0.5) * width, y), spot, f"{rows[j]}: {columns[i]}")
    _rate_scale(drawing, TOP + 70 + 58 * len(rows) + 14)
    return drawing


def _bubble(drawing: Drawing, at: Point, spot: Spot, name: str) -> None:
    if not spot.n:
        drawing.add(Disc(at, 2.5, "#b9bec8", None, f"{name}, never suggested"))
        return
    radius = max(3.5, 26 * math.sqrt(spot.share / 100))
    color = _rate_color(spot.rate or 0.0)
    hint = f"{name}: {spot.share:.1f} % of suggestions (n = {spot.n}), same action {or_dash(spot.rate, ' %')}"
    drawing.add(Disc(at, radius, color, "#3b4252", hint))
    if radius > 13:
        drawing.text(at, f"{spot.rate:.0f}" if spot.rate is not None else "", 11, readable_on(color), "middle")


def _rate_scale(drawing: Drawing, y: float) -> None:
    drawing.text((16, y), "area: share of suggestions; colour and number: same-action rate, %", 11, SOFT_INK)
    for step in range(11):
        drawing.add(Box((WIDTH - 190 + 12 * step, y - 6), (12, 12), _rate_color(step * 10)))
    drawing.text((WIDTH - 196, y), "0", 11, SOFT_INK, "end")
    drawing.text((WIDTH - 52, y), "100", 11, SOFT_INK)


def _rate_color(rate: float) -> str:
    return mixed("#f6e8c3", "#c9603a", rate / 50) if rate <= 50 else mixed("#c9603a", "#4a1486", rate / 50 - 1)


def _percent_axis(drawing: Drawing, left: float, scale: float, y: float) -> None:
    for tick in range(0, 101, 20):
        drawing.text((left + tick * scale, y), f"{tick} %" if tick == 100 else str(tick), 11, SOFT_INK, "middle")
