"""Pictures for a wall, mirrors, dials and globes."""

import math
from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.drawing import SIDE, Colors, Draw, mixed


def _abstract(draw: Draw, colors: Colors) -> None:
    """Large shapes laid over each other."""
    _, accent, frame = colors
    draw.ellipse((-20, 10, 70, 100), fill=frame)
    draw.polygon([(60, 128), (128, 30), (128, 128)], fill=accent)
    draw.ellipse((70, -30, 140, 40), fill=mixed(frame, accent, 0.4))
    draw.line((0, 110, 60, 60, 128, 84), fill=accent, width=5)


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
        draw.line((k, 0, k, 128), fill=mixed(colors[0], land, 0.25))
        draw.line((0, k, 128, k), fill=mixed(colors[0], land, 0.25))
    america = [(18, 26), (44, 22), (40, 44), (30, 50), (40, 62), (46, 78), (36, 106), (30, 80), (24, 56), (14, 40)]
    eurasia = [(62, 28), (84, 20), (118, 24), (116, 44), (100, 56), (88, 50), (76, 44), (62, 44)]
    africa = [(60, 50), (80, 50), (86, 64), (76, 88), (68, 92), (64, 70), (56, 60)]
    for shape in (america, eurasia, africa, [(104, 82), (120, 82), (116, 96), (102, 94)]):
        draw.polygon(shape, fill=land, outline=edge)
    draw.rectangle((0, 0, 127, 127), outline=edge, width=3)


def _fjord(draw: Draw, colors: Colors) -> None:
    sky, rock, light = colors
    draw.rectangle((0, 0, 128, 50), fill=mixed(sky, (255, 255, 255), 0.5))
    draw.ellipse((84, 14, 104, 34), fill=light)
    draw.polygon([(0, 80), (0, 30), (30, 16), (62, 80)], fill=rock)
    draw.polygon([(46, 80), (92, 28), (128, 44), (128, 80)], fill=mixed(rock, (0, 0, 0), 0.25))
    draw.polygon([(22, 20), (30, 16), (38, 34), (28, 30)], fill=(244, 246, 248))
    draw.rectangle((0, 80, 128, 128), fill=mixed(sky, rock, 0.35))
    for y in range(86, 126, 8):
        draw.line((10 + y % 24, y, 60 + y % 32, y), fill=mixed(sky, (255, 255, 255), 0.35))


def _portrait(draw: Draw, colors: Colors) -> None:
    ground, skin, _ = colors
    draw.rectangle((0, 0, 128, 128), fill=mixed(ground, (0, 0, 0), 0.35))
    draw.ellipse((22, 76, 106, 170), fill=(46, 30, 34))
    draw.polygon([(54, 82), (74, 82), (64, 108)], fill=(236, 230, 218))
    draw.rectangle((56, 66, 72, 86), fill=mixed(skin, (0, 0, 0), 0.2))
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
    for y in range(SIDE):
        draw.line((0, y, SIDE, y), fill=mixed(mixed(body, (255, 255, 255), 0.35), body, y / SIDE))
    for x in (10, 30):
        draw.polygon([(x, 128), (x + 12, 128), (x + 92, 0), (x + 80, 0)], fill=mixed(body, (255, 255, 255), 0.75))


def _dial(draw: Draw, colors: Colors) -> None:
    """A clock face at ten past ten; without marks where they would have the colour of the face."""
    face, ink, rim = colors
    draw.rectangle((0, 0, 128, 128), fill=face)
    draw.ellipse((3, 3, 124, 124), outline=rim, width=6)
    for hour in range(12):
        angle = math.pi * hour / 6
        outer, inner = 52.0, 40.0 if hour % 3 == 0 else 46.0
        ends = [(64 + r * math.sin(angle), 64 - r * math.cos(angle)) for r in (outer, inner)]
        draw.line(ends, fill=ink, width=4)
    hands = rim if ink == face else ink
    for angle, reach, width in ((math.radians(305), 26, 6), (math.radians(60), 38, 4)):
        draw.line([(64, 64), (64 + reach * math.sin(angle), 64 - reach * math.cos(angle))], fill=hands, width=width)


def _globe(draw: Draw, colors: Colors) -> None:
    """Land and sea with meridians."""
    draw.rectangle((0, 0, 128, 128), fill=(96, 130, 142))
    for shape in (
        [(10, 20), (40, 24), (34, 60), (24, 100), (14, 60)],
        [(60, 24), (110, 22), (120, 50), (84, 58), (92, 92), (74, 86)],
    ):
        draw.polygon(shape, fill=colors[0], outline=colors[2])
    for k in range(0, 128, 32):
        draw.line((k, 0, k, 128), fill=mixed(colors[0], (96, 130, 142), 0.6))


WALL_ART: dict[str, Callable[[Draw, Colors], None]] = {
    "abstract": _abstract,
    "line art": _line_art,
    "world map": _map,
    "fjord": _fjord,
    "portrait": _portrait,
    "roses": _roses,
    "mirror": _mirror,
    "dial": _dial,
    "globe": _globe,
}
