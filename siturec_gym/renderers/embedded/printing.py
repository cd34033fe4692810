"""Everything printed: the sides of packages, price tags and signs."""

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from siturec_gym.catalog import Product
from siturec_gym.renderers.embedded.lettering import Color, ink_on, mixed, parse_color, write
from siturec_gym.renderers.embedded.packages import is_bare
from siturec_gym.renderers.embedded.pictures import picture

Picture = NDArray[np.uint8]
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
_TEXELS_PER_METRE = 900
_CANVAS_PX = 160
_ROUND = frozenset({"can", "bottle", "jar", "tub"})
_TAG_SIZE = (128, 64)
_MOTTLES: list[list[float]] = np.random.default_rng(6).random((60, 3)).tolist()
_SIGN_TEXELS_PER_METRE = 320


def package_side(product: Product, side: str) -> Picture:
    """The texture of one side, "front", "side" or "top", of a product's package."""
    draw_side = {"front": _front, "side": _side, "top": _top}[side]
    width_m, height_m = _extent_m(product, side)
    density = _TEXELS_PER_METRE if side == "front" else _TEXELS_PER_METRE / 2
    texels = _power_of_two(width_m * density), _power_of_two(height_m * density)
    scale = min(_CANVAS_PX, 2 * max(texels)) / max(width_m, height_m)
    size = max(24, round(width_m * scale)), max(24, round(height_m * scale))
    image = Image.new("RGB", size)
    draw_side(ImageDraw.Draw(image), product, *size)
    return np.asarray(image.resize(texels, Image.Resampling.BOX if texels[0] < size[0] else Image.Resampling.BICUBIC))


def _extent_m(product: Product, side: str) -> tuple[float, float]:
    """Width and height of what a texture covers."""
    width, depth, height = product.appearance.size_m
    if side == "top":
        return width, depth
    if product.appearance.shape in _ROUND:
        label = {"bottle": 0.66, "jar": 0.74}.get(product.appearance.shape, 1.0)
        return math.pi / 2 * width, label * height
    return (width, height) if side == "front" else (depth, height)


def _power_of_two(texels: float, most: int = 256) -> int:
    return int(min(most, max(32, 2 ** round(math.log2(texels)))))


def _colors(product: Product) -> tuple[Color, Color, Color]:
    """Ground, accent and contents."""
    colors = [parse_color(text) for text in product.appearance.colors]
    accent = colors[1] if len(colors) > 1 else ink_on(colors[0])
    return colors[0], accent, colors[2] if len(colors) > 2 else accent


def kind_words(product: Product) -> str:
    """The display name without brand and size: what the package says it is."""
    words = product.name.removeprefix(str(product.details.get("brand", ""))).strip()
    return words.removesuffix(str(product.details.get("size", ""))).strip() or product.name


def _front(draw: ImageDraw.ImageDraw, product: Product, width: int, height: int) -> None:
    if is_bare(product):
        _peel(draw, product, width, height)
        return
    ground, accent, contents = _colors(product)
    top, bottom = 0, height
    if product.appearance.shape in {"bottle", "jar"}:
        draw.rectangle((0, 0, width, height), fill=contents)
        top, bottom = round(0.12 * height), round(0.94 * height)
    draw.rectangle((0, top, width, bottom), fill=ground)
    if product.appearance.shape == "can":
        draw.rectangle((0, 0, width, 3), fill=(196, 200, 204))
        draw.rectangle((0, height - 4, width, height), fill=(176, 180, 184))
        top, bottom = top + 4, bottom - 4
    margin = width * (0.16 if product.appearance.shape in _ROUND else 0.06)
    _label(draw, product, (margin, top, width - margin, bottom), (ground, accent, contents))


def _label(
    draw: ImageDraw.ImageDraw,
    product: Product,
    box: tuple[float, float, float, float],
    colors: tuple[Color, Color, Color],
) -> None:
    """Brand on a band, what it is, a picture of it, the size."""
    ground, accent, contents = colors
    x0, y0, x1, y1 = box
    tall = y1 - y0
    brand, size = str(product.details.get("brand", "")), str(product.details.get("size", ""))
    wide = (x1 - x0) > 1.5 * tall
    band = y0 + tall * (0.30 if wide else 0.22)
    draw.rectangle((0, y0, 4096, band), fill=accent)
    write(draw, brand, (x0, y0 + 2, x1, band - 2), ink_on(accent, ground), bold=True)
    if wide:
        split = x0 + (x1 - x0) * 0.64
        write(draw, kind_words(product), (x0, band + 2, split - 3, y1 - 3), ink_on(ground, accent), bold=True)
        picture(draw, product.category, (split, band + 4, x1, y1 - tall * 0.22), _on(ground, contents))
        write(draw, size, (split, y1 - tall * 0.2, x1, y1 - 2), ink_on(ground))
        return
    words_end, picture_end = band + tall * 0.34, y1 - tall * 0.15
    write(draw, kind_words(product), (x0, band + 2, x1, words_end), ink_on(ground, accent), bold=True)
    picture(draw, product.category, (x0, words_end + 3, x1, picture_end), _on(ground, contents))
    write(draw, size, (x0, picture_end + 1, x1, y1 - 3), ink_on(ground))


def _on(ground: Color, contents: Color) -> Color:
    """Contents colour, moved away from a ground it would vanish on."""
    near = sum(abs(a - b) for a, b in zip(ground, contents, strict=True)) < 90
    return mixed(contents, _BLACK if sum(ground) > 380 else _WHITE, 0.3) if near else contents


def _side(draw: ImageDraw.ImageDraw, product: Product, width: int, height: int) -> None:
    """Cap above and shoulder below for round things, else brand and a table of nutrition."""
    ground, accent, contents = _colors(product)
    shape = product.appearance.shape
    if shape in _ROUND:
        draw.rectangle((0, 0, width, height * 0.47), fill=accent)
        draw.rectangle((0, height * 0.47, width, height), fill=contents)
        for x in range(0, width, 6):
            draw.line((x, 0, x, height * 0.45), fill=mixed(accent, _BLACK, 0.2))
        return
    base = mixed(ground, _BLACK, 0.08)
    draw.rectangle((0, 0, width, height), fill=base)
    draw.rectangle((0, 0, width, height * 0.22), fill=accent)
    write(draw, str(product.details.get("brand", "")), (3, 2, width - 3, height * 0.22), ink_on(accent, ground))
    if product.details.get("nutrition") is None:
        write(draw, kind_words(product), (3, height * 0.3, width - 3, height * 0.8), ink_on(base))
        return
    x0, y0, x1, y1 = width * 0.12, height * 0.4, width * 0.88, height * 0.9
    draw.rectangle((x0, y0, x1, y1), fill=_WHITE, outline=_BLACK)
    for row in range(1, 6):
        y = y0 + (y1 - y0) * row / 6
        draw.line((x0 + 2, y, x1 - 2, y), fill=(110, 110, 110))


def _top(draw: ImageDraw.ImageDraw, product: Product, width: int, height: int) -> None:
    ground, accent, contents = _colors(product)
    shape = product.appearance.shape
    if shape == "can":
        draw.rectangle((0, 0, width, height), fill=(190, 194, 198))
        for inset, tone in ((4, 150), (8, 205), (24, 176)):
            draw.ellipse((inset, inset, width - inset, height - inset), outline=(tone, tone, tone), width=3)
        draw.ellipse((width * 0.4, height * 0.5, width * 0.6, height * 0.85), outline=(120, 120, 124), width=4)
        return
    if shape == "tray":
        draw.rectangle((0, 0, width, height), fill=mixed(contents, _WHITE, 0.25))
        picture(draw, product.category, (width * 0.06, height * 0.06, width * 0.94, height * 0.94), contents)
        draw.rectangle((width * 0.18, height * 0.3, width * 0.82, height * 0.98), fill=ground)
        _label(draw, product, (width * 0.2, height * 0.3, width * 0.8, height * 0.98), (ground, accent, contents))
        draw.rectangle((0, height * 0.3, width * 0.18, height), fill=mixed(contents, _WHITE, 0.15))
        draw.rectangle((width * 0.82, height * 0.3, width, height), fill=mixed(contents, _WHITE, 0.15))
        return
    if is_bare(product):
        _peel(draw, product, width, height)
        draw.ellipse((width * 0.35, height * 0.35, width * 0.65, height * 0.65), fill=mixed(accent, _BLACK, 0.2))
        return
    cover = accent if shape in {"bottle", "jar"} else ground
    draw.rectangle((0, 0, width, height), fill=cover)
    draw.rectangle((2, 2, width - 3, height - 3), outline=mixed(cover, _BLACK, 0.25))
    label = str(product.details.get("brand", "")) if shape != "tub" else kind_words(product)
    write(draw, label, (width * 0.12, height * 0.14, width * 0.88, height * 0.86), ink_on(cover, accent))


