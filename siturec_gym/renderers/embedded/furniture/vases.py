"""Vases by their profile."""

import math
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, ball, bar, disc, fitted, mirrored, turned


def vase(look: Look) -> Part:
    """A round vessel by its profile, or a ring on a foot."""
    kind = str(look.shape["profile"])
    if kind == "ring":
        return _ring_vase(look)
    radius, height = look.width / 2, look.height
    rings = [(z * height, r * radius) for z, r in chosen(_PROFILES, kind, "profile")]
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
