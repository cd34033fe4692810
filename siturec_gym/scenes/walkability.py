"""Can a shopper get everywhere? Clearances and reachability of waypoints, viewpoints and the open floor."""

from collections.abc import Iterator, Sequence

import numpy as np

from siturec_gym.core.actions import Approach
from siturec_gym.core.pose import USER_RADIUS_M, Pose, bearing_deg
from siturec_gym.scenes.footprints import (
    Rectangles,
    blocking_rectangles,
    heading_vector,
    place_rectangle,
    point_clearances,
    segment_clearances,
)
from siturec_gym.scenes.scene import Place, Scene, Waypoint

Point = tuple[float, float]
AISLE_M = 2.2
NEAREST_VIEWPOINT_M, FARTHEST_VIEWPOINT_M = 1.2, 1.7
FLOOR_GRID_M = 0.5
STEP_ASIDE_M = 1.5


def clearance(scene: Scene, rectangles: Rectangles, start: Point, end: Point) -> float:
    """Least distance from a straight walk to anything that blocks, the bounds included; metres, negative outside."""
    x0, y0, x1, y1 = scene.bounds_m
    to_bounds = min(min(x - x0, x1 - x, y - y0, y1 - y) for x, y in (start, end))
    return min(to_bounds, float(segment_clearances(rectangles, start, end).min(initial=np.inf)))


def least_link_clearance(scene: Scene) -> float:
    """Least clearance over all links of the waypoint graph, metres."""
    return min(gap for _, _, gap in _links(scene))


def least_aisle_m(scene: Scene) -> float:
    """Least free depth, up to 10 m, in front of any side of a fixture that is shopped from."""
    rectangles = blocking_rectangles(scene)
    depths = (_free_depth(rectangles, fixture, side) for fixture in scene.fixtures for side in fixture.approaches)
    return min(depths, default=10.0)


def walkability_problems(scene: Scene) -> list[str]:
    """One line for each link, waypoint, viewpoint, aisle or spot of floor that a shopper cannot use."""
    rectangles = blocking_rectangles(scene)
    problems = [f"link {a}-{b} clears only {gap:.2f} m" for a, b, gap in _links(scene) if gap < USER_RADIUS_M]
    problems += _unreached(scene, rectangles)
    for fixture in scene.fixtures:
        for side, pose in fixture.approaches.items():
            problems += _viewpoint_problems(scene, rectangles, fixture, side, pose)
    return problems + _stranded_floor(scene, rectangles)


def _links(scene: Scene) -> Iterator[tuple[str, str, float]]:
    rectangles = blocking_rectangles(scene)
    at = {waypoint.id: (waypoint.x, waypoint.y) for waypoint in scene.waypoints}
    for waypoint in scene.waypoints:
        for other in waypoint.links:
            if other in at and waypoint.id < other:
                yield waypoint.id, other, clearance(scene, rectangles, at[waypoint.id], at[other])


def entry_waypoint(scene: Scene, rectangles: Rectangles, spot: Point) -> Waypoint | None:
    """The nearest waypoint that a straight walk from ``spot`` reaches."""
    by_distance = sorted(scene.waypoints, key=lambda w: (np.hypot(w.x - spot[0], w.y - spot[1]), w.id))
    walks = (w for w in by_distance if clearance(scene, rectangles, spot, (w.x, w.y)) >= USER_RADIUS_M)
    return next(walks, None)


def _unreached(scene: Scene, rectangles: Rectangles) -> list[str]:
    first = entry_waypoint(scene, rectangles, (scene.start_pose.x, scene.start_pose.y))
    if first is None:
        return ["no waypoint can be reached from the start pose"]
    links = {waypoint.id: waypoint.links for waypoint in scene.waypoints}
    reached, frontier = {first.id}, [first.id]
    while frontier:
        fresh = [other for other in links[frontier.pop()] if other in links and other not in reached]
        reached.update(fresh)
        frontier.extend(fresh)
    return [f"waypoint {id_} cannot be reached from the start" for id_ in links if id_ not in reached]


