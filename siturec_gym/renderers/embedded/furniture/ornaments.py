"""Vintage ornaments."""

import math
from collections.abc import Callable
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.finishes import finish
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
    mirrored,
    moved,
    spun,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import quad


def ornament(look: Look) -> Part:
    """A globe, a gramophone, a typewriter, a telescope, a figurine, a bust, candlesticks or a ship."""
    return fitted(chosen(_ORNAMENTS, look.shape["what"], "ornament")(look), look.size)


def _globe(look: Look) -> Part:
    """A world in a brass ring on a turned foot."""
    radius, height, brass, wood = look.width * 0.38, look.height, look.body, look.paint("wood", 2)
    middle = height - radius - 0.02
    foot = turned(((0.0, 0.1), (0.03, 0.1), (0.05, 0.03), (middle - radius, 0.025)), wood, 8)
    ring = [
        (radius * 1.12 * math.sin(a), middle - radius * 1.12 * math.cos(a)) for a in [k * math.pi / 6 for k in range(7)]
    ]
    arc = [face for (y0, z0), (y1, z1) in pairwise(ring) for face in bar((0.0, y0, z0), (0.0, y1, z1), 0.018, brass)]
    return foot + ball((0.0, 0.0, middle), radius, pattern("globe", look.colors), 10) + arc


def _gramophone(look: Look) -> Part:
    """A wooden case with a record and a great horn."""
    wood, brass, height = look.paint("wood", 2), look.body, look.height
    case = block((-0.17, 0.17), (-0.17, 0.17), (0.0, 0.16), wood)
    record = disc((0.16, 0.175), 0.14, finish("plain", "#1c1c1e"), 12) + disc(
        (0.175, 0.178), 0.045, finish("plain", "#b03a2e"), 8
    )
    neck = bar((-0.13, 0.0, 0.16), (-0.15, 0.0, 0.34), 0.03, brass) + bar(
        (-0.15, 0.0, 0.34), (-0.06, 0.0, 0.42), 0.03, brass
    )
    horn = turned(((0.0, 0.02), (0.12, 0.05), (0.2, 0.1), (0.26, 0.19)), brass, 10, top=look.accent)
    crank = bar((0.0, 0.17, 0.08), (0.0, 0.23, 0.08), 0.014, brass)
    return case + record + neck + crank + moved(tilted(horn, -58.0), (-0.06, 0.0, height - 0.22))


def _typewriter(look: Look) -> Part:
    """A sloping keyboard before a carriage with a sheet of paper."""
    half_y, body, dark = look.width / 2, look.paint("plain"), look.paint("plain", 1)
    base = block((-0.14, 0.16), (-half_y * 0.9, half_y * 0.9), (0.0, 0.05), body)
    hood = block((-0.14, 0.03), (-half_y * 0.9, half_y * 0.9), (0.05, 0.11), body)
    roller = block((-0.1, -0.06), (-half_y, half_y), (0.11, 0.145), dark)
    keys: Part = []
    for row in range(4):
        for k in range(9):
            x, y = 0.05 + row * 0.03, (k - 4) * half_y * 0.19
            keys += block(
                (x, x + 0.018),
                (y - 0.01, y + 0.01),
                (0.05, 0.075 - row * 0.006),
                look.paint("plain", 2),
                "bottom back left right",
            )
    sheet = block((-0.085, -0.08), (-half_y * 0.5, half_y * 0.5), (0.14, 0.19), finish("paper", "#f4f1e6"), "")
    return base + hood + roller + keys + sheet


def _telescope(look: Look) -> Part:
    """A brass tube on a wooden tripod."""
    part: Part = []
    for x, y in circle(3, 0.13):
        part += bar((x, y, 0.0), (x * 0.15, y * 0.15, 0.3), 0.018, look.paint("wood", 2))
    tube = turned(
        ((-0.2, 0.022), (-0.04, 0.022), (-0.04, 0.03), (0.14, 0.03), (0.14, 0.038), (0.2, 0.038)),
        look.body,
        8,
        top=finish("glass", "#2a3338"),
    )
    return part + moved(spun(tilted(tube, -62.0), 90.0), (0.0, 0.0, 0.36))


