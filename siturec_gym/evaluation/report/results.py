"""The paper's tables for our runs, with the published rows of the same store below (spec S26)."""

from collections.abc import Iterable, Sequence

from siturec_gym.evaluation.report.discipline import discipline_table
from siturec_gym.evaluation.report.figures import RunFigures, by_scene, figure_cell
from siturec_gym.evaluation.report.published import (
    ABLATION_PURCHASE_TABLE,
    ABLATION_TABLE,
    CORRELATION_TABLE,
    MAIN_TABLE,
    PURCHASE_TABLE,
    SMALLER_USER_TABLE,
    PublishedFigure,
    published_correlations,
    published_figures,
)
from siturec_gym.evaluation.report.runs import FULL_CONTEXT
from siturec_gym.evaluation.report.tables import Cell, Row, Table
from siturec_gym.evaluation.report.users import user_rows
from siturec_gym.evaluation.task_selection import ONE_PER_PROFILE
from siturec_gym.judges.judgment import DIMENSIONS
from siturec_gym.metrics.visibility import HORIZONS

MAIN = ("SR", "Turn", "AFR", "LNSR", "R@5", "NDCG@10")
PURCHASE = ("RPR", "RPR|Cart", "R-MRR@10", "Catalog")
VISIBILITY = tuple(f"CGV_{'End' if horizon is None else horizon}" for horizon in HORIZONS)
TITLES = {"supermarket": "Supermarket", "home_furnishings": "Home Furnishings Store"}
SHORT = {"Informativeness": "Inform.", "Naturalness": "Natur.", "Groundedness": "Ground.",
         "Preference Alignment": "Prefer.", "Proactiveness": "Proact.", "Non-repetition": "Nonrep.",
         "Overall Satisfaction": "Overall"}  # fmt: skip


def result_tables(runs: Sequence[RunFigures]) -> list[Table]:
    """Every table of figures that the runs have something to put in."""
    tables = [main_table(runs), purchase_table(runs), visibility_table(runs)]
    if any(run.judges for run in runs):
        tables.append(dialogue_table(runs))
    if any(run.trials > 1 for run in runs):
        tables.append(rerun_table(runs))
    if any(run.run.has_model_user for run in runs):
        tables.append(discipline_table(runs))
    return tables


def main_table(runs: Sequence[RunFigures]) -> Table:
    """Outcome, navigation and recommendation (Tables 3 and 7)."""
    table = _table("results", "Outcome, navigation and recommendation (form of Tables 3 and 7)", MAIN)
    _fill(table, runs, MAIN, (MAIN_TABLE, SMALLER_USER_TABLE))
    return table


def purchase_table(runs: Sequence[RunFigures]) -> Table:
    """Purchases and rankings against the reference set (Table 8)."""
    table = _table("purchase_quality", "Purchase quality (form of Table 8)", PURCHASE)
    _fill(table, runs, PURCHASE, (PURCHASE_TABLE,))
    return table


def visibility_table(runs: Sequence[RunFigures]) -> Table:
    """CGV at every horizon; the paper prints gains only (Figures 7 and 8)."""
    table = _table("goal_visibility", "Cumulative goal visibility, pooled over navigation goals", VISIBILITY)
    _fill(table, runs, VISIBILITY, ())
    return table


def dialogue_table(runs: Sequence[RunFigures]) -> Table:
    """Ratings of the conversation judge, one row for each run and judge; published: the full context of Table 5."""
    columns = tuple(SHORT[name] for name in DIMENSIONS)
    table = Table("dialogue", "Dialogue ratings, 1 to 5", columns, ("",) * 7, (1,) * 7)
    for scene, group in by_scene(runs).items():
        for run in group:
            for judge in run.judges:
                cells = tuple(figure_cell(figure, 2) for figure in run.ratings(judge).values())
                table.rows.append(Row(f"{run.run.label}, judge {judge}", cells, "run", run.scene.title, run.run.user))
        full = [f for f in published_figures(ABLATION_TABLE) if f.scene == scene and f.condition == FULL_CONTEXT]
        if any(run.judges for run in group):
            table.rows.extend(_published_rows(full, DIMENSIONS, "Table 5"))
    return table


def rerun_table(runs: Sequence[RunFigures]) -> Table:
    """How much figures change from one trial to the next, which the paper's SD does not say."""
    names = (*MAIN, *PURCHASE)
    table = Table(
        "reruns", "SD over reruns (trials) of the same tasks", names, tuple(map(_unit, names)), (0,) * len(names)
    )
    for run in runs:
        if run.trials > 1:
            cells = tuple(Cell(run.rerun_sds[name], n=run.trials, convention="rerun SD", digits=2) for name in names)
            table.rows.append(Row(run.run.label, cells, "run", run.scene.title, run.run.user))
    return table


