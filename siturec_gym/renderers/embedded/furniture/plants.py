"""Plants in their pots, planters and the stands they stand on."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.legs import circle, legs
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    double_sided,
    fitted,
    mirrored,
    moved,
    spun,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.mesh import quad

_SOIL, _STEM, _BARK = finish("stone", "#3a2a1e"), finish("plain", "#4f7a3a"), finish("wood", "#6b5136")


def plant(look: Look) -> Part:
    """A pot with what grows in it."""
    rng = np.random.default_rng(int(look.product_id[1:]))
    share = float(look.shape["pot_share"])
    pot_height = share * look.height
    parts = _pot(str(look.shape["pot"]), look, pot_height)
    parts += _HABITS[str(look.shape["habit"])](look, pot_height, rng)
    return fitted(parts, look.size)


def _pot(kind: str, look: Look, height: float) -> Part:
    half = min(look.width, look.depth) / 2
    clay = look.paint("glaze", 2)
    if kind == "three bowls":
        bowls = [_bowl(0.05, height, clay, (0.0, y, 0.0)) for y in (-0.12, 0.0, 0.12)]
        return [face for bowl in bowls for face in bowl]
    if kind == "crate":
        crate = block((-0.08, 0.08), (-look.width / 2, look.width / 2), (0.0, height), look.paint("wood", 2), "")
        return crate + _earth(0.07, look.width / 2 - 0.01, height)
    if kind == "box":
        side = half * 0.55
        return block((-side, side), (-side, side), (0.0, height), clay, "") + _earth(side * 0.9, side * 0.9, height)
    radius = half * (0.6 if look.height > 0.6 else 0.72)
    finish_name = look.paint("rattan", 2) if kind == "basket" else clay
    foot = 0.72 if kind == "tapered" else 0.92
    rings = ((0.0, radius * foot), (height, radius))
    return turned(rings, finish_name, 10, top=_SOIL)


def _bowl(radius: float, height: float, clay: str, at: tuple[float, float, float]) -> Part:
    return turned(((0.0, radius * 0.7), (height, radius)), clay, 8, at, _SOIL)


def _earth(half_x: float, half_y: float, z: float) -> Part:
    corners = [
        (-half_x, -half_y, z + 0.002),
        (half_x, -half_y, z + 0.002),
        (half_x, half_y, z + 0.002),
        (-half_x, half_y, z + 0.002),
    ]
    return [quad(corners, _SOIL)]


def leaf(length: float, width: float, texture: str, bend_deg: float = 30.0) -> Part:
    """A blade along +x from the origin, in two halves that bend down, seen from both sides."""
    half, drop = length / 2, math.tan(math.radians(bend_deg)) * length / 4
    first = [(half, -width / 2, 0.0), (0.0, -width / 8, 0.0), (0.0, width / 8, 0.0), (half, width / 2, 0.0)]
    second = [
        (length, -width / 10, -drop * 2),
        (half, -width / 2, 0.0),
        (half, width / 2, 0.0),
        (length, width / 10, -drop * 2),
    ]
    return double_sided([quad(first, texture, (0.0, 0.5, 1.0, 1.0)), quad(second, texture, (0.0, 0.0, 1.0, 0.5))])


def _fan(
    count: int,
    reach: float,
    width: float,
    z: float,
    rise_deg: tuple[float, float],
    look: Look,
    rng: np.random.Generator,
) -> Part:
    """Leaves around a stem: rising at angles between the two given, each turned a little further."""
    part: Part = []
    for k in range(count):
        rise = rise_deg[0] + (rise_deg[1] - rise_deg[0]) * (k % 3) / 2
        blade = leaf(reach * float(rng.uniform(0.8, 1.0)), width, look.paint("leaf", k % 2))
        part += spun(tilted(blade, rise), 360.0 * k / count + float(rng.uniform(-12.0, 12.0)))
    return moved(part, (0.0, 0.0, z))


def _large_leaves(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Broad leaves on long stems."""
    part: Part = []
    for k in range(10):
        lift = pot + (look.height - pot) * (0.3 + 0.6 * (k % 5) / 4)
        out = look.width * float(rng.uniform(0.12, 0.26))
        blade = moved(tilted(leaf(0.3, 0.28, look.paint("leaf", k % 2), 24.0), 20.0), (out, 0.0, lift))
        part += spun(blade + bar((0.0, 0.0, pot), (out, 0.0, lift), 0.014, _STEM), 36.0 * k)
    return part


