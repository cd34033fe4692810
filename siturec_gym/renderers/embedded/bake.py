"""Bake a scene's light maps offline and ship them as data: python -m siturec_gym.renderers.embedded.bake supermarket

Direct light comes from the polygons that glow, with shadows; then light is gathered five times over the hemisphere from
what each sample sees. Needs the extra ``bake`` (embreex). Takes under two minutes for the Supermarket.
"""

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec_gym import assets
from siturec_gym.renderers.embedded.layout import Bytes, Floats, Geometry
from siturec_gym.renderers.embedded.light import Bake, key_of, light_file, texel_windows, write_bake
from siturec_gym.renderers.embedded.store import Store, store_of
from siturec_gym.scenes import load_scene

_FINE_M, _COARSE_M, _COARSE_FROM_M, _MOST_SAMPLES = 0.1, 0.2, 4.0, 256
_LIFT_M = 0.006
_RAYS = 48
_BOUNCES = 5
_ALBEDO = 0.66
_FILL = 0.05
_EXPOSURE = 2.5
_EMITTER_SPACING_M = 0.6
_FAR_M, _NEAR_M, _STRONG = 9.0, 2.2, 4.0
_MARGIN = 0.04


@dataclass(frozen=True)
class Samples:
    """Where light is computed: points just above polygons.

    Attributes:
        points: (n, 3) metres.
        normals: (n, 3) of their polygons.
        polygons: (n,) their polygons.
        sizes: (all polygons, 2) columns and rows of each light map.
    """

    points: Floats
    normals: Floats
    polygons: NDArray[np.int64]
    sizes: NDArray[np.uint16]


@dataclass(frozen=True)
class Emitter:
    """A small piece of a glowing polygon, treated as a point."""

    position: Floats
    normal: Floats
    power: float
    reach_m: float


def bake(store: Store) -> Bake:
    """Light maps of a store.

    Raises:
        ImportError: embreex is not installed.
    """
    tracer = _Tracer(store.geometry)
    samples = sample_points(store.geometry)
    direct = _direct(tracer, samples, emitters(store))
    lit = _bounced(tracer, samples, direct, len(store.geometry.planes))
    bright = np.where(store.glows[samples.polygons] > 0.0, np.inf, lit)
    spheres, polygons = key_of(store.geometry)
    return Bake(spheres, polygons, samples.sizes, tone(bright))


def tone(lit: Floats) -> Bytes:
    """Brightness 0..255 of irradiance: a curve that never clips what is merely bright."""
    value = 1.0 - np.exp(-_EXPOSURE * np.maximum(lit, 0.0))
    return np.round(255.0 * np.clip(value / (1.0 - math.exp(-_EXPOSURE * 1.5)), 0.04, 1.0)).astype(np.uint8)


def corners_of(geometry: Geometry, polygon: int, body: int) -> Floats:
    """(n, 3) corners of a polygon."""
    first, last = geometry.corner_start[polygon], geometry.corner_start[polygon + 1]
    corners: Floats = geometry.vertices[geometry.vertex_start[body] + geometry.corners[first:last]]
    return corners


def body_of_polygon(geometry: Geometry) -> NDArray[np.int64]:
    """(polygons,) body of each polygon."""
    return np.repeat(np.arange(len(geometry.radii)), np.diff(geometry.polygon_start))


def sample_points(geometry: Geometry) -> Samples:
    """A grid of samples over the texel rectangle of every polygon, drawn inside the polygon."""
    low, high = texel_windows(geometry)
    bodies = body_of_polygon(geometry)
    sizes = np.zeros((len(bodies), 2), np.uint16)
    points, counts = [], []
    for polygon, body in enumerate(bodies):
        to_world, lengths = _texel_frame(geometry.maps[polygon], geometry.planes[polygon], high[polygon] - low[polygon])
        columns, rows = (_samples_along(length) for length in lengths)
        sizes[polygon] = columns, rows
        across, down = np.meshgrid(_spread(columns), _spread(rows))
        uv = low[polygon] + np.stack((across.ravel(), down.ravel()), axis=1) * (high[polygon] - low[polygon])
        offsets = np.full((len(uv), 1), geometry.planes[polygon, 3])
        flat = np.hstack((uv - geometry.maps[polygon, (3, 7)], offsets))
        grid = flat @ to_world.T
        points.append(_pulled_inside(grid, corners_of(geometry, polygon, body), geometry.planes[polygon, :3]))
        counts.append(len(grid))
    polygons = np.repeat(np.arange(len(bodies)), counts)
    normals = geometry.planes[polygons, :3]
    return Samples(np.concatenate(points) + _LIFT_M * normals, normals, polygons, sizes)


