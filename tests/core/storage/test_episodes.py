"""What is no run folder is said so, and a broken line is named."""

import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.episodes import read_episodes, read_manifest


@pytest.mark.parametrize("content", ["", "{", "[1]"])
def test_what_is_no_manifest_is_one_line(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(DataError, match=r"is no run folder: manifest\.json"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(("content", "message"), [(b"{}\n", "line 1: not an episode"), (b"\xff\n", "cannot be read")])
def test_what_is_no_episode_is_named(tmp_path, content, message):
    (tmp_path / "episodes.jsonl").write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_episodes(tmp_path)


def test_a_file_that_is_missing_is_one_line(tmp_path):
    with pytest.raises(DataError, match=r"episodes\.jsonl' cannot be read: No such file"):
        read_episodes(tmp_path)
