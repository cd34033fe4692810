"""Parts that furniture is put together from, in a thing's own axes (``mesh``): x to the front, y to the right, z up."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

import numpy as np

from siturec_gym.renderers.embedded.layout import Floats
from siturec_gym.renderers.embedded.mesh import Face, Range, Vector, box, cross, normal_of, tiled, unit
from siturec_gym.renderers.embedded.round import Band, Ring, lid, stack

Part = list[Face]
Size = tuple[float, float, float]
TILE_M = 0.4


def block(x: Range, y: Range, z: Range, finish: str, without: str = "bottom") -> Part:
    """A plain box."""
    return box(x, y, z, finish, without, TILE_M)


def cushion(x: Range, y: Range, z: Range, finish: str, bevel_m: float = 0.03, crown_m: float = 0.018) -> Part:
    """A soft box: its upper edges slope and its top swells towards the middle, so that it is lit as padding is."""
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    crown, drop = min(crown_m, (z1 - z0) / 8), min(bevel_m, (z1 - z0) / 2)
    cut, rim = min(1.6 * drop, (x1 - x0) / 4, (y1 - y0) / 4), z1 - crown
    edge = [(x1, y0, rim - drop), (x1, y1, rim - drop), (x0, y1, rim - drop), (x0, y0, rim - drop)]
    top = [(x1 - cut, y0 + cut, rim), (x1 - cut, y1 - cut, rim), (x0 + cut, y1 - cut, rim), (x0 + cut, y0 + cut, rim)]
    body = box(x, y, (z0, rim - drop), finish, "top bottom", TILE_M)
    return body + _padding(edge, top, ((x0 + x1) / 2, (y0 + y1) / 2, z1), finish)


def back_cushion(x: Range, y: Range, z: Range, finish: str, bevel_m: float = 0.03, crown_m: float = 0.018) -> Part:
    """A soft box that stands, its padding in front."""
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    crown, drop = min(crown_m, (x1 - x0) / 8), min(bevel_m, (x1 - x0) / 2)
    cut, rim = min(1.6 * drop, (y1 - y0) / 4, (z1 - z0) / 4), x1 - crown
    edge = [(rim - drop, y0, z0), (rim - drop, y1, z0), (rim - drop, y1, z1), (rim - drop, y0, z1)]
    top = [(rim, y0 + cut, z0 + cut), (rim, y1 - cut, z0 + cut), (rim, y1 - cut, z1 - cut), (rim, y0 + cut, z1 - cut)]
    body = box((x0, rim - drop), y, z, finish, "front bottom", TILE_M)
    return body + _padding(edge, top, (x1, (y0 + y1) / 2, (z0 + z1) / 2), finish)


def _padding(edge: Sequence[Vector], top: Sequence[Vector], peak: Vector, finish: str) -> Part:
    """Four slopes from a rectangle to a smaller one above it, and four more to a peak, or one flat face without."""
    sides = [(top[i], edge[i], edge[i - 3], top[i - 3]) for i in range(4)]
    flat = all(abs(sum(corner[axis] for corner in top) / 4 - peak[axis]) < 1e-9 for axis in range(3))
    upper = [tuple(top)] if flat else [(top[i], top[i - 3], peak) for i in range(4)]
    return [tiled(corners, finish, TILE_M) for corners in (*sides, *upper)]


def bar(start: Vector, stop: Vector, thick_m: float, finish: str, end_thick_m: float | None = None) -> Part:
    """A straight member with a square section between two points; it may taper. Its ends stay open."""
    along = unit([b - a for a, b in zip(start, stop, strict=True)])
    aside = unit(cross(along, (0.0, 1.0, 0.0) if abs(along[1]) < 0.9 else (1.0, 0.0, 0.0)))
    across = cross(along, aside)
    half, end = thick_m / 2, (thick_m if end_thick_m is None else end_thick_m) / 2
    ways = [
        [a * i + b * j for a, b in zip(aside, across, strict=True)] for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    lower = [[p + way * half for p, way in zip(start, ways[k], strict=True)] for k in range(4)]
    upper = [[p + way * end for p, way in zip(stop, ways[k], strict=True)] for k in range(4)]
    return [tiled([upper[i], lower[i], lower[i - 3], upper[i - 3]], finish, TILE_M) for i in range(4)]


def turned(
    profile: Sequence[tuple[float, float]], finish: str, sides: int = 8, at: Vector = (0.0, 0.0, 0.0), top: str = ""
) -> Part:
    """A round thing: rings of (height, radius) from below, closed above with ``top`` or its own finish.

    The finish goes around it once or twice, as a label does.
    """
    rings = [Ring(z, radius, radius) for z, radius in profile]
    faces = stack(rings, [Band(finish)] * (len(rings) - 1), sides)
    if profile[-1][1] > 0.001:
        faces.append(lid(rings[-1], top or finish, sides))
    return moved(faces, at)


def disc(z: Range, radius_m: float, finish: str, sides: int = 12, at: Vector = (0.0, 0.0, 0.0), top: str = "") -> Part:
    """A round slab."""
    return turned(((z[0], radius_m), (z[1], radius_m)), finish, sides, at, top)


def ellipse(z: Range, half_x: float, half_y: float, finish: str, sides: int = 12, top: str = "") -> Part:
    """An oval slab."""
    rings = [Ring(height, half_x, half_y) for height in z]
    return [*stack(rings, [Band(finish)], sides), lid(rings[1], top or finish, sides)]


def ball(
    center: Vector,
    radius_m: float,
    finish: str,
    sides: int = 8,
    flatten: float = 1.0,
    glow: float = 0.0,
    bands: int = 4,
) -> Part:
    """A ball of that many bands, its finish spread from pole to pole; ``flatten`` scales its height."""
    angles = [math.radians(176.0 * k / bands - 88.0) for k in range(bands + 1)]
    rings = [Ring(radius_m * flatten * math.sin(a), *[radius_m * math.cos(a)] * 2) for a in angles]
    covers = [Band(finish, 1.0 - (k + 1) / bands, 1.0 - k / bands) for k in range(bands)]
    return glowing(moved([*stack(rings, covers, sides), lid(rings[-1], finish, sides)], center), glow)


def facing(faces: Part) -> Part:
    """Those faces of a part that are turned to the front."""
    return [face for face in faces if normal_of(face.corners.tolist())[0] > 0.0]


def carried(faces: Part, place: Callable[[Floats], Floats]) -> Part:
    """The faces with their corners where ``place`` puts points (n, 3); textures go with them."""
    if not faces:
        return []
    points = place(np.concatenate([face.corners for face in faces]))
    ends = accumulate((len(face.corners) for face in faces), initial=0)
    return [
        Face(points[start:end], face.uv, face.texture, face.wraps, face.glow)
        for face, (start, end) in zip(faces, pairwise(ends), strict=True)
    ]


def turned_over(faces: Part) -> Part:
    """The faces seen from behind."""
    return [Face(face.corners[::-1], face.uv[::-1], face.texture, face.wraps, face.glow) for face in faces]


def moved(faces: Part, by: Vector) -> Part:
    """The part somewhere else."""
    return carried(faces, lambda points: points + np.array(by))


def _rotated(faces: Part, turn: Sequence[Sequence[float]], center: Vector) -> Part:
    matrix, middle = np.array(turn), np.array(center)
    return carried(faces, lambda points: np.asarray((points - middle) @ matrix.T + middle))


def tilted(faces: Part, angle_deg: float, pivot: tuple[float, float] = (0.0, 0.0)) -> Part:
    """The part turned about the y axis through ``pivot`` (x, z); positive angles lean it backwards."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return _rotated(faces, ((cos, 0.0, -sin), (0.0, 1.0, 0.0), (sin, 0.0, cos)), (pivot[0], 0.0, pivot[1]))


