"""Ways through a scene on the assistant's map: what can be seen from where, and how many turns a destination is away.

The user walks to any place in view in one turn and may turn, or turn and walk up to five metres, in one turn as well.
So a way is a chain of places seen one from the other, with turns and short walks between them. The nodes are the
viewpoints of places and the waypoints with the heading of arrival; the turns still to go are counted backwards from
a destination, once, and kept.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose, bearing_deg, distance_m, wrap_angle_deg
from siturec_gym.policies.barriers import barriers_of, outline
from siturec_gym.policies.knowledge import Place, Stand, Store

IN_VIEW_DEG = 38.0
LONGEST_WALK_M = 5.0
METRE_COST = 0.01  # of two ways with as many turns, the shorter
FREE_WALK_TURNS = 1.15  # a walk of five metres; a place in view is surer
TURN_TURNS = 1.05  # seeing a place after turning is a prediction
HEADING_STEP_DEG = 45.0
MISSED_WITHIN_M = 1.0

Array = NDArray[np.float64]
Node = tuple[str, str]  # (place, side) or (waypoint, heading bucket)


@dataclass(frozen=True, slots=True)
class Missed:
    """A place that the map puts in view from near (x, y) and that was not seen there."""

    place: str
    x: float
    y: float


@dataclass(frozen=True)
class Spot:
    """A node: where one stands and where one looks on arrival."""

    node: Node
    pose: Pose


def was_missed(place: str, pose: Pose, missed: tuple[Missed, ...]) -> bool:
    """Whether the user looked for ``place`` from about here in vain."""
    return any(miss.place == place and distance_m(pose, miss.x, miss.y) < MISSED_WITHIN_M for miss in missed)


def supports_side(place: Place, side: str, x: float, y: float) -> bool:
    """Whether the approach to a visible place can be asked for from (x, y).

    A fixture has a far half that one must not be behind; the points of stores and areas can always be asked for.
    """
    if side not in place.approaches:
        return False
    if place.kind != "fixture":
        return True
    yaw = math.radians(place.yaw_deg)
    along = (x - place.x) * math.cos(yaw) + (y - place.y) * math.sin(yaw)
    return (along if side == "front" else -along) > -place.size_m[1] / 2


class Atlas:
    """Sight lines and turns to go in one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._places = tuple(store.places.values())
        self._samples = np.stack([outline(place) for place in self._places])
        self._barriers = barriers_of(self._places)

    def sights(self, x: float, y: float) -> dict[str, tuple[float, float]]:
        """Places in sight from (x, y) when one turns around: id -> the point of it that is seen first and best."""
        shown = self._clear_samples(x, y)
        found = {}
        for index, place in enumerate(self._places):
            if shown[index].sum() >= 2:
                point = self._samples[index][shown[index]].mean(axis=0)
                found[place.id] = (float(point[0]), float(point[1]))
        return found

    def walkable(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Whether no place stands in the way of a straight walk."""
        return self._barriers.walkable((x, y), (to_x, to_y))

    @lru_cache(maxsize=4096)  # noqa: B019 - an atlas lives as long as its store
    def around(self, x: float, y: float) -> tuple[dict[str, tuple[float, float]], tuple[str, ...]]:
        """Places in sight from (x, y), and waypoints that one can walk to in one turn."""
        near = [
            name
            for name, point in self._store.waypoints.items()
            if 0.5 < math.hypot(point[0] - x, point[1] - y) <= LONGEST_WALK_M and self.walkable(x, y, *point)
        ]
        return self.sights(x, y), tuple(near)

    @lru_cache(maxsize=1024)  # noqa: B019
    def turns_to(self, stand: Stand, missed: tuple[Missed, ...] = ()) -> dict[Node, float]:
        """Turns from each node to the viewpoint of ``stand``, for nodes that reach it; no way relies on ``missed``."""
        nodes, steps = self._steps
        if missed:
            steps = steps.copy()
            for miss in missed:
                near = [was_missed(miss.place, self.spots[node].pose, (miss,)) for node in nodes]
                steps[np.ix_(near, [node[0] == miss.place for node in nodes])] = math.inf
        costs = np.full(len(nodes), math.inf)
        costs[nodes.index((stand.place, stand.side))] = 0.0
        while True:
            better = np.minimum(costs, (steps + costs).min(axis=1))
            if np.array_equal(better, costs):
                return {node: cost for node, cost in zip(nodes, costs.tolist(), strict=True) if cost < math.inf}
            costs = better

    @cached_property
    def spots(self) -> dict[Node, Spot]:
        """Every node with its pose."""
        found = {}
        for place in self._places:
            for side, (x, y, yaw_deg) in place.approaches.items():
                found[place.id, side] = Spot((place.id, side), Pose(x, y, yaw_deg))
        for name, (x, y) in self._store.waypoints.items():
            for other in self._store.links.get(name, ()):
                from_x, from_y = self._store.waypoints[other]
                yaw_deg = heading_bucket(math.degrees(math.atan2(y - from_y, x - from_x)))
                found[name, f"{yaw_deg:g}"] = Spot((name, f"{yaw_deg:g}"), Pose(x, y, yaw_deg))
        return found

    @cached_property
    def _steps(self) -> tuple[tuple[Node, ...], Array]:
        """Every node, and an array (from, to) of turns; infinite where no step leads."""
        nodes = tuple(self.spots)
        row_of = {node: row for row, node in enumerate(nodes)}
        table = np.full((len(nodes), len(nodes)), math.inf)
        for row, spot in enumerate(self.spots.values()):
            for node, cost in self.steps(spot.pose):
                table[row, row_of[node]] = min(cost, table[row, row_of[node]])
        return nodes, table

    def steps(self, pose: Pose) -> list[tuple[Node, float]]:
        """Nodes that one reaches from ``pose`` directly, and in how many turns."""
        sights, near = self.around(pose.x, pose.y)
        found: list[tuple[Node, float]] = []
        for place_id, point in sights.items():
            place = self._store.places[place_id]
            turns = 1.0 if abs(bearing_deg(pose, *point)) <= IN_VIEW_DEG else 1.0 + TURN_TURNS
            for side, (x, y, _) in place.approaches.items():
                if supports_side(place, side, pose.x, pose.y):
                    found.append(((place_id, side), turns + METRE_COST * distance_m(pose, x, y)))
        for name in near:
            node, cost = self.walk(pose, name)
            if node in self.spots:
                found.append((node, cost))
        return found

    def walk(self, pose: Pose, waypoint: str) -> tuple[Node, float]:
        """The node of walking straight to ``waypoint``, and its cost in turns."""
        x, y = self._store.waypoints[waypoint]
        heading = heading_bucket(math.degrees(math.atan2(y - pose.y, x - pose.x)))
        return (waypoint, f"{heading:g}"), FREE_WALK_TURNS + METRE_COST * distance_m(pose, x, y)

    def _clear_samples(self, x: float, y: float) -> NDArray[np.bool_]:
        """(places, samples): whether nothing tall stands between (x, y) and each point of each place's outline."""
        count, samples = self._samples.shape[:2]
        clear = self._barriers.clear((x, y), self._samples.reshape(-1, 2), np.repeat(np.arange(count), samples))
        return clear.reshape(count, samples)


@lru_cache(maxsize=8)
def atlas_of(store: Store) -> Atlas:
    """The atlas of a store, drawn once. Stores are compared by identity."""
    return Atlas(store)


def expected_marks(store: Store, pose: Pose) -> tuple[Mapping[str, Any], ...]:
    """Marks of the places that the map puts in view, for an assistant that is shown none.

    A place's id in the location index is the assistant's handle of it.
    """
    sights, _ = atlas_of(store).around(round(pose.x, 1), round(pose.y, 1))
    marks: list[Mapping[str, Any]] = []
    for place_id, point in sights.items():
        bearing = bearing_deg(pose, *point)
        if abs(bearing) <= IN_VIEW_DEG:
            place = store.places[place_id]
            sides = [side for side in place.approaches if supports_side(place, side, pose.x, pose.y)]
            away = distance_m(pose, *point)
            where = {"distance_m": away, "bearing_deg": bearing, "approaches": sides}
            marks.append({"handle": place_id, "kind": place.kind, "name": place.name, **where})
    return tuple(marks)


def heading_bucket(yaw_deg: float) -> float:
    """``yaw_deg`` to the nearest eighth of a circle, in [-180, 180)."""
    return wrap_angle_deg(round(yaw_deg / HEADING_STEP_DEG) * HEADING_STEP_DEG)
