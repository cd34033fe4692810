"""What a shopper at a viewpoint should see: boxes of the goods painted far to near into a small id image."""

import math

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import CAMERA_HEIGHT_M, HORIZONTAL_FOV_DEG, Pose, distance_m
from siturec_gym.scenes.scene import Instance, Place, Scene
from siturec_gym.scenes.stocking import item_box

WIDTH_PX, HEIGHT_PX = 320, 240
REACH_M = 2.5
ENOUGH_PX = 24
_FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


def pixels_in_reach(scene: Scene, fixture: Place, side: Approach) -> dict[str, int]:
    """Pixels, in a 320x240 view from a fixture's viewpoint, of the items within reach, per product on that side.

    Items count as full boxes, so that a bottle shows somewhat less; ``ENOUGH_PX``, twice what makes a product
    visible, leaves room for that.
    """
    pose = fixture.approaches[side]
    items = [instance for instance in scene.instances if instance.place_id == fixture.id]
    image = _paint(scene, fixture, side, items)
    counts = np.bincount(image.ravel(), minlength=len(items) + 1)
    pixels = {item.product_id: 0 for item in items if item.side == side.value}
    for number, item in enumerate(items, start=1):
        if item.product_id in pixels and distance_m(pose, *item.position_m[:2]) <= REACH_M:
            pixels[item.product_id] += int(counts[number])
    return pixels


def sight_problems(scene: Scene) -> list[str]:
    """One line for each product that is not both visible and in reach from the viewpoint of a side it stands on."""
    return [
        f"{fixture.id} {side.value}: {product} shows {pixels} reachable pixels from the viewpoint"
        for fixture in scene.fixtures
        for side in fixture.approaches
        for product, pixels in pixels_in_reach(scene, fixture, side).items()
        if pixels < ENOUGH_PX
    ]


def project(pose: Pose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) column, row and depth along the view axis of (n, 3) world points in the 320x240 view from ``pose``."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    forward = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    offsets = points - np.array([pose.x, pose.y, CAMERA_HEIGHT_M])
    depth = np.maximum(offsets @ forward, 0.05)
    focal = WIDTH_PX / 2 / math.tan(math.radians(HORIZONTAL_FOV_DEG) / 2)
    column = WIDTH_PX / 2 + focal * (offsets @ right) / depth
    row = HEIGHT_PX / 2 - focal * (offsets @ np.cross(right, forward)) / depth
    return np.stack([column, row, depth], axis=1)


def _paint(scene: Scene, fixture: Place, side: Approach, items: list[Instance]) -> NDArray[np.int32]:
    """Id image of the items (1 and on), the near wall of a chest painted last."""
    import cv2  # noqa: PLC0415  (only the checks need it)

    pose = fixture.approaches[side]
    image = np.zeros((HEIGHT_PX, WIDTH_PX), np.int32)
    order = sorted(range(len(items)), key=lambda i: (-distance_m(pose, *items[i].position_m[:2]), i))
    for index in order:
        corners = project(pose, _corners(item_box(scene, items[index])))
        for face in _FACES:
            cv2.fillConvexPoly(image, np.round(corners[list(face), :2]).astype(np.int32), index + 1)
    if fixture.form == "chest_freezer":
        wall = project(pose, _near_wall(fixture, pose))
        cv2.fillConvexPoly(image, np.round(wall[:, :2]).astype(np.int32), 0)
    return image


def _corners(box: tuple[float, ...]) -> NDArray[np.float64]:
    return np.array([(x, y, z) for x in box[0::3] for y in box[1::3] for z in box[2::3]])


def _near_wall(fixture: Place, pose: Pose) -> NDArray[np.float64]:
    """Corners of the outer face of a fixture that is turned to the viewpoint, in order around it."""
    width, depth, height = fixture.size_m
    out = np.array([pose.x - fixture.center_m[0], pose.y - fixture.center_m[1]])
    out /= np.linalg.norm(out)
    middle = np.array(fixture.center_m) + out * depth / 2
    end = np.array([-out[1], out[0]]) * width / 2
    left, right = middle - end, middle + end
    return np.array([(*left, 0.0), (*right, 0.0), (*right, height), (*left, height)])
