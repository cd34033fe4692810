"""Drawing marks and labels. Colours are those of Okabe and Ito, which people with any colour vision tell apart."""

from collections.abc import Sequence
from functools import lru_cache

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
"""Okabe-Ito without black: a product's colour is the one at its row in the catalog, so it stays its own."""
_SMALLEST_TEXT_PX = 9
_TEXT_SHARE = 0.03
_SMALLEST_WITH_RIM = 200  # lines get a dark rim in images of this height
_MIDDLE = 0.179  # black and white text contrast alike with a ground of this luminance


def color_of(mark: Mark) -> Color:
    """The colour of a mark: white for places, the product's own for a product."""
    return PALETTE[mark.row % len(PALETTE)] if mark.kind == "product" else WHITE


def draw_marks(frame: Frame, goods: NDArray[np.bool_], marks: Sequence[Mark], labels: Sequence[str]) -> Picture:
    """A picture with its marks: boxes of places, contours of products, a label each.

    Args:
        frame: Holds the picture; it stays as it is.
        goods: (height, width) where products are seen, for labels to keep off.
        marks: From ``regions.find_marks``.
        labels: The text for each mark.

    Raises:
        ValueError: ``frame`` has no rgb.
    """
    if frame.rgb is None:
        raise ValueError("marks are drawn on a frame with rgb")
    picture = frame.rgb.copy()
    height = picture.shape[0]
    thin, rim = max(1, round(height / 320)), int(height >= _SMALLEST_WITH_RIM)
    for mark in marks:
        (_outline if mark.kind == "product" else _frame)(picture, mark, thin, rim)
    tiles = [_tile(label, *_ink(mark), height) for mark, label in zip(marks, labels, strict=True)]
    sizes = [(tile.shape[1], tile.shape[0]) for tile in tiles]
    spots = place_labels(marks, sizes, goods, thin + 1)
    for mark, spot in zip(marks, spots, strict=True):
        _leader(picture, mark, spot, thin)
    for tile, spot in zip(tiles, spots, strict=True):
        x0, y0, x1, y1 = spot.box
        picture[y0 : y1 + 1, x0 : x1 + 1] = tile
    return picture


def _outline(picture: Picture, mark: Mark, thin: int, rim: int) -> None:
    color = color_of(mark)
    if rim:
        cv2.drawContours(picture, mark.contours, -1, BLACK, thin + rim)
    cv2.drawContours(picture, mark.contours, -1, color, thin)
    if not mark.contours:
        x, y = mark.box[:2]
        cv2.circle(picture, (x, y), thin + 2, BLACK, -1)
        cv2.circle(picture, (x, y), thin + 1, color, -1)


def _frame(picture: Picture, mark: Mark, thin: int, rim: int) -> None:
    x0, y0, x1, y1 = mark.box
    if rim:
        cv2.rectangle(picture, (x0, y0), (x1, y1), BLACK, thin + 2 * rim)
    cv2.rectangle(picture, (x0, y0), (x1, y1), WHITE, thin)


def _leader(picture: Picture, mark: Mark, spot: Spot, thin: int) -> None:
    if spot.leader is not None:
        x0, y0, x1, y1 = spot.leader
        cv2.line(picture, (x0, y0), (x1, y1), BLACK, thin + 1, cv2.LINE_AA)
        cv2.line(picture, (x0, y0), (x1, y1), color_of(mark), thin, cv2.LINE_AA)


def _ink(mark: Mark) -> tuple[Color, Color]:
    """Text and ground of a label: black or white, whichever reads better on the product's colour."""
    if mark.kind != "product":
        return WHITE, BLACK
    ground = color_of(mark)
    return (BLACK if luminance(ground) > _MIDDLE else WHITE), ground


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
