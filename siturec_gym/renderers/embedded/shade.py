"""From the visibility buffer to depth, ids and colour.

Colour goes by runs of equal record within a row. u / depth, v / depth and 1 / depth are linear on the screen: they
are divided at the ends of short spans only, and stepped in 16.16 fixed point between.
"""

import math

import numpy as np

from siturec_gym.renderers.embedded.jit import inlined, kernel
from siturec_gym.renderers.embedded.layout import (
    BODY,
    COVER,
    DEPTH_PLANE,
    LEVELS,
    LIGHT_GRID,
    LIGHT_WINDOW,
    LOG2_HEIGHT,
    LOG2_WIDTH,
    POLYGON,
    READY,
    TEXELS_PER_PIXEL,
    U_PLANE,
    V_PLANE,
    Bytes,
    Canvas,
    Floats,
    Geometry,
    Ids,
    Index,
    Light,
    Number,
    Scratch,
    Singles,
    Textures,
    View,
)
from siturec_gym.renderers.embedded.runs import run_end
from siturec_gym.renderers.embedded.vectors import paint

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)
_FIXED = 65536.0
_BRIGHT = 256.0
_SHRINK = 0.5 ** np.arange(8)
_SHORTEST_SPAN, _LONGEST_SPAN = 8.0, 48.0
_SPAN_BEND = 2.0
_EVEN_LIGHT = 5.0
_NOTHING = (200, 210, 220)


@kernel
def write_depth(inverse_depth: Singles, depth: Singles) -> None:
    """Metres along the view axis, inf where nothing is hit."""
    height, width = depth.shape
    for y in range(height):
        source, target = inverse_depth[y], depth[y]
        for x in range(width):
            target[x] = np.float32(1) / source[x]


@kernel
def write_ids(canvas: Canvas, geometry: Geometry, scratch: Scratch, ids: Ids) -> None:
    """Object id of each pixel, 0 where nothing is hit."""
    height, width = ids.shape
    for y in range(height):
        row, target = canvas.record[y], ids[y]
        for x in range(width):
            record = np.uint64(row[x])
            target[x] = geometry.object_ids[np.uint64(scratch.sources[record, BODY])] if record else 0


@kernel
def _prepare(record: Index, geometry: Geometry, light: Light, view: View, scratch: Scratch) -> None:
    """Fill the rest of a record's row of ``paints``, once a frame."""
    axes, position, focal = view.axes, view.position, view.focal
    center_x, center_y = view.width * 0.5, view.height * 0.5
    paint, polygon = scratch.paints[record], np.uint64(scratch.sources[record, POLYGON])
    maps, normal = geometry.maps[polygon], geometry.planes[polygon]
    for k in range(2):
        mx, my, mz, plane = maps[4 * k], maps[4 * k + 1], maps[4 * k + 2], U_PLANE + 3 * k
        a = (axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz) / focal
        b = -(axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz) / focal
        c = axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz - a * center_x - b * center_y
        here = maps[4 * k + 3] + mx * position[0] + my * position[1] + mz * position[2]
        paint[plane] = a + here * paint[DEPTH_PLANE]
        paint[plane + 1] = b + here * paint[DEPTH_PLANE + 1]
        paint[plane + 2] = c + here * paint[DEPTH_PLANE + 2]
    distance = normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2] - normal[3]
    paint[TEXELS_PER_PIXEL] = maps[8] / (focal * focal * distance)
    for k in range(4):
        paint[LIGHT_WINDOW + k] = light.windows[polygon, k]
    for k in range(3):
        paint[LIGHT_GRID + k] = light.grids[polygon, k]
    for k in range(2):
        paint[COVER + k] = geometry.covers[polygon, k]
    scratch.sources[record, READY] = 1


@inlined
def _whole(value: Number) -> Index:
    """Whole part of a number that is not negative; by way of a signed integer, which processors convert at once."""
    return np.uint64(np.int64(value))


@inlined
def _place(u: Number, v: Number) -> Index:
    """Two numbers in one word, v above u; sums of words are the words of sums."""
    return np.uint64((np.int64(v) << np.int64(32)) + np.int64(u))


@inlined
def _light_at(samples: Bytes, paint: Floats, u: Number, v: Number) -> Number:
    """Brightness 0..255 at texel (u, v), bilinear."""
    columns = paint[LIGHT_GRID + 1]
    across = min(max((u - paint[LIGHT_WINDOW]) * paint[LIGHT_WINDOW + 1], 0.0), columns - 1.001)
    down = min(max((v - paint[LIGHT_WINDOW + 2]) * paint[LIGHT_WINDOW + 3], 0.0), paint[LIGHT_GRID + 2] - 1.001)
    column, row = np.floor(across), np.floor(down)
    at = _whole(paint[LIGHT_GRID] + row * columns + column)
    below = at + _whole(columns)
    across -= column
    upper = float(samples[at]) * (1.0 - across) + float(samples[at + _ONE]) * across
    lower = float(samples[below]) * (1.0 - across) + float(samples[below + _ONE]) * across
    return upper + (lower - upper) * (down - row)


@inlined
def _mip_level(texels_per_pixel: float, levels: Index) -> Index:
    """Mip level at which a pixel covers about one texel; a little to the sharp side."""
    level = (
        np.int64(texels_per_pixel > 1.9)
        + np.int64(texels_per_pixel > 7.6)
        + np.int64(texels_per_pixel > 30.4)
        + np.int64(texels_per_pixel > 121.6)
        + np.int64(texels_per_pixel > 486.4)
        + np.int64(texels_per_pixel > 1945.6)
        + np.int64(texels_per_pixel > 7782.4)
    )
    return min(level, levels - 1)


