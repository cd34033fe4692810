"""Colours of ids, painted exactly whatever the ids and the size are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from siturec_gym.renderers.unrealcv.server.palette import Palette

IDS = [1, 2, 3, 40_000, 65_535]


@given(
    arrays.arrays(
        np.uint16, arrays.array_shapes(min_dims=2, max_dims=2, max_side=19), elements=st.sampled_from([0, *IDS])
    )
)
def test_every_pixel_has_its_ids_colour(ids):
    palette = Palette(IDS)
    out = np.zeros((*ids.shape, 4), np.uint8)
    palette.paint(ids, out)
    rgb = palette.rgb(ids)
    for y, x in np.ndindex(ids.shape):
        color = palette[int(ids[y, x])]
        assert out[y, x].tolist() == [*color[::-1], 255]
        assert rgb[y, x].tolist() == list(color)


def test_what_has_no_colour_is_black():
    assert Palette(IDS)[7] == (0, 0, 0)


@pytest.mark.parametrize("count", [1, 2, 30, 1453, 10_000])
def test_colours_are_distinct_and_not_dark(count):
    palette = Palette(list(range(1, count + 1)))
    colors = [palette[number] for number in range(1, count + 1)]
    assert len(set(colors)) == count
    assert min(map(min, colors)) >= 16
