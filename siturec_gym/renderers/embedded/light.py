"""Light maps: brightness over each polygon, baked offline and shipped, or plain where none is wanted.

The shipped file is keyed by the shape of the store: the sphere of every body and the number of its polygons. Prices
and names may change under it; a shelf that moves may not.
"""

import io
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym import assets
from siturec_gym.core.errors import DataError, RendererError
from siturec_gym.renderers.embedded.layout import Bytes, Floats, Geometry, Integers, Light
from siturec_gym.renderers.embedded.store import Store

_TOLERANCE_M = 0.001
_LEAST_EXTENT = 1e-9
_PLAIN_TOP, _PLAIN_SIDE, _PLAIN_BELOW, _GLOW = 250, 205, 140, 255


@dataclass(frozen=True)
class Bake:
    """Content of a light file.

    Attributes:
        spheres: (bodies, 4) float32 centre and radius of each body it was baked for.
        polygons: (bodies,) int32 number of polygons of each.
        sizes: (all polygons, 2) uint16 columns and rows of each light map, at least 2.
        samples: brightness 0..255 of all maps, one after the other.
    """

    spheres: NDArray[np.float32]
    polygons: Integers
    sizes: NDArray[np.uint16]
    samples: Bytes


def light_file(scene_name: str) -> str:
    """Asset name of a scene's light."""
    return f"{scene_name}/light.npz"


def bake_command(scene_name: str) -> str:
    """What to type to bake a scene's light anew."""
    return f"python -m siturec_gym.renderers.embedded.bake {scene_name}"


@lru_cache(maxsize=4)
def shipped_light(store: Store, scene_name: str) -> Light:
    """The light shipped for a scene; the same object at each call, shared by the renderers of a process.

    Raises:
        RendererError: No light is shipped, or it belongs to another shape of the store.
    """
    hint = f"; bake it with: {bake_command(scene_name)}"
    try:
        baked = read_bake(assets.read_asset(light_file(scene_name)))
    except DataError as error:
        raise RendererError(f"no baked light for scene {scene_name!r}: {error}{hint}") from error
    if not _fits(baked, store.geometry):
        raise RendererError(f"the baked light of scene {scene_name!r} belongs to another shape of the store{hint}")
    return light_from(store.geometry, baked.sizes, baked.samples)


def plain_light(store: Store) -> Light:
    """Even light that depends on the direction of a surface alone."""
    up = store.geometry.planes[:, 2]
    level = np.where(up > 0.5, _PLAIN_TOP, np.where(up < -0.5, _PLAIN_BELOW, _PLAIN_SIDE))
    level = np.where(np.abs(store.geometry.planes[:, 0]) > 0.7, level - 14, level)
    level = np.where(store.glows > 0, _GLOW, level).astype(np.uint8)
    sizes = np.full((len(level), 2), 2, np.uint16)
    return light_from(store.geometry, sizes, np.repeat(level, 4))


def light_from(geometry: Geometry, sizes: NDArray[np.uint16], samples: Bytes) -> Light:
    """Lay light maps of the given sizes over the texel rectangles of the polygons."""
    low, high = texel_windows(geometry)
    extent = np.maximum(high - low, _LEAST_EXTENT)
    per_texel = (sizes.astype(np.float64) - 1.0) / extent
    counts = sizes[:, 0].astype(np.int64) * sizes[:, 1]
    starts = np.concatenate(((0,), np.cumsum(counts)[:-1]))
    windows = np.stack((low[:, 0], per_texel[:, 0], low[:, 1], per_texel[:, 1]), axis=1)
    return Light(
        samples=samples,
        grids=np.column_stack((starts, sizes)).astype(np.int32),
        windows=np.ascontiguousarray(windows),
    )


def texel_windows(geometry: Geometry) -> tuple[Floats, Floats]:
    """(polygons, 2) least and greatest texel coordinates u, v of each polygon's corners."""
    counts = np.diff(geometry.corner_start)
    polygon = np.repeat(np.arange(len(counts)), counts)
    body = np.repeat(np.arange(len(geometry.radii)), np.diff(geometry.polygon_start))
    points = geometry.vertices[geometry.corners + geometry.vertex_start[body][polygon]]
    maps = geometry.maps[polygon]
    u = (points * maps[:, 0:3]).sum(axis=1) + maps[:, 3]
    v = (points * maps[:, 4:7]).sum(axis=1) + maps[:, 7]
    uv, starts = np.stack((u, v), axis=1), geometry.corner_start[:-1]
    return np.minimum.reduceat(uv, starts), np.maximum.reduceat(uv, starts)


def write_bake(baked: Bake) -> bytes:
    """The bytes of a light file; equal bakes give equal bytes."""
    arrays: dict[str, NDArray[Any]] = {
        "spheres": baked.spheres,
        "polygons": baked.polygons,
        "sizes": baked.sizes,
        "samples": baked.samples,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, content.getvalue(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def read_bake(content: bytes) -> Bake:
    """A light file's content. Raises DataError when it is not one."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return Bake(arrays["spheres"], arrays["polygons"], arrays["sizes"], arrays["samples"])
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise DataError(f"not a light file: {error}") from error


def key_of(geometry: Geometry) -> tuple[NDArray[np.float32], Integers]:
    """What a bake is keyed by: the spheres and the polygon counts of all bodies."""
    spheres = np.column_stack((geometry.centers, geometry.radii)).astype(np.float32)
    return spheres, np.diff(geometry.polygon_start).astype(np.int32)


def _fits(baked: Bake, geometry: Geometry) -> bool:
    spheres, polygons = key_of(geometry)
    return (
        baked.polygons.shape == polygons.shape
        and bool((baked.polygons == polygons).all())
        and bool(np.allclose(baked.spheres, spheres, rtol=0.0, atol=_TOLERANCE_M))
        and len(baked.sizes) == len(geometry.planes)
        and len(baked.samples) == int((baked.sizes[:, 0].astype(np.int64) * baked.sizes[:, 1]).sum())
    )
