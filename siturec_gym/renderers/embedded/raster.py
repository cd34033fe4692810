"""Rasterise bodies into inverse depth and record number: the visibility buffer.

Inverse depth is linear on the screen, so each polygon needs one plane equation. Edges are always walked from their
upper to their lower end, so that polygons which share an edge meet without a gap or an overlap.
"""

import numpy as np

from siturec_gym.renderers.embedded.cull import behind, coarsen, in_frustum, sort_by_nearness
from siturec_gym.renderers.embedded.jit import inlined, kernel
from siturec_gym.renderers.embedded.layout import (
    BODY,
    DEPTH_PLANE,
    POLYGON,
    READY,
    Bytes,
    Canvas,
    Floats,
    Geometry,
    Index,
    Integers,
    Scratch,
    Singles,
    View,
)
from siturec_gym.renderers.embedded.vectors import nearer_four, nearer_one

_ONE, _TWO = np.uint64(1), np.uint64(2)
_BACK_FACE_M = 1e-7
_OCCLUDERS_BEFORE_GRID = 16


@inlined
def _pixel(position: float, limit: float) -> Index:
    """First pixel whose centre is not before ``position``, within 0..limit."""
    return np.int64(np.ceil(min(max(position, 0.0), limit) - 0.5))


@inlined
def _trace_edge(x0: float, y0: float, x1: float, y1: float, width: float, height: float, side: Integers) -> None:
    """Write the pixel where the edge from (x0, y0) down to (x1, y1) crosses each row into ``side``."""
    first, last = _pixel(y0, height), _pixel(y1, height)
    if first < last:
        slope = (x1 - x0) / (y1 - y0)
        for y in range(np.uint64(first), np.uint64(last)):
            side[y] = np.int32(_pixel(x0 + (np.int64(y) + 0.5 - y0) * slope, width))


@inlined
def _trace(outline: Floats, count: Index, width: float, height: float, left: Integers, right: Integers) -> None:
    """Left and right borders of a counter-clockwise outline: left edges run down the screen, right edges up."""
    x0, y0 = outline[count - _ONE, 0], outline[count - _ONE, 1]
    for corner in range(count):
        x1, y1 = outline[corner, 0], outline[corner, 1]
        if y0 < y1:
            _trace_edge(x0, y0, x1, y1, width, height, left)
        elif y1 < y0:
            _trace_edge(x1, y1, x0, y0, width, height, right)
        x0, y0 = x1, y1


@kernel
def _fill(
    outline: Floats,
    count: Index,
    first: Index,
    last: Index,
    a: float,
    b: float,
    c: float,
    record: Index,
    depths: Singles,
    records: Integers,
    left: Integers,
    right: Integers,
) -> bool:
    """Depth-test the polygon ``outline``, rows first..last - 1, with inverse depth a x + b y + c.

    Returns:
        Whether it covers a pixel centre, in sight or not.
    """
    height, width = depths.shape
    _trace(outline, count, float(width), float(height), left, right)
    slope, offset, covers = np.float32(a), c + a * 0.5, False
    row_bytes = np.uint64(width) << _TWO
    depth_row = np.uint64(depths.ctypes.data) + np.uint64(first) * row_bytes
    record_row = np.uint64(records.ctypes.data) + np.uint64(first) * row_bytes
    for y in range(np.uint64(first), np.uint64(last)):
        start, end = left[y], right[y]
        if start < end:
            covers = True
            base = np.float32(b * (np.int64(y) + 0.5) + offset)
            depth_at = depth_row + (np.uint64(start) << _TWO)
            record_at = record_row + (np.uint64(start) << _TWO)
            x = np.float32(start)
            for _ in range((end - start) >> 2):
                nearer_four(depth_at, record_at, base, slope, x, record)
                depth_at += np.uint64(16)
                record_at += np.uint64(16)
                x += np.float32(4)
            for _ in range((end - start) & 3):
                nearer_one(depth_at, record_at, base, slope, x, record)
                depth_at += np.uint64(4)
                record_at += np.uint64(4)
                x += np.float32(1)
        depth_row += row_bytes
        record_row += row_bytes
    return covers


