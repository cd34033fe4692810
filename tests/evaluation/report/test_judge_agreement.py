"""Two judges of one run against each other."""

import pytest

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.judge_agreement import judge_pairs
from siturec_gym.evaluation.report.page import report_page
from siturec_gym.evaluation.report.runs import read_runs


@pytest.fixture
def twice_judged(tmp_path, make) -> list[RunFigures]:
    episodes = [make.episode(f"0{i}.1") for i in (1, 2, 3)]
    rules = [make.judged(episode, score) for episode, score in zip(episodes, (1, 3, 5), strict=True)]
    model = [make.judged(episode, score, "llm:big") for episode, score in zip(episodes, (2, 3, None), strict=True)]
    return [RunFigures(read_runs([make.run(tmp_path / "run", episodes, (*rules, *model))])[0])]


def test_only_episodes_that_both_scored_count(twice_judged) -> None:
    pairs = judge_pairs(twice_judged)
    assert [pair.dimension for pair in pairs][0::6] == ["Informativeness", "Overall Satisfaction"]
    first = pairs[0]
    assert (first.first, first.second) == ("offline (scripted) @01234567", "big @01234567")
    assert (first.kappa.n, first.exact, first.distance) == (2, 0.5, 0.5)
    # scores 1, 3 against 2, 3: mean square 1/2 observed, (1 + 4 + 1 + 0) / 4 by chance
    assert first.kappa.value == pytest.approx(1 - 0.5 / 1.5)


def test_the_page_shows_them(twice_judged) -> None:
    page = report_page(twice_judged, [], {})
    assert "big @01234567 against offline (scripted) @01234567" in page


def test_one_judge_has_nobody_to_agree_with(mixed_run) -> None:
    assert judge_pairs([RunFigures(read_runs([mixed_run])[0])]) == []
