"""Things for a desk."""

import math
from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, block, fitted, mirrored, turned


def desk_item(look: Look) -> Part:
    """A desk pad, a pen tray, a letter tray, a pair of bookends or a pen cup."""
    return fitted(chosen(_DESK, look.shape["what"], "thing for a desk")(look), look.size)


def _desk_pad(look: Look) -> Part:
    half_x, half_y = look.depth / 2, look.width / 2
    pad = block((-half_x, half_x), (-half_y, half_y), (0.0, look.height * 0.8), look.body)
    corners = block((half_x - 0.06, half_x), (half_y - 0.06, half_y), (0.0, look.height), look.paint("metal", 2))
    return pad + mirrored(corners)


def _pen_tray(look: Look) -> Part:
    half_x, half_y = look.depth / 2, look.width / 2
    tray = block((-half_x, half_x), (-half_y, half_y), (0.0, 0.03), look.body)
    for k in range(4):
        y = (k - 1.5) * half_y * 0.5
        tray += block((-half_x, half_x), (y - 0.006, y + 0.006), (0.03, 0.055), look.accent)
    for k, color in enumerate(("#2f5d8a", "#8a2b2b", "#2f6a45")):
        tray += bar(
            (-half_x * 0.7, (k - 1) * 0.07, 0.05),
            (half_x * 0.7, (k - 1) * 0.07 + 0.01, 0.05),
            0.014,
            finish("plain", color),
        )
    return tray + block((-half_x, -half_x + 0.05), (-half_y * 0.9, -half_y * 0.2), (0.03, look.height), look.body)


def _letter_tray(look: Look) -> Part:
    half_x, half_y, part = look.depth / 2, look.width / 2, []
    mesh = look.paint("mesh")
    for k in range(3):
        z = 0.01 + k * (look.height - 0.05) / 2
        part += block((-half_x, half_x), (-half_y, half_y), (z, z + 0.008), mesh, "")
        part += block(
            (-half_x, half_x * 0.9), (-half_y * 0.9, half_y * 0.9), (z + 0.008, z + 0.02), finish("paper", "#f2efe6")
        )
    side = block((-half_x, half_x * 0.8), (half_y - 0.006, half_y), (0.0, look.height), mesh, "")
    return part + mirrored(side)


def _bookends(look: Look) -> Part:
    """Two horses' heads, back to back, with books between."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    base = block((-half_x, half_x), (half_y - 0.09, half_y), (0.0, 0.02), look.frame)
    neck = bar((0.0, half_y - 0.05, 0.02), (0.0, half_y - 0.06, 0.75 * height), 0.07, look.body, 0.045)
    head = bar((0.0, half_y - 0.075, 0.86 * height), (0.0, half_y - 0.01, 0.66 * height), 0.055, look.body, 0.03)
    ear = bar((0.0, half_y - 0.07, 0.86 * height), (0.0, half_y - 0.072, height), 0.018, look.body, 0.006)
    books: Part = []
    for k, color in enumerate(("#7a2f2c", "#2f4a6a", "#3f6a4a")):
        y = (k - 1) * 0.05
        books += block(
            (-half_x * 0.9, half_x * 0.9), (y - 0.024, y + 0.024), (0.0, 0.8 * height), finish("plain", color)
        )
    return mirrored(base + neck + head + ear) + books


def _pen_cup(look: Look) -> Part:
    radius = look.width / 2
    cup = turned(((0.0, radius), (0.55 * look.height, radius)), look.body, 10, top=finish("plain", "#2a2a2c"))
    for k, color in enumerate((look.colors[2], "#b8923f", "#2a2a2c")):
        x, y = 0.4 * radius * math.cos(2.1 * k), 0.4 * radius * math.sin(2.1 * k)
        cup += bar((x, y, 0.4 * look.height), (x * 1.8, y * 1.8, look.height), 0.012, finish("plain", color))
    return cup


_DESK: dict[str, Callable[[Look], Part]] = {
    "pad": _desk_pad, "pen tray": _pen_tray, "letter tray": _letter_tray, "horse bookends": _bookends,
    "pen cup": _pen_cup,
}  # fmt: skip
