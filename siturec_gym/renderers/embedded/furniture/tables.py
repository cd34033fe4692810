"""Tables, desks and game tables: a top on a base."""

from siturec_gym.renderers.embedded.furniture.legs import circle, legs
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    bar,
    block,
    disc,
    ellipse,
    fitted,
    mirrored,
    moved,
    turned,
)
from siturec_gym.renderers.embedded.mesh import quad

_TOP_M, _SKIRT_M, _DRAWER_M = 0.035, 0.08, 0.11


def table(look: Look) -> Part:
    """Any table; a game table has its game on top."""
    hutch = float(look.shape.get("hutch_m", 0.0))
    height = look.height - hutch
    boxed = look.shape["top"] == "game box"
    parts = _game_box(look) if boxed else _base(look, height - _TOP_M) + _top(look, height)
    if look.shape["drawers"] and look.shape["base"] != "two drawer blocks":
        parts += _drawers(look, height - _TOP_M)
    if look.shape["shelf"]:
        half_x, half_y = look.depth / 2 - 0.03, look.width / 2 - 0.03
        parts += block((-half_x, half_x), (-half_y, half_y), (0.14, 0.165), look.accent, "")
    if hutch:
        parts += _hutch(look, height)
    if look.shape.get("game") == "net and lines":
        parts += _net(look, height)
    return fitted(parts, look.size)


def _top(look: Look, height: float) -> Part:
    half_x, half_y, z = look.depth / 2, look.width / 2, (height - _TOP_M, height)
    kind = str(look.shape["top"])
    if kind == "rect":
        top = block((-half_x, half_x), (-half_y, half_y), z, look.body, "")
        if look.shape.get("game") == "chess board":
            top += _sheet(half_x * 0.78, half_y * 0.78, height + 0.002, f"pattern|chess|{'|'.join(look.colors)}")
        if look.shape["base"] == "two drawer blocks":
            top += _sheet(half_x * 0.8, half_y * 0.86, height + 0.002, look.paint("leather", 1))
        return top
    if kind == "half-round":
        front = ellipse(z, half_x * 2, half_y, look.body, 16)
        return [face for face in moved(front, (-half_x, 0.0, 0.0)) if face.corners[:, 0].max() > -half_x + 1e-6]
    if kind == "oval":
        return ellipse(z, half_x, half_y, look.body, 14)
    if kind == "round pair":
        small = disc((height * 0.72, height * 0.72 + _TOP_M), half_x * 0.72, look.accent, 12, (0.0, half_y * 0.5, 0.0))
        return disc(z, half_x, look.body, 14, (0.0, -half_y + half_x, 0.0)) + small
    radius = min(half_x, half_y)
    top = disc(z, radius, look.body, 14)
    if kind == "round tray":
        top = turned(((z[0], radius * 0.96), (z[0] + 0.01, radius * 0.96), (z[1] + 0.03, radius)), look.body, 14)
    return top


def _base(look: Look, top: float) -> Part:
    half_x, half_y, kind = look.depth / 2, look.width / 2, str(look.shape["base"])
    if kind == "drum":
        return turned(((0.0, half_x * 0.94), (top, half_x * 0.94)), look.paint("rattan", 1), 14)
    if kind == "c-frame":
        side = bar((half_x - 0.03, half_y - 0.02, 0.015), (-half_x + 0.02, half_y - 0.02, 0.015), 0.028, look.frame)
        side += bar((-half_x + 0.02, half_y - 0.02, 0.0), (-half_x + 0.02, half_y - 0.02, top), 0.028, look.frame)
        return mirrored(side)
    if kind == "two drawer blocks":
        return _drawer_blocks(look, top)
    if look.shape["top"].startswith("round") and kind == "four":
        return _round_legs(look, top)
    parts = legs(kind, half_x - 0.02, half_y - 0.02, top, look.frame)
    if kind in ("four", "cabriole", "splayed", "turned"):
        skirt = half_x - 0.05, half_y - 0.05
        x, y = (-skirt[0], skirt[0]), (-skirt[1], skirt[1])
        parts += block(x, y, (top - _SKIRT_M, top), look.accent, "bottom top")
    return parts


def _round_legs(look: Look, top: float) -> Part:
    """Legs under a round top, splayed."""
    radius, parts = min(look.depth, look.width) / 2, []
    shift = -look.width / 2 + radius if look.shape["top"] == "round pair" else 0.0
    for x, y in circle(4 if look.width > 0.6 else 3, 1.0):
        foot, hip = radius * 0.86, radius * 0.66
        parts += bar((x * foot, y * foot + shift, 0.0), (x * hip, y * hip + shift, top), 0.03, look.frame, 0.045)
    if shift:
        for x, y in circle(3, 1.0):
            at = look.width / 2 - radius * 0.72
            low = 0.72 * look.height
            parts += bar(
                (x * 0.3 * radius, y * 0.5 * radius + at, 0.0),
                (x * 0.3 * radius, y * 0.4 * radius + at, low),
                0.03,
                look.frame,
            )
    return parts


