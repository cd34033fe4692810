"""Round things of few sides: cans, bottles, jars, tubs and fruit are stacks of rings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from siturec_gym.renderers.embedded.layout import Floats
from siturec_gym.renderers.embedded.mesh import Face, quad

_LABELS_AROUND = 2


@dataclass(frozen=True)
class Ring:
    """A horizontal ellipse: height, half depth (along x) and half width (along y), metres."""

    z: float
    half_depth: float
    half_width: float


@dataclass(frozen=True)
class Band:
    """What covers the faces between two rings: a texture and the part of its height shown, top to bottom."""

    texture: str
    top: float = 0.0
    bottom: float = 1.0


def points_of(ring: Ring, sides: int) -> Floats:
    """(sides, 3) corners of a ring; the middle of the first side faces the front."""
    angles = (np.arange(sides) - 0.5) * (2.0 * math.pi / sides)
    height = np.full(sides, ring.z)
    return np.stack((ring.half_depth * np.cos(angles), ring.half_width * np.sin(angles), height), axis=1)


def stack(rings: Sequence[Ring], bands: Sequence[Band], sides: int) -> list[Face]:
    """Faces between neighbouring rings, from below; a label texture goes around twice, one centred on the front."""
    faces = []
    points = [points_of(ring, sides).tolist() for ring in rings]
    step = _LABELS_AROUND / sides
    for band, (lower, upper) in zip(bands, pairwise(points), strict=True):
        for side in range(sides):
            following = (side + 1) % sides
            left = 0.5 + (side - 0.5) * step
            left -= math.floor(left)
            window = (left, band.top, left + step, band.bottom)
            corners = upper[side], lower[side], lower[following], upper[following]
            faces.append(quad(corners, band.texture, window, left + step > 1.0))
    return faces


def lid(ring: Ring, texture: str, sides: int) -> Face:
    """The face that closes a stack on top, its texture upright as seen from the front."""
    corners = points_of(ring, sides)
    u = 0.5 + corners[:, 1] / (2.0 * ring.half_width)
    v = 0.5 + corners[:, 0] / (2.0 * ring.half_depth)
    return Face(corners, np.stack((u, v), axis=1), texture)
