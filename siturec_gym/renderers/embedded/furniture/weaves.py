"""Patterns of rugs and cushions."""

import math
from collections.abc import Callable

import numpy as np

from siturec_gym.renderers.embedded.furniture.drawing import SIDE, Colors, Draw, mixed


def _patchwork(draw: Draw, colors: Colors) -> None:
    rng = np.random.default_rng(4)
    for row in range(8):
        for column in range(8):
            tone = colors[int(rng.integers(3))]
            x, y = column * 16, row * 16
            draw.rectangle((x, y, x + 15, y + 15), fill=mixed(tone, (0, 0, 0), 0.15 * float(rng.random())))


def _stripes(draw: Draw, colors: Colors) -> None:
    for k in range(0, SIDE, 16):
        draw.rectangle((k, 0, k + 5, SIDE), fill=colors[1])


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
    for x in range(8, SIDE, 24):
        for y in range(0, SIDE, 12):
            draw.arc((x - 10, y - 8, x + 10, y + 12), 20, 160, fill=colors[1], width=4)


def _leaves(draw: Draw, colors: Colors) -> None:
    for k, (x, y) in enumerate(((30, 30), (86, 22), (60, 66), (22, 92), (98, 88), (64, 112))):
        tilt = 0.6 if k % 2 else -0.6
        tip, foot = (x + 24 * math.sin(tilt), y - 22), (x - 20 * math.sin(tilt), y + 20)
        draw.polygon([tip, (x + 9, y), foot, (x - 9, y)], fill=colors[1])
        draw.line([tip, foot], fill=colors[0], width=1)


WEAVES: dict[str, Callable[[Draw, Colors], None]] = {
    "patchwork": _patchwork,
    "stripes": _stripes,
    "road map": _roads,
    "medallion": _medallion,
    "geometric": _geometric,
    "knit": _knit,
    "leaves": _leaves,
}
