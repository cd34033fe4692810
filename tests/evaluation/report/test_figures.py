"""Figures of a run: the aggregates of metrics/, with intervals; ratings by judge."""

import pytest

from siturec_gym.evaluation.report.figures import RunFigures, by_scene
from siturec_gym.evaluation.report.runs import read_runs
from siturec_gym.judges.judgment import DIMENSIONS


@pytest.fixture
def mixed(mixed_run) -> RunFigures:
    return RunFigures(read_runs([mixed_run])[0])


def test_values_are_those_of_the_metrics(mixed) -> None:
    assert mixed.values["SR"].measured.value == pytest.approx(40.0)
    assert mixed.values["RPR"].measured.value == pytest.approx(20.0)
    assert mixed.values["RPR|Cart"].measured.value == pytest.approx(50.0)
    assert mixed.values["SR"].measured.convention == "cohort"


def test_every_interval_surrounds_its_value_and_repeats(mixed, mixed_run) -> None:
    again = RunFigures(read_runs([mixed_run])[0])
    for name, figure in mixed.values.items():
        assert again.values[name] == figure
        if figure.interval is not None:
            assert figure.interval.low <= figure.measured.value <= figure.interval.high


def test_ratings_are_means_over_the_scored_episodes(mixed) -> None:
    judge = mixed.judges[0]
    ratings = mixed.ratings(judge)
    assert list(ratings) == list(DIMENSIONS)
    assert ratings["Groundedness"].measured.value == pytest.approx(3.0)
    assert ratings["Groundedness"].measured.n == 4
    assert mixed.unscored(judge) == {"reply did not parse": 1}


def test_what_the_plots_draw(mixed) -> None:
    assert mixed.plot("success_over_turns")[-1].value == pytest.approx(40.0)
    assert [point.x for point in mixed.plot("goal_visibility_gain")] == ["1", "2", "3", "4", "5", "End"]


def test_trials_give_pass_k_and_the_sd_over_reruns(figures_of, make, with_trial) -> None:
    bought = make.episode("01.1", cart=("P001",))
    run = figures_of([with_trial(bought, 0), with_trial(make.episode("01.1"), 1)])[0]
    assert run.trials == 2
    assert run.pass_by_k == (50.0, 0.0)
    assert run.rerun_sds["SR"] == pytest.approx(100 / 2**0.5)


def test_runs_stand_together_by_store(figures_of, make) -> None:
    runs = figures_of([make.episode()], [make.episode("02.1")])
    assert by_scene(runs) == {"supermarket": runs}
