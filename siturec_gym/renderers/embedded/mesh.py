"""Things as convex polygons: build faces in a thing's own axes.

Own axes: x towards the shopper (the front), y to the right as the shopper sees it, z up; the origin is the centre of
the thing's base. Metres throughout.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siturec_gym.renderers.embedded.layout import Floats


@dataclass(frozen=True, slots=True)
class Face:
    """One flat convex polygon.

    Attributes:
        corners: (n, 3) counter-clockwise as seen from outside.
        uv: (n, 2) place in the texture as fractions of its width and height, (0, 0) top left. Affine in the corners;
            where it cannot be (trapezoids), the closest affine map is taken.
        texture: Name of the texture.
        wraps: Whether the texture repeats beyond 0..1.
        glow: Radiance of a face that shines by itself, in units of white paper in full light; else 0.
    """

    corners: Floats
    uv: Floats
    texture: str
    wraps: bool = False
    glow: float = 0.0


Vector = tuple[float, float, float]


def cross(a: Sequence[float], b: Sequence[float]) -> Vector:
    """Cross product; for three numbers at a time many times faster than the array form."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def unit(vector: Sequence[float]) -> Vector:
    """The vector of length 1 in the same direction."""
    x, y, z = vector
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def normal_of(corners: Sequence[Sequence[float]]) -> Vector:
    """Outward unit normal of a counter-clockwise polygon (Newell's sum, so that a short edge does no harm)."""
    x = y = z = 0.0
    previous = corners[-1]
    for corner in corners:
        across = cross(previous, corner)
        x, y, z = x + across[0], y + across[1], z + across[2]
        previous = corner
    return unit((x, y, z))


Range = tuple[float, float]
Corners = Sequence[Sequence[float]]
WHOLE_TEXTURE = (0.0, 0.0, 1.0, 1.0)


def quad(
    corners: Corners,
    texture: str,
    window: tuple[float, float, float, float] = WHOLE_TEXTURE,
    wraps: bool = False,
    glow: float = 0.0,
) -> Face:
    """A four-cornered face that shows the part u0, v0, u1, v1 of a texture.

    ``corners`` are top left, bottom left, bottom right, top right as seen from outside.
    """
    u0, v0, u1, v1 = window
    uv = np.array(((u0, v0), (u0, v1), (u1, v1), (u1, v0)))
    return Face(np.array(corners, np.float64), uv, texture, wraps, glow)


def tiled(corners: Corners, texture: str, tile_m: float, glow: float = 0.0) -> Face:
    """A face covered with a repeating texture whose tile is ``tile_m`` wide and high; upright on walls."""
    normal = normal_of(corners)
    across = unit((-normal[1], normal[0], 0.0)) if abs(normal[2]) < 0.99 else (1.0, 0.0, 0.0)
    up = cross(across, normal)
    u, v = ([(x * way[0] + y * way[1] + z * way[2]) / tile_m for x, y, z in corners] for way in (across, up))
    left, top = math.floor(min(u)), math.floor(min(v))
    uv = [(a - left, b - top) for a, b in zip(u, v, strict=True)]
    return Face(np.array(corners, np.float64), np.array(uv), texture, True, glow)


SIDES = ("front", "back", "left", "right", "top", "bottom")


def side_corners(x: Range, y: Range, z: Range, side: str) -> list[Vector]:
    """Top left, bottom left, bottom right and top right of one side of a box, as seen from outside."""
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    corners: dict[str, list[Vector]] = {
        "front": [(x1, y0, z1), (x1, y0, z0), (x1, y1, z0), (x1, y1, z1)],
        "back": [(x0, y1, z1), (x0, y1, z0), (x0, y0, z0), (x0, y0, z1)],
        "right": [(x1, y1, z1), (x1, y1, z0), (x0, y1, z0), (x0, y1, z1)],
        "left": [(x0, y0, z1), (x0, y0, z0), (x1, y0, z0), (x1, y0, z1)],
        "top": [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
        "bottom": [(x1, y0, z0), (x0, y0, z0), (x0, y1, z0), (x1, y1, z0)],
    }
    return corners[side]


def box(
    x: Range,
    y: Range,
    z: Range,
    material: str,
    without: str = "",
    tile_m: float = 0.5,
    printed: Mapping[str, str] | None = None,
    glow: Mapping[str, float] | None = None,
) -> list[Face]:
    """A box of one tiled material.

    Args:
        x: Extent from back to front.
        y: Extent from left to right.
        z: Extent from bottom to top.
        material: Texture of the sides that are not printed.
        without: Names of sides that nobody can see, with spaces between.
        tile_m: Size of the material's tile.
        printed: Side -> texture that fills it once.
        glow: Side -> its radiance, for sides that shine.
    """
    faces = []
    for side in SIDES:
        if side in without.split():
            continue
        corners = side_corners(x, y, z, side)
        radiance = glow.get(side, 0.0) if glow else 0.0
        if printed and side in printed:
            faces.append(quad(corners, printed[side], glow=radiance))
        else:
            faces.append(tiled(corners, material, tile_m, radiance))
    return faces
