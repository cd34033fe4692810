"""The page about the server shows commands that there are, and names all there are."""

import re
from pathlib import Path

import pytest

from siturec_gym.renderers.unrealcv.server.commands import commands_of
from siturec_gym.scenes import load_scene

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "unreal.md").read_text()
PLACEHOLDERS = {"uint": "[0-9]+", "float": "[-0-9.]+", "str": r"\S+"}


@pytest.fixture(scope="module")
def templates():
    return {
        command.template
        for scene in ("supermarket", "home_furnishings")
        for command in commands_of(load_scene(scene)).listed
    }


def matches(template: str, text: str) -> bool:
    parts = re.split(r"\[(\w+)\]", template)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [PLACEHOLDERS[kind] for kind in parts[1::2]]
    return re.fullmatch("".join(parts), text) is not None


def test_every_tool_call_shown_is_a_command(templates):
    shown = [words.strip() for words in re.findall(r"vbp User [a-z_]+(?: [\w.]+)*", PAGE)]
    assert len(shown) >= 14
    for words in shown:
        if words != "vbp User TOOL":
            assert any(matches(template, words) for template in templates), words


def test_every_family_of_commands_is_named(templates):
    for template in templates:
        name = (
            template.split()[1].split("/")[-1] if template.startswith("v") and "/" in template else template.split()[-1]
        )
        if template.startswith(("vget /", "vset /")):
            assert re.search(rf"\b{re.escape(name)}\b", PAGE), template
