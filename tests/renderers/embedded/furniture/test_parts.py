"""The parts that furniture is put together from: closed, turned outward, where they should be."""

import numpy as np
import pytest

from siturec_gym.renderers.embedded.furniture.parts import (
    back_cushion,
    ball,
    bar,
    block,
    cushion,
    disc,
    double_sided,
    ellipse,
    facing,
    fitted,
    glowing,
    leaned,
    mirrored,
    moved,
    spun,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.mesh import normal_of, tiled

PLAIN = "finish|plain|#808080"
BOX = ((-0.2, 0.3), (-0.1, 0.4), (0.0, 0.2))
CONVEX = {
    "block": block(*BOX, PLAIN, ""),
    "cushion": cushion(*BOX, PLAIN),
    "flat cushion": cushion(*BOX, PLAIN, crown_m=0.0),
    "back cushion": back_cushion(*BOX, PLAIN),
    "bar": bar((0.0, 0.1, 0.0), (0.3, -0.2, 0.8), 0.05, PLAIN, 0.02),
    "turned": turned(((0.0, 0.1), (0.2, 0.2), (0.5, 0.15)), PLAIN, 8, (0.5, 0.5, 0.1)),
    "disc": disc((0.1, 0.2), 0.3, PLAIN, 6),
    "ellipse": ellipse((0.0, 0.1), 0.2, 0.4, PLAIN),
    "ball": ball((0.1, 0.2, 0.3), 0.2, PLAIN, 7, 1.2, bands=3),
}
TURNS = {
    "as it is": lambda faces: faces,
    "moved": lambda faces: moved(faces, (1.0, -2.0, 0.5)),
    "tilted": lambda faces: tilted(faces, 25.0, (0.1, 0.2)),
    "spun": lambda faces: spun(faces, 70.0, (0.3, 0.1)),
    "leaned": lambda faces: leaned(faces, -40.0, (0.0, 0.1)),
    "fitted": lambda faces: fitted(faces, (0.4, 0.9, 0.3)),
    "image": lambda faces: mirrored(faces)[len(faces) :],
}


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("faces", CONVEX.values(), ids=CONVEX)
def test_normals_point_away_from_the_middle(faces, turn):
    placed = turn(faces)
    middle = np.concatenate([face.corners for face in placed]).mean(axis=0)
    for face in placed:
        assert (face.corners.mean(axis=0) - middle) @ np.array(normal_of(face.corners.tolist())) > 0.0


@pytest.mark.parametrize("name", ["block", "cushion", "back cushion"])
def test_boxes_fill_their_ranges(name):
    points = np.concatenate([face.corners for face in CONVEX[name]])
    np.testing.assert_allclose(points.min(axis=0), [side[0] for side in BOX], atol=1e-12)
    np.testing.assert_allclose(points.max(axis=0), [side[1] for side in BOX], atol=1e-12)


def test_turns_by_hand():
    """Turned by 90 degrees: what is above goes back when tilted and right when leaned; what is ahead goes left."""
    above, ahead = (tiled([point, (0.0, 0.3, 0.1), (0.2, 0.0, 0.3)], PLAIN, 1.0) for point in ((0, 0, 1), (1, 0, 0)))
    np.testing.assert_allclose(tilted([above], 90.0)[0].corners[0], (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(leaned([above], 90.0)[0].corners[0], (0.0, 1.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(spun([ahead], 90.0)[0].corners[0], (0.0, 1.0, 0.0), atol=1e-12)


def test_fitted_fills_the_box_exactly():
    points = np.concatenate([face.corners for face in fitted(CONVEX["turned"], (0.4, 0.9, 0.3))])
    np.testing.assert_allclose(points.min(axis=0), (-0.45, -0.2, 0.0), atol=1e-12)
    np.testing.assert_allclose(points.max(axis=0), (0.45, 0.2, 0.3), atol=1e-12)


def test_mirrored_doubles_and_double_sided_shows_both_sides():
    faces = CONVEX["block"]
    assert len(mirrored(faces)) == len(double_sided(faces)) == 2 * len(faces)
    front, back = double_sided(faces[:1])
    assert normal_of(front.corners.tolist()) == pytest.approx([-n for n in normal_of(back.corners.tolist())])


def test_facing_keeps_the_front():
    kept = facing(CONVEX["block"])
    assert [normal_of(face.corners.tolist()) for face in kept] == [(1.0, 0.0, 0.0)]


def test_only_what_glows_shines():
    assert {face.glow for face in glowing(CONVEX["disc"], 0.5)} == {0.5}
    assert {face.glow for face in glowing(CONVEX["disc"], 0.0)} == {0.0}


@pytest.mark.parametrize(
    "change", [mirrored, lambda faces: moved(faces, (1.0, 0.0, 0.0)), lambda faces: tilted(faces, 9.0)]
)
def test_nothing_stays_nothing(change):
    assert change([]) == []
