"""Things as convex polygons: build faces in a thing's own axes, place copies in the store, pack them for the kernels.

Own axes: x towards the shopper (the front), y to the right as the shopper sees it, z up; the origin is the centre of
the thing's base. Metres throughout.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.embedded.layout import Bytes, Floats, Geometry, Integers

_WELD_DECIMALS = 6


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Shape:
    """Faces of one body, welded: what all copies of it share.

    Attributes:
        vertices: (v, 3).
        corners: vertex numbers of all faces, one after the other.
        counts: (p,) corners of each face.
        normals: (p, 3) outward.
        gradients: (p, 2, 3) change of the texture fractions per metre.
        offsets: (p, 2) texture fractions at the origin.
        textures: texture name of each face.
        wraps: (p,) 1 where the texture repeats.
        glows: (p,) radiance of each face.
    """

    vertices: Floats
    corners: Integers
    counts: Integers
    normals: Floats
    gradients: Floats
    offsets: Floats
    textures: tuple[str, ...]
    wraps: Bytes
    glows: Floats


@dataclass(frozen=True)
class Body:
    """A shape somewhere in the store.

    Attributes:
        shape: What it is.
        object_id: Its value in id images.
        position_m: Where its origin is.
        yaw_deg: Heading of its front.
        occludes: Whether it is drawn before the items to hide what is behind it.
    """

    shape: Shape
    object_id: int
    position_m: tuple[float, float, float]
    yaw_deg: float
    occludes: bool


def normal_of(corners: Floats) -> Floats:
    """Outward unit normal of a counter-clockwise polygon (Newell's sum, so that a short edge does no harm)."""
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    unit: Floats = normal / math.sqrt(float(normal @ normal))
    return unit


def quad(
    top_left: Sequence[float],
    bottom_left: Sequence[float],
    bottom_right: Sequence[float],
    top_right: Sequence[float],
    texture: str,
    window: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0),
    wraps: bool = False,
    glow: float = 0.0,
) -> Face:
    """A four-cornered face as seen from outside, showing the part u0, v0, u1, v1 of a texture."""
    u0, v0, u1, v1 = window
    corners = np.array((top_left, bottom_left, bottom_right, top_right), np.float64)
    return Face(corners, np.array(((u0, v0), (u0, v1), (u1, v1), (u1, v0))), texture, wraps, glow)


def tiled(corners: Sequence[Sequence[float]], texture: str, tile_m: float, glow: float = 0.0) -> Face:
    """A face covered with a repeating texture whose tile is ``tile_m`` wide and high; upright on walls."""
    points = np.array(corners, np.float64)
    normal = normal_of(points)
    across = np.array((-normal[1], normal[0], 0.0)) if abs(normal[2]) < 0.99 else np.array((1.0, 0.0, 0.0))
    across /= math.sqrt(float(across @ across))
    down = np.cross(across, normal)
    uv = np.stack((points @ across, points @ down), axis=1) / tile_m
    return Face(points, uv - np.floor(uv.min(axis=0)), texture, True, glow)


SIDES = ("front", "back", "left", "right", "top", "bottom")


def box_corners(low: Sequence[float], high: Sequence[float], side: str) -> list[tuple[float, float, float]]:
    """Top left, bottom left, bottom right and top right of one side of a box, as seen from outside."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = {
        "front": [(x1, y0, z1), (x1, y0, z0), (x1, y1, z0), (x1, y1, z1)],
        "back": [(x0, y1, z1), (x0, y1, z0), (x0, y0, z0), (x0, y0, z1)],
        "right": [(x1, y1, z1), (x1, y1, z0), (x0, y1, z0), (x0, y1, z1)],
        "left": [(x0, y0, z1), (x0, y0, z0), (x1, y0, z0), (x1, y0, z1)],
        "top": [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
        "bottom": [(x1, y0, z0), (x0, y0, z0), (x0, y1, z0), (x1, y1, z0)],
    }
    return corners[side]


def box(
    low: Sequence[float],
    high: Sequence[float],
    material: str,
    tile_m: float = 0.5,
    without: Sequence[str] = (),
    printed: Mapping[str, str] | None = None,
    glow: Mapping[str, float] | None = None,
) -> list[Face]:
    """A box of one tiled material.

    Args:
        low: Least x, y, z.
        high: Greatest x, y, z.
        material: Texture of the sides that are not printed.
        tile_m: Size of its tile.
        without: Sides that nobody can see.
        printed: Side -> texture that fills it once.
        glow: Side -> its radiance, for sides that shine.
    """
    faces = []
    for side in SIDES:
        if side in without:
            continue
        corners = box_corners(low, high, side)
        radiance = glow.get(side, 0.0) if glow else 0.0
        if printed and side in printed:
            faces.append(quad(*corners, texture=printed[side], glow=radiance))
        else:
            faces.append(tiled(corners, material, tile_m, glow=radiance))
    return faces


def shape_of(faces: Sequence[Face]) -> Shape:
    """Weld faces into one shape."""
    points = np.concatenate([face.corners for face in faces])
    rounded = points.round(_WELD_DECIMALS) + 0.0
    _, first, inverse = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    maps = [_texture_map(face) for face in faces]
    return Shape(
        vertices=points[first],
        corners=inverse.reshape(-1).astype(np.int32),
        counts=np.array([len(face.corners) for face in faces], np.int32),
        normals=np.array([normal_of(face.corners) for face in faces]),
        gradients=np.array([gradient for gradient, _ in maps]),
        offsets=np.array([offset for _, offset in maps]),
        textures=tuple(face.texture for face in faces),
        wraps=np.array([face.wraps for face in faces], np.uint8),
        glows=np.array([face.glow for face in faces]),
    )


def _texture_map(face: Face) -> tuple[Floats, Floats]:
    """Gradient (2, 3) within the plane and offset (2,) of the affine map closest to the face's uv."""
    center, mean = face.corners.mean(axis=0), face.uv.mean(axis=0)
    normal = normal_of(face.corners)
    across = face.corners[1] - face.corners[0]
    across /= math.sqrt(float(across @ across))
    frame = np.stack((across, np.cross(normal, across)))
    flat = (face.corners - center) @ frame.T
    xx, xy, yy = flat[:, 0] @ flat[:, 0], flat[:, 0] @ flat[:, 1], flat[:, 1] @ flat[:, 1]
    inverse = np.array(((yy, -xy), (-xy, xx))) / (xx * yy - xy * xy)
    gradient: Floats = ((face.uv - mean).T @ flat) @ inverse @ frame
    return gradient, mean - gradient @ center


