"""Shades of lamps, standing on z = 0. They shine a little by themselves, so that a lamp looks lit."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    glowing,
    mirrored,
    tilted,
    turned,
)

SHADE_GLOW, BULB_GLOW = 0.55, 1.4


SIDES = 10


def shade(kind: str, look: Look, radius: float, height: float) -> Part:
    """A shade standing on z = 0.

    Raises:
        ValueError: There is no such shade.
    """
    return chosen(_SHADES, kind, "shade")(look, radius, height)


def _rings(finish: str, radius: float, height: float, shares: tuple[tuple[float, float], ...]) -> Part:
    return turned([(z * height, r * radius) for z, r in shares], finish, SIDES)


def _drum(look: Look, radius: float, height: float) -> Part:
    cloth = look.paint("cloth", 1 if look.shape["builder"] == "lamp" else 0)
    cover = glowing(_rings(cloth, radius, height, ((0.0, 1.0), (1.0, 0.86))), SHADE_GLOW)
    return cover + glowing(mouth(look, radius * 0.94), BULB_GLOW)


def _dome(look: Look, radius: float, height: float) -> Part:
    """A metal bowl, mouth down, with a lit inside rim."""
    shell = _rings(look.body, radius, height, ((0.0, 1.0), (0.4, 0.92), (0.8, 0.55), (1.0, 0.16)))
    return shell + glowing(mouth(look, radius * 0.94), BULB_GLOW)


def mouth(look: Look, radius: float) -> Part:
    """A lit disc that is seen from below."""
    lit = disc((0.0, 0.004), radius, look.paint("plain", 1), SIDES)
    return tilted(lit, 180.0)


def _woven(look: Look, radius: float, height: float) -> Part:
    weave = look.paint("rattan")
    cover = glowing(_rings(weave, radius, height, ((0.0, 0.9), (0.35, 1.0), (0.75, 0.7), (1.0, 0.2))), 0.35)
    return cover + glowing(mouth(look, radius * 0.86), BULB_GLOW)


def _stained(look: Look, radius: float, height: float) -> Part:
    rings = ((0.0, 1.0), (0.3, 0.95), (0.75, 0.55), (1.0, 0.12))
    return glowing(_rings(look.paint("stained"), radius, height, rings), 0.6)


def _globe(look: Look, radius: float, height: float) -> Part:
    size = min(radius, height / 2)
    return ball((0.0, 0.0, size), size, look.paint("paper" if "paper" in look.body else "plain"), SIDES, glow=0.8)


def _mushroom(look: Look, radius: float, height: float) -> Part:
    rings = ((0.0, 0.72), (0.12, 1.0), (0.6, 0.78), (1.0, 0.25))
    return glowing(_rings(look.paint("plain"), radius, height, rings), SHADE_GLOW)


def _small_cap(look: Look, radius: float, height: float) -> Part:
    cap = _rings(look.body, radius, height, ((0.0, 1.0), (0.7, 1.0), (1.0, 0.7)))
    return cap + glowing(mouth(look, radius * 0.9), BULB_GLOW)


def _bowl_up(look: Look, radius: float, height: float) -> Part:
    bowl = turned(((0.0, 0.25 * radius), (0.5 * height, 0.75 * radius), (height, radius)), look.body, SIDES)
    return [*bowl[:-1], *glowing([bowl[-1]], BULB_GLOW)]


def _half_cylinder(look: Look, _: float, height: float) -> Part:
    """A banker's shade: a trough over the desk."""
    y, z = look.width / 2, height
    roof = block((-0.04, 0.04), (-y, y), (0.7 * z, z), look.paint("glass"), "")
    front = block((0.04, 0.085), (-y, y), (0.15 * z, 0.85 * z), look.paint("glass"), "")
    back = block((-0.085, -0.04), (-y, y), (0.15 * z, 0.85 * z), look.paint("glass"), "")
    return glowing(roof + front + back, 0.35)


def _paper_box(look: Look, radius: float, height: float) -> Part:
    half = radius * 0.9
    return glowing(block((-half, half), (-half, half), (0.0, height), look.paint("paper"), ""), SHADE_GLOW)


def _cube(look: Look, radius: float, height: float) -> Part:
    return glowing(
        block((-radius, radius), (-look.width / 2, look.width / 2), (0.0, height), look.paint("plain", 1), ""), 0.7
    )


def _bunny(look: Look, _: float, height: float) -> Part:
    """A round body, a head and two ears."""
    soft, r = look.paint("plain"), 0.3 * height
    body = ball((0.0, 0.0, r), r, soft, 8, glow=0.4)
    head = ball((0.02, 0.0, 2.0 * r), 0.72 * r, soft, 8, glow=0.4)
    ear = bar((0.0, 0.35 * r, 2.5 * r), (-0.01, 0.5 * r, 3.4 * r), 0.35 * r, look.paint("plain", 1))
    eye = block((0.02 + 0.66 * r, 0.02 + 0.72 * r), (0.2 * r, 0.32 * r), (2.05 * r, 2.17 * r), "finish|plain|#3a2f2f")
    return body + head + mirrored(ear + eye)


_SHADES: dict[str, Callable[[Look, float, float], Part]] = {
    "drum": _drum, "dome": _dome, "woven dome": _woven, "stained dome": _stained, "globe": _globe,
    "mushroom cap": _mushroom, "small cap": _small_cap, "bowl up": _bowl_up, "half cylinder": _half_cylinder,
    "tall paper box": _paper_box, "cube": _cube, "bunny": _bunny,
}  # fmt: skip
