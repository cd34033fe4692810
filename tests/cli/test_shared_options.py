"""Options of models: one list, which every command that takes them shows and understands alike."""

import pytest

from siturec_gym.cli.main import run_command_line
from siturec_gym.cli.model_options import EVERY, URLS, ModelOptions, takes_models
from siturec_gym.evaluation.models import ModelSettings

WORDS = {
    "base_url": "--base-url", "assistant_url": "--assistant-url", "user_url": "--user-url",
    "moderator_url": "--moderator-url", "key_from": "--key-from", "settings": "--set", "cache": "--cache",
    "prices": "--prices", "concurrency": "--concurrency", "requests_per_minute": "--requests-per-minute",
    "timeout": "--timeout", "device": "--device", "dtype": "--dtype",
}  # fmt: skip


def shown(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run_command_line([command, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "lacks"),
    [("run", set()), ("judge", URLS), ("resume", {"settings"}), ("play", EVERY - {"base_url", "settings"})],
)
def test_a_command_shows_the_options_that_it_takes_in_one_order(command, lacks, capsys):
    page = shown(command, capsys)
    there = [word for name, word in WORDS.items() if name not in lacks]
    places = [page.index(f"  {word} ") for word in there]
    assert places == sorted(places)
    assert not any(f"  {WORDS[name]} " in page for name in lacks)


@pytest.mark.parametrize(("command", "usual"), [("run", True), ("judge", True), ("resume", False)])
def test_what_is_usual_is_shown_where_it_holds(command, usual, capsys):
    page = shown(command, capsys)
    assert ("[default: 64; x>=1]" in page, "[default: 120.0; x>=0.1]" in page) == (usual, usual)


def test_what_is_usual_is_what_settings_have_without_a_command(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    heard: list[ModelOptions] = []

    @takes_models()
    def command(*, models: ModelOptions) -> None:
        heard.append(models)

    command(**{name: parameter.default for name, parameter in command.__signature__.parameters.items()})
    assert heard[0].reached() == ModelSettings()
    assert heard[0].of_roles() == {}


def test_all_that_is_typed_arrives(monkeypatch):
    monkeypatch.setenv("A_KEY", "x")
    typed = {
        "base_url": "http://a/v1", "user_url": "http://u/v1", "key_from": ["user=A_KEY"], "cache": "c", "prices": "p",
        "settings": ["user.images=0"], "concurrency": 3, "requests_per_minute": 9.0, "timeout": 5.0, "device": "cpu",
        "dtype": "float32",
    }  # fmt: skip
    options = ModelOptions(typed)
    assert options.reached() == ModelSettings(
        "http://a/v1", (("user", "http://u/v1"),), "c", "p", 3, 5.0, 9.0, (("user", "A_KEY"),), "cpu", "float32"
    )
    assert options.of_roles() == {"user.images": 0}


def test_what_is_not_typed_stays_as_a_run_had_it():
    kept = ModelSettings("http://kept/v1", (("user", "http://u/v1"),), concurrency=7, timeout_s=9.0)
    assert ModelOptions().changing(kept) == kept
    assert ModelOptions({"timeout": 1.0}).changing(kept).timeout_s == 1.0


@pytest.mark.parametrize(
    ("command", "role", "roles"),
    [
        (("run", "--out", "NEW"), "judge", "assistant, user, moderator"),
        (("judge", "NEW"), "user", "judge"),
    ],
)
def test_a_key_for_a_role_that_a_command_does_not_have_is_one_line(command, role, roles, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("A_KEY", "x")
    words = [str(tmp_path / "new") if word == "NEW" else word for word in command]
    assert run_command_line([*words, "--key-from", f"{role}=A_KEY"]) == 2
    line = capsys.readouterr().err
    assert line.startswith("siturec: --key-from takes the name of an environment variable in capital letters, or ")
    assert line.endswith(f"ROLE=NAME with the role {roles}\n")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("typed", ["", " "])
def test_a_cache_without_a_name_is_not_the_current_folder(typed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    arguments = ("run", "--moderator", "llm:tiny", "--base-url", "http://127.0.0.1:1/v1", "--cache", typed)
    assert run_command_line([*arguments, "--out", "run"]) != 0
    assert f"cache takes a folder, got {typed!r}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