def pack(bodies: Sequence[Body], texture_sizes: Mapping[str, tuple[int, int, int]]) -> Geometry:
    """All bodies as the arrays of the kernels.

    Args:
        bodies: In the order in which they are numbered; those that occlude come last.
        texture_sizes: Name -> number, width and height in texels of each texture.
    """
    shapes = [body.shape for body in bodies]
    turns = [_turn(body.yaw_deg) for body in bodies]
    places = [np.array(body.position_m) for body in bodies]
    vertices = [shape.vertices @ turn.T + place for shape, turn, place in zip(shapes, turns, places, strict=True)]
    spheres = [_sphere(points) for points in vertices]
    counts = np.concatenate([shape.counts for shape in shapes])
    names = [name for shape in shapes for name in shape.textures]
    object_ids = np.array([body.object_id for body in bodies], np.uint16)
    numbers = np.array([texture_sizes[name] for name in names], np.int64)
    normals = np.concatenate([shape.normals @ turn.T for shape, turn in zip(shapes, turns, strict=True)])
    gradients = np.concatenate([shape.gradients @ turn.T for shape, turn in zip(shapes, turns, strict=True)])
    offsets = np.concatenate([shape.offsets for shape in shapes])
    polygons = [len(shape.counts) for shape in shapes]
    origins = np.repeat(np.array(places), polygons, axis=0)
    corners = np.concatenate([shape.corners for shape in shapes])
    vertex_start = _starts([len(points) for points in vertices])
    corner_start = _starts(counts)
    all_vertices = np.concatenate(vertices)
    first_vertex = np.repeat(vertex_start[:-1], polygons)
    anchors = all_vertices[corners[corner_start[:-1]] + first_vertex]
    return Geometry(
        vertices=all_vertices,
        vertex_start=vertex_start,
        corners=corners,
        corner_start=corner_start,
        polygon_start=_starts(polygons),
        planes=np.column_stack((normals, (normals * anchors).sum(axis=1))),
        maps=_texel_maps(gradients, offsets, origins, numbers[:, 1:].astype(np.float64), normals),
        covers=np.column_stack((numbers[:, 0], np.concatenate([shape.wraps for shape in shapes]))).astype(np.int32),
        centers=np.array([center for center, _ in spheres]),
        radii=np.array([radius for _, radius in spheres]),
        first_occluder=sum(not body.occludes for body in bodies),
        objects=np.searchsorted(np.unique(object_ids), object_ids).astype(np.int32),
        object_ids=object_ids,
    )


def _texel_maps(gradients: Floats, offsets: Floats, origins: Floats, sizes: Floats, normals: Floats) -> Floats:
    """The ``maps`` of ``Geometry`` from maps in fractions about each body's origin."""
    texels = gradients * sizes[:, :, None]
    constants = offsets * sizes - np.einsum("pkc,pc->pk", texels, origins)
    density = np.abs((np.cross(texels[:, 0], texels[:, 1]) * normals).sum(axis=1))
    maps: Floats = np.column_stack((texels[:, 0], constants[:, 0], texels[:, 1], constants[:, 1], density))
    return np.ascontiguousarray(maps)


def _turn(yaw_deg: float) -> Floats:
    """Matrix from own axes (x front, y to the shopper's right) to world axes for a front that faces ``yaw_deg``."""
    yaw = math.radians(yaw_deg)
    cos_yaw, sin_yaw = math.cos(yaw), math.sin(yaw)
    return np.array(((cos_yaw, -sin_yaw, 0.0), (sin_yaw, cos_yaw, 0.0), (0.0, 0.0, 1.0)))


def _sphere(points: Floats) -> tuple[Floats, float]:
    center: Floats = (points.min(axis=0) + points.max(axis=0)) / 2.0
    return center, float(np.sqrt(((points - center) ** 2).sum(axis=1).max())) + 1e-6


def _starts(counts: Sequence[int] | NDArray[np.int32]) -> Integers:
    return np.concatenate(((0,), np.cumsum(counts))).astype(np.int32)
