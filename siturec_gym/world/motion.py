"""How the user moves: a disc of 0.3 m that stops at contact and walks routes (SituRecBench, B.1 and B.2).

The embedded renderer moves by this module; a game engine moves by its own.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from siturec_gym.core.actions import MOVE_OF_KIND, Approach, Direction, Tool, ToolCall
from siturec_gym.core.pose import PITCH_LIMIT_DEG, USER_RADIUS_M, Pose, wrap_angle_deg
from siturec_gym.scenes.footprints import blocking_rectangles, heading_vector, place_rectangle
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.world.routes import Routes
from siturec_gym.world.sweep import Point, Rectangle, Sweeper, nearest_point, rectangle_gap

WALKING_SPEED_M_S = 1.0
STAND_OFF_M = 0.6
"""How far from a fixture's footprint a move to its nearest point ends: within arm's reach, with the shelf in view."""
_BORDER_M = 1.0
_RING_STEP_M = 0.25


class NoRouteError(Exception):
    """A move to a place cannot be walked from here. ``rules.apply`` makes it the refusal ``no_route``."""


def walked_m(call: ToolCall) -> float:
    """Metres that a movement asks for: its distance, else its duration at 1 m/s.

    Raises:
        ValueError: The call has neither.
    """
    if call.distance_m is not None:
        return call.distance_m
    if call.duration_s is not None:
        return call.duration_s * WALKING_SPEED_M_S
    raise ValueError(f"{call.tool} needs distance_m or duration_s; got {call}")


class Motion:
    """Movement in one scene; holds the geometry, never the user's pose."""

    def __init__(self, scene: Scene) -> None:
        self._places = scene.place_by_id
        self._rectangles: dict[str, Rectangle] = {place.id: place_rectangle(place) for place in scene.fixtures}
        self._sweeper = Sweeper([*blocking_rectangles(scene), *_border(scene.bounds_m)], USER_RADIUS_M)
        self._routes = Routes(scene.waypoints, self._sweeper)
        self._ring = lru_cache(maxsize=None)(self._standing_points)
        self._approached = lru_cache(maxsize=4096)(self._approach_pose)
        self._moves: Mapping[str, Callable[[Pose, ToolCall], Pose]] = {
            Tool.MOVE_FORWARD: lambda pose, call: self._step(pose, 0.0, walked_m(call)),
            Tool.MOVE_BACKWARD: lambda pose, call: self._step(pose, 180.0, walked_m(call)),
            Tool.SIDE_STEP: lambda pose, call: self._step(pose, _signed(call, 90.0), walked_m(call)),
            Tool.TURN: _turned,
            Tool.TURN_AND_MOVE: lambda pose, call: self._step(_turned(pose, call), 0.0, walked_m(call)),
            Tool.MOVE_AND_TURN: lambda pose, call: _turned(self._step(pose, 0.0, walked_m(call)), call),
            Tool.LOOK_UP_DOWN: _looked,
            **dict.fromkeys(MOVE_OF_KIND.values(), self._move_to_place),
        }

    def execute(self, pose: Pose, call: ToolCall) -> Pose:
        """The pose that a movement tool reaches from ``pose``; other tools do not move the user.

        Raises:
            NoRouteError: The place cannot be reached from here.
            ValueError: An argument that the tool needs is missing, or the target is no place of the scene.
        """
        move = self._moves.get(call.tool)
        return pose if move is None else move(pose, call)

    def route(self, start_xy: Point, goal_xy: Point) -> list[Point] | None:
        """Points of the walk from ``start_xy`` to ``goal_xy``, both included, or None where there is no way."""
        return self._routes.find(start_xy, goal_xy)

    def approach_pose(self, pose: Pose, place: Place, approach: str) -> Pose | None:
        """Where a move from ``pose`` to a place ends, or None where it cannot be walked or has no such approach.

        ``nearest`` is the closest reachable standing point around a fixture; the heading is that of the last
        stretch walked. All others are fixed points: a fixture's viewpoints, which face it, a store's two sides of its
        doorway, and the one of an area (S17).
        """
        return self._approached(pose, place.id, approach)

    def _approach_pose(self, pose: Pose, place_id: str, approach: str) -> Pose | None:
        place = self._places[place_id]
        if approach == Approach.NEAREST:
            return self._nearest_pose(pose, place)
        goal = place.approaches.get(Approach(approach))
        if goal is None or self.route((pose.x, pose.y), (goal.x, goal.y)) is None:
            return None
        return goal

    def _move_to_place(self, pose: Pose, call: ToolCall) -> Pose:
        place = self._places.get(call.target or "")
        approach = Approach.FIXED if call.tool == Tool.MOVE_TO_AREA else call.approach
        if place is None or approach is None:
            raise ValueError(f"{call.tool} needs a place of the scene and an approach; got {call}")
        reached = self.approach_pose(pose, place, approach)
        if reached is None:
            raise NoRouteError(f"{place.id} cannot be reached ({approach}) from ({pose.x:.2f}, {pose.y:.2f})")
        return reached

    def _step(self, pose: Pose, relative_deg: float, distance_m: float) -> Pose:
        """Move straight at an angle to the heading, up to the first contact."""
        cos, sin = heading_vector(pose.yaw_deg + relative_deg)
        dx, dy = cos * distance_m, sin * distance_m
        share = self._sweeper.free_fraction((pose.x, pose.y), (pose.x + dx, pose.y + dy))
        return Pose(pose.x + share * dx, pose.y + share * dy, pose.yaw_deg, pose.pitch_deg)

    def _nearest_pose(self, pose: Pose, fixture: Place) -> Pose | None:
        rectangle, here = self._rectangles[fixture.id], (pose.x, pose.y)
        if rectangle_gap(rectangle, *here) <= STAND_OFF_M + 1e-6:
            return Pose(pose.x, pose.y, pose.yaw_deg)
        for goal in self._standing_points_near(fixture, here):
            points = self.route(here, goal)
            if points is not None:
                (ax, ay), (bx, by) = points[-2:]
                return Pose(bx, by, wrap_angle_deg(math.degrees(math.atan2(by - ay, bx - ax))))
        return None

    def _standing_points_near(self, fixture: Place, here: Point) -> list[Point]:
        """Places to stand around a fixture, closest to ``here`` first."""
        points = self._ring(fixture.id)
        ranked = sorted(range(len(points)), key=lambda i: (round(math.dist(points[i], here), 6), i))
        direct = _stood_off(self._rectangles[fixture.id], here)
        first = [direct] if self._sweeper.fits(*direct) else []
        return first + [points[i] for i in ranked]

    def _standing_points(self, place_id: str) -> tuple[Point, ...]:
        """Points along the four sides of a fixture, at the stand-off, where the user fits."""
        x0, y0, x1, y1 = self._rectangles[place_id]
        off = STAND_OFF_M
        along_x = [(x, y) for x in _spaced(x0, x1) for y in (y0 - off, y1 + off)]
        along_y = [(x, y) for y in _spaced(y0, y1) for x in (x0 - off, x1 + off)]
        return tuple(point for point in along_x + along_y if self._sweeper.fits(*point))


