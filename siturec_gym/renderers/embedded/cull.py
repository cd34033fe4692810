"""Which bodies need drawing: spheres against the frustum, then against a coarse grid of depths."""

import math

import numpy as np

from siturec_gym.renderers.embedded.jit import inlined, kernel
from siturec_gym.renderers.embedded.layout import Bytes, Canvas, Geometry, Index, Number, Scratch, View

_CAUTION = np.float32(1.00001)
_ONE = np.uint64(1)
_BINS_PER_METRE = 4.0


@kernel
def in_frustum(
    geometry: Geometry, shown: Bytes, view: View, near: float, scratch: Scratch, first: Index, last: Index
) -> Index:
    """List the shown bodies whose sphere touches the frustum; their number.

    Args:
        geometry: The store.
        shown: (B,) 0 for hidden bodies.
        view: The camera.
        near: Nearest depth drawn, metres.
        scratch: Where candidates, their nearness and their centres go.
        first: First body to look at.
        last: One past the last.
    """
    half_width, half_height = view.width * 0.5 / view.focal, view.height * 0.5 / view.focal
    slack_x, slack_y = math.sqrt(1.0 + half_width * half_width), math.sqrt(1.0 + half_height * half_height)
    axes, position, centers = view.axes, view.position, geometry.centers
    count = 0
    for body in range(first, last):
        if shown[body] == 0:
            continue
        dx = centers[body, 0] - position[0]
        dy = centers[body, 1] - position[1]
        dz = centers[body, 2] - position[2]
        radius = geometry.radii[body]
        depth = axes[2, 0] * dx + axes[2, 1] * dy + axes[2, 2] * dz
        if depth < near - radius:
            continue
        across = axes[0, 0] * dx + axes[0, 1] * dy + axes[0, 2] * dz
        if abs(across) - depth * half_width > radius * slack_x:
            continue
        above = axes[1, 0] * dx + axes[1, 1] * dy + axes[1, 2] * dz
        if abs(above) - depth * half_height > radius * slack_y:
            continue
        scratch.candidates[count] = body
        scratch.nearness[count] = depth - radius
        scratch.camera_centers[count, 0] = across
        scratch.camera_centers[count, 1] = above
        scratch.camera_centers[count, 2] = depth
        count += 1
    return count


@kernel
def sort_by_nearness(scratch: Scratch, count: Index) -> None:
    """Put the first ``count`` candidates in order, near ones first, to a quarter of a metre: speed is all it serves."""
    bins, order = scratch.bins, scratch.order
    for number in range(len(bins)):
        bins[number] = 0
    for index in range(count):
        bins[_bin(scratch.nearness[index], len(bins)) + _ONE] += 1
    for number in range(1, len(bins)):
        bins[number] += bins[number - 1]
    for index in range(count):
        number = _bin(scratch.nearness[index], len(bins))
        order[bins[number]] = index
        bins[number] += 1


@inlined
def _bin(nearness: float, bins: Index) -> Index:
    """Number of the quarter of a metre, 0 to ``bins - 2``."""
    return np.uint64(min(max(nearness * _BINS_PER_METRE, 0.0), bins - 2.0))


@kernel
def coarsen(canvas: Canvas, tile_shift: Index) -> None:
    """Fill the coarse grid: the least inverse depth (the farthest point) of each whole tile."""
    depths, row, coarse = canvas.inverse_depth, canvas.row, canvas.coarse
    height, width = depths.shape
    size = np.uint64(1 << tile_shift)
    shift = np.uint64(tile_shift)
    for tile_y in range(np.uint64(height) >> shift):
        top = np.uint64(tile_y) << shift
        for x in range(width):
            row[x] = depths[top, x]
        for y in range(top + np.uint64(1), top + size):
            line = depths[y]
            for x in range(width):
                row[x] = min(line[x], row[x])
        for tile_x in range(np.uint64(width) >> shift):
            left = np.uint64(tile_x) << shift
            least = row[left]
            for x in range(left + np.uint64(1), left + size):
                least = min(row[x], least)
            coarse[tile_y, tile_x] = least


@inlined
def _edge(low: float, near_scale: Number, far_scale: Number, sign: float) -> Number:
    """Outermost projection of an interval end that lies anywhere between two depths."""
    outward = low * sign > 0.0
    return low * near_scale if outward else low * far_scale


@inlined
def behind(canvas: Canvas, view: View, near: float, tile_shift: Index, scratch: Scratch, index: Index) -> bool:
    """Whether the sphere of candidate ``index`` lies wholly behind what the coarse grid shows, or off the image."""
    across, above, depth = (
        scratch.camera_centers[index, 0],
        scratch.camera_centers[index, 1],
        scratch.camera_centers[index, 2],
    )
    nearest = scratch.nearness[index]
    if nearest <= near:
        return False
    radius = depth - nearest
    near_scale, far_scale = view.focal / nearest, view.focal / (depth + radius)
    center_x, center_y = view.width * 0.5, view.height * 0.5
    x0 = center_x + _edge(across - radius, near_scale, far_scale, -1.0)
    x1 = center_x + _edge(across + radius, near_scale, far_scale, 1.0)
    y0 = center_y + _edge(-above - radius, near_scale, far_scale, -1.0)
    y1 = center_y + _edge(-above + radius, near_scale, far_scale, 1.0)
    if x1 < 0.0 or y1 < 0.0 or x0 > view.width or y0 > view.height:
        return True
    first_x, last_x = max(0, int(x0)) >> tile_shift, min(view.width - 1, int(x1)) >> tile_shift
    first_y, last_y = max(0, int(y0)) >> tile_shift, min(view.height - 1, int(y1)) >> tile_shift
    limit = np.float32(1.0 / nearest) * _CAUTION
    for tile_y in range(np.uint64(first_y), np.uint64(last_y + 1)):
        for tile_x in range(np.uint64(first_x), np.uint64(last_x + 1)):
            if canvas.coarse[tile_y, tile_x] < limit:
                return False
    return True
