"""The report's page: whole in itself, honest about what it shows, its links lead somewhere."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.report import read_runs, report_files, write_files
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.page import report_page
from siturec_gym.evaluation.report.plots import plots
from siturec_gym.evaluation.report.results import result_tables
from siturec_gym.evaluation.report.viewing import view_page

NAMESPACE = "http://www.w3.org/2000/svg"


@pytest.fixture(scope="module")
def files(tmp_path_factory, make_mixed) -> dict[str, bytes]:
    return report_files(read_runs([make_mixed(tmp_path_factory.mktemp("runs") / "mixed")]))


@pytest.fixture(scope="module")
def page(files) -> str:
    return files["index.html"].decode()


def page_of(*folders: Path) -> str:
    runs = [RunFigures(run) for run in read_runs(folders)]
    return report_page(runs, result_tables(runs), plots(runs))


def ids(page: str) -> list[str]:
    return re.findall(r'\sid="([^"]+)"', page)


def test_page_tables_and_plots_are_written(files) -> None:
    assert {"index.html", "tables/figures.csv", "tables/curves.csv", "tables/episodes.csv"} <= set(files)
    assert {"tables/results.tex", "tables/dialogue.tex"} <= set(files)
    for kind in (
        "success_over_turns",
        "dialogue",
        "goal_visibility_gain",
        "dialogue_acts",
        "suggested_actions",
        "terminations",
    ):
        assert {f"plots/{kind}-supermarket.svg", f"plots/{kind}-supermarket.png"} <= set(files)
    assert "plots/walks-supermarket-1.png" in files


@pytest.mark.parametrize(("tasks", "told"), [(["01.1"], "1 episode each"), (["01.1", "02.1"], "2 episodes each")])
def test_pairs_of_runs_tell_how_many_episodes_both_have(tmp_path, make, tasks, told) -> None:
    folders = [make.run(tmp_path / name, [make.episode(task) for task in tasks]) for name in ("a", "b")]
    page = page_of(*folders)
    assert f'(b) <i>minus</i> heuristic (scripted) (a)<span class="interval">Supermarket, {told}</span>' in page
    assert page.count("<h3>heuristic (scripted) (a)</h3>") == 1


def test_nothing_comes_from_outside(page) -> None:
    assert "http" not in page.replace(NAMESPACE, "")
    assert not re.search(r"<(link|iframe|img)\b|@import|url\(|fetch\(|XMLHttp", page)


def test_every_link_leads_to_one_place(page) -> None:
    places = ids(page)
    assert len(places) == len(set(places))
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets
    assert targets <= set(places)


def test_failures_link_to_their_turns(page) -> None:
    assert 'href="#run1-supermarket-03-1-0-t2"' in page
    assert 'id="run1-supermarket-03-1-0-t2"' in page
    kinds = re.findall(r"<summary><b>([^<]+)</b>", page)
    assert kinds == ["generation failure", "unsuitable purchase", "recommendation exhausted", "turn limit"]


def test_what_was_noticed_names_its_turns(page) -> None:
    assert (
        'call refused: target not visible: 1 of 8 turns <small><a href="#run1-supermarket-04-1-0-t0">04.1 turn 0</a>'
        in page
    )


def test_words_of_a_role_cannot_become_markup(tmp_path, make) -> None:
    turn = make.turn(0, utterance="<script>alert(1)</script>", user_utterance='"><img src=x>')
    folder = make.run(tmp_path / "run", [make.episode("01.1", turn)])
    page = page_of(folder)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_scripted_roles_single_trials_and_failures_are_said(page) -> None:
    assert "heuristic (scripted)" in page
    assert "They are not language models." in page
    assert "Every task was played once" in page
    assert "1 of 5 episodes failed, since a role could not act" in page
    assert "1 unscored, reply did not parse" in page
    assert "TimeoutError: &lt;late&gt;" in page


def test_an_unfinished_privileged_run_of_other_data_is_warned_of(tmp_path, make) -> None:
    kept = make.manifest(data={"supermarket/scene.json": "0"}, slots=9)
    kept["arguments"] = kept["arguments"] | {"allow_privileged": True}
    folder = make.run(tmp_path / "run", [make.episode()], **kept)
    page = page_of(folder)
    for words in ("1 of 9 episodes", "may know the shopper's goal".replace("'", "&#x27;"), "supermarket/scene.json"):
        assert words in page


def test_the_same_runs_give_the_same_bytes(mixed_run, files) -> None:
    assert report_files(read_runs([mixed_run])) == files


def test_several_runs_are_compared(tmp_path, make, mixed_run, mixed_episodes) -> None:
    other = make.run(tmp_path / "other", mixed_episodes, roles=make.manifest("random")["roles"])
    page = page_of(mixed_run, other)
    assert "random (scripted) <i>minus</i> heuristic (scripted)" in page
    assert len(ids(page)) == len(set(ids(page)))


def test_an_episode_without_a_turn_is_told_like_any_other(tmp_path, make) -> None:
    failed = {"status": "failed", "end_reason": "generation_failure", "error": "assistant: no reply"}
    folder = make.run(tmp_path / "run", [replace(make.episode("01.1"), turns=(), **failed)])
    files = report_files(read_runs([folder]))
    assert "assistant: no reply" in files["index.html"].decode()
    assert "Before the first turn was complete" in view_page(folder, "01.1", images=False)[1]


def test_runs_of_two_stores_share_a_page(tmp_path, make, mixed_run) -> None:
    episodes = [make.episode(f"0{i}.1", scene="home_furnishings") for i in (1, 2)]
    home = make.run(tmp_path / "home", episodes, scene="home_furnishings", slots=3)
    page = page_of(mixed_run, home)
    assert len(ids(page)) == len(set(ids(page)))
    assert {"plot-walks-supermarket-1", "plot-walks-home_furnishings-1"} <= set(ids(page))
    assert "Home Furnishings Store: published, Table 3" in page
    assert "heuristic (scripted) (home furnishings) is not finished" in page
    assert 'id="comparison"' not in page


def test_files_are_written_whole_and_a_bad_folder_is_one_line(tmp_path, files) -> None:
    write_files(tmp_path / "out", files)
    assert (tmp_path / "out" / "tables" / "figures.csv").read_bytes() == files["tables/figures.csv"]
    assert not list((tmp_path / "out").rglob(".*"))
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write"):
        write_files(tmp_path / "file", files)
