"""Lamps that stand, hang or are fixed to a wall. Shades shine a little by themselves, so that a lamp looks lit."""

from collections.abc import Callable
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.legs import circle
from siturec_gym.renderers.embedded.furniture.look import Look
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

_SHADE_GLOW, _BULB_GLOW = 0.55, 1.4
_SIDES = 10


def lamp(look: Look) -> Part:
    """A floor, table, desk or night lamp: a base, a stem or an arm, and a shade."""
    parts = _BASES[str(look.shape["base"])](look) + _shade_of(look)
    return fitted(parts, look.size)


def _stem_top(look: Look) -> float:
    """Height at which the shade begins."""
    return look.height - _SHADE_SHARE.get(str(look.shape["shade"]), 0.3) * min(look.height, 3.0 * look.width)


_SHADE_SHARE = {"drum": 0.28, "small cap": 0.1, "globe": 0.33, "mushroom cap": 0.16, "bowl up": 0.16, "none": 0.0}


def _on_disc(look: Look) -> Part:
    """A round foot and a thin stem."""
    radius, top = min(0.14, 0.34 * min(look.width, look.depth)), _stem_top(look)
    foot = disc((0.0, 0.025), radius, look.frame, _SIDES)
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
    foot = moved(disc((0.0, 0.05), look.depth / 2, look.paint("marble", 2), _SIDES), (0.0, -half + look.depth / 2, 0.0))
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
    foot = disc((0.0, 0.02), half, look.frame, _SIDES)
    glow = glowing(block((-0.02, 0.02), (-0.03, 0.03), (0.03, look.height), look.paint("plain", 1), ""), _BULB_GLOW)
    return foot + glow


def _gourd(look: Look) -> Part:
    """A bellied pot of ceramic."""
    radius, top = look.width * 0.32, _stem_top(look)
    rings = ((0.0, 0.55), (0.12, 0.7), (0.4, 1.0), (0.68, 0.72), (0.84, 0.3), (1.0, 0.16))
    return turned([(z * top, r * radius) for z, r in rings], look.body, _SIDES)


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
        strip = block((-0.02, 0.03), (-look.width / 2, look.width / 2), (top - 0.03, top), look.body, "bottom")
        lit = glowing(
            block(
                (-0.015, 0.025),
                (-look.width / 2 + 0.01, look.width / 2 - 0.01),
                (top - 0.036, top - 0.03),
                look.paint("plain", 1),
                "top",
            ),
            _BULB_GLOW,
        )
        return strip + lit
    if kind == "none":
        return []
    return moved(shade(kind, look, radius, top - bottom), (0.0, 0.0, bottom))


def _head(look: Look) -> Part:
    """A cone with a bright mouth, tipped towards the front."""
    cone = turned(((0.0, 0.075), (0.1, 0.045), (0.14, 0.02)), look.body, 8)
    return tilted(cone + glowing(_mouth(look, 0.07), _BULB_GLOW), -24.0, (0.0, 0.07))


def shade(kind: str, look: Look, radius: float, height: float) -> Part:
    """A shade standing on z = 0.

    Raises:
        ValueError: There is no such shade.
    """
    if kind not in _SHADES:
        raise ValueError(f"no shade {kind!r}; there are {', '.join(_SHADES)}")
    return _SHADES[kind](look, radius, height)


def _rings(finish: str, radius: float, height: float, shares: tuple[tuple[float, float], ...]) -> Part:
    return turned([(z * height, r * radius) for z, r in shares], finish, _SIDES)


def _drum(look: Look, radius: float, height: float) -> Part:
    cloth = look.paint("cloth", 1 if look.shape["builder"] == "lamp" else 0)
    cover = glowing(_rings(cloth, radius, height, ((0.0, 1.0), (1.0, 0.86))), _SHADE_GLOW)
    return cover + glowing(_mouth(look, radius * 0.94), _BULB_GLOW)


def _dome(look: Look, radius: float, height: float) -> Part:
    """A metal bowl, mouth down, with a lit inside rim."""
    shell = _rings(look.body, radius, height, ((0.0, 1.0), (0.4, 0.92), (0.8, 0.55), (1.0, 0.16)))
    return shell + glowing(_mouth(look, radius * 0.94), _BULB_GLOW)


def _mouth(look: Look, radius: float) -> Part:
    """A lit disc that is seen from below."""
    lit = disc((0.0, 0.004), radius, look.paint("plain", 1), _SIDES)
    return tilted(lit, 180.0)


def _woven(look: Look, radius: float, height: float) -> Part:
    weave = look.paint("rattan")
    cover = glowing(_rings(weave, radius, height, ((0.0, 0.9), (0.35, 1.0), (0.75, 0.7), (1.0, 0.2))), 0.35)
    return cover + glowing(_mouth(look, radius * 0.86), _BULB_GLOW)


def _stained(look: Look, radius: float, height: float) -> Part:
    rings = ((0.0, 1.0), (0.3, 0.95), (0.75, 0.55), (1.0, 0.12))
    return glowing(_rings(look.paint("stained"), radius, height, rings), 0.6)