@inlined
def _span(
    target: Index,
    count: Index,
    texture: Index,
    level: Index,
    textures: Textures,
    wraps: bool,
    start: tuple[Number, Number, Number],
    end: tuple[Number, Number, Number],
    steps: Number,
) -> None:
    """Colour ``count`` pixels from the address ``target`` on; u, v and brightness are linear over ``steps``."""
    size_u = np.int64(1) << (textures.table[texture, LOG2_WIDTH] - level)
    size_v = np.int64(1) << (textures.table[texture, LOG2_HEIGHT] - level)
    shrink: Number = _SHRINK[level]
    u0, u1 = start[0] * shrink - 0.5, end[0] * shrink - 0.5
    v0, v1 = start[1] * shrink - 0.5, end[1] * shrink - 0.5
    if not wraps:
        limit_u, limit_v = max(float(size_u) - 1.001, 0.0), max(float(size_v) - 1.001, 0.0)
        u0, u1 = min(max(u0, 0.0), limit_u), min(max(u1, 0.0), limit_u)
        v0, v1 = min(max(v0, 0.0), limit_v), min(max(v1, 0.0), limit_v)
    per_step = _FIXED / steps
    first = _place(u0 * _FIXED, v0 * _FIXED), _whole(start[2] * _BRIGHT)
    step = (
        _place((u1 - u0) * per_step, (v1 - v0) * per_step),
        _whole((end[2] - start[2]) * per_step * (_BRIGHT / _FIXED)),
    )
    texels = np.uint64(textures.texels.ctypes.data) + (np.uint64(textures.table[texture, level]) << _TWO)
    masks = np.uint64(size_u - 1), np.uint64(size_v - 1)
    paint(target, texels, np.uint64(size_u + 1) << _TWO, masks, first, step, count)


@inlined
def _run(target: Index, first: Index, end: Index, y: float, source: Floats, textures: Textures, samples: Bytes) -> None:
    """Colour one run of pixels that show the same record, span by span.

    Args:
        target: Address of the run's first pixel.
        first: Its column.
        end: One past the column of the last pixel.
        y: Height of the row's middle, pixels.
        source: The record's row of ``paints``.
        textures: All textures.
        samples: Brightness of all light maps.
    """
    slope, base = source[DEPTH_PLANE], source[DEPTH_PLANE + 1] * y + source[DEPTH_PLANE + 2]
    slope_u, base_u = source[U_PLANE], source[U_PLANE + 1] * y + source[U_PLANE + 2]
    slope_v, base_v = source[V_PLANE], source[V_PLANE + 1] * y + source[V_PLANE + 2]
    texture, wraps = _whole(source[COVER]), source[COVER + 1] != 0.0
    levels = textures.table[texture, LEVELS]
    x = float(np.int64(first)) + 0.5
    depth = 1.0 / (slope * x + base)
    u, v = (slope_u * x + base_u) * depth, (slope_v * x + base_v) * depth
    bright = _light_at(samples, source, u, v)
    length, bend = _LONGEST_SPAN, abs(slope) * depth
    if bend * _LONGEST_SPAN * _LONGEST_SPAN > _SPAN_BEND:
        length = max(_SHORTEST_SPAN, np.floor(math.sqrt(_SPAN_BEND / bend)))
    left = float(np.int64(end - first))
    even = left < _EVEN_LIGHT
    while left > 0.0:
        count = min(left, length)
        left -= count
        steps = count if left > 0.0 else max(count - 1.0, 1.0)
        x += count if left > 0.0 else count - 1.0
        depth_end = 1.0 / (slope * x + base)
        u_end, v_end = (slope_u * x + base_u) * depth_end, (slope_v * x + base_v) * depth_end
        bright_end = bright if even else _light_at(samples, source, u_end, v_end)
        level = _mip_level(source[TEXELS_PER_PIXEL] * depth * depth * depth, levels)
        pixels = _whole(count)
        _span(target, pixels, texture, level, textures, wraps, (u, v, bright), (u_end, v_end, bright_end), steps)
        target += pixels * _THREE
        depth, u, v, bright = depth_end, u_end, v_end, bright_end


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
    """Colour and object id of every pixel.

    ``rgb`` is (height, 3 * width) and must be followed by one byte that may be overwritten.
    """
    height, width = ids.shape
    for y in range(height):
        records, row, ids_row = canvas.record[y], rgb[y], ids[y]
        x = np.uint64(0)
        while x < np.uint64(width):
            record, first = np.uint64(records[x]), x
            x = run_end(records, x)
            if record == np.uint64(0):
                for k in range(first, x):
                    ids_row[k] = 0
                    row[k * _THREE], row[k * _THREE + _ONE], row[k * _THREE + _TWO] = _NOTHING
                continue
            if scratch.sources[record, READY] == 0:
                _prepare(record, geometry, light, view, scratch)
            object_id = geometry.object_ids[np.uint64(scratch.sources[record, BODY])]
            for k in range(first, x):
                ids_row[k] = object_id
            target = np.uint64(row.ctypes.data) + first * _THREE
            _run(target, first, x, y + 0.5, scratch.paints[record], textures, light.samples)


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
