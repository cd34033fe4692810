"""How a role names its model: "llm:MODEL" for a served one, "hf:PATH" for one loaded into this process."""

from dataclasses import dataclass
from typing import Literal

SERVED, LOADED = "llm", "hf"


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model by the way it is reached.

    Attributes:
        kind: "llm" (an endpoint serves it) or "hf" (transformers loads it).
        model: Its name at the endpoint, or the folder or name that transformers knows.
    """

    kind: Literal["llm", "hf"]
    model: str

    @property
    def label(self) -> str:
        """What prices and manifests call it: a served model by its own name, a loaded one with "hf:"."""
        return self.model if self.kind == SERVED else f"{LOADED}:{self.model}"


def chosen_by(label: str) -> str:
    """The name that a role with the model of that label is chosen by."""
    return label if label.startswith(f"{LOADED}:") else f"{SERVED}:{label}"


def model_name(name: str) -> ModelName | None:
    """The model that a role's name names; None for a role without a model.

    Raises:
        ValueError: The model has no name.
    """
    kind, colon, model = name.partition(":")
    if not colon or kind not in (SERVED, LOADED):
        return None
    if not model:
        raise ValueError(f"{name!r} names no model; give {SERVED}:MODEL or {LOADED}:PATH")
    return ModelName("llm" if kind == SERVED else "hf", model)
