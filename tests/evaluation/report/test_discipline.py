"""The table of how well a user that a model plays keeps to its part."""

import pytest

from siturec_gym.evaluation.report.discipline import BREACHES, discipline_table
from siturec_gym.evaluation.report.page import report_page
from siturec_gym.evaluation.report.results import result_tables
from siturec_gym.users.llm import ledger


@pytest.fixture
def runs(figures_of, make):
    """Three turns of one episode, two of them flagged, with the user of this kind."""

    def build(kind: str):
        turns = (
            make.turn(0, flags=("user_two_details", "no_expected_user_action")),
            make.turn(1, flags=("user_two_details", "user_spoke_handle")),
            make.turn(2),
        )
        roles = make.manifest()["roles"]
        user = roles["user"] | ({"kind": "model", "name": "llm:qwen", "model": "qwen"} if kind == "model" else {})
        return figures_of([make.episode("01.1", *turns)], roles=roles | {"user": user})

    return build


def test_each_flag_has_its_share_of_turns(runs) -> None:
    table = discipline_table(runs("model"))
    shares = dict(zip(table.columns, (cell.value for cell in table.rows[0].cells), strict=True))
    assert shares["Told two details"] == pytest.approx(200 / 3)
    assert shares["Said a label"] == pytest.approx(100 / 3)
    assert shares["Spoke as staff"] == 0.0
    assert (table.rows[0].user, table.rows[0].cells[0].n) == ("qwen", 3)


def test_every_flag_of_the_ledger_has_a_column() -> None:
    flags = {getattr(ledger, name) for name in ledger.__all__ if name.isupper()}
    assert flags <= set(BREACHES)
    assert len(set(BREACHES.values())) == len(BREACHES)


@pytest.mark.parametrize(("kind", "shown"), [("model", True), ("scripted", False)])
def test_it_is_shown_where_a_model_plays_the_user_and_nowhere_else(runs, kind: str, shown: bool) -> None:
    figures = runs(kind)
    tables = result_tables(figures)
    page = report_page(figures, tables, {})
    assert ("user_discipline" in [table.key for table in tables]) == shown
    assert ('id="table-user_discipline"' in page) == shown
