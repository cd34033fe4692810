"""What a report shows, for statistics of one's own."""

import csv
import io

import pytest

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.runs import read_runs
from siturec_gym.evaluation.report.spreadsheets import comparisons_csv, curves_csv, episodes_csv


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def mixed(mixed_run) -> list[RunFigures]:
    return [RunFigures(run) for run in read_runs([mixed_run])]


def test_one_line_an_episode_from_which_the_figures_follow(mixed) -> None:
    found = rows(episodes_csv(mixed))
    assert [row["task"] for row in found] == [f"supermarket/0{i}.1" for i in range(1, 6)]
    assert sum(float(row["SR"]) for row in found) / 5 * 100 == pytest.approx(mixed[0].values["SR"].measured.value)
    assert (found[4]["status"], found[4]["end_reason"]) == ("failed", "generation_failure")
    assert [row["Groundedness, judge offline (scripted) @01234567"] for row in found] == ["5", "4", "2", "1", ""]
    assert found[2]["RPR|Cart"] == ""


def test_one_line_a_point(mixed) -> None:
    found = rows(curves_csv(mixed))
    assert len(found) == len(mixed[0].points)
    assert found[0] | {"low": "", "high": ""} == {
        "plot": "success_over_turns", "scene": "supermarket", "run": "heuristic (scripted)", "x": "0", "value": "0.0",
        "low": "", "high": "", "n": "5",
    }  # fmt: skip


def test_one_line_a_comparison(figures_of, make) -> None:
    found = rows(comparisons_csv(figures_of([make.episode(cart=("P001",))], [make.episode()])))
    assert (found[0]["metric"], found[0]["second_minus_first"], found[0]["n"]) == ("SR", "-100.0", "1")