def _tree(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """A bare trunk under a crown of leaves."""
    crown = pot + 0.42 * (look.height - pot)
    part = bar((0.0, 0.0, pot), (0.0, 0.0, look.height * 0.82), 0.035, _BARK, 0.02)
    size = 0.3 if look.width > 0.61 else 0.18
    for k in range(34):
        z = crown + (look.height - crown) * float(rng.uniform(0.0, 0.9))
        out = look.width / 2 * float(rng.uniform(0.1, 0.7))
        blade = tilted(leaf(size, size * 0.6, look.paint("leaf", k % 2), 16.0), float(rng.uniform(-10.0, 40.0)))
        part += spun(moved(blade, (out, 0.0, z)), float(rng.uniform(0.0, 360.0)))
    return part


def _swords(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Stiff upright blades with a light edge."""
    part: Part = []
    for k in range(9):
        tall, wide = (look.height - pot) * float(rng.uniform(0.6, 1.0)), 0.055
        core = double_sided(
            [
                quad(
                    [(0.0, -0.008, tall), (0.0, -wide / 2, 0.0), (0.0, wide / 2, 0.0), (0.0, 0.008, tall)],
                    look.paint("leaf", k % 2),
                )
            ]
        )
        lean = tilted(core, float(rng.uniform(-12.0, 12.0)))
        out = look.width * 0.22 * float(rng.uniform(0.2, 1.0))
        part += spun(moved(lean, (out, 0.0, pot)), 40.0 * k)
    return part


def _palm(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Arching fronds from a few canes."""
    part: Part = []
    for k in range(13):
        lift = pot + (look.height - pot) * float(rng.uniform(0.45, 0.7))
        frond = tilted(leaf(look.width * 0.8, 0.22, look.paint("leaf", k % 2), 42.0), 48.0 + 8.0 * (k % 3))
        part += spun(moved(frond, (0.02, 0.0, lift)) + bar((0.0, 0.0, pot), (0.02, 0.0, lift), 0.014, _STEM), 33.0 * k)
    return part


def _feathered(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Upright stems with small leaves in pairs."""
    part: Part = []
    for k in range(8):
        tall = (look.height - pot) * float(rng.uniform(0.75, 1.0))
        stem = bar((0.0, 0.0, 0.0), (0.0, 0.0, tall), 0.014, _STEM)
        for j in range(3):
            blade = moved(
                tilted(leaf(0.12, 0.06, look.paint("leaf", j % 2), 10.0), 35.0), (0.0, 0.0, tall * (0.4 + 0.28 * j))
            )
            stem += spun(blade, 90.0) + spun(blade, -90.0)
        part += spun(moved(tilted(stem, -14.0), (0.03, 0.0, pot)), 45.0 * k)
    return part


def _canes(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Bamboo: jointed canes with narrow leaves."""
    part: Part = []
    cane = finish("wood", look.colors[1])
    for k in range(5):
        x, y = circle(5, look.width * 0.12)[k]
        tall = look.height * float(rng.uniform(0.85, 1.0))
        part += bar((x, y, pot), (x * 1.6, y * 1.6, tall), 0.026, cane, 0.016)
        for _ in range(5):
            z = float(rng.uniform(0.4, 0.95)) * tall
            blade = tilted(leaf(0.24, 0.05, look.paint("leaf"), 30.0), float(rng.uniform(0.0, 30.0)))
            part += moved(spun(blade, float(rng.uniform(0.0, 360.0))), (x * 1.4, y * 1.4, z))
    return part


def _rosettes(look: Look, pot: float, _: np.random.Generator) -> Part:
    """Three small succulents."""
    part: Part = []
    for number, y in enumerate((-0.12, 0.0, 0.12)):
        for k in range(6):
            blade = tilted(leaf(0.055, 0.03, look.paint("leaf", number % 2), -10.0), 25.0 + 20.0 * (k % 2))
            part += moved(spun(blade, 60.0 * k), (0.0, y, pot))
    return part


def _orchid(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Two arching stems of pale flowers over a few leaves."""
    part = _fan(4, 0.12, 0.05, pot, (10.0, 25.0), _greened(look), rng)
    petal, heart = look.paint("plain"), finish("plain", "#d9a2c0")
    for side in (1.0, -1.0):
        bend, tip = (0.02, side * 0.03, look.height * 0.86), (0.06, side * 0.09, look.height * 0.94)
        part += bar((0.0, 0.0, pot), bend, 0.008, _STEM) + bar(bend, tip, 0.007, _STEM)
        for k in range(4):
            y, z = side * (0.02 + 0.025 * k), look.height * (0.82 + 0.04 * k)
            part += _flower((0.05, y, z), 0.032, petal, heart)
    return part


def _greened(look: Look) -> Look:
    """The same plant with the leaf colour, where its body colour is that of its flowers."""
    return replace(look, colors=(look.colors[1], look.colors[1], look.colors[2]))


def _flower(at: tuple[float, float, float], size: float, petal: str, heart: str) -> Part:
    """A flat flower that faces the front."""
    x, y, z = at
    star = double_sided([quad([(x, y - size, z), (x, y, z - size), (x, y + size, z), (x, y, z + size)], petal)])
    front, dot = x + 0.003, size * 0.28
    left, right, low, high = y - dot, y + dot, z - dot, z + dot
    corners = [(front, left, high), (front, left, low), (front, right, low), (front, right, high)]
    return [*star, quad(corners, heart)]


def _trailing(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Heart leaves that spill over the rim."""
    part: Part = []
    for k in range(18):
        z = pot + float(rng.uniform(-0.12, 0.4)) * (look.height - pot)
        blade = tilted(leaf(0.09, 0.075, look.paint("leaf", k % 2), 40.0), float(rng.uniform(-30.0, 30.0)))
        part += spun(moved(blade, (look.width * float(rng.uniform(0.1, 0.34)), 0.0, max(0.03, z))), 20.0 * k)
    return part


def _fern(look: Look, pot: float, rng: np.random.Generator) -> Part:
    return _fan(16, look.width * 0.5, 0.06, pot, (20.0, 70.0), look, rng)


def _cactus(look: Look, pot: float, _: np.random.Generator) -> Part:
    """A ribbed ball with a golden crown."""
    radius = min(look.width * 0.42, (look.height - pot) / 2)
    crown = finish("plain", look.colors[1])
    return ball((0.0, 0.0, pot + radius), radius, look.paint("mesh"), 10) + disc(
        (pot + 1.9 * radius, pot + 2.0 * radius), radius * 0.4, crown, 8
    )


def _bushes(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Three herbs in a row."""
    part: Part = []
    for number, y in enumerate((-0.14, 0.0, 0.14)):
        for k in range(7):
            blade = tilted(leaf(0.06, 0.035, look.paint("leaf", number % 2), 15.0), float(rng.uniform(10.0, 80.0)))
            part += moved(spun(blade, 51.0 * k), (0.0, y, pot + float(rng.uniform(0.02, 0.1))))
    return part


def _spathes(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Glossy leaves with bright flowers of one broad petal."""
    green = _greened(look)
    part = _fan(8, 0.14, 0.07, pot + 0.08, (15.0, 45.0), green, rng)
    for k in range(5):
        x, y = circle(5, 0.05)[k]
        z = look.height * float(rng.uniform(0.78, 0.97))
        part += bar((0.0, 0.0, pot), (x, y, z), 0.007, _STEM) + _flower(
            (x + 0.01, y, z), 0.036, look.paint("plain"), finish("plain", "#f0d87a")
        )
    return part


_HABITS: dict[str, Callable[[Look, float, np.random.Generator], Part]] = {
    "large leaves": _large_leaves, "tree": _tree, "swords": _swords, "palm": _palm, "feathered": _feathered,
    "canes": _canes, "three rosettes": _rosettes, "orchid": _orchid, "trailing": _trailing, "fern": _fern,
    "barrel cactus": _cactus, "three bushes": _bushes, "spathes": _spathes,
}  # fmt: skip


def planter(look: Look) -> Part:
    """An empty pot with earth in it."""
    half_x, half_y, height, form = look.depth / 2, look.width / 2, look.height, str(look.shape["form"])
    if form == "trough":
        box = block((-half_x, half_x), (-half_y, half_y), (0.0, height), look.body, "")
        return fitted(box + _earth(half_x - 0.015, half_y - 0.015, height - 0.001), look.size)
    if form == "tub on legs":
        tub = turned(((0.42 * height, half_y * 0.86), (height, half_y)), look.body, 10, top=_SOIL)
        return fitted(tub + legs("splayed", half_x, half_y, 0.5 * height, look.frame), look.size)
    rings = _PLANTERS[form]
    body = turned(
        [(z * height, r * half_y) for z, r in rings],
        look.paint("rattan") if form == "basket" else look.body,
        12,
        top=_SOIL,
    )
    return fitted(body, look.size)


_PLANTERS = {
    "urn": ((0.0, 0.55), (0.1, 0.42), (0.35, 0.82), (0.75, 1.0), (0.9, 0.9), (1.0, 0.96)),
    "tapered": ((0.0, 0.72), (0.82, 0.94), (0.82, 1.0), (1.0, 1.0)),
    "bowl": ((0.0, 0.4), (0.45, 0.86), (1.0, 1.0)),
    "ribbed": ((0.0, 0.8), (0.2, 0.95), (0.3, 0.88), (0.5, 1.0), (0.6, 0.92), (0.85, 1.0), (1.0, 0.96)),
    "basket": ((0.0, 0.86), (0.5, 1.0), (1.0, 0.94)),
}


def plant_stand(look: Look) -> Part:
    """A stand of one tier, or of three like stairs or on a ladder."""
    half_x, half_y, height, form = look.depth / 2, look.width / 2, look.height, str(look.shape["form"])
    if form == "four legs":
        top = disc((height - 0.03, height), half_y, look.body, 12)
        return fitted(top + legs("splayed", half_x * 0.9, half_y * 0.9, height - 0.03, look.frame), look.size)
    if form == "ring on legs":
        ring = turned(((height - 0.03, half_y), (height, half_y)), look.body, 12)
        feet = [
            f
            for x, y in circle(3, half_y * 0.9)
            for f in bar((x, y, 0.0), (x * 0.8, y * 0.8, height), 0.016, look.frame)
        ]
        return fitted(ring + feet, look.size)
    part: Part = []
    for k in range(int(look.shape["tiers"])):
        z = height * (0.25 + 0.36 * k) if form == "stairs" else height * (0.2 + 0.34 * k)
        x = (half_x - (k + 1) * look.depth / 3.2, half_x - k * look.depth / 3.2)
        part += block(x if form == "stairs" else (-half_x, x[1]), (-half_y, half_y), (z - 0.02, z), look.body, "")
    if form == "stairs":
        part += mirrored(
            bar((half_x - 0.02, half_y - 0.02, 0.0), (half_x - 0.02, half_y - 0.02, height * 0.25), 0.03, look.frame)
        )
        return fitted(
            part
            + mirrored(
                bar((-half_x + 0.02, half_y - 0.02, 0.0), (-half_x + 0.02, half_y - 0.02, height), 0.03, look.frame)
            ),
            look.size,
        )
    rail = bar((half_x - 0.02, half_y - 0.015, 0.0), (-half_x + 0.02, half_y - 0.015, height), 0.03, look.frame)
    rear = bar((-half_x + 0.02, half_y - 0.015, 0.0), (-half_x + 0.02, half_y - 0.015, height), 0.03, look.frame)
    return fitted(part + mirrored(rail + rear), look.size)
