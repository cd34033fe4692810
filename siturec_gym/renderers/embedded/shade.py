"""From the visibility buffer to depth, ids and colour.

Colour goes by runs of equal record within a row. u / depth, v / depth and 1 / depth are linear on the screen: they
are divided at the ends of short spans only, and stepped in 16.16 fixed point between.
"""

import math

import numpy as np

from siturec_gym.renderers.embedded.jit import inlined, kernel
from siturec_gym.renderers.embedded.layout import (
    Bytes,
    Canvas,
    Floats,
    Geometry,
    Ids,
    Light,
    Scratch,
    Singles,
    Textures,
    View,
)
from siturec_gym.renderers.embedded.vectors import all_four_equal, bilinear

_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_FIXED = 65536.0
_SHORTEST_SPAN, _LONGEST_SPAN = 8.0, 32.0
_SPAN_BEND = 2.0
_NOTHING = (200, 210, 220)


@kernel
def write_depth(inverse_depth: Singles, depth: Singles) -> None:
    """Metres along the view axis, inf where nothing is hit."""
    height, width = depth.shape
    for y in range(height):
        source, target = inverse_depth[y], depth[y]
        for x in range(width):
            target[x] = np.float32(1) / source[x]


@inlined
def _run_end(records: int, x: int, width: int, record: int) -> int:
    """One past the last pixel from ``x`` on that shows ``record``; ``records`` is the address of the row."""
    address = records + (x << _TWO)
    while x + _FOUR <= width and all_four_equal(address, record):
        x += _FOUR
        address += np.uint64(16)
    return x


@kernel
def write_ids(canvas: Canvas, geometry: Geometry, scratch: Scratch, ids: Ids) -> None:
    """Object id of each pixel, 0 where nothing is hit."""
    height, width = ids.shape
    for y in range(height):
        row, target = canvas.record[y], ids[y]
        for x in range(width):
            record = np.uint64(row[x])
            target[x] = geometry.object_ids[np.uint64(scratch.record_body[record])] if record else 0


@kernel
def _prepare(record: int, polygon: int, geometry: Geometry, view: View, scratch: Scratch) -> None:
    """Screen planes of u / depth and v / depth of a record, once a frame."""
    axes, position, focal = view.axes, view.position, view.focal
    center_x, center_y = view.width * 0.5, view.height * 0.5
    planes, depth_planes, maps = scratch.texture_planes, scratch.depth_planes, geometry.maps
    for k in range(2):
        mx, my, mz = maps[polygon, 4 * k], maps[polygon, 4 * k + 1], maps[polygon, 4 * k + 2]
        a = (axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz) / focal
        b = -(axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz) / focal
        c = axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz - a * center_x - b * center_y
        here = maps[polygon, 4 * k + 3] + mx * position[0] + my * position[1] + mz * position[2]
        planes[record, 3 * k] = a + here * depth_planes[record, 0]
        planes[record, 3 * k + 1] = b + here * depth_planes[record, 1]
        planes[record, 3 * k + 2] = c + here * depth_planes[record, 2]
    normal = geometry.planes[polygon]
    distance = normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2] - normal[3]
    planes[record, 6] = maps[polygon, 8] / (focal * focal * distance)
    scratch.record_ready[record] = 1


@inlined
def _light_at(light: Light, polygon: int, u: float, v: float) -> float:
    """Brightness 0..256 of a polygon at texel (u, v), bilinear."""
    columns, rows = np.uint64(light.columns[polygon]), np.uint64(light.rows[polygon])
    across = min(max((u - light.windows[polygon, 0]) * light.windows[polygon, 1], 0.0), float(columns) - 1.001)
    down = min(max((v - light.windows[polygon, 2]) * light.windows[polygon, 3], 0.0), float(rows) - 1.001)
    column, row = np.uint64(across), np.uint64(down)
    across -= float(column)
    down -= float(row)
    at = np.uint64(light.start[polygon]) + row * columns + column
    upper = float(light.samples[at]) * (1.0 - across) + float(light.samples[at + _ONE]) * across
    at += columns
    lower = float(light.samples[at]) * (1.0 - across) + float(light.samples[at + _ONE]) * across
    return upper + (lower - upper) * down


