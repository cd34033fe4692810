"""Playing fields, balls, screens and toys."""

import math
from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.drawing import Colors, Draw, mixed


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
    draw.rectangle((0, 0, 128, 128), fill=mixed(colors[1], colors[0], 0.4))
    for row in range(5):
        for column in range(14):
            x, y = column * 9 + 2, row * 25 + 3
            wide = 44 if row == 4 and column == 4 else 7
            if row == 4 and 4 < column < 9:
                continue
            draw.rectangle((x, y, x + wide, y + 20), fill=mixed(colors[0], (255, 255, 255), 0.1))


def _soccer(draw: Draw, colors: Colors) -> None:
    """Half of a ball: two rows of three pentagons, seams between them, a dark cap at either pole."""
    draw.rectangle((0, 0, 128, 11), fill=colors[1])
    draw.rectangle((0, 116, 128, 128), fill=colors[1])
    for number in range(7):
        x, y, tip = number * 64 / 3, 84 if number % 2 else 44, 1 if number % 2 else -1
        turns = [2 * math.pi * i / 5 for i in range(5)]
        points = [(x + 14 * math.sin(turn), y + tip * 12 * math.cos(turn)) for turn in turns]
        for px, py in points:
            draw.line([(x, y), (x + (px - x) * 2.2, y + (py - y) * 2.2)], fill=(120, 122, 126), width=2)
        draw.polygon(points, fill=colors[1])


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


GAME_PRINTS: dict[str, Callable[[Draw, Colors], None]] = {
    "chess": _chess,
    "court": _court,
    "foosball": _pitch,
    "air hockey": _rink,
    "keys": _keys,
    "soccer": _soccer,
    "basketball": _basketball,
    "rooms": _house,
    "screen": _screen,
}
