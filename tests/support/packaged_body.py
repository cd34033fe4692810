"""A character of Unreal Engine on the floor of one of our stores: it takes its time to move."""

import math
import threading
import time
from dataclasses import dataclass, replace

import numpy as np

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.motion import Motion

ORIGIN_CM, EYES_CM = 90.0, 70.0
"""Height of a standing character's origin, and of its camera above that."""
WALK_S = 0.05
"""How long any movement takes, the call that starts it having been answered at once."""


def atof(word: str) -> float:
    """A number as the plugin reads it."""
    return float(np.float32(word))


@dataclass(frozen=True)
class Stance:
    """Unreal's centimetres and degrees: where the origin is, where the body faces, where the gaze goes."""

    x: float
    y: float
    z: float
    body_yaw: float
    pitch: float
    yaw: float

    def pose(self) -> Pose:
        """As the scene counts, by the way the body faces: movements go that way."""
        return Pose(self.x / 100.0, -self.y / 100.0, -self.body_yaw, self.pitch)

    def seen_from(self) -> Pose:
        """As the scene counts, by the way the eyes look."""
        return Pose(self.x / 100.0, -self.y / 100.0, -self.yaw, self.pitch)


class Character:
    """The character; safe for several threads, since each connection has its own.

    Args:
        scene: The store that it walks in. It begins near the start, where the level has its PlayerStart.
    """

    def __init__(self, scene: Scene) -> None:
        self._motion = Motion(scene)
        start = scene.start_pose
        yaw = 40.0 - start.yaw_deg
        self._from = self._to = Stance(100.0 * start.x + 7.0, -100.0 * start.y, ORIGIN_CM, yaw, -5.0, yaw)
        self._since = -math.inf
        self._lock = threading.RLock()

    def now(self) -> Stance:
        """Where it is at this moment."""
        with self._lock:
            share = (time.monotonic() - self._since) / WALK_S
            if share >= 1.0:
                return self._to
            one, other = self._from, self._to
            turned = share * math.remainder(other.yaw - one.yaw, 360.0)
            return Stance(
                one.x + share * (other.x - one.x),
                one.y + share * (other.y - one.y),
                other.z,
                one.body_yaw + turned,
                one.pitch + share * (other.pitch - one.pitch),
                one.yaw + turned,
            )

    def put(self, **changes: float) -> None:
        """Change where it is at once; a movement ends where it is."""
        with self._lock:
            self._to = replace(self.now(), **changes)
            self._since = -math.inf

    def move(self, call: ToolCall, *, at_once: bool = False) -> None:
        """Begin a movement, or be at its end. Raises NoRouteError."""
        with self._lock:
            start = self.now()
            end = self._motion.execute(start.pose(), call)
            self._from = start
            self._to = replace(
                start, x=100.0 * end.x, y=-100.0 * end.y, body_yaw=-end.yaw_deg, pitch=end.pitch_deg, yaw=-end.yaw_deg
            )
            self._since = -math.inf if at_once else time.monotonic()
