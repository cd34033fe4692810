"""Text that fits: the largest size at which words fill a box, drawn with the font that Pillow carries."""

from collections.abc import Sequence
from functools import cache

from PIL import ImageDraw, ImageFont

Color = tuple[int, int, int]
Box = tuple[float, float, float, float]

_MEASURE = 40
_LINE = 1.12
_LARGEST, _SMALLEST, _BOLD_FROM = 96, 6, 20


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ImportError(
            "Pillow was built without FreeType; install its regular wheel: pip install --force-reinstall pillow"
        )
    return font


@cache
def _width_per_size(words: str) -> float:
    """Width of ``words`` as a multiple of the font size."""
    return _font(_MEASURE).getlength(words) / _MEASURE


def _wrap(words: Sequence[str], limit: float) -> list[str]:
    """Lines no wider than ``limit`` (multiples of the font size), except single words that are."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width_per_size(longer) <= limit:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(text: str, width: float, height: float, most: int = _LARGEST) -> tuple[int, list[str]]:
    """Largest font size, and its lines, at which ``text`` fits into ``width`` x ``height`` pixels."""
    words = text.split()
    size = max(_SMALLEST, min(most, int(height / _LINE)))
    while size > _SMALLEST:
        lines = _wrap(words, width / size)
        if len(lines) * size * _LINE <= height and all(_width_per_size(line) * size <= width for line in lines):
            return size, lines
        size -= max(1, size // 12)
    return size, _wrap(words, width / size)


def write(
    draw: ImageDraw.ImageDraw,
    text: str,
    box: Box,
    color: Color,
    most: int = _LARGEST,
    bold: bool = False,
    anchor: str = "m",
) -> None:
    """Write ``text`` as large as it fits into ``box`` (x0, y0, x1, y1), centred, or flush left with anchor "l"."""
    x0, y0, x1, y1 = box
    if not text or x1 - x0 < 2 or y1 - y0 < 2:
        return
    size, lines = fitted(text, x1 - x0, y1 - y0, most)
    step = size * _LINE
    y = (y0 + y1) / 2 - step * (len(lines) - 1) / 2
    x = x0 if anchor == "l" else (x0 + x1) / 2
    stroke = 1 if bold and size >= _BOLD_FROM else 0
    for line in lines:
        draw.text(
            (x, y), line, font=_font(size), fill=color, anchor=f"{anchor}m", stroke_width=stroke, stroke_fill=color
        )
        y += step


def parse_color(text: str) -> Color:
    """Red, green and blue of "#rrggbb"."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def luminance(color: Color) -> float:
    """Perceived lightness, 0..255."""
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]


def ink_on(ground: Color, wish: Color | None = None) -> Color:
    """A readable text colour: ``wish`` where it stands out from ``ground``, else near black or white."""
    if wish is not None and abs(luminance(wish) - luminance(ground)) > 90:
        return wish
    return (20, 22, 26) if luminance(ground) > 140 else (252, 252, 250)


def mixed(first: Color, second: Color, part: float) -> Color:
    """``first`` with ``part`` of ``second``."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue
