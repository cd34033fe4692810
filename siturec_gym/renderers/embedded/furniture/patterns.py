"""Printed and woven pictures: rugs, cushions, wall pictures, dials, playing fields, keys.

A texture's name is "pattern|NAME|#rrggbb|#rrggbb|#rrggbb" with the product's three colours; the image follows from the
name alone.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Picture = NDArray[np.uint8]
Draw = ImageDraw.ImageDraw
Color = tuple[int, int, int]
Colors = tuple[Color, Color, Color]
_WIDE, _TALL = 128, 128


def pattern(name: str, colors: tuple[str, str, str]) -> str:
    """The texture name of a pattern in a product's colours."""
    return f"pattern|{name}|{'|'.join(colors)}"


def is_pattern(name: str) -> bool:
    """Whether a texture name is one of these."""
    return name.startswith("pattern|")


def pattern_image(name: str) -> Picture:
    """The (128, 128, 3) image of a pattern.

    Raises:
        ValueError: There is no such pattern.
    """
    _, kind, *colors = name.split("|")
    if kind not in _PATTERNS:
        raise ValueError(f"no pattern {kind!r}; there are {', '.join(_PATTERNS)}")
    body, accent, frame = (_rgb(color) for color in colors)
    image = Image.new("RGB", (_WIDE, _TALL), body)
    _PATTERNS[kind](ImageDraw.Draw(image), (body, accent, frame))
    return np.asarray(image)


def _rgb(color: str) -> Color:
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue


def _mixed(first: Color, second: Color, share: float) -> Color:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _abstract(draw: Draw, colors: Colors) -> None:
    """Large shapes laid over each other."""
    _, accent, frame = colors
    draw.ellipse((-20, 10, 70, 100), fill=frame)
    draw.polygon([(60, 128), (128, 30), (128, 128)], fill=accent)
    draw.ellipse((70, -30, 140, 40), fill=_mixed(frame, accent, 0.4))
    draw.line((0, 110, 60, 60, 128, 84), fill=accent, width=5)


def _patchwork(draw: Draw, colors: Colors) -> None:
    rng = np.random.default_rng(4)
    for row in range(8):
        for column in range(8):
            tone = colors[int(rng.integers(3))]
            x, y = column * 16, row * 16
            draw.rectangle((x, y, x + 15, y + 15), fill=_mixed(tone, (0, 0, 0), 0.15 * float(rng.random())))


def _stripes(draw: Draw, colors: Colors) -> None:
    for k in range(0, _WIDE, 16):
        draw.rectangle((k, 0, k + 5, _TALL), fill=colors[1])


def _roads(draw: Draw, colors: Colors) -> None:
    """A small town: roads with a centre line, houses and a pond."""
    _, road, line = colors
    loop = [(16, 20), (108, 20), (108, 104), (16, 104), (16, 20)]
    draw.line(loop, fill=road, width=16, joint="curve")
    draw.line([(62, 20), (62, 104)], fill=road, width=16)
    draw.line(loop, fill=line, width=2)
    draw.line([(62, 20), (62, 104)], fill=line, width=2)
    for x, y, tone in ((34, 44, (200, 70, 60)), (36, 76, (70, 110, 190)), (84, 48, (230, 150, 60))):
        draw.rectangle((x - 7, y - 6, x + 7, y + 7), fill=tone, outline=(250, 250, 250))
    draw.ellipse((74, 68, 98, 88), fill=(90, 160, 210))


def _medallion(draw: Draw, colors: Colors) -> None:
    """A border, corners and a star in the middle."""
    body, accent, frame = colors
    draw.rectangle((0, 0, 127, 127), fill=accent)
    draw.rectangle((5, 5, 122, 122), outline=frame, width=3)
    draw.rectangle((14, 14, 113, 113), fill=body, outline=frame, width=2)
    for radius, tone in ((38, accent), (29, frame), (22, body), (12, frame)):
        draw.polygon(_star(64, 64, radius, 8), fill=tone)
    for x in (24, 104):
        for y in (24, 104):
            draw.polygon(_star(x, y, 11, 6), fill=frame)
    for k in range(10, 120, 12):
        for edge in ((k, 9), (k, 118), (9, k), (118, k)):
            draw.ellipse((edge[0] - 2, edge[1] - 2, edge[0] + 2, edge[1] + 2), fill=body)


