"""Segmentation colours: what S8 asks of a palette, and tables of what is observed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.calibration import measured, unchanged
from siturec_gym.renderers.unrealcv.colors import APART, DARKEST, ColorTable, Paint, paints_of, palette
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.reading import load_mapping

COLOR = st.tuples(*[st.integers(0, 255)] * 3)


def distances(colors):
    values = np.array(colors)
    apart = np.abs(values[:, None] - values[None]).max(axis=2)
    np.fill_diagonal(apart, 255)
    return apart


@given(wanted=st.lists(st.none() | COLOR, min_size=2, max_size=60))
def test_colours_are_far_apart_never_dark_and_as_wanted_where_they_can_be(wanted):
    colors = palette(wanted)
    assert len(colors) == len(wanted)
    assert distances(colors).min() >= APART
    assert min(min(color) for color in colors) >= DARKEST
    first = wanted[0]
    if first is not None and min(first) >= DARKEST:
        assert colors[0] == first
    assert palette(wanted) == colors


@pytest.mark.parametrize("count", [1, 2, 9, 1453, 10_000])
def test_as_many_colours_as_a_store_has_things(count):
    colors = palette([None] * count)
    assert len(set(colors)) == count
    assert min(min(color) for color in colors) >= DARKEST


def test_more_colours_than_there_are_is_an_error():
    with pytest.raises(ValueError, match="no 20000 colours are left that differ by 10"):
        palette([None] * 20_000)


def test_products_share_and_places_have_their_own(shop):
    names = Names(shop, load_mapping("ours").objects)
    paints = paints_of(shop, names, "product")
    own = [part for part in shop.structures if part.place_id is None]
    assert len(paints) == len(shop.products) + len(shop.navigation_targets) + len(own)
    assert sum(len(paint.objects) for paint in paints) == len(shop.instances) + len(shop.navigation_targets) + len(own)
    assert distances([paint.color for paint in paints]).min() >= APART
    kept = sum(paint.color == product.segmentation_color for paint, product in zip(paints, shop.products, strict=False))
    assert kept == len(shop.products)


def test_each_item_its_own_colour_where_the_mapping_says_so(shop):
    names = Names(shop, load_mapping("ours").objects)
    paints = paints_of(shop, names, "instance")
    assert all(len(paint.objects) == 1 for paint in paints)
    assert [paint.code for paint in paints[: len(shop.instances)]] == [item.object_id for item in shop.instances]
    assert distances([paint.color for paint in paints]).min() >= APART


RED = Paint(1, "P001", ("I0001",), (200, 30, 30))
PINK = Paint(2, "P002", ("I0002",), (210, 30, 30))
FLOOR = Paint(30001, "X001", ("X001",), (30, 200, 30))


def test_an_observed_colour_stands_for_what_was_painted():
    table = ColorTable((RED, PINK, FLOOR), unchanged)
    assert [table.code(color) for color in (RED.color, PINK.color, FLOOR.color)] == [1, 2, 30001]
    assert [table.code(color) for color in ((0, 0, 0), (201, 30, 30), (255, 255, 255))] == [0, 0, 0]


def test_tolerance_takes_in_what_is_near():
    table = ColorTable((RED, PINK, FLOOR), unchanged, tolerance=2)
    assert table.code((202, 28, 31)) == 1
    assert table.code((203, 30, 30)) == 0
    assert table.code((208, 32, 30)) == 2
    assert table.code((2, 2, 2)) == 0


@pytest.mark.parametrize(
    ("transfer", "tolerance", "message"),
    [
        (
            lambda color: tuple(part // 32 * 32 for part in color),
            0,
            r"P002 \(210 30 30\), seen as 192 0 0,.*told from P001",
        ),
        (lambda color: (0, 0, 0), 0, r"P001 \(200 30 30\), seen as 0 0 0, cannot be told from the background"),
        (unchanged, 5, r"P002 .* cannot be told from P001 \(200 30 30\)"),
    ],
)
def test_ambiguous_palettes_are_refused(transfer, tolerance, message):
    with pytest.raises(RendererError, match=message):
        ColorTable((RED, PINK, FLOOR), transfer, tolerance)


def engine(curve, noise=False):
    """A look at a probe of 100 pixels before a grey wall, through an engine's curves of red, green and blue."""

    def look(colors):
        masks = []
        for color in colors:
            mask = np.full((20, 20, 3), 90, np.uint8)
            mask[5:15, 5:15] = [channel(part) for channel, part in zip(curve, color, strict=True)]
            if noise:
                mask[5, 5:15] = 77
            masks.append(mask)
        return masks

    return look


def test_a_curve_is_measured_channel_by_channel():
    def gamma(part):
        return round(255 * (part / 255) ** (1 / 2.2))

    transfer = measured([RED, FLOOR], engine((gamma, lambda part: part, lambda part: part - 1), noise=True), "X001")
    assert transfer(RED.color) == (gamma(200), 30, 29)
    assert transfer(FLOOR.color) == (gamma(30), 200, 29)


@pytest.mark.parametrize("curve", [(lambda part: 90,) * 3, (lambda part: 200,) * 3])
def test_a_probe_that_is_not_seen_to_change_is_an_error(curve):
    with pytest.raises(
        RendererError, match=r"colors\.probe: X001 is not seen to change its colour from the start pose"
    ):
        measured([RED], engine(curve), "X001")


def test_a_curve_that_makes_colours_alike_is_found_out():
    transfer = measured([RED, PINK], engine((lambda part: part // 64 * 64,) * 3), "X001")
    with pytest.raises(RendererError, match=r"P002 .* cannot be told from P001"):
        ColorTable((RED, PINK), transfer)
