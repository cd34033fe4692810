"""The layout map of a store, with the user's position and heading drawn into it (S7)."""

import math
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import USER_RADIUS_M, Pose
from siturec_gym.scenes.scene import Fixture, Scene

LONGER_SIDE_PX = 480
_PAPER = (248, 248, 244)
_BLOCKED = (90, 90, 90)
_INK = (20, 20, 20)
_WAY = (205, 205, 200)
_USER = (220, 30, 30)
_KINDS = {
    "shelf": (205, 185, 150),
    "chest_freezer": (150, 190, 230),
    "upright_freezer": (120, 165, 225),
    "open_cooler": (150, 215, 215),
    "produce_stand": (165, 210, 140),
}
_OTHER = (210, 200, 215)


class LayoutMap:
    """A top-down picture: north (+y) is up, places carry their id, waypoints are joined by pale lines."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        x0, y0, x1, y1 = scene.bounds_m
        self._scale = LONGER_SIDE_PX / max(x1 - x0, y1 - y0)
        self._left, self._top = x0, y1
        self.shape = (math.ceil((y1 - y0) * self._scale), math.ceil((x1 - x0) * self._scale), 3)

    def picture(self, pose: Pose) -> NDArray[np.uint8]:
        """The map with the user at ``pose``: (height, width, 3) uint8, the caller's own."""
        image = self._base.copy()
        centre = self._pixel(pose.x, pose.y)
        heading = math.radians(pose.yaw_deg)
        tip = self._pixel(pose.x + 1.2 * math.cos(heading), pose.y + 1.2 * math.sin(heading))
        cv2.arrowedLine(image, centre, tip, _USER, 2, cv2.LINE_AA, tipLength=0.4)
        cv2.circle(image, centre, max(3, round(USER_RADIUS_M * self._scale)), _USER, -1, cv2.LINE_AA)
        return image

    @cached_property
    def _base(self) -> NDArray[np.uint8]:
        image = np.full(self.shape, _PAPER, np.uint8)
        self._draw_ways(image)
        for structure in self._scene.structures:
            if structure.blocks:
                x0, y0, _, x1, y1, _ = structure.box_m
                cv2.rectangle(image, self._pixel(x0, y1), self._pixel(x1, y0), _BLOCKED, -1)
        for place in self._scene.navigation_targets:
            self._draw_place(image, place)
        return image

    def _draw_ways(self, image: NDArray[np.uint8]) -> None:
        points = {waypoint.id: self._pixel(waypoint.x, waypoint.y) for waypoint in self._scene.waypoints}
        for waypoint in self._scene.waypoints:
            for link in waypoint.links:
                cv2.line(image, points[waypoint.id], points[link], _WAY, 1, cv2.LINE_AA)

    def _draw_place(self, image: NDArray[np.uint8], place: Fixture) -> None:
        width, depth, _ = place.size_m
        front, side = _direction(place.yaw_deg), _direction(place.yaw_deg + 90.0)
        corners = [
            self._pixel(
                place.center_m[0] + a * side[0] * width / 2 + b * front[0] * depth / 2,
                place.center_m[1] + a * side[1] * width / 2 + b * front[1] * depth / 2,
            )
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]
        outline = np.array(corners, np.int32)
        cv2.fillConvexPoly(image, outline, _KINDS.get(place.kind, _OTHER), cv2.LINE_AA)
        cv2.polylines(image, [outline], True, _INK, 1, cv2.LINE_AA)
        x, y = self._pixel(*place.center_m)
        (text_width, text_height), _ = cv2.getTextSize(place.id, cv2.FONT_HERSHEY_SIMPLEX, 0.36, 1)
        corner = (x - text_width // 2, y + text_height // 2)
        cv2.putText(image, place.id, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.36, _INK, 1, cv2.LINE_AA)

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        return round((x - self._left) * self._scale), round((self._top - y) * self._scale)


def _direction(yaw_deg: float) -> tuple[float, float]:
    return math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
