"""Plots of lines: values over turns or horizons, and ratings on spokes (Figures 3, 4, 6, 7)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from siturec_gym.evaluation.report.drawing import INK, PAPER, SOFT_INK, Disc, Drawing, Label, Path, Point
from siturec_gym.evaluation.report.layout import (
    TOP,
    WIDTH,
    Series,
    color_of,
    dash_of,
    heading,
    legend,
    legend_height,
    number,
)

RING = "#cfd5df"
MOST_BANDS = 4
"""Intervals of more lines than this would cover each other."""


def line_chart(
    title: str,
    x_labels: Sequence[str],
    series: Sequence[Series],
    y_label: str,
    x_label: str,
    y_top: float | None = None,
) -> Drawing:
    """Lines over a common axis, from 0 up.

    Args:
        title: Heading.
        x_labels: One for each point, left to right.
        series: The lines.
        y_label: What is measured, with its unit.
        x_label: What the points are.
        y_top: Upper end of the axis; the data's own when left out.
    """
    names = [line.name for line in series]
    space = legend_height(names)
    drawing = Drawing(WIDTH, round(324 + space), title)
    heading(drawing, title)
    legend(drawing, names, dashed=True)
    area = Area(52.0, TOP + space + 26, WIDTH - 16.0, 276.0 + space, y_top or _ceiling(_reaches(series)), len(x_labels))
    _axes(drawing, area, x_labels, y_label, x_label)
    if len(series) <= MOST_BANDS:
        for index, line in enumerate(series):
            _band(drawing, area, line, color_of(index))
    for index, line in enumerate(series):
        _line(drawing, area, line, index)
    return drawing


@dataclass(frozen=True, slots=True)
class Area:
    """The part of a drawing that a line chart's points lie in: its edges, the value at its top, its columns."""

    left: float
    top: float
    right: float
    bottom: float
    ceiling: float
    columns: int

    def at(self, column: int, value: float) -> Point:
        """Where a value lies."""
        x = self.left + (self.right - self.left) * (column + 0.5) / self.columns
        return x, self.bottom - (self.bottom - self.top) * min(value, self.ceiling) / self.ceiling


def _axes(drawing: Drawing, area: Area, x_labels: Sequence[str], y_label: str, x_label: str) -> None:
    steps = 4 if area.ceiling in (20.0, 40.0, 80.0) else 6 if area.ceiling == 60.0 else 5
    for step in range(steps + 1):
        value = area.ceiling * step / steps
        y = area.at(0, value)[1]
        drawing.line([(area.left, y), (area.right, y)])
        drawing.text((area.left - 8, y), number(value), 11, SOFT_INK, "end")
    drawing.text((area.left - 40, area.top - 17), y_label, 11, SOFT_INK)
    for column, label in enumerate(x_labels):
        drawing.text((area.at(column, 0.0)[0], area.bottom + 14), label, 11, SOFT_INK, "middle")
    drawing.text(((area.left + area.right) / 2, area.bottom + 33), x_label, 11, SOFT_INK, "middle")


def _line(drawing: Drawing, area: Area, line: Series, index: int) -> None:
    told = [(area.at(i, v), _told(line, i, v)) for i, v in enumerate(line.values) if v is not None]
    color = color_of(index)
    if len(told) > 1:
        drawing.add(Path(tuple(point for point, _ in told), color, 2.2, dash=dash_of(index)))
    drawing.add(*(Disc(point, 3.0, color, PAPER, hint) for point, hint in told))


def _band(drawing: Drawing, area: Area, line: Series, color: str) -> None:
    """The area between lower and upper bounds."""
    bounds = [(area.at(i, band[0]), area.at(i, band[1])) for i, band in enumerate(line.bands) if band]
    if len(bounds) > 1:
        rim = [low for low, _ in bounds] + [high for _, high in reversed(bounds)]
        drawing.add(Path(tuple(rim), None, fill=color, opacity=0.12))


def _reaches(series: Sequence[Series]) -> list[float]:
    """Every value and upper bound that a chart has to hold."""
    values = [value for line in series for value in line.values if value is not None]
    return values + [band[1] for line in series for band in line.bands if band and len(series) <= MOST_BANDS]


def _told(line: Series, index: int, value: float) -> str:
    band = line.bands[index] if index < len(line.bands) else None
    return f"{line.name}: {value:.1f}" + (f" ({band[0]:.1f} to {band[1]:.1f})" if band else "")


def radar_chart(
    title: str, axes: Sequence[str], series: Sequence[Series], low: float = 1.0, high: float = 5.0
) -> Drawing:
    """Ratings on spokes, ``low`` in the middle and ``high`` at the rim.

    Args:
        title: Heading.
        axes: Name of each spoke, clockwise from the top.
        series: One outline each; a value for every spoke.
        low: Value in the middle.
        high: Value at the rim.
    """
    space = legend_height([line.name for line in series])
    drawing = Drawing(WIDTH, round(400 + space), title)
    center, radius = (WIDTH / 2, TOP + space + 195), 145.0
    heading(drawing, title)
    legend(drawing, [line.name for line in series], dashed=True)

    def at(axis: int, value: float, beyond: float = 0.0) -> Point:
        angle = 2 * math.pi * axis / len(axes)
        reach = radius * (value - low) / (high - low) + beyond
        return center[0] + reach * math.sin(angle), center[1] - reach * math.cos(angle)

    for ring in range(1, 5):
        value = low + (high - low) * ring / 4
        drawing.add(Path(tuple(at(i, value) for i in range(len(axes))), RING, 1.0, fill=PAPER, opacity=0.0))
        drawing.text((center[0] + 4, at(0, value)[1] - 1), number(value), 10, SOFT_INK)
    for index, name in enumerate(axes):
        drawing.line([center, at(index, high)], RING)
        x, y = at(index, high, 16.0)
        side = "middle" if abs(x - center[0]) < 8 else "start" if x > center[0] else "end"
        drawing.add(Label((x, y), name, 12, INK, "start" if side == "start" else "end" if side == "end" else "middle"))
    for index, line in enumerate(series):
        _outline(
            drawing,
            line,
            [at(i, v) for i, v in enumerate(line.values) if v is not None],
            axes,
            index,
            0.24 / max(3, len(series)) if len(series) <= 6 else 0.0,
        )
    return drawing


def _outline(
    drawing: Drawing, line: Series, points: list[Point], axes: Sequence[str], index: int, opacity: float
) -> None:
    color = color_of(index)
    if len(points) == len(axes):
        drawing.add(Path(tuple(points), color, 2.2, color, opacity, dash_of(index)))
    hints = [f"{line.name}: {name} {v:.2f}" for name, v in zip(axes, line.values, strict=True) if v is not None]
    drawing.add(*(Disc(point, 3.2, color, PAPER, hint) for point, hint in zip(points, hints, strict=True)))


def _ceiling(values: Iterable[float]) -> float:
    top = max(values, default=0.0)
    step = next((s for s in (1, 2, 5, 10, 20, 25, 40, 50, 60, 80, 100) if top <= s), 100.0)
    return float(step)
