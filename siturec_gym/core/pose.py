"""Poses and angles: metres and degrees, yaw counter-clockwise from +x, pitch up positive, z up."""

import math
from dataclasses import dataclass

CAMERA_HEIGHT_M = 1.6
HORIZONTAL_FOV_DEG = 90.0
PITCH_LIMIT_DEG = 60.0
USER_RADIUS_M = 0.3


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the user stands and looks.

    Attributes:
        x: Position east, metres.
        y: Position north, metres.
        yaw_deg: Heading, counter-clockwise from +x, in [-180, 180).
        pitch_deg: Gaze elevation, up positive, within +-60.
    """

    x: float
    y: float
    yaw_deg: float
    pitch_deg: float = 0.0


def wrap_angle_deg(angle_deg: float) -> float:
    """Map an angle to [-180, 180)."""
    return (angle_deg + 180.0) % 360.0 - 180.0


def bearing_deg(pose: Pose, x: float, y: float) -> float:
    """Angle from the user's heading to the point (x, y), positive to the left, in [-180, 180)."""
    return wrap_angle_deg(math.degrees(math.atan2(y - pose.y, x - pose.x)) - pose.yaw_deg)


def distance_m(pose: Pose, x: float, y: float) -> float:
    """Horizontal distance from the user to the point (x, y), metres."""
    return math.hypot(x - pose.x, y - pose.y)
