"""What ``siturec resume`` holds a run to: the code that its episodes came from."""

from pathlib import Path

import pytest

from siturec_gym.evaluation import code_version


@pytest.fixture
def hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes a file of a package and gives the hash of the whole."""
    monkeypatch.setattr(code_version, "_PACKAGE_FOLDER", tmp_path)

    def write(name: str, content: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return code_version.code_hash.__wrapped__()

    return write


@pytest.mark.parametrize(
    "name",
    ["users/agenda/decide.py", "users/agenda/wording.json", "judges/prompts/moderator.txt", "metrics/reward_terms.py"],
)
def test_whatever_shapes_an_episode_changes_the_hash(hashed, name: str) -> None:
    assert hashed(name, "one") == hashed(name, "one") != hashed(name, "two")


@pytest.mark.parametrize("name", ["cli/run.py", "evaluation/report/page.py", "data/supermarket/tasks.json", "x.pyc"])
def test_what_cannot_change_an_episode_is_left_out(hashed, name: str) -> None:
    assert hashed("world/rules.py", "rule") == hashed(name, "anything")


def test_a_moved_file_is_another_package(hashed) -> None:
    hashed("a.py", "")
    assert hashed("b.py", "x") != hashed("b.py", "") != hashed("c.py", "")
