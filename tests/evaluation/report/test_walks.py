"""Walks follow the floor: their metres add up and they pass through nothing."""

import math
from itertools import pairwise

import numpy as np
import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.core.records import ViewRecord
from siturec_gym.evaluation.report.walks import CELL_M, Walks, heat_map
from siturec_gym.scenes.footprints import blocking_rectangles, segment_clearances


@pytest.fixture
def walks(tiny_scene) -> Walks:
    return Walks(tiny_scene)


@pytest.fixture
def around_the_shelf(make):
    poses = [Pose(1.5, 1.0, 0.0), Pose(1.5, 1.0, 90.0), Pose(6.0, 4.0, 0.0)]
    turns = [make.turn(i, pose) for i, pose in enumerate(poses[:2])]
    return make.episode("01.1", *turns, final_view=ViewRecord((), (), poses[2]))


def length(points) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def test_metres_on_the_floor_are_the_length_of_the_walk(walks, around_the_shelf) -> None:
    line = walks.line(around_the_shelf)
    assert line[0] == (1.5, 1.0)
    assert line[-1] == (6.0, 4.0)
    heat = walks.heat([around_the_shelf, around_the_shelf])
    assert heat.metres.sum() == pytest.approx(2 * length(line))
    assert heat.metres.shape == (math.ceil(5 / CELL_M), math.ceil(8 / CELL_M))


def test_a_walk_goes_around_what_blocks_the_way(walks, tiny_scene, around_the_shelf) -> None:
    blocks = blocking_rectangles(tiny_scene)
    for start, end in pairwise(walks.line(around_the_shelf)):
        assert segment_clearances(blocks, start, end).min() > 0.0


def test_real_walks_pass_through_nothing(played_episodes) -> None:
    from siturec_gym.scenes import load_scene

    scene = load_scene("supermarket")
    walks, blocks = Walks(scene), blocking_rectangles(scene)
    for episode in played_episodes:
        for start, end in pairwise(walks.line(episode)):
            assert segment_clearances(blocks, start, end).min() > 0.0


def test_standing_still_leaves_the_floor_cold(walks, make, tiny_scene) -> None:
    pose = Pose(1.0, 1.0, 0.0)
    still = make.episode("01.1", make.turn(0, pose), final_view=ViewRecord((), (), pose))
    heat = walks.heat([still])
    assert np.all(heat.metres == 0.0)
    assert heat_map("nobody walked", tiny_scene, heat, []).shapes


def test_more_walked_patches_are_darker(walks, tiny_scene, around_the_shelf) -> None:
    drawing = heat_map("walks", tiny_scene, walks.heat([around_the_shelf]), [(Pose(6.0, 4.0, 0.0), True)])
    assert any("m per episode" in getattr(shape, "hint", "") for shape in drawing.shapes)
