"""Routes over waypoints, on layouts small enough to measure by hand (S17)."""

import pytest

from siturec_gym.scenes.scene import Waypoint
from siturec_gym.world.routes import Routes
from siturec_gym.world.sweep import Sweeper

WALL = (2.0, -1.0, 3.0, 1.0)
OVER, UNDER = Waypoint("W01", 2.5, 3.0, ()), Waypoint("W02", 2.5, -2.5, ())


def routes(waypoints: tuple[Waypoint, ...], *boxes: tuple[float, float, float, float]) -> Routes:
    return Routes(waypoints, Sweeper(boxes, 0.3))


def test_the_whole_way_counts_not_only_its_beginning() -> None:
    """By W01 3.33 + 4.63 m, by W02 4.14 + 2.97 m: the nearer waypoint is the longer way."""
    route = routes((OVER, UNDER), WALL).find((0.0, 0.8), (5.0, -0.9))
    assert route == [(0.0, 0.8), (2.5, -2.5), (5.0, -0.9)]


def test_equal_ways_go_by_the_lower_id() -> None:
    level = Waypoint("W02", 2.5, -3.0, ())
    for order in ((OVER, level), (level, OVER)):
        assert routes(order, WALL).find((0.0, 0.0), (5.0, 0.0)) == [(0.0, 0.0), (2.5, 3.0), (5.0, 0.0)]


def test_a_waypoint_that_a_clear_leg_can_skip_is_skipped() -> None:
    around = (
        Waypoint("W01", 0.5, 2.0, ("W02",)),
        Waypoint("W02", 3.5, 4.0, ("W01", "W03")),
        Waypoint("W03", 6.5, 2.0, ("W02",)),
    )
    route = routes(around, (1.0, -3.0, 6.0, 1.0)).find((0.0, 0.0), (7.0, 0.0))
    assert route == [(0.0, 0.0), (0.5, 2.0), (6.5, 2.0), (7.0, 0.0)]


def test_a_blocked_link_is_not_walked() -> None:
    linked = Waypoint("W01", 0.5, 0.0, ("W02",)), Waypoint("W02", 4.5, 0.0, ("W01",))
    assert routes(linked, (2.0, -50.0, 3.0, 50.0)).find((0.0, 0.0), (5.0, 0.0)) is None


@pytest.mark.parametrize("goal", [(0.0, 0.0), (1.0, 0.5)])
def test_a_clear_way_is_straight(goal: tuple[float, float]) -> None:
    assert routes((OVER,), WALL).find((0.0, 0.0), goal) == [(0.0, 0.0), goal]
