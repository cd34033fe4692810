"""S26: our rows stand beside the published ones of the same store."""

import pytest

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.results import main_table, purchase_table, reference_tables, result_tables
from siturec_gym.evaluation.report.runs import read_runs


def sources(table) -> list[str]:
    return list(dict.fromkeys(row.source for row in table.rows))


def test_the_main_table_has_the_papers_columns_and_rows(figures_of, make) -> None:
    table = main_table(figures_of([make.episode()]))
    assert table.columns == ("SR", "Turn", "AFR", "LNSR", "R@5", "NDCG@10")
    assert sources(table) == ["run", "Table 3"]
    published = {row.name: row.cells[0].value for row in table.rows if row.source == "Table 3"}
    assert len(published) == 7
    assert published["Gemini 3.1 Pro"] == 80.0
    assert {row.scene for row in table.rows} == {"Supermarket"}


def test_a_run_of_one_task_per_profile_stands_beside_the_smaller_cohort(figures_of, make) -> None:
    arguments = make.manifest()["arguments"] | {"tasks": "one-per-profile"}
    assert sources(main_table(figures_of([make.episode()], arguments=arguments))) == ["run", "Table 3", "Table 7"]


def test_purchase_quality_has_both_published_cohorts(figures_of, make) -> None:
    table = purchase_table(figures_of([make.episode()]))
    assert {row.user for row in table.rows if row.source == "Table 8"} == {"GPT-5.6 Sol", "GPT-4o"}


def test_dialogue_and_reruns_have_tables_only_where_there_is_something_to_show(figures_of, make, mixed_run) -> None:
    keys = [table.key for table in result_tables(figures_of([make.episode()]))]
    assert keys == ["results", "purchase_quality", "goal_visibility"]
    judged = result_tables([RunFigures(read_runs([mixed_run])[0])])
    dialogue = next(table for table in judged if table.key == "dialogue")
    assert dialogue.rows[0].name == "heuristic (scripted), judge offline (scripted) @01234567"
    assert dialogue.rows[0].cells[0].value == pytest.approx(3.0)
    assert dialogue.rows[-1].source == "Table 5"


def test_ablations_and_people_are_shown_as_published() -> None:
    tables = {table.key: table for table in reference_tables([])}
    conditions = ["full context", "without EVV", "without EVV and caption"]
    assert [row.name for row in tables["ablation"].rows] == conditions
    assert [row.name for row in tables["correlations"].rows] == ["Pearson", "Spearman"]
    assert tables["ablation_purchase"].rows[2].cells[0].value == 59.0


def test_an_ablated_run_stands_above_the_published_ablation(figures_of, make) -> None:
    arguments = make.manifest()["arguments"] | {"ablation": "without_egocentric_view"}
    runs = figures_of([make.episode(cart=("P001",))], arguments=arguments)
    assert runs[0].run.label == "heuristic (scripted) without EVV"
    table = reference_tables(runs)[0]
    assert table.rows[0].name == "without EVV: heuristic (scripted)"
    assert (table.rows[0].source, table.rows[0].cells[0].value) == ("run", 100.0)


def test_reruns_have_a_table_of_their_own_sd(figures_of, make, with_trial) -> None:
    arguments = make.manifest()["arguments"] | {"trials": 2}
    bought, not_bought = make.episode("01.1", cart=("P001",)), make.episode("01.1")
    run = figures_of([with_trial(bought, 0), with_trial(not_bought, 1)], arguments=arguments)
    table = result_tables(run)[-1]
    assert table.key == "reruns"
    assert table.rows[0].cells[0].value == pytest.approx(100 / 2**0.5)
    assert table.rows[0].cells[0].convention == "rerun SD"
