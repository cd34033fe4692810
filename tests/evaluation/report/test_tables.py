"""One table as a page, a spreadsheet and a paper show it."""

import csv
import io

import pytest

from siturec_gym.evaluation.report.tables import Cell, Row, Table, to_csv, to_html, to_latex


@pytest.fixture
def table() -> Table:
    ours = (Cell(50.0, 4.0, 40.0, 60.0, 100, "four-subset"), Cell(None, n=0, convention="cohort"))
    other = (Cell(25.0, n=100, convention="cohort"), Cell(7.25, n=3, convention="cohort"))
    published = (Cell(80.0, 5.7, n=100, convention="published, four-subset"), None)
    rows = [
        Row("a_b & <c>", ours, "run", "Supermarket", "agenda (scripted)"),
        Row("other", other, "run", "Supermarket", "agenda (scripted)"),
        Row("Gemini", published, "Table 3", "Supermarket", "GPT-5.6 Sol"),
    ]
    return Table("results", "A caption", ("SR", "RPR|Cart"), ("%", ""), (1, 1), rows)


def test_html_escapes_names_and_keeps_sources_apart(table) -> None:
    page = to_html(table)
    assert "a_b &amp; &lt;c&gt;" in page
    assert page.count('<tbody class="ours">') == page.count('<tbody class="published">') == 1
    assert "Supermarket: published, Table 3 · user GPT-5.6 Sol" in page


def test_html_shows_value_sd_interval_and_dash(table) -> None:
    page = to_html(table)
    assert '<b>50.0</b><span class="sd">±4.0</span><span class="interval">40.0 to 60.0</span>' in page
    assert 'title="n = 0; cohort">—</td>' in page
    assert '<td class="none"></td>' in page


def test_the_best_is_bold_among_our_rows_and_only_where_something_is_worse(table) -> None:
    page = to_html(table)
    assert "<b>80.0</b>" not in page
    assert "<b>7.2</b>" not in page
    table.rows[1] = Row("other", (Cell(50.0), None), "run", "Supermarket", "agenda (scripted)")
    assert "<b>" not in to_html(table)


def test_csv_has_a_line_for_each_figure(table) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv([table]))))
    assert [(row["row"], row["metric"], row["value"]) for row in rows] == [
        ("a_b & <c>", "SR", "50.0"),
        ("a_b & <c>", "RPR|Cart", ""),
        ("other", "SR", "25.0"),
        ("other", "RPR|Cart", "7.25"),
        ("Gemini", "SR", "80.0"),
    ]
    assert (rows[0]["sd"], rows[0]["low"], rows[0]["high"], rows[0]["n"], rows[0]["convention"]) == (
        "4.0", "40.0", "60.0", "100", "four-subset",
    )  # fmt: skip


def test_latex_is_balanced_and_escaped(table) -> None:
    text = to_latex(table)
    assert "a\\_b \\& <c> & \\textbf{50.0}$_{\\pm 4.0}$ & -- \\\\" in text
    assert "SR (\\%) & RPR$\\mid$Cart" in text
    assert "{\\scriptsize [40.0, 60.0]}" in text
    assert text.count("{") == text.count("}")
    assert all(
        line.count("&") - line.count("\\&") == 2
        for line in text.splitlines()
        if line.endswith("\\\\") and "&" in line and "multicolumn" not in line
    )
