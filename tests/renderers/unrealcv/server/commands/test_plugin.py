"""What the server tells about itself, and how commands are found."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siturec_gym import __version__


def test_what_it_is(ask):
    assert ask("vget /unrealcv/version") == f"v1.1.0 siturec-gym {__version__}"
    assert ask("vget /unrealcv/status") == "status"
    assert ask("vget /scene/name") == ask("vget /level/name") == "tiny"
    assert ask("vget /unrealcv/echo nonce:17") == "nonce:17"


def test_commands_are_listed_once_each_without_what_is_not_there(ask):
    listed = ask("vget /unrealcv/commands").splitlines()
    assert len(listed) == len(set(listed))
    assert "vget /unrealcv/commands" in listed
    assert "vget /camera/[uint]/object_mask [str]" in listed
    assert not [line for line in listed if "shared" in line]


def test_help_has_a_line_about_each_command(ask):
    lines = ask("vget /unrealcv/help").split("\n")
    assert lines[::2] == ask("vget /unrealcv/commands").split("\n")
    about = dict(zip(lines[::2], lines[1::2], strict=True))
    assert about["vget /object/[str]/rotation"] == "pitch yaw roll, degrees"
    assert all(about.values())


def test_spaces_between_and_after_words_do_not_matter(ask):
    assert ask("vget   /camera/0/fov  ") == "90"
    assert ask("vset /camera/0/fov   60 ") == "ok"


@pytest.mark.parametrize(
    "command", ["vget", "VGET /objects", "vget /objects now", "vget/objects", "", "vexec User idle"]
)
def test_an_unknown_command_is_answered_as_unrealcv_does(ask, command):
    assert ask(command) == f"error No handler found for URI '{command}'"


def test_an_endless_command_is_cut_in_the_answer(ask):
    assert len(ask("vget /" + "x" * 500_000)) < 300


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(st.data())
def test_whatever_stands_in_a_template_is_answered(ask, data):
    """No word, however odd, makes a command fail other than by an error reply."""
    words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=12)
    odd = st.one_of(
        words, st.sampled_from(["nan", "-inf", "1e309", "-0", "9" * 300, "I0001", "User", "F01", "png", "left", "²"])
    )
    template = data.draw(st.sampled_from(ask("vget /unrealcv/commands").splitlines()))
    parts = template.split("[")
    command = parts[0] + "".join(data.draw(odd) + part.partition("]")[2] for part in parts[1:])
    if "size" not in command and "setres" not in command:
        ask(command)
    assert ask("vget /unrealcv/echo on") == "on"
