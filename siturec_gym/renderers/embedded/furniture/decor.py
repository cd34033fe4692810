"""Rugs, cushions, vases, clocks, mirrors, pictures and things for a desk."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    fitted,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import Face, box, quad

_GOLD = finish("metal", "#c9a24a")


def rug(look: Look) -> Part:
    """A flat thing on the floor, its pattern the right way up for who stands before it."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    printed = {"top": pattern(str(look.shape["pattern"]), look.colors)}
    return box((-half_x, half_x), (-half_y, half_y), (0.0, height), look.accent, "bottom", printed=printed)


def pillow(look: Look) -> Part:
    """A square cushion that leans back; it is thick in the middle and thin at the seams."""
    half_y, height, thick = look.width / 2, look.height, look.depth / 2
    kind = str(look.shape["pattern"])
    cover = look.body if kind == "plain" else pattern(kind, look.colors)
    edge = [(-half_y, 0.0), (half_y, 0.0), (half_y, height), (-half_y, height)]
    inner = [(y * 0.55, height / 2 + (z - height / 2) * 0.55) for y, z in edge]
    front: Part = []
    for side in range(4):
        following = (side + 1) % 4
        ring = [(thick, *inner[side]), (0.0, *edge[side]), (0.0, *edge[following]), (thick, *inner[following])]
        front.append(_mapped(ring, cover, half_y, height))
    front.append(_mapped([(thick, *point) for point in inner], cover, half_y, height))
    flip = np.array((-1.0, 1.0, 1.0))
    back = [Face((face.corners * flip)[::-1], face.uv[::-1], look.body, True) for face in front]
    return fitted(tilted(front + back, 12.0), look.size)


def _mapped(corners: list[tuple[float, float, float]], texture: str, half_y: float, height: float) -> Face:
    """A face of an upright picture: y and z give the place in it."""
    points = np.array(corners, np.float64)
    uv = np.stack(((points[:, 1] + half_y) / (2 * half_y), 1.0 - points[:, 2] / height), axis=1)
    return Face(points, uv, texture, texture.startswith("finish"))


def vase(look: Look) -> Part:
    """A round vessel by its profile, or a ring on a foot."""
    kind = str(look.shape["profile"])
    if kind == "ring":
        return _ring_vase(look)
    radius, height = look.width / 2, look.height
    rings = [(z * height, r * radius) for z, r in _PROFILES[kind]]
    body = turned(rings, look.body, 10, top=look.accent)
    if kind == "temple jar":  # blue bands on white
        low, high = 0.3 * height, 0.58 * height
        body += turned(((low, radius * 0.95), (low + 0.03, radius * 1.005)), look.accent, 10)
        body += turned(((high, radius * 1.005), (high + 0.025, radius * 0.99)), look.accent, 10)
        body += ball((0.0, 0.0, height), 0.02, look.accent, 6)
    if kind == "amphora":
        handle = bar((0.0, radius * 0.5, 0.9 * height), (0.0, radius * 1.05, 0.78 * height), 0.016, look.accent)
        body += mirrored(
            handle + bar((0.0, radius * 1.05, 0.78 * height), (0.0, radius * 0.9, 0.6 * height), 0.016, look.accent)
        )
    return fitted(body, look.size)


_PROFILES = {
    "bottle": ((0.0, 0.7), (0.25, 1.0), (0.5, 0.8), (0.7, 0.3), (1.0, 0.26)),
    "cylinder": ((0.0, 0.96), (0.5, 1.0), (1.0, 1.0)),
    "bud": ((0.0, 0.7), (0.35, 1.0), (0.62, 0.7), (0.8, 0.3), (1.0, 0.42)),
    "temple jar": ((0.0, 0.6), (0.35, 0.92), (0.66, 1.0), (0.78, 0.6), (0.84, 0.55), (0.84, 0.68), (0.94, 0.5)),
    "amphora": ((0.0, 0.3), (0.3, 0.8), (0.6, 0.9), (0.78, 0.45), (0.95, 0.4), (1.0, 0.6)),
}


def _ring_vase(look: Look) -> Part:
    radius, height = look.width / 2 * 0.8, look.height
    middle, part = height * 0.5, disc((0.0, 0.02), 0.06, look.accent, 8)
    points = [(radius * math.sin(k * math.pi / 4), middle - radius * math.cos(k * math.pi / 4)) for k in range(9)]
    for (y0, z0), (y1, z1) in pairwise(points):
        part += bar((0.0, y0, z0), (0.0, y1, z1), 0.06, look.body)
    return fitted(part + turned(((middle + radius, 0.03), (height, 0.035)), look.body, 8), look.size)