def _star(x: float, y: float, radius: float, points: int) -> list[tuple[float, float]]:
    return [
        (
            x + (radius if k % 2 == 0 else radius * 0.66) * math.cos(math.pi * k / points),
            y + (radius if k % 2 == 0 else radius * 0.66) * math.sin(math.pi * k / points),
        )
        for k in range(2 * points)
    ]


def _geometric(draw: Draw, colors: Colors) -> None:
    for row in range(4):
        for column in range(4):
            x, y = column * 32, row * 32
            corners = (
                [(x, y), (x + 32, y), (x, y + 32)]
                if (row + column) % 2
                else [(x + 32, y + 32), (x + 32, y), (x, y + 32)]
            )
            draw.polygon(corners, fill=colors[1])


def _knit(draw: Draw, colors: Colors) -> None:
    """Thick cables."""
    for x in range(8, _WIDE, 24):
        for y in range(0, _TALL, 12):
            draw.arc((x - 10, y - 8, x + 10, y + 12), 20, 160, fill=colors[1], width=4)


def _leaves(draw: Draw, colors: Colors) -> None:
    for k, (x, y) in enumerate(((30, 30), (86, 22), (60, 66), (22, 92), (98, 88), (64, 112))):
        tilt = 0.6 if k % 2 else -0.6
        tip, foot = (x + 24 * math.sin(tilt), y - 22), (x - 20 * math.sin(tilt), y + 20)
        draw.polygon([tip, (x + 9, y), foot, (x - 9, y)], fill=colors[1])
        draw.line([tip, foot], fill=colors[0], width=1)


def _line_art(draw: Draw, colors: Colors) -> None:
    """A face in one line."""
    ink = colors[1]
    draw.arc((34, 18, 96, 108), 100, 300, fill=ink, width=2)
    draw.line([(62, 50), (54, 72), (64, 74)], fill=ink, width=2)
    for x in (48, 78):
        draw.arc((x - 9, 46, x + 9, 58), 180, 360, fill=ink, width=2)
    draw.arc((50, 80, 78, 94), 10, 170, fill=ink, width=2)
    draw.line([(92, 66), (88, 104), (104, 124)], fill=ink, width=2)


def _map(draw: Draw, colors: Colors) -> None:
    """Continents on a sheet with a grid."""
    _, land, edge = colors
    for k in range(0, 129, 16):
        draw.line((k, 0, k, 128), fill=_mixed(colors[0], land, 0.25))
        draw.line((0, k, 128, k), fill=_mixed(colors[0], land, 0.25))
    america = [(18, 26), (44, 22), (40, 44), (30, 50), (40, 62), (46, 78), (36, 106), (30, 80), (24, 56), (14, 40)]
    eurasia = [(62, 28), (84, 20), (118, 24), (116, 44), (100, 56), (88, 50), (76, 44), (62, 44)]
    africa = [(60, 50), (80, 50), (86, 64), (76, 88), (68, 92), (64, 70), (56, 60)]
    for shape in (america, eurasia, africa, [(104, 82), (120, 82), (116, 96), (102, 94)]):
        draw.polygon(shape, fill=land, outline=edge)
    draw.rectangle((0, 0, 127, 127), outline=edge, width=3)


def _fjord(draw: Draw, colors: Colors) -> None:
    sky, rock, light = colors
    draw.rectangle((0, 0, 128, 50), fill=_mixed(sky, (255, 255, 255), 0.5))
    draw.ellipse((84, 14, 104, 34), fill=light)
    draw.polygon([(0, 80), (0, 30), (30, 16), (62, 80)], fill=rock)
    draw.polygon([(46, 80), (92, 28), (128, 44), (128, 80)], fill=_mixed(rock, (0, 0, 0), 0.25))
    draw.polygon([(22, 20), (30, 16), (38, 34), (28, 30)], fill=(244, 246, 248))
    draw.rectangle((0, 80, 128, 128), fill=_mixed(sky, rock, 0.35))
    for y in range(86, 126, 8):
        draw.line((10 + y % 24, y, 60 + y % 32, y), fill=_mixed(sky, (255, 255, 255), 0.35))


