"""What a manifest says of an assistant that is a model."""

from typing import Any

from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies.llm.prompt import PROMPT_FORM, PROMPTS
from siturec_gym.policies.llm.sample import sample_schemas


def describe(settings: RoleSettings | None = None) -> dict[str, Any]:
    """Settings, and a hash over every prompt, the schema's form and the settings."""
    public = (settings or RoleSettings()).public()
    schemas = {"forms": sample_schemas(settings or RoleSettings())}
    told = PROMPTS.hash(PROMPTS.names, schemas, public | {"form": PROMPT_FORM})
    return {**public, "prompt_hash": told}
