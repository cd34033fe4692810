"""The published results: SituRecBench's Tables 3, 4, 5, 7, 8 and 9 as data (spec S26).

Figures of the tables are means; an ``sd`` is the sample SD over the paper's four task subsets.
"""

import csv
from dataclasses import dataclass
from functools import cache

from siturec_gym import assets
from siturec_gym.evaluation.report.runs import FULL_CONTEXT

MAIN_TABLE, ABLATION_TABLE, SMALLER_USER_TABLE, PURCHASE_TABLE, ABLATION_PURCHASE_TABLE = 3, 5, 7, 8, 9
CORRELATION_TABLE = 4
PUBLISHED_JUDGE = "GPT-5.6 Sol"
"""Judged every dialogue of the published ratings."""
FIGURE_TABLES = (MAIN_TABLE, ABLATION_TABLE, SMALLER_USER_TABLE, PURCHASE_TABLE, ABLATION_PURCHASE_TABLE)


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """One figure of a published table.

    Attributes:
        table: Number of the table in the paper.
        user: Model that played the user.
        scene: "supermarket" or "home_furnishings".
        assistant: Model that assisted.
        condition: What the assistant was given; "full context" but in the ablation.
        metric: Metric name as this package uses it, or a dimension of the conversation judge.
        value: As printed: percent, turns or points of 1 to 5.
        sd: As printed; None where the paper gives none.
        episodes: Size of the cohort.
    """

    table: int
    user: str
    scene: str
    assistant: str
    condition: str
    metric: str
    value: float
    sd: float | None
    episodes: int


@dataclass(frozen=True, slots=True)
class PublishedCorrelation:
    """Table 4: how assistant-level means with people and with simulated users agree on one metric."""

    scene: str
    metric: str
    pearson: float
    spearman: float
    assistants: int


@cache
def published_figures(table: int) -> tuple[PublishedFigure, ...]:
    """The figures of a table, in the paper's order.

    Raises:
        ValueError: No such table is shipped.
        DataError: The data file is missing or changed.
    """
    if table not in FIGURE_TABLES:
        raise ValueError(f"table {table!r} is not shipped; tables of figures: {', '.join(map(str, FIGURE_TABLES))}")
    return tuple(
        PublishedFigure(
            table,
            row["user"],
            row["scene"],
            row["assistant"],
            row.get("condition", FULL_CONTEXT),
            row["metric"],
            float(row["value"]),
            float(row["sd"]) if row["sd"] else None,
            int(row["episodes"]),
        )
        for row in _rows(table)
    )


@cache
def published_correlations() -> tuple[PublishedCorrelation, ...]:
    """Table 4, in the paper's order.

    Raises:
        DataError: The data file is missing or changed.
    """
    return tuple(
        PublishedCorrelation(
            row["scene"], row["metric"], float(row["pearson"]), float(row["spearman"]), int(row["assistants"])
        )
        for row in _rows(CORRELATION_TABLE)
    )


def _rows(table: int) -> list[dict[str, str]]:
    content = assets.read_asset(f"published/table{table}.csv").decode()
    return list(csv.DictReader(content.splitlines()))
