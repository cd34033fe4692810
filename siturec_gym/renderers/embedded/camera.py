"""From a pose to the view that the kernels draw."""

import math

import numpy as np

from siturec_gym.core.pose import CAMERA_HEIGHT_M, HORIZONTAL_FOV_DEG, Pose
from siturec_gym.renderers.embedded.layout import View

NEAR_M = 0.05


def view_from(pose: Pose, width: int, height: int) -> View:
    """The view of a camera 1.6 m above the user's feet, with square pixels and 90 degrees across."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    cos_yaw, sin_yaw, cos_pitch, sin_pitch = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    axes = np.array(
        (
            (sin_yaw, -cos_yaw, 0.0),
            (-cos_yaw * sin_pitch, -sin_yaw * sin_pitch, cos_pitch),
            (cos_yaw * cos_pitch, sin_yaw * cos_pitch, sin_pitch),
        )
    )
    focal = 0.5 * width / math.tan(math.radians(HORIZONTAL_FOV_DEG) / 2.0)
    return View(np.array((pose.x, pose.y, CAMERA_HEIGHT_M)), axes, focal, width, height)
