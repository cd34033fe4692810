"""The shipped store can be walked: every fixture, by every approach, from many places (S5, S17)."""

import math
from itertools import pairwise

import pytest

from siturec_gym.core.pose import USER_RADIUS_M
from siturec_gym.scenes import load_scene
from siturec_gym.scenes.footprints import blocking_rectangles, segment_clearances
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.motion import Motion


@pytest.fixture(scope="module")
def scene() -> Scene:
    return load_scene("supermarket")


@pytest.fixture(scope="module")
def motion(scene: Scene) -> Motion:
    return Motion(scene)


def test_every_approach_is_reached_from_everywhere(scene: Scene, motion: Motion) -> None:
    starts = [scene.start_pose, *(pose for place in scene.fixtures[::3] for pose in place.approaches.values())]
    for fixture in scene.fixtures:
        for approach in ("nearest", *fixture.approaches):
            for start in starts:
                assert motion.approach_pose(start, fixture, approach) is not None, (start, fixture.id, approach)


def test_no_leg_of_a_route_comes_closer_than_the_users_radius(scene: Scene, motion: Motion) -> None:
    blocks = blocking_rectangles(scene)
    here = (scene.start_pose.x, scene.start_pose.y)
    for fixture in scene.fixtures:
        for goal in fixture.approaches.values():
            route = motion.route(here, (goal.x, goal.y))
            assert route is not None
            for start, end in pairwise(route):
                assert segment_clearances(blocks, start, end).min() >= USER_RADIUS_M


def test_routes_are_no_long_detours(scene: Scene, motion: Motion) -> None:
    here = (scene.start_pose.x, scene.start_pose.y)
    for fixture in scene.fixtures:
        for goal in fixture.approaches.values():
            route = motion.route(here, (goal.x, goal.y))
            assert route is not None
            walked = sum(math.dist(a, b) for a, b in pairwise(route))
            assert walked <= abs(goal.x - here[0]) + abs(goal.y - here[1]) + 8.0, fixture.id
