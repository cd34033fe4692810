"""Weld faces into shapes, place copies of them in the store, and pack them into the arrays of the kernels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.embedded.layout import Bytes, Floats, Geometry, Integers
from siturec_gym.renderers.embedded.mesh import Face

_WELD_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class Shape:
    """Faces of one body, welded: what all copies of it share. One is the same as another only if it is that object.

    Attributes:
        vertices: (v, 3).
        corners: (c,) vertex numbers of all faces, one after the other.
        points: (c, 3) where each of these corners was before welding.
        uv: (c, 2) texture fractions of each.
        counts: (p,) corners of each face.
        textures: texture name of each face.
        wraps: (p,) 1 where the texture repeats.
        glows: (p,) radiance of each face.
    """

    vertices: Floats
    corners: Integers
    points: Floats
    uv: Floats
    counts: Integers
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


def shape_of(faces: Sequence[Face]) -> Shape:
    """Weld faces into one shape."""
    points = np.concatenate([face.corners for face in faces])
    numbers: dict[tuple[float, ...], int] = {}
    rounded = (points.round(_WELD_DECIMALS) + 0.0).tolist()
    corners = np.array([numbers.setdefault(tuple(point), len(numbers)) for point in rounded], np.int32)
    _, first = np.unique(corners, return_index=True)
    return Shape(
        vertices=points[first],
        corners=corners,
        points=points,
        uv=np.concatenate([face.uv for face in faces]),
        counts=np.array([len(face.corners) for face in faces], np.int32),
        textures=tuple([face.texture for face in faces]),
        wraps=np.array([face.wraps for face in faces], np.uint8),
        glows=np.array([face.glow for face in faces]),
    )


Maps = tuple[Floats, Floats, Floats]


def _maps_of_shapes(shapes: Sequence[Shape]) -> dict[Shape, Maps]:
    """Normals (p, 3), gradients (p, 2, 3) and offsets (p, 2) of each shape's faces.

    They are the outward normals and, within each face's plane, the affine map closest to its texture fractions. Faces
    of all shapes with equally many corners are solved together; a store has tens of thousands.
    """
    distinct = list(dict.fromkeys(shapes))
    counts = np.concatenate([shape.counts for shape in distinct])
    points = np.concatenate([shape.points for shape in distinct])
    uv = np.concatenate([shape.uv for shape in distinct])
    normals, gradients, offsets = np.empty((len(counts), 3)), np.empty((len(counts), 2, 3)), np.empty((len(counts), 2))
    first = np.cumsum(counts) - counts
    for count in np.unique(counts).tolist():
        rows = np.flatnonzero(counts == count)
        corners = first[rows, None] + np.arange(count)
        normals[rows], gradients[rows], offsets[rows] = _maps_of(points[corners], uv[corners])
    ends = np.cumsum([len(shape.counts) for shape in distinct])[:-1]
    parts = (np.split(values, ends) for values in (normals, gradients, offsets))
    return dict(zip(distinct, zip(*parts, strict=True), strict=True))


def _maps_of(points: Floats, uv: Floats) -> tuple[Floats, Floats, Floats]:
    """Outward normals (f, 3), gradients (f, 2, 3) and offsets (f, 2) of f faces: corners (f, n, 3), uv (f, n, 2)."""
    normals = _units(np.cross(points, np.roll(points, -1, axis=1)).sum(axis=1))
    across = _units(points[:, 1] - points[:, 0])
    up = np.cross(normals, across)
    middle = points.mean(axis=1)
    away = points - middle[:, None]
    flat_x, flat_y = (np.einsum("fnk,fk->fn", away, axis) for axis in (across, up))
    xx, xy, yy = (flat_x**2).sum(axis=1), (flat_x * flat_y).sum(axis=1), (flat_y**2).sum(axis=1)
    mean = uv.mean(axis=1)
    change = uv - mean[:, None]
    x, y = (np.einsum("fn,fna->fa", flat, change) for flat in (flat_x, flat_y))
    scale = (xx * yy - xy * xy)[:, None]
    along, above = (yy[:, None] * x - xy[:, None] * y) / scale, (xx[:, None] * y - xy[:, None] * x) / scale
    gradients = along[:, :, None] * across[:, None] + above[:, :, None] * up[:, None]
    return normals, gradients, mean - np.einsum("fak,fk->fa", gradients, middle)


def _units(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def pack(bodies: Sequence[Body], texture_sizes: Mapping[str, tuple[int, int, int]]) -> Geometry:
    """All bodies as the arrays of the kernels.

    Args:
        bodies: In the order in which they are numbered; those that occlude come last.
        texture_sizes: Name -> number, width and height in texels of each texture.
    """
    shapes = [body.shape for body in bodies]
    maps = _maps_of_shapes(shapes)
    turns = [_turn(body.yaw_deg) for body in bodies]
    places = [np.array(body.position_m) for body in bodies]
    vertices = [shape.vertices @ turn.T + place for shape, turn, place in zip(shapes, turns, places, strict=True)]
    spheres = [_sphere(points) for points in vertices]
    counts = np.concatenate([shape.counts for shape in shapes])
    names = [name for shape in shapes for name in shape.textures]
    object_ids = np.array([body.object_id for body in bodies], np.uint16)
    numbers = np.array([texture_sizes[name] for name in names], np.int64)
    normals = np.concatenate([maps[shape][0] @ turn.T for shape, turn in zip(shapes, turns, strict=True)])
    gradients = np.concatenate([maps[shape][1] @ turn.T for shape, turn in zip(shapes, turns, strict=True)])
    offsets = np.concatenate([maps[shape][2] for shape in shapes])
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