def _drawer_blocks(look: Look, top: float) -> Part:
    """A pedestal of drawers on either side of the knees."""
    half_x, half_y = look.depth / 2 - 0.03, look.width / 2 - 0.03
    width = 0.3 * look.width
    part = block((-half_x, half_x), (half_y - width, half_y), (0.0, top), look.body)
    for k in range(3):
        z = 0.06 + k * (top - 0.08) / 3
        face = (half_x, half_x + 0.012), (half_y - width + 0.03, half_y - 0.03), (z, z + (top - 0.08) / 3 - 0.02)
        part += block(*face, look.body, "back") + _knob((half_x + 0.012, half_y - width / 2, sum(face[2]) / 2), look)
    part = mirrored(part)
    panel = block((-half_x, -half_x + 0.02), (-half_y + width, half_y - width), (0.2, top), look.body)
    return part + panel


def _knob(at: tuple[float, float, float], look: Look) -> Part:
    x, y, z = at
    return block((x, x + 0.018), (y - 0.03, y + 0.03), (z - 0.008, z + 0.008), look.paint("metal", 2), "back")


def _drawers(look: Look, top: float) -> Part:
    """A row of drawers under the top."""
    count, half_x = int(look.shape["drawers"]), look.depth / 2 - 0.03
    half_y = look.width / 2 - 0.05
    if look.shape["top"] == "half-round":
        half_y *= 0.5
    step, part = 2 * half_y / count, block((-half_x, half_x), (-half_y, half_y), (top - _DRAWER_M, top), look.accent)
    for k in range(count):
        y = -half_y + k * step + 0.012, -half_y + (k + 1) * step - 0.012
        part += block((half_x, half_x + 0.01), y, (top - _DRAWER_M + 0.012, top - 0.012), look.body, "back")
        part += _knob((half_x + 0.01, sum(y) / 2, top - _DRAWER_M / 2), look)
    return part


def _hutch(look: Look, height: float) -> Part:
    """Pigeonholes along the rear of a desk."""
    half_x, half_y, top = look.depth / 2, look.width / 2, look.height
    x = -half_x, -half_x + 0.2
    part = block(x, (-half_y, half_y), (top - 0.02, top), look.body, "")
    part += block((x[0], x[0] + 0.01), (-half_y, half_y), (height, top - 0.02), look.accent)
    for k in range(5):
        y = -half_y + 0.01 + k * (2 * half_y - 0.02) / 4
        part += block(x, (y - 0.01, y + 0.01), (height, top - 0.02), look.body, "bottom top")
    return part


def _sheet(half_x: float, half_y: float, z: float, texture: str) -> Part:
    """A thin printed sheet that lies flat, seen from the front the right way up."""
    return [quad([(-half_x, -half_y, z), (half_x, -half_y, z), (half_x, half_y, z), (-half_x, half_y, z)], texture)]


def _net(look: Look, height: float) -> Part:
    """The net of a tennis table, and its white lines."""
    half_x, half_y = look.depth / 2, look.width / 2
    lines = _sheet(half_x, half_y, height + 0.002, f"pattern|court|{'|'.join(look.colors)}")
    net = block((-half_x, half_x), (-0.006, 0.006), (height, height + 0.13), look.paint("mesh", 1))
    return lines + net


def _game_box(look: Look) -> Part:
    """A deep box on legs with a playing field inside."""
    half_x, half_y, top = look.depth / 2, look.width / 2, look.height
    floor, wall = top - 0.09, 0.035
    finish = look.body
    parts = block((-half_x, half_x), (-half_y, half_y), (top - 0.28, floor), finish)
    for x in ((-half_x, -half_x + wall), (half_x - wall, half_x)):
        parts += block(x, (-half_y, half_y), (floor, top), finish)
    parts += mirrored(block((-half_x, half_x), (half_y - wall, half_y), (floor, top), finish))
    parts += _sheet(
        half_x - wall, half_y - wall, floor + 0.002, f"pattern|{look.shape['game']}|{'|'.join(look.colors)}"
    )
    if look.shape["game"] == "foosball":
        parts += _rods(look, top - 0.03)
    return parts + legs("block", half_x, half_y, top - 0.28, look.paint("plain", 2))


def _rods(look: Look, z: float) -> Part:
    """Steel rods across the field, a row of players on each."""
    half_x, half_y, part = look.depth / 2 + 0.1, look.width / 2, []
    for k in range(6):
        y = (k - 2.5) / 3 * half_y
        part += bar((-half_x, y, z), (half_x, y, z), 0.016, look.paint("metal", 2))
        color = look.paint("plain", 1) if k % 2 else "finish|plain|#c8281f"
        for j in (-1, 0, 1):
            x = j * half_x * 0.5
            part += block((x - 0.015, x + 0.015), (y - 0.012, y + 0.012), (z - 0.06, z + 0.03), color)
    return part