def _texel_frame(maps: Floats, plane: Floats, extent: Floats) -> tuple[Floats, tuple[float, float]]:
    """Matrix from (u, v, plane offset) to world points, and the metres that ``extent`` texels span."""
    to_world = np.linalg.inv(np.stack((maps[0:3], maps[4:7], plane[:3])))
    along_u, along_v = to_world[:, 0] * extent[0], to_world[:, 1] * extent[1]
    return to_world, (math.sqrt(float(along_u @ along_u)), math.sqrt(float(along_v @ along_v)))


def _samples_along(length_m: float) -> int:
    spacing = _FINE_M if length_m < _COARSE_FROM_M else _COARSE_M
    return int(min(_MOST_SAMPLES, max(2, math.ceil(length_m / spacing - 0.2) + 1)))


def _spread(count: int) -> Floats:
    """``count`` places over 0..1, a little away from the ends."""
    return np.clip(np.linspace(0.0, 1.0, count), _MARGIN, 1.0 - _MARGIN)


def _pulled_inside(points: Floats, corners: Floats, normal: Floats) -> Floats:
    """Points moved into a convex polygon where they lie outside."""
    for _ in range(2):
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            inward = np.cross(normal, end - start)
            length = math.sqrt(float(inward @ inward))
            if length > 0.0:
                outside = np.minimum((points - start) @ (inward / length) - 0.001, 0.0)
                points = points - outside[:, None] * (inward / length)
    return points


def emitters(store: Store) -> list[Emitter]:
    """The glowing polygons as points, at most 0.6 m apart."""
    geometry, bodies = store.geometry, body_of_polygon(store.geometry)
    found = []
    for polygon in np.flatnonzero(store.glows > 0.0):
        corners = corners_of(geometry, int(polygon), int(bodies[polygon]))
        a, b = corners[1] - corners[0], corners[3] - corners[0]
        area = math.sqrt(float(np.cross(a, b) @ np.cross(a, b)))
        counts = [max(1, math.ceil(math.sqrt(float(edge @ edge)) / _EMITTER_SPACING_M)) for edge in (a, b)]
        power = float(store.glows[polygon]) * area / (counts[0] * counts[1])
        reach = _FAR_M if store.glows[polygon] > _STRONG else _NEAR_M
        for i in range(counts[0]):
            for j in range(counts[1]):
                position = corners[0] + a * (i + 0.5) / counts[0] + b * (j + 0.5) / counts[1]
                normal = geometry.planes[polygon, :3]
                found.append(Emitter(position + _LIFT_M * normal, normal, power, reach))
    return found


class _Tracer:
    """Rays against the store's triangles."""

    def __init__(self, geometry: Geometry) -> None:
        from embreex.mesh_construction import TriangleMesh  # noqa: PLC0415 (an extra)
        from embreex.rtcore_scene import EmbreeScene  # noqa: PLC0415 (an extra)

        triangles, self._polygon = _triangles(geometry)
        self._scene = EmbreeScene()
        self._mesh = TriangleMesh(self._scene, triangles)

    def distance(self, origins: Floats, directions: Floats) -> Floats:
        """Metres to the first hit, very large where there is none."""
        found = self._scene.run(origins.astype(np.float32), directions.astype(np.float32), query="DISTANCE")
        return np.asarray(found, np.float64)

    def polygon(self, origins: Floats, directions: Floats) -> NDArray[np.int64]:
        """Polygon of the first hit, -1 where there is none."""
        found = self._scene.run(origins.astype(np.float32), directions.astype(np.float32))
        return np.where(found >= 0, self._polygon[np.maximum(found, 0)], -1)