def _peel(draw: ImageDraw.ImageDraw, product: Product, width: int, height: int) -> None:
    """The skin of a fruit or vegetable: mottled, paler towards the top, with a sticker."""
    ground, accent, contents = _colors(product)
    band = max(1, height // 32)
    for row in range(0, height, band):
        tone = mixed(contents, _WHITE if row < height / 2 else _BLACK, abs(row / height - 0.5) * 0.5)
        draw.rectangle((0, row, width, row + band), fill=tone)
    tones = [mixed(contents, other, 0.14) for other in (_BLACK, _WHITE)]
    for x, y, size in _MOTTLES:
        left, top = x * width, y * height
        draw.ellipse((left, top, left + 2 + 4 * size, top + 2 + 3 * size), fill=tones[size >= 0.5])
    sticker = (width * 0.41, height * 0.36, width * 0.59, height * 0.56)
    draw.ellipse(sticker, fill=ground, outline=accent if accent != contents else _WHITE, width=4)


def price_tag(product: Product) -> Picture:
    """Name and price, as on the edge of a shelf."""
    width, height = _TAG_SIZE
    image = Image.new("RGB", _TAG_SIZE, (255, 255, 250))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height * 0.42), fill=(255, 221, 64))
    write(draw, product.name, (3, 1, width - 3, height * 0.42), (20, 20, 20))
    write(draw, f"${product.price:.2f}", (3, height * 0.44, width - 3, height - 2), (190, 16, 24), most=40, bold=True)
    draw.rectangle((0, 0, width - 1, height - 1), outline=(90, 90, 90))
    return np.asarray(image)


def sign(text: str, size_m: tuple[float, float], color: str = "") -> Picture:
    """A sign of ``size_m`` (width, height) on a ground "#rrggbb", else green, its words light or dark to be read.

    "Aisle 4: Soup, Rice" puts a large 4 before the rest.
    """
    texels = [
        _power_of_two(extent * _SIGN_TEXELS_PER_METRE, most) for extent, most in zip(size_m, (512, 128), strict=True)
    ]
    scale = max(texels[0] / size_m[0], texels[1] / size_m[1])
    width, height = round(size_m[0] * scale), round(size_m[1] * scale)
    head, _, rest = text.rpartition(": ")
    ground = parse_color(color) if color else (22, 92, 66)
    ink = (255, 255, 255) if sum(ground) < 400 else (34, 32, 30)
    image = Image.new("RGB", (width, height), ground)
    draw = ImageDraw.Draw(image)
    margin = max(2.0, 0.06 * height)
    left = margin * 2
    if head:
        edge = height * 0.95
        draw.rectangle((0, 0, edge, height), fill=(250, 206, 48))
        words = head.split()
        write(draw, words[-1], (0, height * 0.24, edge, height), (20, 40, 34), most=400, bold=True)
        write(draw, " ".join(words[:-1]), (margin, margin, edge - margin, height * 0.3), (20, 40, 34))
        left = edge + margin * 2
    write(draw, rest, (left, margin, width - margin * 2, height - margin), ink, most=200, bold=True)
    draw.rectangle((0, 0, width - 1, height - 1), outline=(244, 244, 240), width=max(1, height // 40))
    return np.asarray(image.resize((texels[0], texels[1]), Image.Resampling.BICUBIC))
