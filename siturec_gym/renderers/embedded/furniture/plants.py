"""Plants in their pots."""

from collections.abc import Callable

import numpy as np

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.leaves import STEM, fan, flower, greened, leaf, leaflet
from siturec_gym.renderers.embedded.furniture.legs import circle
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    double_sided,
    fitted,
    moved,
    spun,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.planters import SOIL, earth
from siturec_gym.renderers.embedded.mesh import quad

_BARK = finish("wood", "#6b5136")


def plant(look: Look) -> Part:
    """A pot with what grows in it."""
    rng = np.random.default_rng(int(look.product_id[1:]))
    share = float(look.shape["pot_share"])
    pot_height = share * look.height
    parts = _pot(str(look.shape["pot"]), look, pot_height)
    parts += chosen(_HABITS, look.shape["habit"], "habit")(look, pot_height, rng)
    return fitted(parts, look.size)


def _pot(kind: str, look: Look, height: float) -> Part:
    half = min(look.width, look.depth) / 2
    clay = look.paint("glaze", 2)
    if kind == "three bowls":
        bowls = [_bowl(0.05, height, clay, (0.0, y, 0.0)) for y in (-0.12, 0.0, 0.12)]
        return [face for bowl in bowls for face in bowl]
    if kind == "crate":
        crate = block((-0.08, 0.08), (-look.width / 2, look.width / 2), (0.0, height), look.paint("wood", 2), "")
        return crate + earth(0.07, look.width / 2 - 0.01, height)
    if kind == "box":
        side = half * 0.55
        return block((-side, side), (-side, side), (0.0, height), clay, "") + earth(side * 0.9, side * 0.9, height)
    radius = half * (0.6 if look.height > 0.6 else 0.72)
    finish_name = look.paint("rattan", 2) if kind == "basket" else clay
    foot = 0.72 if kind == "tapered" else 0.92
    rings = ((0.0, radius * foot), (height, radius))
    return turned(rings, finish_name, 10, top=SOIL)


def _bowl(radius: float, height: float, clay: str, at: tuple[float, float, float]) -> Part:
    return turned(((0.0, radius * 0.7), (height, radius)), clay, 8, at, SOIL)


def _large_leaves(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Broad leaves on long stems."""
    part: Part = []
    for k in range(10):
        lift = pot + (look.height - pot) * (0.3 + 0.6 * (k % 5) / 4)
        out = look.width * float(rng.uniform(0.12, 0.26))
        blade = moved(tilted(leaf(0.3, 0.28, look.paint("leaf", k % 2), 24.0), 20.0), (out, 0.0, lift))
        part += spun(blade + bar((0.0, 0.0, pot), (out, 0.0, lift), 0.014, STEM), 36.0 * k)
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
        part += spun(moved(frond, (0.02, 0.0, lift)) + bar((0.0, 0.0, pot), (0.02, 0.0, lift), 0.014, STEM), 33.0 * k)
    return part


def _feathered(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Upright stems with small leaves in pairs."""
    part: Part = []
    for k in range(8):
        tall = (look.height - pot) * float(rng.uniform(0.75, 1.0))
        stem = bar((0.0, 0.0, 0.0), (0.0, 0.0, tall), 0.014, STEM)
        for j in range(3):
            blade = moved(
                tilted(leaflet(0.13, 0.07, look.paint("leaf", j % 2)), 35.0), (0.0, 0.0, tall * (0.4 + 0.28 * j))
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
    part = fan(4, 0.12, 0.05, pot, (10.0, 25.0), greened(look), rng)
    petal, heart = look.paint("plain"), finish("plain", "#d9a2c0")
    for side in (1.0, -1.0):
        bend, tip = (0.02, side * 0.03, look.height * 0.86), (0.06, side * 0.09, look.height * 0.94)
        part += bar((0.0, 0.0, pot), bend, 0.008, STEM) + bar(bend, tip, 0.007, STEM)
        for k in range(4):
            y, z = side * (0.02 + 0.025 * k), look.height * (0.82 + 0.04 * k)
            part += flower((0.05, y, z), 0.032, petal, heart)
    return part


def _trailing(look: Look, pot: float, rng: np.random.Generator) -> Part:
    """Heart leaves that spill over the rim."""
    part: Part = []
    for k in range(18):
        z = pot + float(rng.uniform(-0.12, 0.4)) * (look.height - pot)
        blade = tilted(leaf(0.09, 0.075, look.paint("leaf", k % 2), 40.0), float(rng.uniform(-30.0, 30.0)))
        part += spun(moved(blade, (look.width * float(rng.uniform(0.1, 0.34)), 0.0, max(0.03, z))), 20.0 * k)
    return part


def _fern(look: Look, pot: float, rng: np.random.Generator) -> Part:
    return fan(16, look.width * 0.5, 0.06, pot, (20.0, 70.0), look, rng)


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
    green = greened(look)
    part = fan(8, 0.14, 0.07, pot + 0.08, (15.0, 45.0), green, rng)
    for k in range(5):
        x, y = circle(5, 0.05)[k]
        z = look.height * float(rng.uniform(0.78, 0.97))
        part += bar((0.0, 0.0, pot), (x, y, z), 0.007, STEM) + flower(
            (x + 0.01, y, z), 0.036, look.paint("plain"), finish("plain", "#f0d87a")
        )
    return part


_HABITS: dict[str, Callable[[Look, float, np.random.Generator], Part]] = {
    "large leaves": _large_leaves, "tree": _tree, "swords": _swords, "palm": _palm, "feathered": _feathered,
    "canes": _canes, "three rosettes": _rosettes, "orchid": _orchid, "trailing": _trailing, "fern": _fern,
    "barrel cactus": _cactus, "three bushes": _bushes, "spathes": _spathes,
}  # fmt: skip
