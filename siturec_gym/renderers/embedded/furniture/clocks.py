"""Clocks: a dial in a round rim, or in a case."""

import numpy as np

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, block, disc, fitted, mirrored, moved, tilted
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import Face, quad

_GOLD = finish("metal", "#c9a24a")
_INK = "#22201e"


def clock(look: Look) -> Part:
    """A dial in a round rim, a small case, a mantel case, a tall case or a cuckoo's house."""
    half_x, half_y, height, form = look.depth / 2, look.width / 2, look.height, str(look.shape["form"])
    face, ink = (look.colors[1], _INK) if form != "round" else look.colors[:2]
    dial = pattern("dial", (face, ink, look.colors[2]))
    if form == "round":
        wheel = moved(tilted(disc((-half_x, half_x), half_y, look.frame, 16, top=dial), -90.0), (0.0, 0.0, half_y))
        return fitted(_upright_lid(wheel, half_y), look.size)
    wood = look.paint("leather" if "leather" in look.body else "wood")
    if form == "longcase":
        return fitted(_longcase(look, wood, dial), look.size)
    if form == "cuckoo house":
        return fitted(_cuckoo(look, wood, dial), look.size)
    case = block((-half_x, half_x), (-half_y, half_y), (0.0, height), wood)
    if form == "mantel":  # wings slope from the dial's housing
        case = block((-half_x, half_x), (-half_y, half_y), (0.0, 0.22 * height), wood)
        case += block((-half_x, half_x), (-half_y * 0.55, half_y * 0.55), (0.22 * height, height), wood)
    size = min(half_y * 0.8, height * 0.42)
    return fitted(case + _face(half_x + 0.002, 0.0, 0.55 * height, size, dial), look.size)


def _upright_lid(faces: Part, radius: float) -> Part:
    """The faces of a wheel that stands, its front with the picture upright."""
    front = max(range(len(faces)), key=lambda k: float(faces[k].corners[:, 0].min()))
    lid = faces[front]
    uv = np.stack((0.5 + lid.corners[:, 1] / (2 * radius), 1.0 - lid.corners[:, 2] / (2 * radius)), axis=1)
    return [*faces[:front], Face(lid.corners, uv, lid.texture), *faces[front + 1 :]]


def _face(x: float, y: float, z: float, size: float, texture: str) -> Part:
    """A square picture that faces the front."""
    return [
        quad(
            [(x, y - size, z + size), (x, y - size, z - size), (x, y + size, z - size), (x, y + size, z + size)],
            texture,
        )
    ]


def _longcase(look: Look, wood: str, dial: str) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    foot = block((-half_x, half_x), (-half_y, half_y), (0.0, 0.22 * height), wood)
    trunk = block((-half_x * 0.8, half_x * 0.8), (-half_y * 0.68, half_y * 0.68), (0.22 * height, 0.74 * height), wood)
    hood = block((-half_x, half_x), (-half_y, half_y), (0.74 * height, 0.97 * height), wood)
    crown = block((-half_x * 0.6, half_x * 0.6), (-half_y * 0.5, half_y * 0.5), (0.97 * height, height), wood)
    front = half_x * 0.8 + 0.002
    window = [
        (front, -half_y * 0.4, 0.7 * height),
        (front, -half_y * 0.4, 0.3 * height),
        (front, half_y * 0.4, 0.3 * height),
        (front, half_y * 0.4, 0.7 * height),
    ]
    weight = block((front, front + 0.01), (-0.01, 0.01), (0.42 * height, 0.68 * height), _GOLD, "back")
    bob = moved(tilted(disc((0.0, 0.012), 0.055, _GOLD, 10), -90.0), (front + 0.002, 0.0, 0.4 * height))
    return (
        foot
        + trunk
        + hood
        + crown
        + [quad(window, finish("glass", "#2a2320"))]
        + weight
        + bob
        + _face(half_x + 0.002, 0.0, 0.86 * height, half_y * 0.8, dial)
    )


def _cuckoo(look: Look, wood: str, dial: str) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    eaves = 0.66 * height
    house = block((-half_x, half_x * 0.5), (-half_y * 0.75, half_y * 0.75), (0.2 * height, eaves), wood, "")
    slope = bar((0.0, 0.0, 0.98 * height), (0.0, half_y, eaves - 0.02), 0.03, look.paint("plain", 2))
    roof = [face for x in (-0.06, -0.02, 0.02, 0.06) for face in moved(slope, (x, 0.0, 0.0))]
    front = half_x * 0.5 + 0.002
    gable = [
        quad(
            [
                (front - 0.01, 0.0, 0.96 * height),
                (front - 0.01, -half_y * 0.75, eaves),
                (front - 0.01, half_y * 0.75, eaves),
                (front - 0.01, 0.0, 0.96 * height),
            ],
            wood,
        )
    ]
    door = _face(front, 0.0, 0.74 * height, 0.025, finish("wood", "#3a2416"))
    chains = [face for y in (-0.04, 0.04) for face in bar((0.0, y, 0.03), (0.0, y, 0.2 * height), 0.012, _GOLD)]
    return house + mirrored(roof) + gable + door + chains + _face(front, 0.0, 0.46 * height, half_y * 0.5, dial)
