"""A store of your own brings its own everyday words; what is wrong with the file is told in one line."""

import json
from pathlib import Path

import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.policies import make_assistant
from siturec_gym.policies.heuristic.vocabulary import CATEGORY, USE, read_words, tokens_of, vocabulary_of
from siturec_gym.policies.knowledge import Store


@pytest.fixture
def words_file(tmp_path: Path) -> Path:
    path = tmp_path / "words.json"
    path.write_text(json.dumps({"categories": {"milk": ["moo juice"]}, "uses": {"a milkshake": ["milk", "ice cream"]}}))
    return path


def test_words_of_a_file_are_understood(store: Store, words_file: Path) -> None:
    vocabulary = vocabulary_of(store, read_words(words_file))
    said, meanings = vocabulary.at(tokens_of("moo juice"), 0) or ((), ())
    assert said == ("moo", "juice")
    assert [(meaning.kind, meaning.label) for meaning in meanings] == [(CATEGORY, "milk")]
    found = vocabulary.at(tokens_of("a milkshake"), 0)
    assert found is not None
    assert found[1][0].kind == USE


def test_categories_of_the_catalog_are_known_without_any_words(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text("{}")
    vocabulary = vocabulary_of(store, read_words(path))
    assert vocabulary.at(tokens_of("ice cream"), 0) is not None
    assert vocabulary.at(tokens_of("moo juice"), 0) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [("[]", "cannot be read"), ("{", "cannot be read"), ('{"colors": {}}', "has the part 'colors'; allowed: categor")],
)
def test_a_bad_file_is_told(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        make_assistant("heuristic", words=path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        make_assistant("heuristic", words=tmp_path / "none.json")
