"""Colours measured by a probe, on masks of a few pixels."""

import numpy as np
import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.calibration import measured, unchanged
from siturec_gym.renderers.unrealcv.colors import Paint

PAINTS = [Paint(1, "P001", ("I0001",), (100, 30, 200)), Paint(2, "P002", ("I0002",), (16, 100, 255))]
LEVELS = [16, 30, 100, 200, 255]
"""Every component that occurs, the darkest and the brightest that a palette may have."""


class Engine:
    """A mask of 5x4 pixels whose first ``in_view`` ones show the probe, drawn through a curve of each channel."""

    def __init__(self, curves, in_view=12, edges=0):
        self.curves, self.in_view, self.edges = curves, in_view, edges
        self.asked = []

    def __call__(self, colors):
        self.asked += colors
        masks = []
        for color in colors:
            mask = np.full((20, 3), 77, np.uint8)
            mask[: self.in_view] = [curve(part) for curve, part in zip(self.curves, color, strict=True)]
            mask[: self.edges] //= 2  # smoothed, the fewer of them
            masks.append(mask.reshape(5, 4, 3))
        return masks


def test_the_probe_is_painted_in_each_level_once():
    engine = Engine([lambda part: part] * 3)
    measured(PAINTS, engine, "BP_F01")
    assert engine.asked == [(level, level, level) for level in LEVELS]


def test_each_channel_has_its_own_curve():
    transfer = measured(PAINTS, Engine([lambda part: part, lambda part: part // 2, lambda part: 255 - part]), "BP_F01")
    assert transfer((100, 30, 200)) == (100, 15, 55)
    assert transfer((16, 100, 255)) == (16, 50, 0)


def test_the_commonest_colour_counts_where_edges_are_smoothed():
    transfer = measured(PAINTS, Engine([lambda part: part] * 3, in_view=12, edges=5), "BP_F01")
    assert transfer((100, 30, 200)) == (100, 30, 200)


@pytest.mark.parametrize(("in_view", "works"), [(12, True), (11, False), (0, False)])
def test_a_probe_needs_twelve_pixels(in_view, works):
    engine = Engine([lambda part: part] * 3, in_view=in_view)
    if works:
        assert measured(PAINTS, engine, "BP_F01")((30, 30, 30)) == (30, 30, 30)
        return
    with pytest.raises(RendererError, match=r"colors\.probe: BP_F01 is not seen to change its colour"):
        measured(PAINTS, engine, "BP_F01")


def test_a_colour_that_was_not_measured_is_a_key_error():
    with pytest.raises(KeyError):
        measured(PAINTS, Engine([lambda part: part] * 3), "BP_F01")((17, 30, 200))


def test_unchanged():
    assert unchanged((1, 2, 3)) == (1, 2, 3)
