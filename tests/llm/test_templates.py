"""Prompts as text files: filled by name, missed by name, hashed whole."""

from pathlib import Path

import pytest

from siturec_gym.llm.templates import Templates


@pytest.fixture
def templates(tmp_path: Path) -> Templates:
    (tmp_path / "hello.txt").write_text("Hello $name, $$5.\n")
    (tmp_path / "bye.txt").write_text("Bye.\n")
    (tmp_path / "note.md").write_text("not a prompt")
    return Templates(tmp_path)


def test_a_template_is_filled_by_name_and_what_is_filled_in_is_taken_as_it_is(templates: Templates) -> None:
    assert templates.names == ("bye", "hello")
    assert templates.text("hello") == "Hello $name, $$5.\n"
    assert templates.filled("hello", name="$name") == "Hello $name, $5.\n"


def test_a_missing_value_and_an_unknown_name_are_named(templates: Templates) -> None:
    with pytest.raises(ValueError, match="prompt 'hello' needs a value for 'name'; got other"):
        templates.filled("hello", other="a")
    with pytest.raises(ValueError, match="unknown prompt 'note'; there are bye, hello"):
        templates.text("note")


def test_the_hash_changes_with_each_of_its_parts(templates: Templates, tmp_path: Path) -> None:
    whole = templates.hash(("hello", "bye"), {"type": "object"}, {"t": 0})
    others = [
        templates.hash(("hello",), {"type": "object"}, {"t": 0}),
        templates.hash(("hello", "bye"), {"type": "array"}, {"t": 0}),
        templates.hash(("hello", "bye"), {"type": "object"}, {"t": 1}),
    ]
    (tmp_path / "bye.txt").write_text("Bye!\n")
    others.append(Templates(tmp_path).hash(("hello", "bye"), {"type": "object"}, {"t": 0}))
    assert len({whole, *others}) == 5
    assert whole == templates.hash(("hello", "bye"), {"type": "object"}, {"t": 0})
    assert len(whole) == 16
