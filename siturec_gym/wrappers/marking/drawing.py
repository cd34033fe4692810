"""Drawing marks and labels. Colours are those of Okabe and Ito, which people with any colour vision tell apart."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.interface import Frame
from siturec_gym.wrappers.marking.labels import Spot, place_labels
from siturec_gym.wrappers.marking.regions import Mark

Color = tuple[int, int, int]
Picture = NDArray[np.uint8]
BLACK: Color = (0, 0, 0)
WHITE: Color = (255, 255, 255)
PALETTE: tuple[Color, ...] = (
    (230, 159, 0),
    (86, 180, 233),
    (0, 158, 115),
    (240, 228, 66),
    (0, 114, 178),
    (213, 94, 0),
    (204, 121, 167),
)
"""Okabe-Ito without black."""
_SMALLEST_TEXT_PX = 9
_TEXT_SHARE = 0.034
_SMALLEST_WITH_RIM = 200  # lines get a dark rim in images of this height
_MIDDLE = 0.179  # black and white text contrast alike with a ground of this luminance


def colors_of(marks: Sequence[Mark]) -> list[Color]:
    """White for places; for products the palette in turn, so that those of a view differ as far as it reaches."""
    turns = cycle(PALETTE)
    return [next(turns) if mark.kind == "product" else WHITE for mark in marks]


def draw_marks(frame: Frame, marks: Sequence[Mark]) -> Picture:
    """The picture of a frame with boxes of places and contours of products, for any role.

    Raises:
        ValueError: ``frame`` has no rgb.
    """
    if frame.rgb is None:
        raise ValueError("marks are drawn on a frame with rgb")
    picture = frame.rgb.copy()
    height = picture.shape[0]
    thin, rim = _line_px(height), int(height >= _SMALLEST_WITH_RIM)
    for mark, color in zip(marks, colors_of(marks), strict=True):
        (_outline if mark.kind == "product" else _frame)(picture, mark, color, thin, rim)
    return picture


def draw_labels(marked: Picture, goods: NDArray[np.bool_], marks: Sequence[Mark], labels: Sequence[str]) -> Picture:
    """A copy of a picture with a label for each mark.

    Args:
        marked: (height, width, 3) from ``draw_marks``.
        goods: (height, width) where products are seen, for labels to keep off.
        marks: What is labelled.
        labels: The text for each mark.
    """
    picture = marked.copy()
    height, colors = picture.shape[0], colors_of(marks)
    thin = _line_px(height)
    tiles = [_tile(label, *_ink(mark, color), height) for mark, color, label in zip(marks, colors, labels, strict=True)]
    spots = place_labels(marks, [(tile.shape[1], tile.shape[0]) for tile in tiles], goods, thin + 1)
    for color, spot in zip(colors, spots, strict=True):
        _leader(picture, spot, color, thin)
    for tile, spot in zip(tiles, spots, strict=True):
        x0, y0, x1, y1 = spot.box
        picture[y0 : y1 + 1, x0 : x1 + 1] = tile
    return picture


def _line_px(height: int) -> int:
    return max(1, round(height / 320))


def _outline(picture: Picture, mark: Mark, color: Color, thin: int, rim: int) -> None:
    if rim:
        cv2.drawContours(picture, mark.contours, -1, BLACK, thin + rim)
    cv2.drawContours(picture, mark.contours, -1, color, thin)
    if not mark.contours:
        x, y = mark.box[:2]
        cv2.circle(picture, (x, y), thin + 2, BLACK, -1)
        cv2.circle(picture, (x, y), thin + 1, color, -1)


def _frame(picture: Picture, mark: Mark, color: Color, thin: int, rim: int) -> None:
    x0, y0, x1, y1 = mark.box
    if rim:
        cv2.rectangle(picture, (x0, y0), (x1, y1), BLACK, thin + 2 * rim)
    cv2.rectangle(picture, (x0, y0), (x1, y1), color, thin)


def _leader(picture: Picture, spot: Spot, color: Color, thin: int) -> None:
    if spot.leader is not None:
        x0, y0, x1, y1 = spot.leader
        cv2.line(picture, (x0, y0), (x1, y1), BLACK, thin + 1, cv2.LINE_AA)
        cv2.line(picture, (x0, y0), (x1, y1), color, thin, cv2.LINE_AA)


def _ink(mark: Mark, color: Color) -> tuple[Color, Color]:
    """Text and ground of a label: black or white, whichever reads better on the mark's colour."""
    if mark.kind != "product":
        return WHITE, BLACK
    return (BLACK if luminance(color) > _MIDDLE else WHITE), color


def luminance(color: Color) -> float:
    """Relative luminance of an sRGB colour, 0 to 1 (WCAG 2)."""
    linear = [side / 12.92 if side <= 0.04045 else ((side + 0.055) / 1.055) ** 2.4 for side in np.array(color) / 255]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


@lru_cache(maxsize=2048)
def _tile(label: str, ink: Color, ground: Color, height: int) -> Picture:
    """A label as a small picture with a rim, for images of a height."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  (most programs never draw a mark)

    font = ImageFont.load_default(max(_SMALLEST_TEXT_PX, round(_TEXT_SHARE * height)))
    left, top, right, bottom = (round(side) for side in font.getbbox(label))
    pad = max(2, round(height / 160))
    image = Image.new("RGB", (right - left + 2 * pad, bottom - top + 2 * pad), ground)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, image.width - 1, image.height - 1), outline=ink)
    draw.text((pad - left, pad - top), label, ink, font)
    tile = np.asarray(image)
    tile.setflags(write=False)
    return tile
