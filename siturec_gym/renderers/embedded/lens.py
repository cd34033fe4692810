"""A camera that is not the user's: another height, a tilted head, another field of view."""

import math
from dataclasses import dataclass

import numpy as np

from siturec_gym.core.pose import CAMERA_HEIGHT_M, HORIZONTAL_FOV_DEG, Pose
from siturec_gym.renderers.embedded.camera import view_from
from siturec_gym.renderers.embedded.layout import View


@dataclass(frozen=True, slots=True)
class Lens:
    """What a pose does not say about a camera.

    Attributes:
        height_m: Above the floor.
        roll_deg: Clockwise as the camera sees it.
        fov_deg: Horizontal field of view, above 0 and below 180.
    """

    height_m: float = CAMERA_HEIGHT_M
    roll_deg: float = 0.0
    fov_deg: float = HORIZONTAL_FOV_DEG


EYES = Lens()
"""The user's eyes."""


def view_through(lens: Lens, pose: Pose, width: int, height: int) -> View:
    """The view of a camera above ``pose``; through ``EYES`` the very one that the user has."""
    view = view_from(pose, width, height)
    if lens == EYES:
        return view
    right, up, forward = view.axes
    cos, sin = math.cos(math.radians(lens.roll_deg)), math.sin(math.radians(lens.roll_deg))
    axes = np.array((cos * right - sin * up, cos * up + sin * right, forward))
    focal = 0.5 * width / math.tan(math.radians(lens.fov_deg) / 2.0)
    return View(np.array((pose.x, pose.y, lens.height_m)), axes, focal, width, height)
