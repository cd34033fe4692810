"""A whole frame in one call from Python, whose arguments cost more than a small image's depth pass."""

from siturec_gym.renderers.embedded.jit import kernel
from siturec_gym.renderers.embedded.layout import (
    Bytes,
    Canvas,
    Geometry,
    Ids,
    Index,
    Light,
    Scratch,
    Singles,
    Textures,
    View,
)
from siturec_gym.renderers.embedded.raster import rasterise
from siturec_gym.renderers.embedded.shade import shade, write_depth


@kernel
def draw(
    geometry: Geometry,
    textures: Textures,
    light: Light,
    shown: Bytes,
    view: View,
    near: float,
    tile_shift: Index,
    canvas: Canvas,
    scratch: Scratch,
    rgb: Bytes,
    depth: Singles,
    ids: Ids,
) -> None:
    """Fill colour, depth and ids; for the arguments see ``rasterise`` and ``shade``."""
    rasterise(geometry, shown, view, near, tile_shift, canvas, scratch)
    write_depth(canvas.inverse_depth, depth)
    shade(geometry, textures, light, view, canvas, scratch, rgb, ids)