def _globe(look: Look, radius: float, height: float) -> Part:
    size = min(radius, height / 2)
    return ball((0.0, 0.0, size), size, look.paint("paper" if "paper" in look.body else "plain"), _SIDES, glow=0.8)


def _mushroom(look: Look, radius: float, height: float) -> Part:
    rings = ((0.0, 0.72), (0.12, 1.0), (0.6, 0.78), (1.0, 0.25))
    return glowing(_rings(look.paint("plain"), radius, height, rings), _SHADE_GLOW)


def _small_cap(look: Look, radius: float, height: float) -> Part:
    cap = _rings(look.body, radius, height, ((0.0, 1.0), (0.7, 1.0), (1.0, 0.7)))
    return cap + glowing(_mouth(look, radius * 0.9), _BULB_GLOW)


def _bowl_up(look: Look, radius: float, height: float) -> Part:
    bowl = turned(((0.0, 0.25 * radius), (0.5 * height, 0.75 * radius), (height, radius)), look.body, _SIDES)
    return [*bowl[:-1], *glowing([bowl[-1]], _BULB_GLOW)]


def _half_cylinder(look: Look, _: float, height: float) -> Part:
    """A banker's shade: a trough over the desk."""
    y, z = look.width / 2, height
    roof = block((-0.04, 0.04), (-y, y), (0.7 * z, z), look.paint("glass"), "")
    front = block((0.04, 0.085), (-y, y), (0.15 * z, 0.85 * z), look.paint("glass"), "")
    back = block((-0.085, -0.04), (-y, y), (0.15 * z, 0.85 * z), look.paint("glass"), "")
    return glowing(roof + front + back, 0.35)


def _paper_box(look: Look, radius: float, height: float) -> Part:
    half = radius * 0.9
    return glowing(block((-half, half), (-half, half), (0.0, height), look.paint("paper"), ""), _SHADE_GLOW)


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


def pendant(look: Look) -> Part:
    """A cord from the ceiling with a shade at its end; the origin is the lowest point."""
    radius, tall = look.width / 2, float(look.shape["shade_share"]) * look.height
    rose = disc((look.height - 0.03, look.height), 0.05, look.frame, 8)
    cord = bar((0.0, 0.0, tall * 0.9), (0.0, 0.0, look.height - 0.03), 0.012, look.frame)
    if look.shape["shade"] == "five globes":
        parts = rose
        for number, (x, y) in enumerate(circle(5, radius - 0.09)):
            z = 0.09 + 0.1 * (number % 3)
            parts += ball((x, y, z), 0.085, look.paint("plain"), 8, glow=0.9)
            parts += bar((x, y, z + 0.08), (x * 0.1, y * 0.1, look.height - 0.02), 0.01, look.frame)
        return fitted(parts, look.size)
    return fitted(rose + cord + shade(str(look.shape["shade"]), look, radius, tall), look.size)


def wall_lamp(look: Look) -> Part:
    """A plate on the wall (x at the rear) with a shade before it."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    plate = block((-half_x, -half_x + 0.02), (-0.05, 0.05), (height * 0.25, height * 0.75), look.frame, "")
    kind = str(look.shape["shade"])
    if kind == "box":
        body = block((-half_x + 0.02, half_x), (-half_y, half_y), (0.0, height), look.body, "top bottom")
        ends = block(
            (-half_x + 0.03, half_x - 0.01),
            (-half_y + 0.01, half_y - 0.01),
            (0.004, height - 0.004),
            look.paint("plain", 1),
            "front back left right",
        )
        return fitted(plate + body + glowing(ends, _BULB_GLOW), look.size)
    if kind == "half drum":
        half = turned(((0.0, half_y), (height, half_y * 0.86)), look.paint("cloth", 1), 12)
        kept = [face for face in half[:-1] if face.corners[:, 0].mean() > 0.0]
        return fitted(plate + glowing(moved(kept, (-half_x + 0.02, 0.0, 0.0)), _SHADE_GLOW), look.size)
    if kind == "bar":
        arm = bar((-half_x, 0.0, height * 0.5), (half_x - 0.03, 0.0, height * 0.8), 0.016, look.frame)
        tube = block((half_x - 0.05, half_x), (-half_y, half_y), (height - 0.05, height), look.body, "bottom")
        lit = block(
            (half_x - 0.045, half_x - 0.005),
            (-half_y + 0.01, half_y - 0.01),
            (height - 0.055, height - 0.05),
            look.paint("plain", 1),
            "top",
        )
        return fitted(plate + arm + tube + glowing(lit, _BULB_GLOW), look.size)
    arm = bar((-half_x + 0.02, 0.0, height * 0.5), (half_x * 0.3, 0.0, height * 0.55), 0.018, look.frame)
    if kind == "globe":
        return fitted(
            plate + arm + ball((half_x * 0.3, 0.0, height * 0.5), half_y, look.paint("plain"), _SIDES, glow=0.8),
            look.size,
        )
    cone = glowing(turned(((0.0, half_y), (height * 0.6, half_y * 0.5)), look.paint("cloth"), _SIDES), _SHADE_GLOW)
    return fitted(plate + arm + moved(cone, (half_x * 0.4, 0.0, height * 0.3)), look.size)
