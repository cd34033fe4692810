"""Runs against each other, every pair once, on what both played."""

from siturec_gym.evaluation.report.comparison import COMPARED, comparisons


def test_every_pair_on_every_metric_with_adjusted_p_values(figures_of, make) -> None:
    bought = [make.episode(f"{i:02d}.1", cart=("P001",)) for i in range(1, 11)]
    nothing = [make.episode(f"{i:02d}.1") for i in range(1, 11)]
    pairs = comparisons(figures_of(bought, nothing, nothing[:5]))
    assert len(pairs) == 3 * len(COMPARED)
    first = pairs[0]
    assert (first.metric, first.result.difference, first.result.n) == ("SR", -100.0, 10)
    assert first.result.p_value == 2 / 2**10
    assert first.adjusted == 3 * first.result.p_value


def test_runs_that_share_no_slot_are_not_compared(figures_of, make) -> None:
    runs = figures_of([make.episode("01.1")], [make.episode("02.1")])
    assert comparisons(runs) == comparisons(runs[:1]) == []
