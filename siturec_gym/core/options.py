"""Options of what is chosen by name, checked before it is built."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any


def check_options(what: str, build: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Hold the names of options against what is built with them; nothing is built, so an error in there stays one.

    Args:
        what: What is built, as the message names it.
        build: A class or function.
        options: Its keywords.

    Raises:
        ValueError: It takes no such option, or needs one that is not there.
    """
    try:
        signature(build).bind(**options)
    except TypeError as error:
        raise ValueError(f"{what} does not take the options {sorted(options)}: {error}") from None
