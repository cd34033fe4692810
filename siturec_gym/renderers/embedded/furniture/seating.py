"""Chairs, sofas and ottomans."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.legs import legs
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    TILE_M,
    Part,
    back_cushion,
    ball,
    bar,
    block,
    cushion,
    fitted,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.mesh import Range, tiled

_LEAN_DEG = 12.0
_PIPE_M = 0.018


def chair(look: Look) -> Part:
    """A seat, a back, perhaps arms, and legs."""
    half_x, half_y, seat = look.depth / 2, look.width / 2, float(look.shape["seat_m"])
    arms, back = str(look.shape["arms"]), str(look.shape["back"])
    pad = 0.05 if back in _BARE_BACKS else 0.14 if arms in _UPHOLSTERED else 0.1
    inset = _arm_width(look) if arms != "none" else 0.0
    plan = (-half_x + 0.08, half_x), (-half_y + inset, half_y - inset)
    base = seat - pad
    parts = legs(str(look.shape["legs"]), half_x * 0.94, half_y * 0.94, base, look.frame)
    parts += cushion(*plan, (base, seat), _seat_finish(look), 0.02 if pad < 0.08 else 0.04)
    if look.shape.get("piping"):
        parts += _piping(plan, seat - 0.05, look.paint("plain", 1))
    if look.shape.get("footrest"):
        parts += tilted(cushion((half_x, half_x + 0.14), plan[1], (0.1, base), look.body), -12.0, (half_x, base))
    parts += _back(back, look, seat, (half_y - inset))
    parts += _arms(arms, look, seat)
    return fitted(parts, look.size)


_BARE_BACKS = ("spindle", "cane", "balloon", "shell", "bear ears", "spindle pad", "none")
_UPHOLSTERED = ("rolled", "track", "tub")


def _arm_width(look: Look) -> float:
    arms = look.shape["arms"]
    return {"open wood": 0.05, "t-arms": 0.06}.get(str(arms), min(0.16, 0.17 * look.width))


def _seat_finish(look: Look) -> str:
    """Chairs of wood with a coloured pad show the pad; mesh chairs have a cloth seat."""
    return look.paint("cloth") if look.shape["back"] == "mesh" else look.body


def _piping(plan: tuple[Range, Range], z: float, finish: str) -> Part:
    """A dark cord around the seat's edge."""
    (x0, x1), (y0, y1) = plan
    front = bar((x1, y0, z), (x1, y1, z), _PIPE_M, finish)
    return front + mirrored(bar((x0, y1, z), (x1, y1, z), _PIPE_M, finish))


def _back(kind: str, look: Look, seat: float, half_y: float) -> Part:
    """The back of that kind, leaning a little, its foot at the rear of the seat."""
    if kind == "none":
        return []
    foot = -look.depth / 2 + 0.1
    return tilted(_BACKS[kind](look, seat, half_y, foot), _LEAN_DEG, (foot, seat))


def _pad(look: Look, seat: float, half_y: float, foot: float, top_share: float = 1.0, thick: float = 0.12) -> Part:
    top = seat + (look.height - seat) * top_share
    part = back_cushion((foot - thick / 2, foot + thick / 2), (-half_y, half_y), (seat - 0.06, top), look.body)
    if look.shape.get("piping"):
        z, front = top - 0.02, foot + thick / 2
        part += bar((front, -half_y, z), (front, half_y, z), _PIPE_M, look.paint("plain", 1))
        part += mirrored(bar((front, half_y, seat), (front, half_y, z), _PIPE_M, look.paint("plain", 1)))
    return part


def _wings(look: Look, seat: float, half_y: float, foot: float) -> Part:
    part = _pad(look, seat, half_y, foot)
    wing = (foot, foot + 0.26), (half_y - 0.02, half_y + 0.08), (seat + 0.2, look.height - 0.02)
    return part + mirrored(block(*wing, look.body))


