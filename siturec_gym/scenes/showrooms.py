"""Are stores and display areas fit to be walked into, looked at and shopped from? Doorways, points, goods (A.3)."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import USER_RADIUS_M, Pose, bearing_deg, distance_m
from siturec_gym.scenes.boxcast import Box, visible_pixels
from siturec_gym.scenes.footprints import Rectangles, blocking_rectangles, place_rectangle
from siturec_gym.scenes.scene import Instance, Place, Scene
from siturec_gym.scenes.sightlines import ENOUGH_PX, REACH_M
from siturec_gym.scenes.stocking import TOLERANCE_M, item_box, item_boxes
from siturec_gym.scenes.walkability import clearance, entry_waypoint

DOORWAY_POINT_M = (0.8, 2.5)
FACING_DEG = 1.0
TOUCH_M = 0.03
STEP_M = 0.4
SIGHT_M = 1.5
_OPEN_KINDS = {"floor", "ceiling", "patch", "lamp"}
_SCREENS = {"wall", "facade", "plinth", "board"}


def showroom_problems(scene: Scene) -> list[str]:
    """One line for each doorway, fixed point or item of a display area that is not as it should be."""
    problems = [f"{store.id}: {fault}" for store in scene.stores for fault in _doorway_faults(scene, store)]
    problems += [f"{area.id}: {fault}" for area in scene.areas for fault in _area_faults(scene, area)]
    problems += [f"{item.id}: {fault}" for item in _displayed(scene) for fault in _item_faults(scene, item)]
    return problems + [f"{what} cannot be seen within reach from anywhere" for what in _out_of_sight(scene)]


def pixels_of(scene: Scene, item: Instance, pose: Pose) -> int:
    """Pixels of a displayed item in a 320x240 view; items count as full boxes.

    Other items, walls, fronts, plinths and boards hide what is behind them.
    """
    own = item_box(scene, item)
    hiding = (box for box in _screens(scene) if box != own and _gap(box, pose) <= REACH_M + SIGHT_M)
    return visible_pixels(pose, own, hiding)


def standing_pose(scene: Scene, item: Instance) -> Pose | None:
    """A pose within reach of an item from which it is visible and from which a waypoint can be walked to.

    The fixed point of its area if that will do, else the closest to it of the spots around the item; None if none will.
    """
    fixed = scene.place_by_id[item.place_id].approaches[Approach.FIXED]
    for pose in (fixed, *_spots_around(scene, item, fixed)):
        if distance_m(pose, *item.position_m[:2]) <= REACH_M and pixels_of(scene, item, pose) >= ENOUGH_PX:
            return pose
    return None


def shares_at_fixed_points(scene: Scene) -> tuple[int, int, int]:
    """Of the displayed items: how many are visible, and how many visible and in reach, from their area's point; all."""
    visible = reachable = 0
    for item in _displayed(scene):
        pose = scene.place_by_id[item.place_id].approaches[Approach.FIXED]
        shows = pixels_of(scene, item, pose) >= ENOUGH_PX
        visible += shows
        reachable += shows and distance_m(pose, *item.position_m[:2]) <= REACH_M
    return visible, reachable, len(_displayed(scene))


def _displayed(scene: Scene) -> list[Instance]:
    areas = {area.id for area in scene.areas}
    return [item for item in scene.instances if item.place_id in areas]


@lru_cache(maxsize=4)
def _screens(scene: Scene) -> tuple[Box, ...]:
    """Boxes of all that can hide an item."""
    parts = tuple(part.box_m for part in scene.structures if part.kind in _SCREENS)
    return (*(item_box(scene, item) for item in _displayed(scene)), *parts)


def _gap(box: Box, pose: Pose) -> float:
    """Horizontal distance from a user to a box, metres."""
    dx, dy = max(box[0] - pose.x, pose.x - box[3], 0.0), max(box[1] - pose.y, pose.y - box[4], 0.0)
    return float(np.hypot(dx, dy))


def _contains(rectangle: tuple[float, float, float, float], x: float, y: float) -> bool:
    x0, y0, x1, y1 = rectangle
    return x0 <= x <= x1 and y0 <= y <= y1


def _doorway_faults(scene: Scene, store: Place) -> Iterator[str]:
    outside, inside = (store.approaches[side] for side in (Approach.OUTSIDE_DOORWAY, Approach.INSIDE_DOORWAY))
    rectangle, blocks = place_rectangle(store), _blocks(scene)
    if _contains(rectangle, outside.x, outside.y) or not _contains(rectangle, inside.x, inside.y):
        yield "its doorway points do not lie outside and inside"
    if clearance(scene, blocks, (outside.x, outside.y), (inside.x, inside.y)) < USER_RADIUS_M:
        yield "its doorway cannot be walked through"
    for name, pose in (("outside", outside), ("inside", inside)):
        if entry_waypoint(scene, blocks, (pose.x, pose.y)) is None:
            yield f"no waypoint can be reached from its {name} point"
        low, high = DOORWAY_POINT_M
        if not low <= distance_m(pose, *store.anchor_m) <= high:
            yield f"its {name} point is {distance_m(pose, *store.anchor_m):.2f} m from the doorway"
    if abs(bearing_deg(outside, *store.anchor_m)) > FACING_DEG:
        yield "its outside point does not face the doorway"


