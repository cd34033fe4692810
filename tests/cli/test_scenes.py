"""``siturec scenes``: rebuilds the shipped file, checks the store, and fails with one line."""

import pytest
from typer.testing import CliRunner

from siturec_gym import assets
from siturec_gym.cli.scenes import app
from siturec_gym.core.errors import DataError


def _run(*arguments):
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize(("scene", "items"), [("supermarket", 1324), ("home_furnishings", 244)])
def test_build_writes_the_shipped_bytes(tmp_path, scene, items):
    result = _run("build", "--scene", scene, "--out", str(tmp_path / "instances.json"))
    assert result.exit_code == 0
    assert f"placed {items} items" in result.output
    assert (tmp_path / "instances.json").read_bytes() == assets.read_asset(f"{scene}/instances.json")
    assert [path.name for path in tmp_path.iterdir()] == ["instances.json"]


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        ((), "233 products, 1324 instances"),
        (("--scene", "supermarket"), "233 products, 1324 instances"),
        (("home_furnishings",), "222 products, 244 instances"),
    ],
)
def test_check_prints_the_figures(arguments, counts):
    result = _run("check", *arguments)
    assert result.exit_code == 0
    assert result.output.startswith(counts)
    assert "0 overlapping items" in result.output


def test_the_group_shows_an_example():
    assert "Example: siturec scenes check --scene home_furnishings" in _run("--help").output


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
