"""A run folder as a Minari dataset of the composed environment."""

import builtins
from pathlib import Path

import minari
import pytest

from siturec_gym.cli.main import run_command_line
from siturec_gym.core.storage.episodes import read_episodes
from siturec_gym.evaluation.datasets import export_minari
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.runner import plan, run

ID = "siturec/supermarket/heuristic-v0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two episodes, played and kept by ``siturec run``'s own code."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(plan(RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:2")), folder)
    return folder


@pytest.fixture(autouse=True)
def _datasets(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))


def test_a_run_becomes_a_dataset_of_its_environment(folder) -> None:
    dataset = export_minari(folder, ID)
    episodes = read_episodes(folder)
    assert dataset.total_steps == sum(len(episode.turns) for episode in episodes)
    for episode, stored in zip(episodes, dataset.iterate_episodes(), strict=True):
        assert bool(stored.rewards[-1] > 0.0) == bool(episode.cart)
        assert stored.terminations[-1]
    assert dataset.recover_environment().action_space == dataset.action_space
    assert dataset.storage.metadata["algorithm_name"] == "heuristic"


def test_the_command_says_where_it_is(folder, capsys) -> None:
    assert run_command_line(["export", "minari", str(folder), "--id", ID]) == 0
    assert capsys.readouterr().out.startswith("2 episodes, ")
    assert minari.load_dataset(ID).total_episodes == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "--id", ID], "'nowhere' is no run folder"),
        (["{folder}"], "Missing option '--id'"),
        (["{folder}", "--id", "two words"], "two words"),
    ],
)
def test_a_mistake_is_one_clear_line(folder, capsys, arguments, message) -> None:
    assert run_command_line(["export", "minari", *(text.replace("{folder}", str(folder)) for text in arguments)]) != 0
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1


def test_without_minari_the_command_says_what_to_install(folder, capsys, monkeypatch) -> None:
    real = builtins.__import__

    def absent(name, *rest, **more):
        if name.split(".")[0] == "minari":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    assert run_command_line(["export", "minari", str(folder), "--id", ID]) == 1
    assert "siturec-gym[minari]" in capsys.readouterr().err
