"""A drawing as PNG, painted by Pillow at twice its size with smooth edges."""

import io
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from siturec_gym.evaluation.report.drawing import PAPER, Box, Disc, Drawing, Label, Path, Point, Shape

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 2
_SMOOTHING = 2
_ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def to_png(drawing: Drawing) -> bytes:
    """The bytes of a PNG file, ``SCALE`` times as many pixels as the drawing has each way."""
    from PIL import Image  # noqa: PLC0415  only a report needs it

    zoom = SCALE * _SMOOTHING
    image = Image.new("RGB", (drawing.width * zoom, drawing.height * zoom), PAPER)
    for shape in drawing.shapes:
        image = _painted(image, shape, zoom)
    image = image.resize((drawing.width * SCALE, drawing.height * SCALE), Image.Resampling.BOX)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _painted(image: "Image", shape: Shape, zoom: int) -> "Image":
    from PIL import ImageDraw  # noqa: PLC0415

    draw = ImageDraw.Draw(image)
    if isinstance(shape, Path):
        return _path(image, draw, shape, zoom)
    if isinstance(shape, Disc):
        (x, y), r = shape.center, shape.radius
        box = [(x - r) * zoom, (y - r) * zoom, (x + r) * zoom, (y + r) * zoom]
        draw.ellipse(box, fill=shape.fill, outline=shape.stroke, width=zoom)
    elif isinstance(shape, Box):
        (x, y), (width, height) = shape.corner, shape.size
        if width > 0 and height > 0:
            box = [x * zoom, y * zoom, (x + width) * zoom - 1, (y + height) * zoom - 1]
            draw.rectangle(box, fill=shape.fill, outline=shape.stroke, width=zoom)
    else:
        _label(draw, shape, zoom)
    return image


def _path(image: "Image", draw: Any, shape: Path, zoom: int) -> "Image":
    points = [(x * zoom, y * zoom) for x, y in shape.points]
    if shape.fill and shape.opacity < 1.0:
        image = _veiled(image, points, shape)
        draw = _draw_on(image)
    elif shape.fill:
        draw.polygon(points, fill=shape.fill)
    if shape.stroke:
        outline = [*points, points[0]] if shape.fill else points
        for part in _strokes(outline, [length * zoom for length in shape.dash]):
            draw.line(part, fill=shape.stroke, width=max(1, round(shape.width * zoom)), joint="curve")
    return image


def _veiled(image: "Image", points: list[Point], shape: Path) -> "Image":
    from PIL import Image, ImageDraw  # noqa: PLC0415

    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).polygon(points, fill=round(255 * shape.opacity))
    return Image.composite(Image.new("RGB", image.size, shape.fill), image, mask)


def _draw_on(image: "Image") -> Any:
    from PIL import ImageDraw  # noqa: PLC0415

    return ImageDraw.Draw(image)


def _label(draw: Any, shape: Label, zoom: int) -> None:
    from PIL import ImageFont  # noqa: PLC0415

    at = (shape.at[0] * zoom, shape.at[1] * zoom)
    font = ImageFont.load_default(shape.size * zoom)
    strength = zoom // 4 if shape.bold else 0
    look = {"fill": shape.color, "anchor": _ANCHORS[shape.anchor]}
    draw.text(at, shape.text, font=font, stroke_width=strength, stroke_fill=shape.color, **look)


def _strokes(points: list[Point], dash: list[float]) -> Iterator[list[Point]]:
    """The line cut into the strokes of its dash pattern; whole when there is none."""
    if not dash:
        yield points
        return
    for (x0, y0), (x1, y1) in pairwise(points):
        length, at, index = math.hypot(x1 - x0, y1 - y0), 0.0, 0
        while at < length:
            end = min(length, at + dash[index % len(dash)])
            if index % 2 == 0:
                yield [(x0 + (x1 - x0) * t / length, y0 + (y1 - y0) * t / length) for t in (at, end)]
            at, index = end, index + 1
