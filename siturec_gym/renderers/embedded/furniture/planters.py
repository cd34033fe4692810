"""Planters and the stands that plants stand on."""

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.legs import circle, legs
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, block, disc, fitted, mirrored, turned
from siturec_gym.renderers.embedded.mesh import quad

SOIL = finish("stone", "#3a2a1e")


def planter(look: Look) -> Part:
    """An empty pot with earth in it."""
    half_x, half_y, height, form = look.depth / 2, look.width / 2, look.height, str(look.shape["form"])
    if form == "trough":
        box = block((-half_x, half_x), (-half_y, half_y), (0.0, height), look.body, "")
        return fitted(box + earth(half_x - 0.015, half_y - 0.015, height - 0.001), look.size)
    if form == "tub on legs":
        tub = turned(((0.42 * height, half_y * 0.86), (height, half_y)), look.body, 10, top=SOIL)
        return fitted(tub + legs("splayed", half_x, half_y, 0.5 * height, look.frame), look.size)
    rings = chosen(_PLANTERS, form, "planter")
    body = turned(
        [(z * height, r * half_y) for z, r in rings],
        look.paint("rattan") if form == "basket" else look.body,
        12,
        top=SOIL,
    )
    return fitted(body, look.size)


_PLANTERS = {
    "urn": ((0.0, 0.55), (0.1, 0.42), (0.35, 0.82), (0.75, 1.0), (0.9, 0.9), (1.0, 0.96)),
    "tapered": ((0.0, 0.72), (0.82, 0.94), (0.82, 1.0), (1.0, 1.0)),
    "bowl": ((0.0, 0.4), (0.45, 0.86), (1.0, 1.0)),
    "ribbed": ((0.0, 0.8), (0.2, 0.95), (0.3, 0.88), (0.5, 1.0), (0.6, 0.92), (0.85, 1.0), (1.0, 0.96)),
    "basket": ((0.0, 0.86), (0.5, 1.0), (1.0, 0.94)),
}


def earth(half_x: float, half_y: float, z: float) -> Part:
    """A bed of soil, just above ``z``."""
    corners = [
        (-half_x, -half_y, z + 0.002),
        (half_x, -half_y, z + 0.002),
        (half_x, half_y, z + 0.002),
        (-half_x, half_y, z + 0.002),
    ]
    return [quad(corners, SOIL)]


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