def _border(bounds_m: tuple[float, float, float, float]) -> list[Rectangle]:
    """Four blocks around the walkable bounds."""
    x0, y0, x1, y1 = bounds_m
    out = _BORDER_M
    return [
        (x0 - out, y0 - out, x0, y1 + out),
        (x1, y0 - out, x1 + out, y1 + out),
        (x0 - out, y0 - out, x1 + out, y0),
        (x0 - out, y1, x1 + out, y1 + out),
    ]


def _spaced(low: float, high: float) -> list[float]:
    """Evenly spaced values from ``low`` to ``high``, about a quarter of a metre apart."""
    parts = max(1, round((high - low) / _RING_STEP_M))
    return [low + (high - low) * i / parts for i in range(parts + 1)]


def _stood_off(rectangle: Rectangle, here: Point) -> Point:
    """The point at the stand-off on the line from the rectangle's nearest point to ``here``."""
    near = nearest_point(rectangle, *here)
    scale = STAND_OFF_M / math.dist(near, here)
    return near[0] + (here[0] - near[0]) * scale, near[1] + (here[1] - near[1]) * scale


def _signed(call: ToolCall, angle_deg: float) -> float:
    """The angle with the sign of the call's direction: left and up are positive."""
    if call.direction in (Direction.LEFT, Direction.UP):
        return angle_deg
    if call.direction in (Direction.RIGHT, Direction.DOWN):
        return -angle_deg
    raise ValueError(f"{call.tool} needs a direction: left, right, up or down; got {call.direction!r}")


def _angle(call: ToolCall) -> float:
    if call.angle_deg is None:
        raise ValueError(f"{call.tool} needs angle_deg; got {call}")
    return _signed(call, call.angle_deg)


def _turned(pose: Pose, call: ToolCall) -> Pose:
    return Pose(pose.x, pose.y, wrap_angle_deg(pose.yaw_deg + _angle(call)), pose.pitch_deg)


def _looked(pose: Pose, call: ToolCall) -> Pose:
    pitch = min(max(pose.pitch_deg + _angle(call), -PITCH_LIMIT_DEG), PITCH_LIMIT_DEG)
    return Pose(pose.x, pose.y, pose.yaw_deg, pitch)
