"""``siturec unreal check`` as a user types it."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

from siturec_gym.cli.main import run_command_line
from siturec_gym.scenes import load_scene


@pytest.fixture
def check(serve, capsys, monkeypatch, tmp_path):  # noqa: F811
    """Checks a served supermarket on a narrow terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "44")
    path = serve(load_scene("supermarket"), 160, 120).path

    def run(*arguments: str) -> tuple[int, str, str]:
        size = ["--width", "160", "--height", "120", "--socket", path]
        status = run_command_line(["unreal", "check", *size, *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A mapping with one wrong name."""
    from siturec_gym.renderers.unrealcv.reading import SHIPPED

    path = tmp_path / "mine.yaml"
    path.write_text((SHIPPED / "ours.yaml").read_text().replace("function: turn,", "function: Spin,"))
    return str(path)


def test_what_fits_is_told_with_pictures_and_colours(check, tmp_path):
    status, out, _ = check()
    assert status == 0
    assert out.endswith("everything fits\n")
    assert max(len(line) for line in out.splitlines() if "unreal-check" not in line) <= 44
    folder = tmp_path / "unreal-check"
    pictures = [np.asarray(Image.open(folder / f"{name}.png")) for name in ("lit", "mask", "depth")]
    assert [picture.shape for picture in pictures] == [(120, 160, 3), (120, 160, 3), (120, 160)]
    assert all(picture.std() > 10 for picture in pictures)
    assert len((folder / "colors.csv").read_text().splitlines()) == 363


def test_what_does_not_fit_is_status_1_and_says_what_to_change(check, broken):
    status, out, _ = check("--config", broken)
    assert status == 1
    assert "change tools.turn" in " ".join(out.split())
    assert out.endswith("1 to mend\n")


def test_json_is_all_that_stands_on_stdout(check, broken):
    status, out, _ = check("--config", broken, "--json", "--out", "elsewhere")
    told = json.loads(out)
    assert (status, told["sound"]) == (1, False)
    assert [finding["subject"] for finding in told["findings"] if finding["state"] == "broken"] == ["turn"]
    assert set(told["frames_per_s"]) == {"lit", "mask", "depth", "all three"}
    assert [Path(path).name for path in told["files"]] == ["lit.png", "mask.png", "depth.png", "colors.csv"]
    assert all(Path(path).is_file() for path in told["files"])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--config", "none.yaml"), 1, "mapping file 'none.yaml': No such file or directory; shipped ones are ours"),
        (("--scene", "bazaar"), 2, "unknown scene 'bazaar'"),
        (("--port", "0"), 2, "--port"),
    ],
)
def test_a_mistake_is_one_line(capsys, tmp_path, monkeypatch, arguments, status, message):
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["unreal", "check", *arguments]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_server_that_is_not_there_is_told_in_the_table(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["unreal", "check", "--socket", "/no/such.socket"]) == 1
    words = " ".join(capsys.readouterr().out.split())
    assert "No such file" in words
    assert "started there by: siturec unreal serve --scene supermarket --no-tcp --socket /no/such.socket" in words


def test_the_client_is_named_where_it_is_missing(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "unrealcv", None)
    assert run_command_line(["unreal", "check", "--socket", "/no/such.socket"]) == 1
    assert "siturec-gym[unreal]" in capsys.readouterr().out


def test_what_was_found_is_told_though_the_folder_cannot_be_written(check, tmp_path):
    (tmp_path / "taken").write_text("a file")
    status, out, err = check("--out", "taken")
    assert status == 1
    assert out.endswith("everything fits\n")
    assert err.splitlines()[-1].startswith("siturec: cannot write 'taken/lit.png'")
