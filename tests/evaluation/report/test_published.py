"""S26: the published rows agree with themselves, with each other and with the protocol they come from."""

import itertools
import statistics

import pytest

from siturec_gym.evaluation.report.published import (
    FIGURE_TABLES,
    published_correlations,
    published_figures,
)
from siturec_gym.metrics.agreement import spearman

HALF_UNIT = 0.05 + 1e-9
# (user, scene, assistant, condition) -> {metric: figure}, over all tables
COHORTS: dict[tuple[str, str, str, str], dict] = {}
for _table in FIGURE_TABLES:
    for _figure in published_figures(_table):
        _key = (_figure.user, _figure.scene, _figure.assistant, _figure.condition)
        COHORTS.setdefault(_key, {}).setdefault(_figure.metric, _figure)
COHORT_IDS = ["-".join(key) for key in COHORTS]


@pytest.mark.parametrize(("table", "figures"), [(3, 84), (5, 36), (7, 60), (8, 96), (9, 6)])
def test_every_cell_of_a_table_ships(table: int, figures: int) -> None:
    assert len(published_figures(table)) == figures


def test_cells_read_off_the_paper() -> None:
    cells = {(f.table, f.scene, f.assistant, f.user, f.metric): (f.value, f.sd, f.episodes)
             for table in (3, 7, 8) for f in published_figures(table)}  # fmt: skip
    assert cells[3, "supermarket", "Gemini 3.1 Pro", "GPT-5.6 Sol", "SR"] == (80.0, 5.7, 100)
    assert cells[3, "home_furnishings", "GPT-5.6 Sol", "GPT-5.6 Sol", "LNSR"] == (88.8, 2.4, 100)
    assert cells[7, "home_furnishings", "GPT-4o", "GPT-4o", "Turn"] == (6.3, None, 25)
    assert cells[8, "supermarket", "Gemma 4 E4B", "GPT-5.6 Sol", "RPR|Cart"] == (67.9, None, 100)


def test_an_unknown_table_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="3, 5, 7, 8, 9"):
        published_figures(4)


@pytest.mark.parametrize("cohort", COHORTS.values(), ids=COHORT_IDS)
def test_reference_purchases_over_purchases_is_the_conditional_rate(cohort) -> None:
    assert abs(100 * cohort["RPR"].value / cohort["SR"].value - cohort["RPR|Cart"].value) <= HALF_UNIT


@pytest.mark.parametrize("cohort", COHORTS.values(), ids=COHORT_IDS)
def test_rates_are_whole_numbers_of_episodes(cohort) -> None:
    for metric in ("SR", "RPR"):
        count = cohort[metric].value * cohort[metric].episodes / 100
        assert count == pytest.approx(round(count))


@pytest.mark.parametrize("cohort", COHORTS.values(), ids=COHORT_IDS)
def test_cart_rankings_cannot_beat_the_purchases_they_are_zero_without(cohort) -> None:
    assert max(cohort["R@5"].value, cohort["NDCG@10"].value, cohort["RPR"].value) <= cohort["SR"].value


@pytest.mark.parametrize("cohort", COHORTS.values(), ids=COHORT_IDS)
def test_percentages_ratings_and_turns_stay_on_their_scales(cohort) -> None:
    for figure in cohort.values():
        low, high = (1, 5) if figure.table == 5 and figure.value <= 5 else (0, 20 if figure.metric == "Turn" else 100)
        assert low <= figure.value <= high


@pytest.mark.parametrize(
    "figure", [f for table in (3, 5) for f in published_figures(table) if f.metric == "SR"], ids=lambda f: f.assistant
)
def test_four_subsets_of_25_tasks_can_give_the_printed_rate_and_spread(figure) -> None:
    purchases = round(figure.value)
    splits = (c for c in itertools.combinations_with_replacement(range(26), 4) if sum(c) == purchases)
    assert any(abs(4 * statistics.stdev(split) - figure.sd) <= HALF_UNIT for split in splits)


def test_the_full_context_of_the_ablation_is_the_row_of_the_main_table() -> None:
    main = {f.metric: (f.value, f.sd) for table in (3, 8) for f in published_figures(table)
            if (f.user, f.scene, f.assistant) == ("GPT-5.6 Sol", "supermarket", "GPT-5.6 Sol")}  # fmt: skip
    for figure in (f for table in (5, 9) for f in published_figures(table) if f.condition == "full context"):
        if figure.metric in main:
            assert (figure.value, figure.sd) == main[figure.metric]


def test_the_rank_correlations_can_come_from_five_assistants() -> None:
    rankings = [
        r for r in itertools.product(range(5), repeat=5) if set(r) == set(range(len(set(r)))) and len(set(r)) > 1
    ]
    ordered = [r for r in rankings if list(r) == sorted(r)]
    possible = {round(spearman(a, b).value, 3) for a in ordered for b in rankings}
    assert {row.assistants for row in published_correlations()} == {5}
    assert [row.metric for row in published_correlations() if round(row.spearman, 3) not in possible] == []


def test_correlations_cover_outcome_navigation_ranking_and_the_seven_dimensions() -> None:
    rows = published_correlations()
    assert len(rows) == 12
    assert all(-1 <= value <= 1 for row in rows for value in (row.pearson, row.spearman))
