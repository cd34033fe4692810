"""Every wrapper says what its spaces are before and after, and shows an example that runs."""

import doctest
from importlib import import_module
from inspect import getdoc, isclass

import pytest

from siturec_gym import wrappers

CLASSES = [value for name in wrappers.__all__ if isclass(value := getattr(wrappers, name))]


@pytest.mark.parametrize("wrapper", CLASSES, ids=lambda wrapper: wrapper.__name__)
def test_before_after_and_an_example_that_runs(wrapper: type) -> None:
    text = getdoc(wrapper) or ""
    assert "Before" in text
    assert "fter" in text
    examples = doctest.DocTestFinder(recurse=False).find(wrapper, globs=vars(import_module(wrapper.__module__)).copy())
    assert any(example.examples for example in examples)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    failed = sum(runner.run(example).failed for example in examples)
    assert not failed
