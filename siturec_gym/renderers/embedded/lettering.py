"""Text that fits: the largest size at which words fill a box, drawn with the font that Pillow carries."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Color = tuple[int, int, int]
Box = tuple[float, float, float, float]

_MEASURE = 40
_LINE = 1.12
_LARGEST, _SMALLEST, _BOLD_FROM = 96, 6, 20
_HUGEST, _GROWTH = 400, 8
_MARGIN = 1


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, with its own layout: the same on machines that have a text shaper and that have none."""
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ImportError(
            "Pillow was built without FreeType; install its regular wheel: pip install --force-reinstall pillow"
        )
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(letter: str) -> float:
    """How far a letter moves the pen, as a multiple of the font size."""
    return _font(_MEASURE).getlength(letter) / _MEASURE


@cache
def _letter(letter: str, size: int) -> NDArray[np.uint8]:
    """Coverage 0..255 of a letter, as high as the font, with a margin of a pixel at both sides."""
    font = _font(size)
    above, below = font.getmetrics()
    image = Image.new("L", (math.ceil(_advance(letter) * size) + 2 * _MARGIN, above + below))
    ImageDraw.Draw(image).text((_MARGIN, above), letter, fill=255, font=font, anchor="ls")
    return np.asarray(image)


def _line(words: str, size: int, bold: bool) -> Image.Image:
    """Coverage of a line: its letters side by side. Letters are drawn once a size, a hundred times faster."""
    pens, x = [], 0.0
    for letter in words:
        pens.append(round(x))
        x += _advance(letter) * size
    letters = [_letter(letter, size) for letter in words]
    coverage = np.zeros((letters[0].shape[0], pens[-1] + letters[-1].shape[1] + 1), np.uint8)
    for pen, letter_coverage in zip(pens, letters, strict=True):
        cell = coverage[:, pen : pen + letter_coverage.shape[1]]
        np.maximum(cell, letter_coverage, out=cell)
    if bold:
        coverage[:, 1:] = np.maximum(coverage[:, 1:], coverage[:, :-1])
    return Image.fromarray(coverage)


@cache
def _width_per_size(words: str) -> float:
    """Width of ``words`` as a multiple of the font size; the font has no kerning that would matter."""
    return sum(map(_advance, words))


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
    """Largest font size, and its lines, at which ``text`` fits into ``width`` x ``height`` pixels.

    Sizes grow by an eighth, so that few are needed.
    """
    words = text.split()
    longest = max((_width_per_size(word) for word in words), default=0.0)
    highest = min(most, int(height / _LINE))
    for size in reversed(_SIZES):
        if size <= highest and longest * size <= width:
            lines = _wrap(words, width / size)
            if len(lines) * size * _LINE <= height:
                return size, lines
    return _SMALLEST, _wrap(words, width / _SMALLEST)


def _ladder() -> list[int]:
    """Font sizes in use, ascending."""
    sizes = [_SMALLEST]
    while sizes[-1] < _HUGEST:
        sizes.append(sizes[-1] + max(1, sizes[-1] // _GROWTH))
    return sizes


_SIZES = _ladder()


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
    for words in lines:
        line = _line(words, size, bold and size >= _BOLD_FROM)
        left = x - _MARGIN if anchor == "l" else x - line.width / 2
        draw.bitmap((round(left), round(y - line.height / 2)), line, fill=color)
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
