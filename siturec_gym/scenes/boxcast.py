"""How much of an upright box shows among others: exact, for the checks of furniture that stands close together."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import CAMERA_HEIGHT_M, HORIZONTAL_FOV_DEG, Pose

WIDTH_PX, HEIGHT_PX = 320, 240
STRIDE_PX = 2
Box = tuple[float, float, float, float, float, float]


def visible_pixels(pose: Pose, target: Box, others: Iterable[Box]) -> int:
    """Pixels of a 320x240 view from ``pose`` in which ``target`` shows, counted on every second pixel.

    Args:
        pose: The user's; the camera is at eye height.
        target: x0, y0, z0, x1, y1, z1.
        others: What may stand in the way, likewise; a box around the camera is looked through.
    """
    eye, rays = np.array([pose.x, pose.y, CAMERA_HEIGHT_M]), _rays(pose)
    enter = _entries(eye, rays, target)
    rays, enter = rays[np.isfinite(enter)], enter[np.isfinite(enter)]
    for box in others:
        ahead = enter < _entries(eye, rays, box)
        rays, enter = rays[ahead], enter[ahead]
        if not len(rays):
            return 0
    return len(rays) * STRIDE_PX**2


def _entries(eye: NDArray[np.float64], rays: NDArray[np.float64], box: Box) -> NDArray[np.float64]:
    """How far along each ray it enters a box; infinite where it misses it, or starts within."""
    first, second = (np.array(box[:3]) - eye) / rays, (np.array(box[3:]) - eye) / rays
    enter, leave = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
    return np.where((enter <= leave) & (enter > 0.0), enter, np.inf)


def _rays(pose: Pose) -> NDArray[np.float64]:
    """(pixels, 3) directions through the middles of the pixels that are looked at; no component is exactly 0."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    forward = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    up = np.cross(right, forward)
    focal = WIDTH_PX / 2 / math.tan(math.radians(HORIZONTAL_FOV_DEG) / 2)
    columns = (np.arange(0, WIDTH_PX, STRIDE_PX) + STRIDE_PX / 2 - WIDTH_PX / 2) / focal
    rows = (HEIGHT_PX / 2 - np.arange(0, HEIGHT_PX, STRIDE_PX) - STRIDE_PX / 2) / focal
    rays = forward + rows[:, None, None] * up + columns[None, :, None] * right
    rays = rays.reshape(-1, 3)
    return np.where(np.abs(rays) < 1e-9, 1e-9, rays)