def _area_faults(scene: Scene, area: Place) -> Iterator[str]:
    store, pose, blocks = (
        scene.place_by_id.get(area.store_id or ""),
        area.approaches[Approach.FIXED],
        _blocks(scene),
    )
    if store is None or store.kind != "store":
        yield f"it belongs to {area.store_id!r}, which is no store"
    elif not all(_contains(place_rectangle(store), *corner) for corner in _corners(area)):
        yield f"it does not lie within {store.name}"
    if clearance(scene, blocks, (pose.x, pose.y), (pose.x, pose.y)) < USER_RADIUS_M:
        yield "its fixed point is not free"
    elif entry_waypoint(scene, blocks, (pose.x, pose.y)) is None:
        yield "no waypoint can be reached from its fixed point"
    if abs(bearing_deg(pose, *area.center_m)) > FACING_DEG:
        yield "its fixed point does not face it"
    if not area.product_ids:
        yield "it displays nothing"


def _corners(area: Place) -> tuple[tuple[float, float], tuple[float, float]]:
    x0, y0, x1, y1 = place_rectangle(area)
    return (x0 + TOLERANCE_M, y0 + TOLERANCE_M), (x1 - TOLERANCE_M, y1 - TOLERANCE_M)


def _item_faults(scene: Scene, item: Instance) -> Iterator[str]:
    box = item_box(scene, item)
    x0, y0, x1, y1 = place_rectangle(scene.place_by_id[item.place_id])
    if box[0] < x0 - TOLERANCE_M or box[1] < y0 - TOLERANCE_M or box[3] > x1 + TOLERANCE_M or box[4] > y1 + TOLERANCE_M:
        yield "sticks out of its area"
    for part in scene.structures:
        if part.kind not in _OPEN_KINDS and _overlap(box, part.box_m):
            yield f"stands in {part.kind} {part.id}"
    if not _is_supported(scene, item, box):
        yield "neither stands, hangs nor leans on anything"


def _overlap(one: Box, other: Box) -> bool:
    return all(one[k] + TOLERANCE_M < other[k + 3] and other[k] + TOLERANCE_M < one[k + 3] for k in range(3))


def _is_supported(scene: Scene, item: Instance, box: Box) -> bool:
    """Whether the item is on the floor, on top of a structure or another item, touches a wall, or hangs from a rail."""
    x, y, base = item.position_m
    if base <= TOLERANCE_M:
        return True
    below = [part.box_m for part in scene.structures] + [tuple(row) for row in _boxes(scene).tolist()]
    if any(
        abs(other[5] - base) <= TOLERANCE_M and _contains((other[0], other[1], other[3], other[4]), x, y)
        for other in below
    ):
        return True
    grown = (box[0] - TOUCH_M, box[1] - TOUCH_M, box[2], box[3] + TOUCH_M, box[4] + TOUCH_M, box[5] + TOUCH_M)
    return any(_overlap(grown, part.box_m) for part in scene.structures if part.kind in {"wall", "rail"})


@lru_cache(maxsize=4)
def _blocks(scene: Scene) -> Rectangles:
    return blocking_rectangles(scene)


@lru_cache(maxsize=4)
def _boxes(scene: Scene) -> NDArray[np.float64]:
    return item_boxes(scene)


def _spots_around(scene: Scene, item: Instance, fixed: Pose) -> Iterator[Pose]:
    """Free spots on a grid within reach, closest to the fixed point first, each facing the item."""
    blocks, (x, y) = _blocks(scene), item.position_m[:2]
    steps = np.arange(-REACH_M, REACH_M + STEP_M / 2, STEP_M)
    spots = [(x + float(dx), y + float(dy)) for dx in steps for dy in steps if np.hypot(dx, dy) <= REACH_M]
    for spot in sorted(spots, key=lambda at: (round(distance_m(fixed, *at), 6), at)):
        free = clearance(scene, blocks, spot, spot) >= USER_RADIUS_M
        if free and entry_waypoint(scene, blocks, spot) is not None:
            turn = bearing_deg(Pose(*spot, 0.0), x, y)
            yield Pose(*spot, turn, fixed.pitch_deg)


def _out_of_sight(scene: Scene) -> list[str]:
    """Products no instance of which can be seen within reach."""
    instances: dict[str, list[Instance]] = {}
    for item in _displayed(scene):
        instances.setdefault(item.product_id, []).append(item)
    return [
        f"product {product_id}"
        for product_id, items in instances.items()
        if all(standing_pose(scene, item) is None for item in items)
    ]