@inlined
def _project(geometry: Geometry, body: Index, view: View, screen: Floats) -> None:
    """Screen and camera coordinates of a body's vertices."""
    axes, position, vertices = view.axes, view.position, geometry.vertices
    center_x, center_y, focal = view.width * 0.5, view.height * 0.5, view.focal
    rx, ry, rz = axes[0, 0], axes[0, 1], axes[0, 2]
    ux, uy, uz = axes[1, 0], axes[1, 1], axes[1, 2]
    fx, fy, fz = axes[2, 0], axes[2, 1], axes[2, 2]
    first = np.uint64(geometry.vertex_start[body])
    for index in range(np.uint64(geometry.vertex_start[body + _ONE]) - first):
        dx = vertices[first + index, 0] - position[0]
        dy = vertices[first + index, 1] - position[1]
        dz = vertices[first + index, 2] - position[2]
        across, above, depth = rx * dx + ry * dy + rz * dz, ux * dx + uy * dy + uz * dz, fx * dx + fy * dy + fz * dz
        scale = focal / depth
        screen[index, 0] = center_x + across * scale
        screen[index, 1] = center_y - above * scale
        screen[index, 2] = across
        screen[index, 3] = above
        screen[index, 4] = depth


@kernel
def _clip(
    screen: Floats, corners: Integers, first: Index, count: Index, view: View, near: float, outline: Floats
) -> Index:
    """Outline of a polygon cut at the near plane; its number of corners.

    A cut edge is interpolated from its lower-numbered vertex, so that both polygons at the edge get the same point.
    """
    center_x, center_y = view.width * 0.5, view.height * 0.5
    kept = np.uint64(0)
    for index in range(count):
        here = np.uint64(corners[first + index])
        following = np.uint64(corners[first + index + _ONE]) if index + _ONE < count else np.uint64(corners[first])
        inside = screen[here, 4] >= near
        if inside:
            outline[kept, 0], outline[kept, 1] = screen[here, 0], screen[here, 1]
            kept += _ONE
        if inside != (screen[following, 4] >= near):
            low, high = min(here, following), max(here, following)
            part = (near - screen[low, 4]) / (screen[high, 4] - screen[low, 4])
            across = screen[low, 2] + part * (screen[high, 2] - screen[low, 2])
            above = screen[low, 3] + part * (screen[high, 3] - screen[low, 3])
            outline[kept, 0] = center_x + view.focal * across / near
            outline[kept, 1] = center_y - view.focal * above / near
            kept += _ONE
    return kept


@inlined
def _outline(screen: Floats, corners: Integers, first: Index, count: Index, outline: Floats) -> float:
    """Copy a polygon's screen corners; the depth of its nearest corner."""
    nearest = np.inf
    for index in range(count):
        vertex = np.uint64(corners[first + index])
        outline[index, 0], outline[index, 1] = screen[vertex, 0], screen[vertex, 1]
        nearest = min(nearest, screen[vertex, 4])
    return nearest


@inlined
def _rows(outline: Floats, count: Index, width: float, height: float) -> tuple[Index, Index]:
    """First row and one past the last row that the outline covers; equal when it covers no pixel centre."""
    low_x = high_x = outline[0, 0]
    low_y = high_y = outline[0, 1]
    for corner in range(_ONE, count):
        x, y = outline[corner, 0], outline[corner, 1]
        low_x, high_x = min(low_x, x), max(high_x, x)
        low_y, high_y = min(low_y, y), max(high_y, y)
    if _pixel(low_x, width) == _pixel(high_x, width):
        return np.int64(0), np.int64(0)
    return _pixel(low_y, height), _pixel(high_y, height)


@inlined
def _depth_plane(view: View, nx: float, ny: float, nz: float, distance: float) -> tuple[float, float, float]:
    """Inverse depth a x + b y + c, in pixels, of a plane ``distance`` metres in front of which the camera is."""
    axes, scale = view.axes, -1.0 / distance
    a = (axes[0, 0] * nx + axes[0, 1] * ny + axes[0, 2] * nz) * scale / view.focal
    b = -(axes[1, 0] * nx + axes[1, 1] * ny + axes[1, 2] * nz) * scale / view.focal
    forward = (axes[2, 0] * nx + axes[2, 1] * ny + axes[2, 2] * nz) * scale
    return a, b, forward - a * (view.width * 0.5) - b * (view.height * 0.5)


