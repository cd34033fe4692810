"""``siturec scenes``: rebuilds the shipped file, checks the store, and fails with one line."""

import pytest
from typer.testing import CliRunner

from siturec_gym import assets
from siturec_gym.cli.scenes import app
from siturec_gym.core.errors import DataError


def _run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_build_writes_the_shipped_bytes(tmp_path):
    result = _run("build", "--out", str(tmp_path / "instances.json"))
    assert result.exit_code == 0
    assert "placed 1324 items" in result.output
    assert (tmp_path / "instances.json").read_bytes() == assets.read_asset("supermarket/instances.json")
    assert [path.name for path in tmp_path.iterdir()] == ["instances.json"]


def test_check_prints_the_figures():
    result = _run("check")
    assert result.exit_code == 0
    assert "0 overlapping items" in result.output


@pytest.mark.parametrize("command", ["build", "check"])
def test_an_unknown_scene_is_told(command):
    error = _run(command, "--scene", "bazaar").exception
    assert isinstance(error, ValueError)
    assert str(error) == (
        "unknown scene 'bazaar'; known scenes: supermarket, home_furnishings, or the folder of a scene of your own"
    )


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    error = _run("build", "--out", str(tmp_path / "none" / "x.json")).exception
    assert isinstance(error, DataError)
    assert "cannot write" in str(error)
