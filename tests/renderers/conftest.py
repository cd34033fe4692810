"""Renderers of the tiny store, and a slow ray caster that shares nothing with the rasteriser but the triangles."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

from siturec_gym.core.pose import CAMERA_HEIGHT_M, Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.embedded.store import Store, store_of
from siturec_gym.scenes import load_scene
from siturec_gym.scenes.scene import Scene


@pytest.fixture(scope="session")
def supermarket() -> Scene:
    return load_scene("supermarket")


@pytest.fixture(scope="session", params=["supermarket", "home_furnishings"])
def shop(request: pytest.FixtureRequest) -> Scene:
    """Each of the shipped scenes in turn."""
    return load_scene(request.param)


@pytest.fixture
def make(tiny_scene: Scene) -> Callable[..., Any]:
    """Makes a renderer of the tiny store, which ships no light."""

    def build(width: int = 160, height: int = 120, **config: Any) -> Any:
        return make_renderer("embedded", tiny_scene, width, height, **{"light": "plain", **config})

    return build


class RayCaster:
    """Ids and depths of single pixels by intersecting rays with every triangle of a store."""

    def __init__(self, store: Store) -> None:
        geometry = store.geometry
        triangles, ids = [], []
        for body, object_id in enumerate(geometry.object_ids):
            vertices = geometry.vertices[geometry.vertex_start[body] : geometry.vertex_start[body + 1]]
            for polygon in range(geometry.polygon_start[body], geometry.polygon_start[body + 1]):
                corners = geometry.corners[geometry.corner_start[polygon] : geometry.corner_start[polygon + 1]]
                for second, third in pairwise(corners[1:]):
                    triangles.append(vertices[[corners[0], second, third]])
                    ids.append(object_id)
        self.triangles, self.ids = np.array(triangles), np.array(ids)

    def cast(self, pose: Pose, width: int, height: int, x: int, y: int) -> tuple[int, float]:
        """Object id and depth along the view axis at the centre of pixel (x, y); (0, inf) where nothing is hit."""
        yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
        forward = np.array((math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch)))
        right = np.array((math.sin(yaw), -math.cos(yaw), 0.0))
        up = np.cross(right, forward)
        across, above = (x + 0.5) / (width / 2) - 1.0, -((y + 0.5) - height / 2) / (width / 2)
        ray = forward + across * right + above * up
        depth = self._depths(np.array((pose.x, pose.y, CAMERA_HEIGHT_M)), ray)
        nearest = int(np.argmin(depth))
        return (int(self.ids[nearest]), float(depth[nearest])) if np.isfinite(depth[nearest]) else (0, math.inf)

    def _depths(self, origin: NDArray[Any], ray: NDArray[Any]) -> NDArray[Any]:
        """Multiple of ``ray`` at which each triangle's front is hit, inf where it is not (Moeller and Trumbore)."""
        a, b, c = self.triangles[:, 0], self.triangles[:, 1], self.triangles[:, 2]
        edge1, edge2, offset = b - a, c - a, origin - a
        across = np.cross(ray, edge2)
        facing = (edge1 * across).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = (offset * across).sum(axis=1) / facing
            turned = np.cross(offset, edge1)
            v, t = turned @ ray / facing, (edge2 * turned).sum(axis=1) / facing
        hit = (facing > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0.05)
        return np.where(hit, t, np.inf)


@pytest.fixture
def caster(tiny_scene: Scene) -> RayCaster:
    return RayCaster(store_of(tiny_scene))


@pytest.fixture(scope="session")
def shop_caster(shop: Scene) -> RayCaster:
    return RayCaster(store_of(shop))