def _portrait(draw: Draw, colors: Colors) -> None:
    ground, skin, _ = colors
    draw.rectangle((0, 0, 128, 128), fill=_mixed(ground, (0, 0, 0), 0.35))
    draw.ellipse((22, 76, 106, 170), fill=(46, 30, 34))
    draw.polygon([(54, 82), (74, 82), (64, 108)], fill=(236, 230, 218))
    draw.rectangle((56, 66, 72, 86), fill=_mixed(skin, (0, 0, 0), 0.2))
    draw.ellipse((42, 24, 86, 80), fill=skin)
    draw.pieslice((38, 16, 90, 76), 180, 360, fill=(60, 40, 28))
    for x in (54, 74):
        draw.ellipse((x - 3, 48, x + 3, 53), fill=(40, 30, 24))
    draw.arc((54, 58, 74, 72), 20, 160, fill=(150, 70, 64), width=2)


def _roses(draw: Draw, colors: Colors) -> None:
    leaf = colors[1]
    for x, y in ((64, 44), (36, 72), (92, 76)):
        draw.line([(64, 122), (x, y)], fill=leaf, width=3)
        draw.polygon([(x + 6, y + 26), (x + 24, y + 16), (x + 18, y + 32)], fill=leaf)
        for radius, tone in ((18, (196, 82, 96)), (12, (216, 120, 130)), (6, (180, 60, 80))):
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tone, outline=(140, 50, 64))


def _mirror(draw: Draw, colors: Colors) -> None:
    """What a mirror shows of a bright room: a slanted shine."""
    body = colors[0]
    for y in range(_TALL):
        draw.line((0, y, _WIDE, y), fill=_mixed(_mixed(body, (255, 255, 255), 0.35), body, y / _TALL))
    for x in (10, 30):
        draw.polygon([(x, 128), (x + 12, 128), (x + 92, 0), (x + 80, 0)], fill=_mixed(body, (255, 255, 255), 0.75))


def _dial(draw: Draw, colors: Colors) -> None:
    """A clock face at ten past ten."""
    _, face, rim = colors
    draw.rectangle((0, 0, 128, 128), fill=face)
    dark = sum(face) < 300
    ink = (236, 236, 232) if dark else (34, 32, 30)
    draw.ellipse((3, 3, 124, 124), outline=rim, width=6)
    for hour in range(12):
        angle = math.pi * hour / 6
        outer, inner = 52.0, 40.0 if hour % 3 == 0 else 46.0
        ends = [(64 + r * math.sin(angle), 64 - r * math.cos(angle)) for r in (outer, inner)]
        draw.line(ends, fill=ink, width=4)
    for angle, reach, width in ((math.radians(305), 26, 6), (math.radians(60), 38, 4)):
        draw.line([(64, 64), (64 + reach * math.sin(angle), 64 - reach * math.cos(angle))], fill=ink, width=width)


def _chess(draw: Draw, colors: Colors) -> None:
    for row in range(8):
        for column in range(8):
            x, y = column * 16, row * 16
            draw.rectangle((x, y, x + 15, y + 15), fill=colors[1 if (row + column) % 2 else 0])


def _court(draw: Draw, colors: Colors) -> None:
    draw.rectangle((0, 0, 127, 127), outline=colors[1], width=3)
    draw.line((0, 64, 128, 64), fill=colors[1], width=2)
    draw.line((64, 0, 64, 128), fill=colors[1], width=4)


def _pitch(draw: Draw, colors: Colors) -> None:
    """A small soccer field."""
    white = (240, 244, 240)
    draw.rectangle((0, 0, 128, 128), fill=colors[1])
    draw.rectangle((4, 4, 123, 123), outline=white, width=2)
    draw.line((64, 4, 64, 124), fill=white, width=2)
    draw.ellipse((48, 44, 80, 84), outline=white, width=2)
    for x in (4, 100):
        draw.rectangle((x, 40, x + 24, 88), outline=white, width=2)


def _rink(draw: Draw, colors: Colors) -> None:
    """An air hockey field, with its holes and lines."""
    draw.rectangle((0, 0, 128, 128), fill=colors[1])
    for x in range(6, 128, 10):
        for y in range(6, 128, 10):
            draw.point((x, y), fill=(120, 130, 140))
    draw.line((64, 0, 64, 128), fill=colors[2], width=3)
    draw.ellipse((46, 42, 82, 86), outline=colors[0], width=3)
    for x in (26, 102):
        draw.line((x, 0, x, 128), fill=colors[0], width=2)


