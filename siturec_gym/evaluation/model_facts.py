"""What models tell of themselves before they play."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.evaluation.models import ModelSettings, facts_of
from siturec_gym.evaluation.role_settings import CONTEXT, IMAGES
from siturec_gym.evaluation.roles import ACTING, models_of


def settings_told(names: Mapping[str, str], settings: Mapping[str, Any], models: ModelSettings) -> dict[str, Any]:
    """The settings, with those that follow from the models where they tell: the length of a context, and no images for
    those that read text alone. All models are asked, so that one which does not answer is found now.

    Args:
        names: Role and name of what plays it.
        settings: Values by "ROLE.NAME" as they were given; of a length they hold, not what a model tells.
        models: How models are reached.

    Raises:
        ValueError: Images are wanted for a model that reads text alone.
        DataError: The price file cannot be read.
        ModelError: A model cannot be asked.
    """
    told: dict[str, Any] = {}
    for role, name in models_of(names).items():
        models.meter(name)  # a price file that cannot be read is found now
        facts = facts_of(models, role, name)
        if role not in ACTING:
            continue
        if facts.context_tokens is not None:
            told[f"{role}.{CONTEXT}"] = facts.context_tokens
        if facts.sees is False:
            if settings.get(f"{role}.{IMAGES}"):
                raise ValueError(f"--set {role}.{IMAGES}: {name.label!r} reads text alone")
            told[f"{role}.{IMAGES}"] = 0
    return told | dict(settings)