def _viewpoint_problems(scene: Scene, rectangles: Rectangles, fixture: Place, side: Approach, pose: Pose) -> list[str]:
    what, spot, problems = f"{fixture.id} {side.value}", (pose.x, pose.y), []
    if clearance(scene, rectangles, spot, spot) < USER_RADIUS_M:
        problems.append(f"{what}: the viewpoint is not free")
    elif entry_waypoint(scene, rectangles, spot) is None:
        problems.append(f"{what}: no waypoint can be reached from the viewpoint")
    if abs(bearing_deg(pose, *fixture.center_m)) > 1.0:
        problems.append(f"{what}: the viewpoint does not face the fixture")
    normal = _normal(fixture, side)
    from_face = (pose.x - fixture.center_m[0]) * normal[0] + (pose.y - fixture.center_m[1]) * normal[1]
    from_face -= fixture.size_m[1] / 2
    if not NEAREST_VIEWPOINT_M <= from_face <= FARTHEST_VIEWPOINT_M:
        problems.append(f"{what}: the viewpoint is {from_face:.2f} m from the face")
    depth = _free_depth(rectangles, fixture, side)
    if depth < AISLE_M:
        problems.append(f"{what}: the aisle is only {depth:.2f} m wide")
    return problems


def _normal(fixture: Place, side: Approach) -> Point:
    x, y = heading_vector(fixture.yaw_deg)
    return (x, y) if side is Approach.FRONT else (-x, -y)


def _free_depth(rectangles: Rectangles, fixture: Place, side: Approach) -> float:
    """Distance from a side, over its whole width, to the next thing that blocks; 10 at most."""
    normal, own = _normal(fixture, side), np.array(place_rectangle(fixture))
    axis = 0 if normal[0] else 1
    across = 1 - axis
    beside = (rectangles[:, across] < own[across + 2] - 1e-9) & (rectangles[:, across + 2] > own[across] + 1e-9)
    ahead = normal[axis] > 0
    gaps = rectangles[:, axis] - own[axis + 2] if ahead else own[axis] - rectangles[:, axis + 2]
    return float(np.min(gaps[beside & (gaps > -1e-9)], initial=10.0))


def _stranded_floor(scene: Scene, rectangles: Rectangles) -> list[str]:
    """Spots on a grid where a shopper can stand but from where no waypoint can be reached.

    Between furniture a straight step aside, to a spot from which a waypoint is in a straight walk, is allowed.
    """
    spots = _free_spots(scene, rectangles)
    connected = [spot for spot in spots if entry_waypoint(scene, rectangles, spot) is not None]
    stranded = sorted(set(spots) - set(connected))
    return [
        f"from ({spot[0]:.1f}, {spot[1]:.1f}) no waypoint can be reached"
        for spot in stranded
        if not scene.areas or not _has_step_aside(scene, rectangles, spot, connected)
    ]


def _free_spots(scene: Scene, rectangles: Rectangles) -> list[Point]:
    x0, y0, x1, y1 = scene.bounds_m
    columns = np.arange(x0 + USER_RADIUS_M, x1 - USER_RADIUS_M, FLOOR_GRID_M)
    rows = np.arange(y0 + USER_RADIUS_M, y1 - USER_RADIUS_M, FLOOR_GRID_M)
    grid = ((float(x), float(y)) for x in columns for y in rows)
    return [spot for spot in grid if point_clearances(rectangles, *spot).min(initial=np.inf) >= USER_RADIUS_M]


def _has_step_aside(scene: Scene, rectangles: Rectangles, spot: Point, connected: Sequence[Point]) -> bool:
    near = (other for other in connected if np.hypot(other[0] - spot[0], other[1] - spot[1]) <= STEP_ASIDE_M)
    return any(clearance(scene, rectangles, spot, other) >= USER_RADIUS_M for other in near)