def _keys(draw: Draw, colors: Colors) -> None:
    """Rows of keys that glow between."""
    draw.rectangle((0, 0, 128, 128), fill=_mixed(colors[1], colors[0], 0.4))
    for row in range(5):
        for column in range(14):
            x, y = column * 9 + 2, row * 25 + 3
            wide = 44 if row == 4 and column == 4 else 7
            if row == 4 and 4 < column < 9:
                continue
            draw.rectangle((x, y, x + wide, y + 20), fill=_mixed(colors[0], (255, 255, 255), 0.1))


def _soccer(draw: Draw, colors: Colors) -> None:
    for k in range(3):
        for j in range(3):
            x, y = 22 + 42 * k + (21 if j % 2 else 0), 22 + 42 * j
            points = [
                (x + 13 * math.sin(2 * math.pi * i / 5), y - 13 * math.cos(2 * math.pi * i / 5)) for i in range(5)
            ]
            draw.polygon(points, fill=colors[1])
            for px, py in points:
                draw.line([(px, py), (x + (px - x) * 2.0, y + (py - y) * 2.0)], fill=(120, 122, 126), width=1)


def _basketball(draw: Draw, colors: Colors) -> None:
    draw.line((0, 64, 128, 64), fill=colors[1], width=4)
    for x in (0, 32, 64, 96, 127):
        draw.line((x, 0, x, 128), fill=colors[1], width=3)


def _house(draw: Draw, colors: Colors) -> None:
    """The rooms of a dollhouse, seen through its open front."""
    papers = (colors[1], (206, 224, 226), (240, 214, 190), (222, 206, 232))
    for k, paper in enumerate(papers):
        x, y = (k % 2) * 64, (k // 2) * 64
        draw.rectangle((x, y, x + 63, y + 63), fill=paper, outline=(250, 250, 246), width=3)
        draw.rectangle((x + 38, y + 10, x + 54, y + 28), fill=(170, 210, 236), outline=(255, 255, 255), width=2)
        draw.rectangle(
            (x + 8, y + 40, x + 30, y + 60), fill=((196, 110, 110), (110, 140, 190), (150, 110, 70), (120, 160, 120))[k]
        )
        draw.rectangle((x + 40, y + 46, x + 54, y + 60), fill=(150, 112, 76))


def _screen(draw: Draw, colors: Colors) -> None:
    """A game on a screen."""
    draw.rectangle((0, 0, 128, 128), fill=(16, 18, 34))
    for k in range(5):
        draw.rectangle((12 + 22 * k, 20, 26 + 22 * k, 32), fill=colors[k % 2])
    draw.rectangle((52, 100, 78, 110), fill=(120, 230, 140))
    draw.ellipse((60, 64, 70, 74), fill=(250, 240, 120))


def _globe(draw: Draw, colors: Colors) -> None:
    """Land and sea with meridians."""
    draw.rectangle((0, 0, 128, 128), fill=(96, 130, 142))
    for shape in (
        [(10, 20), (40, 24), (34, 60), (24, 100), (14, 60)],
        [(60, 24), (110, 22), (120, 50), (84, 58), (92, 92), (74, 86)],
    ):
        draw.polygon(shape, fill=colors[0], outline=colors[2])
    for k in range(0, 128, 32):
        draw.line((k, 0, k, 128), fill=_mixed(colors[0], (96, 130, 142), 0.6))


_PATTERNS: dict[str, Callable[[Draw, Colors], None]] = {
    "abstract": _abstract, "patchwork": _patchwork, "stripes": _stripes, "road map": _roads, "medallion": _medallion,
    "geometric": _geometric, "knit": _knit, "leaves": _leaves, "line art": _line_art, "world map": _map,
    "fjord": _fjord, "portrait": _portrait, "roses": _roses, "mirror": _mirror, "dial": _dial, "chess": _chess,
    "court": _court, "foosball": _pitch, "air hockey": _rink, "keys": _keys, "soccer": _soccer,
    "basketball": _basketball, "rooms": _house, "screen": _screen, "globe": _globe,
}  # fmt: skip
