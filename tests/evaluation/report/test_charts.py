"""Plots: what they draw for any run, as SVG and as PNG."""

import io
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from siturec_gym.evaluation.report.drawing import Box, Disc, Drawing, Label, Path, mixed, readable_on, text_width
from siturec_gym.evaluation.report.layout import Series, legend_places, shortened
from siturec_gym.evaluation.report.line_charts import line_chart, radar_chart
from siturec_gym.evaluation.report.png import SCALE, to_png
from siturec_gym.evaluation.report.share_charts import Spot, bubbles, matrix, stacked_bars
from siturec_gym.evaluation.report.svg import to_svg

NAMES = ["<a> & b", "a run with a name that is far too long for the margin of any plot", "c"]
CHARTS = {
    "lines": line_chart("t", ["1", "2"], [Series(name, (1.0, None)) for name in NAMES], "y", "x"),
    "radar": radar_chart("t", ["p", "q", "r"], [Series(name, (1.0, 3.0, 5.0)) for name in NAMES]),
    "bars": stacked_bars("t", NAMES, [Series("x", (40.0, 0.0, 100.0)), Series("y", (60.0, 100.0, 0.0))]),
    "matrix": matrix("t", NAMES, ["AskPreference", "Greet"], [[1.0, None]] * 3),
    "bubbles": bubbles("t", NAMES, ["turn", "idle"], [[Spot(90.0, 50.0, 9), Spot(0.0, None, 0)]] * 3),
}


@pytest.mark.parametrize("name", CHARTS)
def test_svg_is_well_formed_and_needs_nothing_from_outside(name) -> None:
    svg = to_svg(CHARTS[name])
    root = ET.fromstring(svg)
    assert root.find("{http://www.w3.org/2000/svg}title").text == "t"
    assert svg.replace("http://www.w3.org/2000/svg", "").count("http") == 0


@pytest.mark.parametrize("name", CHARTS)
def test_png_shows_the_drawing_at_its_size_and_repeats(name) -> None:
    content = to_png(CHARTS[name])
    image = Image.open(io.BytesIO(content))
    assert image.size == (CHARTS[name].width * SCALE, CHARTS[name].height * SCALE)
    assert len(image.getcolors(1 << 20)) > 20
    assert to_png(CHARTS[name]) == content


@pytest.mark.parametrize("name", CHARTS)
def test_everything_stays_on_the_paper(name) -> None:
    drawing = CHARTS[name]
    for shape in drawing.shapes:
        points = shape.points if isinstance(shape, Path) else ()
        spot = shape.at if isinstance(shape, Label) else shape.center if isinstance(shape, Disc) else None
        corner = (
            (shape.corner, tuple(a + b for a, b in zip(shape.corner, shape.size, strict=True)))
            if isinstance(shape, Box)
            else ()
        )
        for x, y in (*points, *corner, *([spot] if spot else [])):
            assert -0.5 <= x <= drawing.width + 0.5
            assert -0.5 <= y <= drawing.height + 0.5


def test_an_undefined_point_is_left_out() -> None:
    drawing = line_chart("t", ["1", "2", "3"], [Series("a", (1.0, None, 3.0))], "y", "x")
    assert len([shape for shape in drawing.shapes if isinstance(shape, Disc)]) == 2


@pytest.mark.parametrize("values", [(None, None), (1.0, None)])
def test_a_line_of_less_than_two_points_is_no_line(values) -> None:
    assert to_png(line_chart("t", ["1", "2"], [Series("a", values)], "y", "x"))
    assert to_png(radar_chart("t", ["p", "q"], [Series("a", values)]))


def test_a_tool_never_suggested_is_a_small_grey_dot_and_area_shows_the_share() -> None:
    discs = [shape for shape in CHARTS["bubbles"].shapes if isinstance(shape, Disc)]
    assert {disc.hint for disc in discs if disc.radius == 2.5} == {f"{name}: idle, never suggested" for name in NAMES}
    small, large = (next(s for s in bubbles("t", ["r"], ["x"], [[Spot(share, 1.0, 1)]]).shapes if isinstance(s, Disc))
                    for share in (25.0, 100.0))  # fmt: skip
    assert large.radius**2 == pytest.approx(4 * small.radius**2)


def test_shares_fill_the_bar() -> None:
    boxes = [shape for shape in CHARTS["bars"].shapes if isinstance(shape, Box) and shape.hint]
    assert sum(box.size[0] for box in boxes if box.hint.startswith("c:")) == pytest.approx(
        sum(box.size[0] for box in boxes if box.hint.startswith("<a>"))
    )


def test_a_long_legend_takes_more_lines_and_a_long_name_is_cut() -> None:
    assert [line for _, line in legend_places(["x" * 40, "y" * 60, "z"])] == [0, 1, 1]
    assert shortened("abc", 100, 12) == "abc"
    one, other = (shortened(f"heuristic (scripted) (a_rather_long_name_{end})", 190, 12) for end in (1, 2))
    assert (one[-2:], other[-2:], one[:-2] == other[:-2], one.count("…")) == ("1)", "2)", True, 1)
    assert text_width(one, 12) <= 190
    assert shortened("wide", 1, 12) == "…"


def test_colours_mix_and_stay_readable() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#000000", "#ffffff", 7.0) == "#ffffff"
    assert readable_on("#ffffff") != readable_on("#000000")


def test_dashes_and_veils_are_painted() -> None:
    drawing = Drawing(40, 40, "t")
    drawing.add(Path(((0, 20), (40, 20)), "#ff0000", 2, dash=(4, 4)))
    drawing.add(Path(((0, 0), (40, 0), (40, 10), (0, 10)), None, fill="#0000ff", opacity=0.5))
    image = Image.open(io.BytesIO(to_png(drawing)))
    row = [image.getpixel((x, 40)) for x in range(80)]
    assert 0.3 < sum(pixel[1] < 128 for pixel in row) / 80 < 0.7
    assert image.getpixel((40, 10)) == (127, 127, 255)