def clock(look: Look) -> Part:
    """A dial in a round rim, a small case, a mantel case, a tall case or a cuckoo's house."""
    half_x, half_y, height, form = look.depth / 2, look.width / 2, look.height, str(look.shape["form"])
    dial = pattern("dial", look.colors)
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


def framed(look: Look) -> Part:
    """A mirror or a picture: a sheet of some outline in a frame."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    kind, outline = str(look.shape["content"]), str(look.shape["outline"])
    sheet = pattern(kind, look.colors)
    rim = {"none": 0.0, "thin": 0.02, "ornate": 0.09, "on a foot": 0.02}[str(look.shape["frame"])]
    if outline == "rect":
        return fitted(_rect_frame(look, sheet, rim), look.size)
    base = 0.25 * height if look.shape["frame"] == "on a foot" else 0.0
    outer = _outline(outline, half_y, base, height)
    inner = [
        (
            y * (1 - rim / half_y),
            base + (height - base) / 2 + (z - base - (height - base) / 2) * (1 - 2 * rim / (height - base)),
        )
        for y, z in outer
    ]
    parts = [
        _fan_face(outer, half_x * 0.6, look.frame, half_y, base, height),
        _fan_face(inner, half_x, sheet, half_y, base, height),
    ]
    for (y0, z0), (y1, z1) in zip(outer, outer[1:] + outer[:1], strict=True):
        parts.append(
            quad([(half_x * 0.6, y0, z0), (-half_x, y0, z0), (-half_x, y1, z1), (half_x * 0.6, y1, z1)], look.frame)
        )
    if base:
        parts += turned(((0.0, 0.06), (0.02, 0.05), (0.04, 0.012), (base + 0.02, 0.012)), look.frame, 8)
    return fitted(parts, look.size)


def _outline(kind: str, half_y: float, base: float, height: float) -> list[tuple[float, float]]:
    """Corners of an oval, a circle or an arch, counter-clockwise as seen from the front."""
    if kind == "arch":
        spring = height - half_y
        bow = [(half_y * math.cos(math.pi * k / 8), spring + half_y * math.sin(math.pi * k / 8)) for k in range(9)]
        return [(-half_y, base), (half_y, base), *bow]
    middle, half_z = (base + height) / 2, (height - base) / 2
    return [
        (half_y * math.cos(2 * math.pi * k / 16), middle + half_z * math.sin(2 * math.pi * k / 16)) for k in range(16)
    ]


def _fan_face(
    outline: list[tuple[float, float]], x: float, texture: str, half_y: float, base: float, height: float
) -> Face:
    points = np.array([(x, y, z) for y, z in outline])
    uv = np.stack(((points[:, 1] + half_y) / (2 * half_y), 1.0 - (points[:, 2] - base) / (height - base)), axis=1)
    return Face(points, uv, texture, texture.startswith("finish"))


def _rect_frame(look: Look, sheet: str, rim: float) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    back = block((-half_x, half_x * 0.4), (-half_y, half_y), (0.0, height), look.frame, "back")
    front, y, low, high = half_x * 0.42, half_y - rim, rim, height - rim
    picture = [quad([(front, -y, high), (front, -y, low), (front, y, low), (front, y, high)], sheet)]
    if not rim:
        return [*back, *_face_rect(half_x, half_y, height, sheet)]
    bars = [
        ((-half_y, half_y), (0.0, rim)),
        ((-half_y, half_y), (high, height)),
        ((-half_y, -y), (low, high)),
        ((y, half_y), (low, high)),
    ]
    frame = [face for across, up in bars for face in block((0.0, half_x), across, up, look.frame, "back")]
    if look.shape["frame"] == "ornate":
        for corner in ((y, low), (y, high)):
            frame += mirrored(ball((half_x * 0.6, *corner), rim * 0.5, look.frame, 6))
    return back + picture + frame


def _face_rect(x: float, half_y: float, height: float, texture: str) -> Part:
    return [quad([(x, -half_y, height), (x, -half_y, 0.0), (x, half_y, 0.0), (x, half_y, height)], texture)]


def desk_item(look: Look) -> Part:
    """A desk pad, a pen tray, a letter tray, a pair of bookends or a pen cup."""
    return fitted(_DESK[str(look.shape["what"])](look), look.size)


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
