"""Assistants by name."""

import pytest

from siturec_gym.policies import make_assistant


@pytest.mark.parametrize(
    ("name", "builder"),
    [
        ("llm:tiny", "siturec_gym.llm.clients.make_asker"),
        ("heuristic", "siturec_gym.policies.heuristic.HeuristicAssistant.__init__"),
    ],
)
def test_an_error_of_an_assistant_itself_is_told_as_what_it_is(name, builder, monkeypatch):
    def broken(*_):
        raise TypeError("of its own")

    monkeypatch.setattr(builder, broken)
    with pytest.raises(TypeError, match=r"^of its own$"):
        make_assistant(name)
