"""Plots of lines: values over turns or horizons, and ratings on spokes (Figures 3, 4, 6, 7)."""

import math
from collections.abc import Iterable, Sequence

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
    space = legend_height([line.name for line in series])
    drawing = Drawing(WIDTH, round(324 + space), title)
    left, top, right, bottom = 52.0, TOP + space + 26, WIDTH - 16.0, 276.0 + space
    ceiling = y_top or _ceiling(value for line in series for value in line.values if value is not None)
    heading(drawing, title)
    legend(drawing, [line.name for line in series], dashed=True)
    steps = 4 if ceiling in (20.0, 40.0, 80.0) else 6 if ceiling == 60.0 else 5
    for step in range(steps + 1):
        y = bottom - (bottom - top) * step / steps
        drawing.line([(left, y), (right, y)])
        drawing.text((left - 8, y), number(ceiling * step / steps), 11, SOFT_INK, "end")
    drawing.text((left - 40, top - 17), y_label, 11, SOFT_INK)
    xs = [left + (right - left) * (i + 0.5) / len(x_labels) for i in range(len(x_labels))]
    for x, label in zip(xs, x_labels, strict=True):
        drawing.text((x, bottom + 14), label, 11, SOFT_INK, "middle")
    drawing.text(((left + right) / 2, bottom + 33), x_label, 11, SOFT_INK, "middle")
    for index, line in enumerate(series):
        points = [
            (x, bottom - (bottom - top) * v / ceiling, v) for x, v in zip(xs, line.values, strict=True) if v is not None
        ]
        color = color_of(index)
        if len(points) > 1:
            drawing.add(Path(tuple((x, y) for x, y, _ in points), color, 2.2, dash=dash_of(index)))
        drawing.add(*(Disc((x, y), 3.0, color, PAPER, f"{line.name}: {v:.1f}") for x, y, v in points))
    return drawing


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
        _outline(drawing, line, [at(i, v) for i, v in enumerate(line.values) if v is not None], axes, index)
    return drawing


def _outline(drawing: Drawing, line: Series, points: list[Point], axes: Sequence[str], index: int) -> None:
    color = color_of(index)
    if len(points) == len(axes):
        drawing.add(Path(tuple(points), color, 2.2, color, 0.08, dash_of(index)))
    hints = [f"{line.name}: {name} {v:.2f}" for name, v in zip(axes, line.values, strict=True) if v is not None]
    drawing.add(*(Disc(point, 3.2, color, PAPER, hint) for point, hint in zip(points, hints, strict=True)))


def _ceiling(values: Iterable[float]) -> float:
    top = max(values, default=0.0)
    step = next((s for s in (1, 2, 5, 10, 20, 25, 40, 50, 60, 80, 100) if top <= s), 100.0)
    return float(step)