def _figurine(look: Look) -> Part:
    """A dancer in a wide skirt, one arm raised."""
    height, skin, dress = look.height, look.paint("glaze"), look.paint("glaze", 1)
    skirt = turned(((0.0, 0.05), (0.02, 0.07), (0.42 * height, 0.028)), dress, 8)
    bust = turned(((0.42 * height, 0.024), (0.56 * height, 0.03), (0.66 * height, 0.028)), look.paint("glaze", 2), 6)
    head = ball((0.0, 0.0, 0.77 * height), 0.024, skin, 6) + ball(
        (-0.008, 0.0, 0.85 * height), 0.012, finish("plain", "#5a3a28"), 4
    )
    arm = bar((0.0, 0.026, 0.64 * height), (0.0, 0.06, 0.8 * height), 0.013, skin) + bar(
        (0.0, 0.06, 0.8 * height), (0.0, 0.02, height), 0.011, skin
    )
    other = bar((0.0, -0.026, 0.64 * height), (0.02, -0.075, 0.52 * height), 0.013, skin)
    return skirt + bust + head + arm + other


def _bust(look: Look) -> Part:
    """Head and shoulders of marble on a plinth."""
    height, stone = look.height, look.body
    plinth = turned(((0.0, 0.085), (0.03, 0.085), (0.05, 0.05), (0.16 * height, 0.05)), look.paint("stone", 2), 8)
    chest = turned(
        ((0.16 * height, 0.06), (0.34 * height, 0.12), (0.46 * height, 0.1), (0.52 * height, 0.045)), stone, 8
    )
    neck = turned(((0.5 * height, 0.045), (0.64 * height, 0.04)), stone, 6)
    head = ball((0.0, 0.0, 0.79 * height), 0.09 * height / 0.44, stone, 8, 1.2)
    nose = block((0.075, 0.1), (-0.012, 0.012), (0.75 * height, 0.81 * height), stone)
    hair = ball((-0.02, 0.0, 0.86 * height), 0.085, look.accent, 8, 0.9)
    return plinth + chest + neck + head + nose + hair


def _candlesticks(look: Look) -> Part:
    """Two turned sticks with candles."""
    height = look.height
    profile = (
        (0.0, 0.045),
        (0.015, 0.045),
        (0.03, 0.014),
        (0.3 * height, 0.02),
        (0.45 * height, 0.012),
        (0.62 * height, 0.028),
        (0.64 * height, 0.028),
    )
    stick = turned(profile, look.body, 8, (0.0, 0.08, 0.0))
    candle = turned(((0.64 * height, 0.012), (0.95 * height, 0.012)), look.paint("plain", 1), 6, (0.0, 0.08, 0.0))
    flame = bar((0.0, 0.08, 0.95 * height), (0.0, 0.08, height), 0.01, finish("plain", "#f2b53a"), 0.003)
    return mirrored(stick + candle + flame)


def _ship(look: Look) -> Part:
    """A hull with three masts of square sails, on a stand."""
    half_y, height, wood, sail = look.width / 2, look.height, look.body, look.paint("cloth", 1)
    stand = [face for y in (-0.1, 0.1) for face in block((-0.04, 0.04), (y - 0.012, y + 0.012), (0.0, 0.05), wood)]
    deck = 0.15
    keel, rail = half_y * 0.72, half_y * 0.86
    sides: Part = []
    for sign in (1.0, -1.0):
        low, high = sign * 0.025, sign * 0.06
        ends = sign * keel, sign * rail
        wall = [(high, -ends[1], deck), (low, -ends[0], 0.05), (low, ends[0], 0.05), (high, ends[1], deck)]
        sides.append(quad(wall, wood))
    top = block((-0.06, 0.06), (-rail, rail), (deck - 0.012, deck), wood)
    bow = bar((0.0, half_y * 0.8, deck), (0.0, half_y, deck + 0.06), 0.014, wood)
    rig: Part = []
    for number, y in enumerate((-0.5, 0.0, 0.45)):
        at, tall = y * half_y * 1.2, height * (0.9, 1.0, 0.92)[number]
        rig += bar((0.0, at, deck), (0.0, at, tall), 0.012, wood)
        for k in range(3):
            low = deck + 0.03 + k * (tall - deck - 0.04) / 3
            wide = 0.085 - 0.016 * k
            corners = [
                (0.012, at - wide * 0.85, low + 0.08),
                (0.012, at - wide, low),
                (0.012, at + wide, low),
                (0.012, at + wide * 0.85, low + 0.08),
            ]
            rig += double_sided([quad(corners, sail)])
    return stand + sides + top + bow + rig


_ORNAMENTS: dict[str, Callable[[Look], Part]] = {
    "globe": _globe, "gramophone": _gramophone, "typewriter": _typewriter, "telescope": _telescope,
    "figurine": _figurine, "bust": _bust, "candlesticks": _candlesticks, "ship": _ship,
}  # fmt: skip
