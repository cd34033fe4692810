"""Lamps that stand or hang: a base, a stem or an arm, and a shade."""

from collections.abc import Callable
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.legs import circle
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    fitted,
    glowing,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.shades import BULB_GLOW, SIDES, mouth, shade


def lamp(look: Look) -> Part:
    """A floor, table, desk or night lamp: a base, a stem or an arm, and a shade."""
    parts = chosen(_BASES, look.shape["base"], "base")(look) + _shade_of(look)
    return fitted(parts, look.size)


def _stem_top(look: Look) -> float:
    """Height at which the shade begins."""
    return look.height - _SHADE_SHARE.get(str(look.shape["shade"]), 0.3) * min(look.height, 3.0 * look.width)


_SHADE_SHARE = {"drum": 0.28, "small cap": 0.1, "globe": 0.33, "mushroom cap": 0.16, "bowl up": 0.16, "none": 0.0}


def _on_disc(look: Look) -> Part:
    """A round foot and a thin stem."""
    radius, top = min(0.14, 0.34 * min(look.width, look.depth)), _stem_top(look)
    foot = disc((0.0, 0.025), radius, look.frame, SIDES)
    if look.shape.get("arm"):
        return foot + _swing_arm(look)
    return foot + bar((0.0, 0.0, 0.02), (0.0, 0.0, top), 0.02, look.frame)


def _swing_arm(look: Look) -> Part:
    """A stem with an elbow; the head hangs from its end towards the front or the side."""
    top, reach = look.height, look.width / 2
    elbow = (0.0, -0.5 * reach, 0.62 * top) if look.height < 0.8 else (0.0, 0.0, 0.94 * top)
    end = (0.0, 0.62 * reach, 0.97 * top)
    return bar((0.0, 0.0, 0.02), elbow, 0.018, look.frame) + bar(elbow, end, 0.016, look.frame)


def _on_column(look: Look) -> Part:
    radius = 0.3 * min(look.width, look.depth)
    return turned(
        ((0.0, radius), (0.03, radius), (0.05, radius * 0.45), (_stem_top(look), radius * 0.4)), look.frame, 8
    )


def _arc(look: Look) -> Part:
    """A heavy foot at one side and a bow that carries the shade over the other."""
    half, top = look.width / 2, look.height
    foot = moved(disc((0.0, 0.05), look.depth / 2, look.paint("marble", 2), SIDES), (0.0, -half + look.depth / 2, 0.0))
    at = -half + look.depth / 2
    bow = [
        (at, 0.05),
        (at, 0.55 * top),
        (at + 0.12, 0.82 * top),
        (at + 0.4, 0.985 * top),
        (half - 0.3, 0.97 * top),
        (half - 0.17, 0.84 * top),
    ]
    part: Part = []
    for (y0, z0), (y1, z1) in pairwise(bow):
        part += bar((0.0, y0, z0), (0.0, y1, z1), 0.025, look.body)
    return foot + part


def _tripod(look: Look) -> Part:
    top, part = _stem_top(look), []
    for x, y in circle(3, look.width / 2 * 0.95):
        part += bar((x, y, 0.0), (x * 0.1, y * 0.1, top), 0.03, look.frame)
    return part


def _light_column(look: Look) -> Part:
    """A slim pillar that is the light itself."""
    half = look.width / 2
    foot = disc((0.0, 0.02), half, look.frame, SIDES)
    glow = glowing(block((-0.02, 0.02), (-0.03, 0.03), (0.03, look.height), look.paint("plain", 1), ""), BULB_GLOW)
    return foot + glow


def _gourd(look: Look) -> Part:
    """A bellied pot of ceramic."""
    radius, top = look.width * 0.32, _stem_top(look)
    rings = ((0.0, 0.55), (0.12, 0.7), (0.4, 1.0), (0.68, 0.72), (0.84, 0.3), (1.0, 0.16))
    return turned([(z * top, r * radius) for z, r in rings], look.body, SIDES)


