"""The page of one episode: every turn, what was hidden from whom, and nothing from outside."""

import re
from dataclasses import replace

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.evaluation.report.runs import read_runs
from siturec_gym.evaluation.report.viewing import find_episode, view_page


@pytest.fixture
def page(played_run) -> str:
    return view_page(played_run, "01.1", images=False)[1]


def test_there_is_a_part_for_each_turn_and_for_the_end(page, played_episodes) -> None:
    turns = len(played_episodes[0].turns)
    assert re.findall(r'<section class="turn" id="([^"]+)"', page) == [f"turn-{i}" for i in range(turns)] + ["turn-end"]
    assert page.count('<button class="step') == turns + 1
    assert len(re.findall(r'<path class="turn" data-turn="\d+"', page)) == turns + 1


def test_nothing_comes_from_outside(played_run) -> None:
    page = view_page(played_run, "01.1")[1]
    assert "http" not in re.sub(r'src="data:[^"]*"', "", page).replace("http://www.w3.org/2000/svg", "")
    assert set(re.findall(r'src="([a-z]+:[a-z/]+)', page)) == {"data:image/jpeg"}


def test_a_look_is_told_in_words(tmp_path, make) -> None:
    look = ToolCall("look_up_down", direction="up", angle_deg=40.0)
    turn = make.turn(0, tool_requested=look, tool_executed=look)
    page = view_page(make.run(tmp_path / "run", [make.episode("01.1", turn)]), "01.1", images=False)[1]
    assert "<b>Does</b> look up 40°" in page
    assert "look up down" not in page


def test_the_private_goal_is_labelled_and_folded_away(page) -> None:
    panel = page[page.index('id="private"') :]
    assert panel.startswith('id="private"><summary>Private: only the simulated user knew this</summary>')
    assert "budget" in panel


def test_dialogue_annotation_marks_and_metrics_are_there(page, played_episodes) -> None:
    first = played_episodes[0].turns[0]
    assert first.assistant.utterance.replace("'", "&#x27;") in page
    assert "Hidden from the user" in page
    assert "<dt>NDCG@10</dt>" in page
    assert "Whole conversation" in page


def test_words_of_a_role_cannot_become_markup(tmp_path, make) -> None:
    turn = make.turn(0, utterance="<script>alert(1)</script>", user_utterance="<b>x", refusal="hands_empty")
    page = view_page(make.run(tmp_path / "run", [make.episode("01.1", turn)]), "01.1", images=False)[1]
    assert "<script>alert" not in page
    assert "refused: hands empty; the turn was spent idle" in page


def test_what_models_took_in_a_turn_is_readable(tmp_path, make) -> None:
    turn = make.turn(0, usage={"user_prompt_tokens": 1234567, "user_cost_usd": 1.84e-05})
    page = view_page(make.run(tmp_path / "run", [make.episode("01.1", turn)]), "01.1", images=False)[1]
    assert "user prompt tokens 1,234,567, user cost $0.000018" in page


def test_a_record_that_replay_does_not_confirm_is_warned_of(tmp_path, make) -> None:
    page = view_page(make.run(tmp_path / "run", [make.episode()]), "01.1", images=False)[1]
    assert "code or data have changed" in page


def test_an_episode_of_an_unknown_environment_still_has_a_page(tmp_path, make) -> None:
    arguments = make.manifest()["arguments"] | {"env": "Shop-v9"}
    page = view_page(make.run(tmp_path / "run", [make.episode()], arguments=arguments), "01.1")[1]
    assert "could not be played again" in page
    assert "Private:" not in page


def test_an_episode_of_a_training_task_is_played_again_too(tmp_path, make) -> None:
    episode = replace(make.episode(), task="supermarket-train/001.1")
    arguments = make.manifest()["arguments"] | {"tasks": "train:1"}
    page = view_page(make.run(tmp_path / "run", [episode], arguments=arguments), episode.task, images=False)[1]
    assert "could not be played again" not in page
    assert "Private:" in page


def test_saved_frames_are_shown_in_place_of_drawn_ones(tmp_path, make, played_episodes) -> None:
    episode = played_episodes[0]
    turns = (replace(episode.turns[0], frame="ab"), replace(episode.turns[1], frame="gone"), *episode.turns[2:])
    folder = make.run(tmp_path / "run", [replace(episode, turns=turns)])
    (folder / "frames").mkdir()
    (folder / "frames" / "ab.png").write_bytes(b"\x89PNG")
    page = view_page(folder, "01.1", images=False)[1]
    assert page.count("data:image/png;base64,iVBORw==") == 1
    assert page.count("view saved with the run") == 1


def test_what_judges_said_is_shown(mixed_run) -> None:
    page = view_page(mixed_run, "05.1", images=False)[1]
    assert "offline (scripted) @01234567" in page
    assert "<dt>unscored</dt><dd>reply did not parse</dd>" in page


@pytest.mark.parametrize(
    ("task", "trial", "message"),
    [
        ("99.1", 0, "holds no episode of task 'supermarket/99.1'; it holds 5"),
        ("01.1", 4, "not played as trial 4; its trials: 0"),
    ],
)
def test_an_episode_that_is_not_there_is_a_clear_mistake(mixed_run, task, trial, message) -> None:
    with pytest.raises(ValueError, match=message):
        find_episode(read_runs([mixed_run])[0], task, trial)
