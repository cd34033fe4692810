"""Assistants, chosen by name."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from siturec_gym.core.options import check_options
from siturec_gym.core.policy import AssistantPolicy
from siturec_gym.llm.names import ModelName, model_name
from siturec_gym.llm.roles.settings import RoleSettings

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
        name: random, random_product, heuristic, privileged, or a language model as "llm:MODEL" or "hf:PATH".
        options: Arguments of that assistant; privileged takes ``reference_set``, heuristic ``words`` (a word file), a
            model ``base_url`` (None: OPENAI_BASE_URL) and ``settings`` (how it plays, ``RoleSettings``).

    Raises:
        ValueError: No assistant has that name, or it does not take an option.
        ModelError: A package is missing, or a model cannot be loaded.
    """
    model = model_name(name)
    if model is None and name not in _BUILDERS:
        raise ValueError(f"unknown assistant {name!r}; available: {', '.join(ASSISTANTS)}, llm:MODEL, hf:PATH")
    build: Callable[..., AssistantPolicy]
    if model is None:
        module, attribute = _BUILDERS[name]
        build = getattr(import_module(module), attribute)
    else:
        build = partial(_model_assistant, model)
    check_options(f"assistant {name!r}", build, options)
    return build(**options)


def _model_assistant(
    model: ModelName, *, base_url: str | None = None, settings: RoleSettings | None = None
) -> AssistantPolicy:
    from siturec_gym.llm.clients import make_asker  # noqa: PLC0415  only assistants that are models need it
    from siturec_gym.policies.llm import LLMAssistant  # noqa: PLC0415

    return LLMAssistant(make_asker(model, base_url), RoleSettings.given(settings))