def _tufted(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A pad with buttons in rows."""
    part = _pad(look, seat, half_y, foot)
    front, rise = foot + 0.062, look.height - seat
    for row, z in enumerate((seat + 0.35 * rise, seat + 0.65 * rise)):
        for k in range(3 - row):
            y = (k - (2 - row) / 2) * half_y * 0.6
            part += _button((front, y, z), look.accent)
    return part


def _button(middle: tuple[float, float, float], finish: str) -> Part:
    """A flat stud that faces the front."""
    x, y, z = middle
    points = [(x, y - 0.02, z), (x, y, z - 0.02), (x, y + 0.02, z), (x, y, z + 0.02)]
    return [tiled(points, finish, TILE_M)]


def _framed(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A pad within a carved frame."""
    top = look.height
    part = back_cushion((foot - 0.04, foot + 0.06), (-half_y + 0.07, half_y - 0.07), (seat + 0.1, top - 0.1), look.body)
    part += mirrored(bar((foot, half_y - 0.03, seat - 0.1), (foot, half_y - 0.05, top - 0.05), 0.06, look.frame))
    part += bar((foot, -half_y, top - 0.05), (foot, half_y, top - 0.05), 0.08, look.frame)
    return part + ball((foot, 0.0, top - 0.04), 0.06, look.frame, 6)


def _tub(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """Rounded: a middle slab and two that turn forward."""
    part = back_cushion(
        (foot - 0.06, foot + 0.06), (-half_y * 0.7, half_y * 0.7), (seat - 0.06, look.height), look.body
    )
    side = block(
        (foot - 0.04, foot + 0.24), (half_y * 0.68, half_y + 0.06), (seat - 0.06, look.height - 0.03), look.body
    )
    return part + mirrored(side)


def _shell(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """One thin moulded slab, narrower above."""
    z = seat, look.height
    lower = block((foot - 0.015, foot + 0.02), (-half_y, half_y), (z[0], (z[0] + z[1]) / 2), look.body)
    upper = block((foot - 0.015, foot + 0.02), (-half_y * 0.8, half_y * 0.8), ((z[0] + z[1]) / 2, z[1]), look.body)
    return lower + upper


def _spindles(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """Round sticks under a top rail."""
    top, finish = look.height, look.frame
    part = block((foot - 0.02, foot + 0.02), (-half_y, half_y), (top - 0.09, top), finish, "")
    for k in range(7):
        y = (k - 3) / 3 * (half_y - 0.03)
        part += bar((foot, y, seat), (foot, y, top - 0.08), 0.03 if k in (0, 6) else 0.017, finish)
    return part


def _spindles_with_pad(look: Look, seat: float, half_y: float, foot: float) -> Part:
    pad = back_cushion((foot, foot + 0.08), (-half_y + 0.06, half_y - 0.06), (seat, look.height - 0.14), look.body)
    return _spindles(look, seat, half_y, foot) + pad


def _cane(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """Woven cane in a frame."""
    top, finish = look.height, look.frame
    panel = block(
        (foot - 0.006, foot + 0.006),
        (-half_y + 0.04, half_y - 0.04),
        (seat + 0.12, top - 0.05),
        look.paint("rattan", 1),
    )
    posts = mirrored(bar((foot, half_y - 0.02, seat - 0.05), (foot, half_y - 0.02, top), 0.04, finish))
    rails = [(seat + 0.1), (top - 0.03)]
    return panel + posts + [f for z in rails for f in bar((foot, -half_y, z), (foot, half_y, z), 0.045, finish)]


def _balloon(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A hoop, waisted below, with a rail across."""
    top, finish, reach = look.height, look.frame, half_y - 0.02
    outline = [
        (0.55 * reach, seat),
        (0.75 * reach, seat + 0.12),
        (reach, top - 0.18),
        (0.7 * reach, top - 0.03),
        (0.0, top),
    ]
    part: Part = []
    for (y0, z0), (y1, z1) in pairwise(outline):
        part += bar((foot, y0, z0), (foot, y1, z1), 0.042, finish)
    part = mirrored(part)
    return part + bar((foot, -0.7 * reach, seat + 0.2), (foot, 0.7 * reach, seat + 0.2), 0.05, finish)


def _mesh(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A thin net in a frame, on a stem."""
    top, half = look.height, half_y * 0.85
    panel = block((foot - 0.01, foot + 0.015), (-half, half), (seat + 0.08, top - 0.2), look.body)
    head = cushion((foot - 0.03, foot + 0.05), (-half * 0.6, half * 0.6), (top - 0.16, top), look.paint("cloth"))
    stem = bar((foot - 0.04, 0.0, seat - 0.08), (foot - 0.02, 0.0, top - 0.1), 0.05, look.frame)
    lumbar = block((foot, foot + 0.04), (-half * 0.8, half * 0.8), (seat + 0.14, seat + 0.22), look.accent)
    return panel + head + stem + lumbar


def _racing(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A bucket back with coloured side bolsters, a head pillow and a lumbar pillow."""
    top, half = look.height, half_y * 0.92
    accent = look.paint("leather", 1)
    part = back_cushion((foot - 0.05, foot + 0.06), (-half * 0.62, half * 0.62), (seat - 0.05, top), look.body)
    bolster = block((foot - 0.03, foot + 0.13), (half * 0.6, half), (seat, seat + 0.72 * (top - seat)), accent)
    pillow = cushion((foot + 0.05, foot + 0.12), (-half * 0.42, half * 0.42), (top - 0.2, top - 0.06), accent)
    return part + mirrored(bolster) + pillow


def _bear(look: Look, seat: float, half_y: float, foot: float) -> Part:
    """A rounded back with two ears."""
    top = look.height - 0.05
    back = block((foot - 0.015, foot + 0.015), (-half_y * 0.8, half_y * 0.8), (seat, top), look.body)
    return back + mirrored(ball((foot, half_y * 0.55, top), 0.05, look.body, 6))


_BACKS: dict[str, Callable[[Look, float, float, float], Part]] = {
    "pad": _pad,
    "low pad": partial(_pad, top_share=0.98, thick=0.16),
    "high pad": partial(_pad, thick=0.18),
    "wing": _wings,
    "tufted": _tufted,
    "framed pad": _framed,
    "tub": _tub,
    "shell": _shell,
    "spindle": _spindles,
    "spindle pad": _spindles_with_pad,
    "cane": _cane,
    "balloon": _balloon,
    "mesh": _mesh,
    "racing": _racing,
    "bear ears": _bear,
}


def _arms(kind: str, look: Look, seat: float) -> Part:
    half_x, half_y, width = look.depth / 2, look.width / 2, _arm_width(look)
    rest = seat + min(0.22, 0.55 * (look.height - seat))
    y = half_y - width, half_y
    if kind == "none":
        return []
    if kind in ("open wood", "t-arms"):
        middle = half_y - width / 2
        arm = bar((-half_x + 0.06, middle, rest + 0.02), (half_x - 0.02, middle, rest), width, look.frame)
        front = half_x - 0.06 if kind == "open wood" else 0.0
        foot = 0.1 if kind == "open wood" else seat - 0.05
        return mirrored(arm + bar((front, middle, foot), (front - 0.02, middle, rest), 0.04, look.frame))
    base = 0.1 if kind != "tub" else seat - 0.2
    arm = cushion((-half_x + 0.05, half_x - 0.02), y, (base, rest), look.body, 0.045)
    if kind == "rolled":
        roll = tilted(turned(((-half_x + 0.04, width * 0.62), (half_x, width * 0.62)), look.body, 8), -90.0)
        arm += moved(roll, (0.0, half_y - width / 2, rest))
    return mirrored(arm)


def sofa(look: Look) -> Part:
    """A base, seat cushions, a back and arms."""
    half_x, half_y, seat = look.depth / 2, look.width / 2, float(look.shape["seat_m"])
    arms = str(look.shape["arms"])
    inset = 0.0 if arms == "none" else 0.06 if arms == "open wood" else 0.15
    left = -half_y + (0.2 if arms == "corner back" else inset)
    right = half_y - (0.0 if arms == "corner back" else inset)
    foot = 0.12
    parts = legs(str(look.shape["legs"]), half_x - 0.03, half_y - 0.03, foot, look.frame)
    parts += block(
        (-half_x, half_x - 0.02), (-half_y if inset == 0 else left, right), (foot, seat - 0.14), look.body, ""
    )
    seats = look.shape["seats"]
    count = max(1, round((right - left) / 0.62)) if seats == "by width" else int(seats)
    step = (right - left) / count
    for k in range(count):
        y = left + k * step + 0.006, left + (k + 1) * step - 0.006
        parts += cushion((-half_x + 0.2, half_x), y, (seat - 0.14, seat), look.body, 0.04)
    parts += _sofa_back(look, seat, (left, right), count)
    return fitted(parts + _sofa_arms(arms, look, seat, inset), look.size)


def _sofa_back(look: Look, seat: float, y: Range, count: int) -> Part:
    half_x, kind, top = look.depth / 2, look.shape["back"], look.height
    if kind == "camel":
        low = block((-half_x, -half_x + 0.16), y, (seat - 0.2, top - 0.18), look.body)
        hump = y[0] + 0.22 * (y[1] - y[0]), y[1] - 0.22 * (y[1] - y[0])
        return low + cushion((-half_x, -half_x + 0.16), hump, (top - 0.2, top), look.body, 0.06)
    part = block((-half_x, -half_x + 0.14), y, (seat - 0.2, top - 0.06), look.body)
    step = (y[1] - y[0]) / count
    for k in range(count):
        ends = y[0] + k * step + 0.008, y[0] + (k + 1) * step - 0.008
        pad = back_cushion((-half_x + 0.13, -half_x + 0.28), ends, (seat, top), look.body)
        if kind == "tufted":
            for j in (-1, 0, 1):
                middle = -half_x + 0.282, sum(ends) / 2 + j * step * 0.28, seat + 0.6 * (top - seat)
                pad += _button(middle, look.accent)
        part += pad
    return part


def _sofa_arms(kind: str, look: Look, seat: float, inset: float) -> Part:
    half_x, half_y = look.depth / 2, look.width / 2
    if kind == "none":
        return []
    if kind == "corner back":
        return back_cushion((-half_x, half_x), (-half_y, -half_y + 0.18), (0.12, look.height), look.body)
    if kind == "open wood":
        rest, y = seat + 0.2, half_y - inset / 2
        arm = bar((-half_x + 0.05, y, rest), (half_x - 0.03, y, rest), 0.05, look.frame)
        return mirrored(arm + bar((half_x - 0.06, y, 0.1), (half_x - 0.06, y, rest), 0.05, look.frame))
    rest = seat + (0.2 if kind == "track" else 0.24)
    arm = cushion((-half_x, half_x - 0.01), (half_y - inset, half_y), (0.12, rest), look.body, 0.03)
    if kind == "rolled":
        roll = tilted(turned(((-half_x, 0.1), (half_x, 0.1)), look.body, 8), -90.0)
        arm += moved(roll, (0.0, half_y - inset / 2, rest))
    return mirrored(arm)


def ottoman(look: Look) -> Part:
    """Round, box-shaped, a pouf or a bean bag."""
    half_x, half_y, form = look.depth / 2, look.width / 2, str(look.shape["form"])
    radius, height = look.width / 2, look.height
    if form == "pouf":
        rings = ((0.0, radius * 0.7), (0.25 * height, radius), (0.75 * height, radius), (height, radius * 0.62))
        return fitted(turned(rings, look.body, 10), look.size)
    if form == "bag":
        shares = ((0.0, 0.8), (0.22, 1.0), (0.5, 0.86), (0.8, 0.45), (1.0, 0.12))
        return fitted(turned([(z * height, r * radius) for z, r in shares], look.body, 9), look.size)
    lift = 0.1 if look.shape["legs"] != "none" else 0.0
    parts = legs(str(look.shape["legs"]), half_x * 0.8, half_y * 0.9, lift or 0.001, look.frame) if lift else []
    if form == "round":
        return fitted(
            parts + turned(((lift, radius), (height - 0.04, radius), (height, radius - 0.04)), look.body, 12), look.size
        )
    parts += block((-half_x, half_x), (-half_y, half_y), (lift, height - 0.1), look.body)
    top = look.paint("wood", 1) if form == "box with lid" else look.body
    return fitted(parts + cushion((-half_x, half_x), (-half_y, half_y), (height - 0.1, height), top), look.size)