def spun(faces: Part, yaw_deg: float, pivot: tuple[float, float] = (0.0, 0.0)) -> Part:
    """The part turned about the vertical axis through ``pivot`` (x, y)."""
    cos, sin = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    return _rotated(faces, ((cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)), (*pivot, 0.0))


def leaned(faces: Part, angle_deg: float, pivot: tuple[float, float] = (0.0, 0.0)) -> Part:
    """The part turned about the x axis through ``pivot`` (y, z); positive angles lean it to the right."""
    cos, sin = math.cos(math.radians(-angle_deg)), math.sin(math.radians(-angle_deg))
    return _rotated(faces, ((1.0, 0.0, 0.0), (0.0, cos, -sin), (0.0, sin, cos)), (0.0, *pivot))


def glowing(faces: Part, glow: float) -> Part:
    """The part shining by itself with that radiance."""
    return [Face(face.corners, face.uv, face.texture, face.wraps, glow) for face in faces] if glow else faces


def mirrored(faces: Part) -> Part:
    """The part and its image on the other side of the plane y = 0."""
    return faces + turned_over(carried(faces, lambda points: points * np.array((1.0, -1.0, 1.0))))


def double_sided(faces: Part) -> Part:
    """Thin faces seen from both sides: leaves, sails, cloth."""
    return faces + turned_over(faces)


def fitted(faces: Part, size_m: Size) -> Part:
    """The part scaled, axis by axis, into the exact box of a product: width (y), depth (x), height (z), base at 0."""
    points = np.concatenate([face.corners for face in faces])
    low, high = points.min(axis=0), points.max(axis=0)
    scale = np.array((size_m[1], size_m[0], size_m[2])) / np.maximum(high - low, 1e-9)
    middle = np.array(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]))
    return carried(faces, lambda corners: np.asarray((corners - middle) * scale))