@inlined
def _mip_level(texels_per_pixel: float, levels: int) -> int:
    """Mip level at which a pixel covers about one texel; a little to the sharp side."""
    level = (
        np.uint64(texels_per_pixel > 1.9)
        + np.uint64(texels_per_pixel > 7.6)
        + np.uint64(texels_per_pixel > 30.4)
        + np.uint64(texels_per_pixel > 121.6)
        + np.uint64(texels_per_pixel > 486.4)
        + np.uint64(texels_per_pixel > 1945.6)
        + np.uint64(texels_per_pixel > 7782.4)
    )
    return min(level, np.uint64(levels) - _ONE)


@inlined
def _span(
    row: Bytes,
    first: int,
    end: int,
    texture: int,
    level: int,
    textures: Textures,
    wraps: bool,
    from_uvl: tuple[float, float, float],
    to_uvl: tuple[float, float, float],
    steps: float,
) -> None:
    """Colour pixels first..end - 1 of a row; texel coordinates and light are linear between the two ends."""
    log2_width = np.uint64(textures.log2_size[texture, 0]) - level
    log2_height = np.uint64(textures.log2_size[texture, 1]) - level
    mask_u, mask_v = (_ONE << log2_width) - _ONE, (_ONE << log2_height) - _ONE
    shrink = 1.0 / float(_ONE << level)
    u0, u1 = from_uvl[0] * shrink - 0.5, to_uvl[0] * shrink - 0.5
    v0, v1 = from_uvl[1] * shrink - 0.5, to_uvl[1] * shrink - 0.5
    if not wraps:
        limit_u, limit_v = max(float(mask_u) - 0.001, 0.0), max(float(mask_v) - 0.001, 0.0)
        u0, u1 = min(max(u0, 0.0), limit_u), min(max(u1, 0.0), limit_u)
        v0, v1 = min(max(v0, 0.0), limit_v), min(max(v1, 0.0), limit_v)
    per_step = _FIXED / steps
    u, v, shade = np.uint64(np.int64(u0 * _FIXED)), np.uint64(np.int64(v0 * _FIXED)), np.uint64(from_uvl[2] * _FIXED)
    step_u, step_v = np.uint64(np.int64((u1 - u0) * per_step)), np.uint64(np.int64((v1 - v0) * per_step))
    step_shade = np.uint64(np.int64((to_uvl[2] - from_uvl[2]) * per_step))
    base = np.uint64(textures.texels.ctypes.data) + (np.uint64(textures.level_start[texture, level]) << _TWO)
    stride = (mask_u + _TWO) << _TWO
    sixteen, twelve, fraction = np.uint64(16), np.uint64(12), np.uint64(15)
    for x in range(first, end):
        texel = base + ((v >> sixteen) & mask_v) * stride + (((u >> sixteen) & mask_u) << _TWO)
        color = bilinear(texel, texel + stride, (u >> twelve) & fraction, (v >> twelve) & fraction, shade >> sixteen)
        at = x * _THREE
        row[at] = np.uint8(color)
        row[at + _ONE] = np.uint8(color >> np.uint32(8))
        row[at + _TWO] = np.uint8(color >> np.uint32(16))
        u += step_u
        v += step_v
        shade += step_shade


