"""The command line as a whole: help, exit codes, one clear line for every mistake."""

import json
import subprocess
import sys

import pytest

from siturec_gym.cli.main import COMMANDS


def test_help_lists_every_command(siturec):
    status, out, _ = siturec("--help")
    assert status == 0
    assert all(name in out for name in COMMANDS)


def test_without_a_command_help_is_shown(siturec):
    assert siturec()[:2] == siturec("--help")[:2]


@pytest.mark.parametrize("name", ["run", "play", "doctor", "catalog", "assets"])
def test_every_command_explains_itself_with_an_example(siturec, name):
    status, out, _ = siturec(name, "--help")
    assert status == 0
    assert f"Example: siturec {name}" in out


@pytest.mark.parametrize("arguments", [("assets", "verify"), ("catalog", "info")])
def test_commands_of_groups_explain_themselves_too(siturec, arguments):
    status, out, _ = siturec(*arguments, "--help")
    assert status == 0
    assert f"Example: siturec {' '.join(arguments)}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rum",), "Did you mean 'run'"),
        (("run",), "Missing option '--out'"),
        (("run", "--out", "x", "--asistant", "y"), "--assistant"),
        (("run", "--out", "x", "--seed", "many"), "Invalid value for '--seed'"),
        (("run", "--out", "x", "--tasks"), "see siturec run --help"),
        (("assets",), "Missing command"),
        (("play", "--role", "cashier"), "--role is user or assistant, got 'cashier'"),
        (("play", "--frame", "/no/such/folder/view.png"), "cannot be written"),
        (("catalog", "info", "--scene", "bazaar"), "'bazaar'"),
        (("run", "--out", "x", "--env", "Shop-v0"), "unknown environment 'Shop-v0'; available: SituRec-Supermarket-v0"),
    ],
)
def test_a_mistake_gives_one_line_and_status_2(siturec, arguments, message):
    status, out, err = siturec(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_json_is_all_that_stands_on_stdout(siturec):
    assert json.loads(siturec("assets", "verify", "--json")[1])["problems"] == []
    facts = json.loads(siturec("catalog", "info", "--json")[1])
    assert (facts["products"], facts["items"], facts["places"]) == (233, 1324, 29)


def test_a_changed_data_file_is_one_line_and_status_1(siturec, monkeypatch):
    monkeypatch.setattr("siturec_gym.assets.verify", lambda: ["data file 'x' was changed", "data file 'y' is missing"])
    status, _, err = siturec("assets", "verify")
    assert status == 1
    assert err == "siturec: data file 'x' was changed; data file 'y' is missing\n"


def test_doctor_names_the_extra_to_install(siturec, monkeypatch):
    monkeypatch.setattr("siturec_gym.cli.doctor._OPTIONAL", {"no_such": ("tests", "pip install 'siturec-gym[none]'")})
    _, out, _ = siturec("doctor")
    assert "'siturec-gym[none]'" in " ".join(out.split())


def test_doctor_finds_what_is_broken_and_goes_on(siturec, monkeypatch):
    monkeypatch.setattr("siturec_gym.assets.verify", lambda: ["data file 'x' was changed"])
    status, out, _ = siturec("doctor", "--json")
    states = {finding["name"]: finding for finding in json.loads(out)}
    assert status == 1
    assert states["data files"] == {"name": "data files", "state": "broken", "detail": "data file 'x' was changed"}
    assert states["numpy"]["state"] == "ok"
    assert states["renderer"]["state"] == "ok"


def test_ctrl_c_is_one_line_and_status_130(siturec, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("siturec_gym.assets.verify", interrupt)
    assert siturec("assets", "verify")[0::2] == (130, "siturec: interrupted\n")


def test_the_version_is_the_packages(siturec):
    assert siturec("--version")[1].startswith("siturec-gym ")


def test_help_loads_no_heavy_module():
    """What makes --help slow: the renderer's compiler, the world, the progress bar."""
    code = (
        "import sys; from siturec_gym.cli.main import run_command_line as run; run(['--help']); run(['run', '--help']);"
        "print(*sorted({'numba', 'cv2', 'networkx', 'rapidfuzz', 'siturec_gym.scenes'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_closed_pipe_is_no_traceback():
    code = "import sys; from siturec_gym.cli.main import main; sys.argv = ['siturec', 'catalog', 'info']; main()"
    done = subprocess.run(
        f'{sys.executable} -c "{code}" | head -n 1', shell=True, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_name_the_system_refuses_is_one_clear_line(siturec):
    status, _, err = siturec("run", "--tasks", "0:1", "--out", "x" * 300)
    assert (status, len(err.splitlines())) == (1, 1)
    assert "File name too long" in err


@pytest.mark.parametrize("output", ["/dev/full", None])
def test_output_that_cannot_be_written_is_no_crash(output):
    command = [sys.executable, "-m", "siturec_gym.cli.main", "--version"]
    shell = f"exec {' '.join(command)} >{output or '&-'}"
    found = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert found.returncode == (1 if output else 0)
    assert found.stderr == ("siturec: No space left on device\n" if output else "")
