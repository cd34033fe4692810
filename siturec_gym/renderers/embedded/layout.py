"""The arrays that the kernels work on.

A store is a list of *bodies* (an item, a shelf board, a wall). A body owns a range of vertices and a range of convex
polygons, has one object id and a bounding sphere. Polygons carry a plane, an affine map from world points to texels,
a texture and a small light map.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Integers = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]
Ids = NDArray[np.uint16]
# Kernels mix the integers of Python and of numpy, as numba allows and a type checker cannot follow.
Index: TypeAlias = Any
Number: TypeAlias = Any


class Geometry(NamedTuple):
    """Shape of the whole store: B bodies, P polygons, C polygon corners, V vertices.

    Attributes:
        vertices: (V, 3) world metres, grouped by body.
        vertex_start: (B + 1,) where each body's vertices begin.
        corners: (C,) vertex of each polygon corner, counted from its body's first; counter-clockwise from outside.
        corner_start: (P + 1,) where each polygon's corners begin.
        polygon_start: (B + 1,) where each body's polygons begin.
        planes: (P, 4) outward unit normal n and offset d: points p with n.p = d.
        maps: (P, 9) texel u = p.m[0:3] + m[3], v = p.m[4:7] + m[7], and texels per square metre m[8].
        covers: (P, 2) texture number, and 1 where it repeats, 0 where it is clamped.
        centers: (B, 3) centres of bounding spheres.
        radii: (B,) their radii.
        first_occluder: bodies from this one on are drawn first and hide things: fixtures and structures.
        objects: (B,) position of the body's object id in the ascending list of object ids.
        object_ids: (B,) value in id images.
    """

    vertices: Floats
    vertex_start: Integers
    corners: Integers
    corner_start: Integers
    polygon_start: Integers
    planes: Floats
    maps: Floats
    covers: Integers
    centers: Floats
    radii: Floats
    first_occluder: int
    objects: Integers
    object_ids: Ids


class Textures(NamedTuple):
    """Mip-mapped textures in one strip of 0xAABBGGRR words.

    Each level has one row and one column more than its size, a copy of the first, so that the second texel of a
    bilinear read is always the next word.

    Attributes:
        texels: all levels of all textures.
        table: (T, 11) where each of up to eight levels begins in ``texels``; then the binary logarithm of the width
            and of the height at level 0, and the number of levels.
    """

    texels: Words
    table: Longs


LOG2_WIDTH, LOG2_HEIGHT, LEVELS = 8, 9, 10


class Light(NamedTuple):
    """A light map for each polygon, over the rectangle its texel coordinates span.

    Attributes:
        samples: brightness of every sample, 0..255, row after row.
        grids: (P, 3) where each map begins, its columns along u, its rows along v; at least 2 by 2.
        windows: (P, 4) u of the first column, columns per texel, v of the first row, rows per texel.
    """

    samples: Bytes
    grids: Integers
    windows: Floats


class View(NamedTuple):
    """A camera and its image.

    Attributes:
        position: (3,) metres.
        axes: (3, 3) unit vectors right, up and forward, as rows.
        focal: focal length, pixels.
        width: image width, pixels.
        height: image height, pixels.
    """

    position: Floats
    axes: Floats
    focal: float
    width: int
    height: int


class Canvas(NamedTuple):
    """What rasterising fills for one image size.

    Attributes:
        inverse_depth: (height, width) 1 / metres along the view axis; 0 where nothing is hit.
        record: (height, width) number of the record (drawn polygon) seen; 0 where nothing is hit.
        coarse: (tile rows, tile columns) least inverse depth of each tile.
        row: (width,) work space of the coarse grid.
        left: (height,) first pixel of the polygon at hand, by row.
        right: (height,) one past its last pixel, by row.
    """

    inverse_depth: Singles
    record: Integers
    coarse: Singles
    row: Singles
    left: Integers
    right: Integers


class Scratch(NamedTuple):
    """Work space of one frame; records are numbered from 1.

    Attributes:
        candidates: (B,) bodies in the frustum.
        nearness: (B,) depth of the nearest point of each candidate's sphere.
        camera_centers: (B, 3) centres of the candidates in camera axes.
        order: (B,) positions in ``candidates``, near ones first.
        bins: (256,) work space of sorting.
        screen: (vertices of the largest body, 5) screen x, y and camera X, Y, Z.
        outline: (corners of the largest polygon + 1, 2) screen polygon at hand.
        sources: (P + 1, 3) polygon and body of each record, and 1 once the rest of its row in ``paints`` is filled.
        paints: (P + 1, 19) what colouring needs of each record in one row, so that a run reads one stretch of
            memory; columns are named below.
    """

    candidates: Integers
    nearness: Floats
    camera_centers: Floats
    order: Integers
    bins: Integers
    screen: Floats
    outline: Floats
    sources: Integers
    paints: Floats


POLYGON, BODY, READY = 0, 1, 2
# Columns of ``paints``. Planes are a x + b y + c in pixels: of 1 / depth, of u / depth and of v / depth.
DEPTH_PLANE, U_PLANE, V_PLANE, TEXELS_PER_PIXEL, LIGHT_WINDOW, LIGHT_GRID, COVER = 0, 3, 6, 9, 10, 14, 17
_PAINT_COLUMNS = 19
_SORT_BINS = 256


def new_canvas(width: int, height: int, tile_shift: int) -> Canvas:
    """Buffers for one image size with tiles of ``2**tile_shift`` pixels."""
    return Canvas(
        inverse_depth=np.zeros((height, width), np.float32),
        record=np.zeros((height, width), np.int32),
        coarse=np.zeros(((height >> tile_shift) + 1, (width >> tile_shift) + 1), np.float32),
        row=np.zeros(width, np.float32),
        left=np.zeros(height, np.int32),
        right=np.zeros(height, np.int32),
    )


def new_scratch(geometry: Geometry) -> Scratch:
    """Work space large enough for every body of ``geometry`` at once."""
    bodies, polygons = len(geometry.radii), len(geometry.planes)
    most_vertices = int(np.diff(geometry.vertex_start).max())
    most_corners = int(np.diff(geometry.corner_start).max())
    return Scratch(
        candidates=np.zeros(bodies, np.int32),
        nearness=np.zeros(bodies),
        camera_centers=np.zeros((bodies, 3)),
        order=np.zeros(bodies, np.int32),
        bins=np.zeros(_SORT_BINS, np.int32),
        screen=np.zeros((most_vertices, 5)),
        outline=np.zeros((most_corners + 2, 2)),
        sources=np.zeros((polygons + 1, 3), np.int32),
        paints=np.zeros((polygons + 1, _PAINT_COLUMNS)),
    )