def _triangles(geometry: Geometry) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """(n, 3, 3) fans of all polygons, and the polygon of each triangle."""
    triangles, owners = [], []
    for polygon, body in enumerate(body_of_polygon(geometry)):
        corners = corners_of(geometry, polygon, body)
        for k in range(1, len(corners) - 1):
            triangles.append(corners[[0, k, k + 1]])
            owners.append(polygon)
    return np.array(triangles, np.float32), np.array(owners, np.int64)


def _direct(tracer: _Tracer, samples: Samples, lights: list[Emitter]) -> Floats:
    """Irradiance of each sample from all emitters, with shadows."""
    total = np.zeros(len(samples.points))
    for light in lights:
        near = np.flatnonzero((np.abs(samples.points - light.position) < light.reach_m).all(axis=1))
        ray = light.position - samples.points[near]
        distance = np.sqrt((ray * ray).sum(axis=1))
        ray /= np.maximum(distance, _LIFT_M)[:, None]
        arriving = (ray * samples.normals[near]).sum(axis=1)
        leaving = -(ray @ light.normal)
        gain = light.power * np.maximum(arriving, 0.0) * np.maximum(leaving, 0.0) / np.maximum(distance**2, 0.01)
        useful = np.flatnonzero(gain > 1e-4)
        if len(useful):
            chosen = near[useful]
            clear = tracer.distance(samples.points[chosen], ray[useful]) >= distance[useful] - 0.02
            total[chosen] += gain[useful] * clear
    return total


def _bounced(tracer: _Tracer, samples: Samples, direct: Floats, polygons: int) -> Floats:
    """Direct light plus what every sample gathers from the polygons it sees."""
    tangent, other = _frames(samples.normals)
    generator = np.random.default_rng(5)
    hits = np.empty((_RAYS, len(samples.points)), np.int32)
    for ray in range(_RAYS):
        radius = math.sqrt((ray + 0.5) / _RAYS)
        angle = ray * 2.39996 + generator.random(len(samples.points)) * 0.6
        directions = (
            tangent * (radius * np.cos(angle))[:, None]
            + other * (radius * np.sin(angle))[:, None]
            + samples.normals * math.sqrt(1.0 - radius * radius)
        )
        hits[ray] = tracer.polygon(samples.points, directions)
    counts = np.maximum(np.bincount(samples.polygons, minlength=polygons), 1)
    lit = direct
    for _ in range(_BOUNCES):
        mean = np.bincount(samples.polygons, weights=lit, minlength=polygons) / counts
        seen = np.append(mean, 0.0)
        lit = direct + _FILL + _ALBEDO * sum(seen[row] for row in hits) / _RAYS
    return lit


def _frames(normals: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors across each normal."""
    upright = np.abs(normals[:, 2:]) < 0.9
    axis = np.where(upright, np.array((0.0, 0.0, 1.0)), np.array((1.0, 0.0, 0.0)))
    tangent = np.cross(axis, normals)
    tangent /= np.sqrt((tangent * tangent).sum(axis=1))[:, None]
    return tangent, np.cross(normals, tangent)


def main(arguments: list[str]) -> int:
    """Bake one scene and write its light beside its other data."""
    parser = argparse.ArgumentParser(prog="python -m siturec_gym.renderers.embedded.bake", description=__doc__)
    parser.add_argument("scene", help="name of a shipped scene, such as supermarket")
    name = parser.parse_args(arguments).scene
    try:
        baked = bake(store_of(load_scene(name)))
    except ImportError as error:
        print(f"baking needs embreex: pip install 'siturec-gym[bake]' ({error})", file=sys.stderr)
        return 1
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    content = write_bake(baked)
    (assets.DATA_FOLDER / light_file(name)).write_bytes(content)
    assets.pin()
    print(f"{light_file(name)}: {len(baked.samples)} samples, {len(content) / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
