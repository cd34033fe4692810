"""Backs of chairs, upright, with their foot at the rear of the seat."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    TILE_M,
    Part,
    back_cushion,
    ball,
    bar,
    block,
    cushion,
    mirrored,
)
from siturec_gym.renderers.embedded.mesh import tiled

PIPE_M = 0.018


def _pad(look: Look, seat: float, half_y: float, foot: float, top_share: float = 1.0, thick: float = 0.12) -> Part:
    top, tufted = seat + (look.height - seat) * top_share, look.shape["back"] == "tufted"
    part = back_cushion(
        (foot - thick / 2, foot + thick / 2),
        (-half_y, half_y),
        (seat - 0.06, top),
        look.body,
        crown_m=0.0 if tufted else 0.018,
    )
    if look.shape.get("piping"):
        z, front = top - 0.02, foot + thick / 2
        part += bar((front, -half_y, z), (front, half_y, z), PIPE_M, look.paint("plain", 1))
        part += mirrored(bar((front, half_y, seat), (front, half_y, z), PIPE_M, look.paint("plain", 1)))
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
            part += button((front, y, z), look.accent)
    return part


def button(middle: tuple[float, float, float], finish: str) -> Part:
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


BACKS: dict[str, Callable[[Look, float, float, float], Part]] = {
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