@inlined
def _run(
    row: Bytes,
    first: int,
    end: int,
    y: float,
    record: int,
    polygon: int,
    texture: int,
    wraps: bool,
    depth_planes: Floats,
    texture_planes: Floats,
    textures: Textures,
    light: Light,
) -> None:
    """Colour one run of pixels that show the same polygon, span by span."""
    slope, base = depth_planes[record, 0], depth_planes[record, 1] * y + depth_planes[record, 2]
    slope_u, base_u = texture_planes[record, 0], texture_planes[record, 1] * y + texture_planes[record, 2]
    slope_v, base_v = texture_planes[record, 3], texture_planes[record, 4] * y + texture_planes[record, 5]
    levels = textures.levels[texture]
    x = float(first) + 0.5
    depth = 1.0 / (slope * x + base)
    u, v = (slope_u * x + base_u) * depth, (slope_v * x + base_v) * depth
    shade = _light_at(light, polygon, u, v)
    length, bend = _LONGEST_SPAN, abs(slope) * depth
    if bend * _LONGEST_SPAN * _LONGEST_SPAN > _SPAN_BEND:
        length = max(_SHORTEST_SPAN, math.floor(math.sqrt(_SPAN_BEND / bend)))
    left = float(end - first)
    while first < end:
        count = min(left, length)
        left -= count
        steps = count if left > 0.0 else max(count - 1.0, 1.0)
        stop = first + np.uint64(count)
        x = float(first) + steps + 0.5 if left > 0.0 else float(stop) - 0.5
        depth_end = 1.0 / (slope * x + base)
        u_end, v_end = (slope_u * x + base_u) * depth_end, (slope_v * x + base_v) * depth_end
        shade_end = _light_at(light, polygon, u_end, v_end)
        level = _mip_level(texture_planes[record, 6] * depth * depth * depth, levels)
        _span(row, first, stop, texture, level, textures, wraps, (u, v, shade), (u_end, v_end, shade_end), steps)
        first, depth, u, v, shade = stop, depth_end, u_end, v_end, shade_end


@kernel
def shade(
    geometry: Geometry,
    textures: Textures,
    light: Light,
    view: View,
    canvas: Canvas,
    scratch: Scratch,
    rgb: Bytes,
    ids: Ids,
) -> None:
    """Colour and object id of every pixel; ``rgb`` is (height, 3 * width)."""
    height, width = ids.shape
    wide = np.uint64(width)
    for y in range(height):
        records, row, ids_row = canvas.record[y], rgb[y], ids[y]
        address = np.uint64(records.ctypes.data)
        x = np.uint64(0)
        while x < wide:
            value, first = records[x], x
            x = _run_end(address, x + _ONE, wide, value)
            while x < wide and records[x] == value:
                x += _ONE
            record = np.uint64(value)
            if record == np.uint64(0):
                for k in range(first, x):
                    ids_row[k] = 0
                    row[k * _THREE], row[k * _THREE + _ONE], row[k * _THREE + _TWO] = _NOTHING
                continue
            polygon = np.uint64(scratch.record_polygon[record])
            if scratch.record_ready[record] == 0:
                _prepare(record, polygon, geometry, view, scratch)
            object_id = geometry.object_ids[np.uint64(scratch.record_body[record])]
            for k in range(first, x):
                ids_row[k] = object_id
            _run(
                row,
                first,
                x,
                y + 0.5,
                record,
                polygon,
                np.uint64(geometry.textures[polygon]),
                geometry.wraps[polygon] != 0,
                scratch.depth_planes,
                scratch.texture_planes,
                textures,
                light,
            )


@kernel
def halve(large: Bytes, small: Bytes) -> None:
    """Mean of 2x2 pixels: ``large`` is (2 height, 6 width), ``small`` (height, 3 width)."""
    height, length = small.shape
    for y in range(np.uint64(height)):
        upper, lower, target = large[y * _TWO], large[y * _TWO + _ONE], small[y]
        for pixel in range(np.uint64(length) // _THREE):
            for channel in range(_THREE):
                at = pixel * np.uint64(6) + channel
                total = (
                    np.uint32(upper[at])
                    + np.uint32(upper[at + _THREE])
                    + np.uint32(lower[at])
                    + np.uint32(lower[at + _THREE])
                )
                target[pixel * _THREE + channel] = np.uint8((total + np.uint32(2)) >> np.uint32(2))
