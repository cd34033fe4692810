"""Walking routes: straight where the way is clear, else over the waypoint graph."""

import math
from collections.abc import Sequence
from functools import lru_cache

import networkx as nx

from siturec_gym.scenes.scene import Waypoint
from siturec_gym.world.sweep import Point, Sweeper

_NEAR_WAYPOINTS = 8
"""How many clear waypoints, nearest first, a route may start or end at."""
_STEPS_ASIDE_M = (0.3, 0.6, 0.9, 1.2, 1.5)
_DIRECTIONS = 16


class Routes:
    """Shortest routes of the disc in one store. The same ends give the same route, in any process."""

    def __init__(self, waypoints: Sequence[Waypoint], sweeper: Sweeper) -> None:
        self._sweeper = sweeper
        self._points: dict[str, Point] = {waypoint.id: (waypoint.x, waypoint.y) for waypoint in waypoints}
        self._shortest = dict(nx.all_pairs_dijkstra(self._graph(waypoints)))
        self._near = lru_cache(maxsize=4096)(self._clear_waypoints)

    def find(self, start: Point, goal: Point) -> list[Point] | None:
        """Points from ``start`` to ``goal``, both included, whose legs are clear; None where there is no way.

        Between furniture no waypoint may be in a clear line: there the route starts with the shortest step aside that
        helps.
        """
        direct = self._over_waypoints(start, goal)
        return direct if direct is not None else self._after_a_step_aside(start, goal)

    def _after_a_step_aside(self, start: Point, goal: Point) -> list[Point] | None:
        if self._near(start):
            return None
        for length in _STEPS_ASIDE_M:
            for number in range(_DIRECTIONS):
                angle = 2 * math.pi * number / _DIRECTIONS
                spot = (start[0] + length * math.cos(angle), start[1] + length * math.sin(angle))
                if self._sweeper.clear(start, spot) and (rest := self._over_waypoints(spot, goal)) is not None:
                    return [start, *rest]
        return None

    def _over_waypoints(self, start: Point, goal: Point) -> list[Point] | None:
        if self._sweeper.clear(start, goal):
            return [start, goal]
        best: tuple[float, str, str] | None = None
        for first, to_first in self._near(start):
            lengths = self._shortest[first][0]
            for last, to_last in self._near(goal):
                if last in lengths:
                    option = (round(to_first + lengths[last] + to_last, 9), first, last)
                    best = option if best is None else min(best, option)
        if best is None:
            return None
        nodes = self._shortest[best[1]][1][best[2]]
        return self._pulled([start, *(self._points[node] for node in nodes), goal])

    def _graph(self, waypoints: Sequence[Waypoint]) -> "nx.Graph[str]":
        """The links that the disc can walk, weighted by length."""
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self._points)
        for waypoint in waypoints:
            for other in waypoint.links:
                ends = self._points[waypoint.id], self._points[other]
                if self._sweeper.clear(*ends):
                    graph.add_edge(waypoint.id, other, weight=math.dist(*ends))
        return graph

    def _clear_waypoints(self, point: Point) -> tuple[tuple[str, float], ...]:
        """The nearest waypoints in a clear straight line from ``point``, with their distances."""
        ranked = sorted((math.dist(point, position), node) for node, position in self._points.items())
        clear = []
        for distance, node in ranked:
            if self._sweeper.clear(point, self._points[node]):
                clear.append((node, distance))
                if len(clear) == _NEAR_WAYPOINTS:
                    break
        return tuple(clear)

    def _pulled(self, points: list[Point]) -> list[Point]:
        """The route without the points that a straight clear leg can skip."""
        kept, index = [points[0]], 0
        while index < len(points) - 1:
            ahead = range(len(points) - 1, index + 1, -1)
            index = next((j for j in ahead if self._sweeper.clear(points[index], points[j])), index + 1)
            kept.append(points[index])
        return kept