@inlined
def _draw_body(
    geometry: Geometry, body: Index, view: View, near: float, canvas: Canvas, scratch: Scratch, records: Index
) -> Index:
    """Draw the polygons of one body that face the camera; the number of records so far."""
    position, screen, outline, planes = view.position, scratch.screen, scratch.outline, geometry.planes
    width, height = float(view.width), float(view.height)
    body = np.uint64(body)
    _project(geometry, body, view, screen)
    for polygon in range(np.uint64(geometry.polygon_start[body]), np.uint64(geometry.polygon_start[body + _ONE])):
        nx, ny, nz = planes[polygon, 0], planes[polygon, 1], planes[polygon, 2]
        distance = nx * position[0] + ny * position[1] + nz * position[2] - planes[polygon, 3]
        if distance <= _BACK_FACE_M:
            continue
        start = np.uint64(geometry.corner_start[polygon])
        count = np.uint64(geometry.corner_start[polygon + _ONE]) - start
        if _outline(screen, geometry.corners, start, count, outline) < near:
            count = _clip(screen, geometry.corners, start, count, view, near, outline)
            if count < np.uint64(3):
                continue
        first, last = _rows(outline, count, width, height)
        if first >= last:
            continue
        a, b, c = _depth_plane(view, nx, ny, nz, distance)
        depths, record = canvas.inverse_depth, np.int32(records + 1)
        if _fill(outline, count, first, last, a, b, c, record, depths, canvas.record, canvas.left, canvas.right):
            records += 1
            index = np.uint64(records)
            scratch.sources[index, POLYGON] = polygon
            scratch.sources[index, BODY] = body
            scratch.sources[index, READY] = 0
            scratch.paints[index, DEPTH_PLANE] = a
            scratch.paints[index, DEPTH_PLANE + 1] = b
            scratch.paints[index, DEPTH_PLANE + 2] = c
    return records


@kernel
def _draw_listed(
    geometry: Geometry,
    count: Index,
    view: View,
    near: float,
    tile_shift: Index,
    checked: Index,
    canvas: Canvas,
    scratch: Scratch,
    records: Index,
) -> Index:
    """Draw the candidates front to back; from position ``checked`` on only what the coarse grid does not hide."""
    sort_by_nearness(scratch, count)
    for position in range(count):
        index = np.uint64(scratch.order[position])
        if tile_shift > 0 and position >= checked:
            if position == checked:
                coarsen(canvas, tile_shift)
            if behind(canvas, view, near, tile_shift, scratch, index):
                continue
        records = _draw_body(geometry, scratch.candidates[index], view, near, canvas, scratch, records)
    return records


@kernel
def _drop_hidden(view: View, near: float, tile_shift: Index, canvas: Canvas, scratch: Scratch, count: Index) -> Index:
    """Keep the candidates that the coarse grid does not hide; their number."""
    coarsen(canvas, tile_shift)
    kept = 0
    for index in range(count):
        if not behind(canvas, view, near, tile_shift, scratch, index):
            scratch.candidates[kept] = scratch.candidates[index]
            scratch.nearness[kept] = scratch.nearness[index]
            kept += 1
    return kept


@kernel
def _clear(canvas: Canvas) -> None:
    for y in range(canvas.record.shape[0]):
        depths, records = canvas.inverse_depth[y], canvas.record[y]
        for x in range(len(depths)):
            depths[x] = np.float32(0)
        for x in range(len(records)):
            records[x] = np.int32(0)


@kernel
def rasterise(
    geometry: Geometry, shown: Bytes, view: View, near: float, tile_shift: Index, canvas: Canvas, scratch: Scratch
) -> Index:
    """Fill the canvas with what the view sees; the number of records.

    Occluders go first, front to back. Everything whose sphere then lies behind the coarse grid is dropped, the rest
    is drawn front to back. A ``tile_shift`` of 0 draws everything in the frustum: the same image, later.
    """
    _clear(canvas)
    bodies = len(geometry.radii)
    count = in_frustum(geometry, shown, view, near, scratch, geometry.first_occluder, bodies)
    checked = _OCCLUDERS_BEFORE_GRID
    records = _draw_listed(geometry, count, view, near, tile_shift, checked, canvas, scratch, 0)
    count = in_frustum(geometry, shown, view, near, scratch, 0, geometry.first_occluder)
    if tile_shift > 0:
        count = _drop_hidden(view, near, tile_shift, canvas, scratch, count)
    return _draw_listed(geometry, count, view, near, tile_shift, bodies, canvas, scratch, records)
