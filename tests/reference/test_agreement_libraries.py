"""The agreement measures and tests against scikit-learn, scipy and pingouin: ``make test-reference``."""

import numpy as np
import pytest

from siturec_gym.metrics import agreement, statistics

pytestmark = pytest.mark.reference
SEEDS = range(40)


def ratings(seed: int, n: int = 30, passes: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, size=(n, 1))
    return np.clip(truth + rng.integers(-1, 2, size=(n, passes)), 1, 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations_and_their_intervals(seed) -> None:
    import pingouin
    from scipy import stats

    x, y = ratings(seed)[:, 0] / 7, ratings(seed)[:, 1] / 7
    ours, theirs = agreement.pearson(list(x), list(y)), stats.pearsonr(x, y)
    assert ours.value == pytest.approx(theirs.statistic)
    assert tuple(ours.interval) == pytest.approx(tuple(theirs.confidence_interval()))
    assert agreement.spearman(list(x), list(y)).value == pytest.approx(stats.spearmanr(x, y).statistic)
    assert agreement.midranks(list(x)) == list(stats.rankdata(x))
    assert ours.value == pytest.approx(float(pingouin.corr(x, y)["r"].iloc[0]))


@pytest.mark.parametrize("seed", SEEDS)
def test_kappas(seed) -> None:
    from sklearn.metrics import cohen_kappa_score

    a, b = (ratings(seed)[:, i].tolist() for i in (0, 1))
    assert agreement.cohen_kappa(a, b) == pytest.approx(cohen_kappa_score(a, b))
    weighted = cohen_kappa_score(a, b, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert agreement.quadratic_weighted_kappa(a, b, range(1, 6)) == pytest.approx(weighted)


@pytest.mark.parametrize("seed", SEEDS)
def test_distances(seed) -> None:
    from sklearn.metrics import accuracy_score, mean_absolute_error

    a, b = (ratings(seed)[:, i].tolist() for i in (0, 1))
    assert agreement.mean_absolute_error(a, b) == pytest.approx(mean_absolute_error(a, b))
    assert agreement.exact_agreement(a, b) == pytest.approx(accuracy_score(a, b))


@pytest.mark.parametrize("seed", SEEDS)
def test_icc(seed) -> None:
    import pandas
    import pingouin

    table = ratings(seed)
    rows = [(subject, rater, score) for subject, row in enumerate(table) for rater, score in enumerate(row)]
    frame = pandas.DataFrame(rows, columns=["subject", "rater", "score"])
    found = pingouin.intraclass_corr(frame, targets="subject", raters="rater", ratings="score").set_index("Type")["ICC"]
    name = "ICC2" if "ICC2" in found.index else "ICC(A,1)"  # newer releases name the same form by its definition
    assert agreement.icc_2_1(table.tolist()) == pytest.approx(float(found[name]))


@pytest.mark.parametrize("only_first", range(12))
def test_mcnemar_is_the_exact_binomial_test(only_first) -> None:
    from scipy import stats

    for only_second in range(1, 12):
        expected = stats.binomtest(only_first, only_first + only_second).pvalue
        assert statistics.mcnemar(only_first, only_second) == pytest.approx(expected)


def test_the_exact_interval_of_no_success() -> None:
    from scipy import stats

    expected = stats.binomtest(0, 25).proportion_ci(0.95, method="exact")
    assert statistics._exact_extreme(False, 25, 0.95) == pytest.approx((0.0, 100 * expected.high))
