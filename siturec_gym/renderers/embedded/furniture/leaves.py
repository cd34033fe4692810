"""Leaves and flowers."""

import math
from dataclasses import replace

import numpy as np

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import Part, double_sided, moved, spun, tilted
from siturec_gym.renderers.embedded.mesh import quad

STEM = finish("plain", "#4f7a3a")


def leaf(length: float, width: float, texture: str, bend_deg: float = 30.0) -> Part:
    """A blade along +x from the origin, in two halves that bend down, seen from both sides."""
    half, drop = length / 2, math.tan(math.radians(bend_deg)) * length / 4
    first = [(half, -width / 2, 0.0), (0.0, -width / 8, 0.0), (0.0, width / 8, 0.0), (half, width / 2, 0.0)]
    second = [
        (length, -width / 10, -drop * 2),
        (half, -width / 2, 0.0),
        (half, width / 2, 0.0),
        (length, width / 10, -drop * 2),
    ]
    return double_sided([quad(first, texture, (0.0, 0.5, 1.0, 1.0)), quad(second, texture, (0.0, 0.0, 1.0, 0.5))])


def leaflet(length: float, width: float, texture: str) -> Part:
    """A small flat leaf along +x from the origin, seen from both sides."""
    half = length / 2
    corners = [(length, 0.0, 0.0), (half, -width / 2, 0.0), (0.0, 0.0, 0.0), (half, width / 2, 0.0)]
    return double_sided([quad(corners[::-1], texture)])


def fan(
    count: int,
    reach: float,
    width: float,
    z: float,
    rise_deg: tuple[float, float],
    look: Look,
    rng: np.random.Generator,
) -> Part:
    """Leaves around a stem: rising at angles between the two given, each turned a little further."""
    part: Part = []
    for k in range(count):
        rise = rise_deg[0] + (rise_deg[1] - rise_deg[0]) * (k % 3) / 2
        blade = leaf(reach * float(rng.uniform(0.8, 1.0)), width, look.paint("leaf", k % 2))
        part += spun(tilted(blade, rise), 360.0 * k / count + float(rng.uniform(-12.0, 12.0)))
    return moved(part, (0.0, 0.0, z))


def greened(look: Look) -> Look:
    """The same plant with the leaf colour, where its body colour is that of its flowers."""
    return replace(look, colors=(look.colors[1], look.colors[1], look.colors[2]))


def flower(at: tuple[float, float, float], size: float, petal: str, heart: str) -> Part:
    """A flat flower that faces the front."""
    x, y, z = at
    star = double_sided([quad([(x, y - size, z), (x, y, z - size), (x, y + size, z), (x, y, z + size)], petal)])
    front, dot = x + 0.003, size * 0.28
    left, right, low, high = y - dot, y + dot, z - dot, z + dot
    corners = [(front, left, high), (front, left, low), (front, right, low), (front, right, high)]
    return [*star, quad(corners, heart)]