def _short_legs(look: Look) -> Part:
    y = look.width / 2 - 0.03
    part: Part = []
    for x in (y, -y):
        part += bar((x, y, 0.0), (x, y, look.height), 0.02, look.frame)
    return mirrored(part)


def _clip(look: Look) -> Part:
    """A clamp at the edge of a shelf and a bent neck."""
    jaw = block((-0.03, 0.05), (-0.025, 0.025), (0.0, 0.09), look.frame, "")
    return jaw + bar((0.0, 0.0, 0.08), (-0.02, 0.0, 0.7 * look.height), 0.014, look.frame)


def _stand(look: Look) -> Part:
    return block((-0.06, 0.06), (-0.06, 0.06), (0.0, 0.03), look.frame) + bar(
        (0, 0, 0.03), (0, 0, 0.08), 0.03, look.frame
    )


_BASES: dict[str, Callable[[Look], Part]] = {
    "disc": _on_disc, "column": _on_column, "arc": _arc, "tripod": _tripod, "light column": _light_column,
    "gourd": _gourd, "short legs": _short_legs, "clip": _clip, "stand": _stand, "none": lambda _: [],
}  # fmt: skip


def _shade_of(look: Look) -> Part:
    """The shade of a standing lamp, where its base carries it."""
    kind, top = str(look.shape["shade"]), look.height
    radius, bottom = min(look.width, look.depth) / 2, _stem_top(look)
    if look.shape["base"] == "arc":
        return moved(shade("dome", look, 0.17, 0.2), (0.0, look.width / 2 - 0.17, 0.66 * top))
    if kind == "two cones":
        heads = [(0.09, 0.96 * top), (-0.09, 0.72 * top)]
        return [f for y, z in heads for f in moved(_head(look), (0.04, y, z - 0.12))]
    if kind == "cone":
        reach = 0.62 * look.width / 2 if look.shape["base"] != "clip" else 0.0
        return moved(_head(look), (0.02, reach, top - 0.16 if look.height < 0.8 else top - 0.2))
    if kind == "bar":
        return _bar_head(look)
    if kind == "none":
        return []
    return moved(shade(kind, look, radius, top - bottom), (0.0, 0.0, bottom))


def _bar_head(look: Look) -> Part:
    """A strip of light along the top."""
    half, top = look.width / 2, look.height
    strip = block((-0.02, 0.03), (-half, half), (top - 0.03, top), look.body, "bottom")
    tube = (-0.015, 0.025), (-half + 0.01, half - 0.01), (top - 0.036, top - 0.03)
    return strip + glowing(block(*tube, look.paint("plain", 1), "top"), BULB_GLOW)


def _head(look: Look) -> Part:
    """A cone with a bright mouth, tipped towards the front."""
    cone = turned(((0.0, 0.075), (0.1, 0.045), (0.14, 0.02)), look.body, 8)
    return tilted(cone + glowing(mouth(look, 0.07), BULB_GLOW), -24.0, (0.0, 0.07))


def pendant(look: Look) -> Part:
    """A cord from the ceiling with a shade at its end; the origin is the lowest point."""
    radius, tall = look.width / 2, float(look.shape["shade_share"]) * look.height
    rose = disc((look.height - 0.03, look.height), 0.05, look.frame, 8)
    cord = bar((0.0, 0.0, tall * 0.9), (0.0, 0.0, look.height - 0.03), 0.012, look.frame)
    if look.shape["shade"] == "five globes":
        return fitted(rose + _five_globes(look, radius), look.size)
    return fitted(rose + cord + shade(str(look.shape["shade"]), look, radius, tall), look.size)


def _five_globes(look: Look, radius: float) -> Part:
    """Globes on cords of three lengths that meet at the ceiling."""
    parts: Part = []
    for number, (x, y) in enumerate(circle(5, radius - 0.09)):
        z = 0.09 + 0.1 * (number % 3)
        parts += ball((x, y, z), 0.085, look.paint("plain"), 7, glow=0.9, bands=3)
        parts += bar((x, y, z + 0.08), (x * 0.1, y * 0.1, look.height - 0.02), 0.01, look.frame)
    return parts
