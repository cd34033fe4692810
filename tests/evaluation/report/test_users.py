"""Whether two users rank assistants alike (S25)."""

import pytest

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.results import reference_tables
from siturec_gym.evaluation.report.runs import read_runs
from siturec_gym.evaluation.report.users import user_rows


@pytest.fixture
def runs_of_two_users(tmp_path, make):
    """Three assistants that sell to 1, 2 and 3 of 3 people, and to as many simulated users in another order."""

    def build(people: tuple[int, ...], simulated: tuple[int, ...]) -> list[RunFigures]:
        folders = []
        for kind, sold in (("human", people), ("scripted", simulated)):
            for index, purchases in enumerate(sold):
                roles = make.manifest()["roles"] | {
                    "assistant": {"name": f"a{index}", "kind": "model"}, "user": {"name": kind, "kind": kind},
                }  # fmt: skip
                episodes = [make.episode(f"0{i}.1", cart=("P001",) if i <= purchases else ()) for i in (1, 2, 3)]
                folders.append(make.run(tmp_path / f"{kind}{index}", episodes, roles=roles))
        return [RunFigures(run) for run in read_runs(folders)]

    return build


def test_assistant_means_are_correlated_between_users(runs_of_two_users) -> None:
    rows = user_rows(runs_of_two_users((1, 2, 3), (1, 3, 2)))
    assert [(row.name, row.user) for row in rows] == [
        ("Pearson", "human against scripted (scripted)"), ("Spearman", "human against scripted (scripted)"),
    ]  # fmt: skip
    assert rows[0].cells[0].value == pytest.approx(0.5)
    assert rows[1].cells[0].value == pytest.approx(0.5)
    assert rows[0].cells[0].n == 3


def test_what_does_not_vary_is_undefined_and_what_is_not_judged_is_absent(runs_of_two_users) -> None:
    row = user_rows(runs_of_two_users((2, 2, 2), (1, 3, 2)))[0]
    assert row.cells[0].value is None
    assert row.cells[-1] is None


def test_two_assistants_are_too_few(runs_of_two_users) -> None:
    assert user_rows(runs_of_two_users((1, 2), (1, 2))) == []


def test_they_stand_above_the_published_agreement(runs_of_two_users) -> None:
    table = reference_tables(runs_of_two_users((1, 2, 3), (1, 2, 3)))[-1]
    assert [row.source for row in table.rows] == ["run", "run", "Table 4", "Table 4"]
    assert table.columns[5] == "Overall"