def reference_tables(runs: Sequence[RunFigures]) -> list[Table]:
    """Tables 4, 5 and 9: ablations and agreement with people; our rows above where a run ablates something."""
    outcome = ("SR", "AFR", "LNSR", "R@5", "NDCG@10")
    tables = [
        _ablation(runs, ABLATION_TABLE, "ablation", outcome),
        _ablation((), ABLATION_TABLE, "ablation_dialogue", DIMENSIONS),
        _ablation(runs, ABLATION_PURCHASE_TABLE, "ablation_purchase", ("RPR", "RPR|Cart")),
    ]
    return [*tables, _correlations(runs)]


def _ablation(runs: Sequence[RunFigures], number: int, key: str, names: Sequence[str]) -> Table:
    columns = tuple(SHORT.get(name, name) for name in names)
    caption = f"What the assistant is given (form of Table {number})"
    table = Table(key, caption, columns, tuple(map(_unit, names)), (0,) * len(names), first="Condition")
    if any(run.run.condition != FULL_CONTEXT for run in runs):
        for run in runs:
            cells = tuple(figure_cell(run.values[name]) for name in names)
            name = f"{run.run.condition}: {run.run.assistant}"
            table.rows.append(Row(name, cells, "run", run.scene.title, run.run.user))
    table.rows.extend(_published_rows(published_figures(number), names, f"Table {number}", by_condition=True))
    return table


def _correlations(runs: Sequence[RunFigures]) -> Table:
    rows = published_correlations()
    columns = tuple(SHORT.get(row.metric, row.metric) for row in rows)
    caption = "Agreement of assistant means between users (form of Table 4)"
    table = Table("correlations", caption, columns, ("",) * len(rows), (0,) * len(rows), first="Coefficient")
    table.rows.extend(user_rows(runs))
    for name, values in (("Pearson", [r.pearson for r in rows]), ("Spearman", [r.spearman for r in rows])):
        cells = tuple(Cell(value, n=rows[0].assistants, digits=3) for value in values)
        table.rows.append(
            Row(name, cells, f"Table {CORRELATION_TABLE}", TITLES[rows[0].scene], "people and GPT-5.6 Sol")
        )
    return table


def _table(key: str, caption: str, names: Sequence[str]) -> Table:
    sense = tuple(0 if name == "Turn" else 1 for name in names)
    columns = tuple(name.replace("CGV_", "CGV ") for name in names)
    return Table(key, caption, columns, tuple(map(_unit, names)), sense)


def _fill(table: Table, runs: Sequence[RunFigures], names: Sequence[str], published: Sequence[int]) -> None:
    for scene, group in by_scene(runs).items():
        for run in group:
            cells = tuple(figure_cell(run.values[name]) for name in names)
            table.rows.append(Row(run.run.label, cells, "run", run.scene.title, run.run.user))
        for number in published:
            if number != SMALLER_USER_TABLE or any(_one_per_profile(run) for run in group):
                figures = [f for f in published_figures(number) if f.scene == scene]
                table.rows.extend(_published_rows(figures, names, f"Table {number}"))


def _published_rows(
    figures: Iterable[PublishedFigure], names: Sequence[str], source: str, *, by_condition: bool = False
) -> list[Row]:
    rows: dict[tuple[str, str, str], dict[str, PublishedFigure]] = {}
    for figure in figures:
        name = figure.condition if by_condition else figure.assistant
        rows.setdefault((figure.scene, figure.user, name), {})[figure.metric] = figure
    return [
        Row(name, tuple(_published_cell(cells.get(metric)) for metric in names), source, TITLES[scene], user)
        for (scene, user, name), cells in rows.items()
        if any(metric in cells for metric in names)
    ]


def _published_cell(figure: PublishedFigure | None) -> Cell | None:
    if figure is None:
        return None
    convention = "cohort" if figure.sd is None else "four-subset"
    return Cell(figure.value, figure.sd, n=figure.episodes, convention=f"published, {convention}")


def _one_per_profile(run: RunFigures) -> bool:
    return bool(run.run.manifest["arguments"].get("tasks") == ONE_PER_PROFILE)


def _unit(name: str) -> str:
    return "turns" if name == "Turn" else "" if name in DIMENSIONS else "%"
