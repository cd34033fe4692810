"""Assistants, chosen by name."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from siturec_gym.core.policy import AssistantPolicy

_BUILDERS = {
    "random": ("siturec_gym.policies.random", "RandomAssistant"),
    "random_product": ("siturec_gym.policies.random", "RandomProductAssistant"),
    "heuristic": ("siturec_gym.policies.heuristic", "HeuristicAssistant"),
    "privileged": ("siturec_gym.policies.privileged", "PrivilegedAssistant"),
}
ASSISTANTS = tuple(_BUILDERS)


def make_assistant(name: str, **options: Any) -> AssistantPolicy:
    """The assistant called ``name``.

    Args:
        name: random, random_product, heuristic or privileged.
        options: Arguments of that assistant; privileged takes ``reference_set``, heuristic ``words`` (a word file).

    Raises:
        ValueError: No assistant has that name, or it does not take an option.
    """
    if name not in _BUILDERS:
        raise ValueError(f"unknown assistant {name!r}; available: {', '.join(ASSISTANTS)}")
    module, attribute = _BUILDERS[name]
    build: Callable[..., AssistantPolicy] = getattr(import_module(module), attribute)
    try:
        return build(**options)
    except TypeError as error:
        raise ValueError(f"assistant {name!r} does not take the options {sorted(options)}: {error}") from error
