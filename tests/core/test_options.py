"""Options by name: a wrong name is one line, and nothing is built to find out."""

import re

import pytest

from siturec_gym.core.options import check_options


class Plain:
    pass


def built(size: int, *, colour: str = "red") -> None:
    raise TypeError("built")


@pytest.mark.parametrize(
    ("build", "options"), [(built, {"size": 1, "colour": "blue"}), (built, {"size": 1}), (Plain, {})]
)
def test_what_is_taken_passes_and_nothing_is_built(build, options):
    check_options("a box", build, options)


@pytest.mark.parametrize(
    ("build", "options", "line"),
    [
        (built, {"size": 1, "b": 2, "a": 3}, "a box does not take the options ['a', 'b', 'size']: got an unexpected"),
        (built, {}, "a box does not take the options []: missing a required argument: 'size'"),
        (Plain, {"size": 1}, "a box does not take the options ['size']: "),
    ],
)
def test_what_is_not_taken_is_one_line(build, options, line):
    with pytest.raises(ValueError, match=re.escape(line)):
        check_options("a box", build, options)
