"""The client of a model by its name, wherever it is."""

from dataclasses import dataclass

from siturec_gym.llm.endpoint import Endpoint, usual_url
from siturec_gym.llm.names import LOADED, ModelName
from siturec_gym.llm.protocol import ChatClient
from siturec_gym.llm.structured import Asker

DTYPES = ("auto", "bfloat16", "float16", "float32")
"""Numbers that a model of this process may compute with; "auto" are those it was saved with."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model before it is asked anything.

    Attributes:
        context_tokens: Longest request and reply together; None where it is not told.
        sees: Whether it reads images; None where it is not told.
        fingerprint: Tells a model in a folder from a later state of it; empty for one that is served.
    """

    context_tokens: int | None = None
    sees: bool | None = None
    fingerprint: str = ""


def make_client(
    name: ModelName, endpoint: Endpoint | None = None, device: str = "auto", dtype: str = "auto"
) -> ChatClient:
    """A client that threads may share.

    Args:
        name: The model.
        endpoint: Where it is served; None: at OPENAI_BASE_URL, else at OpenAI's own address.
        device: Where a model of this process runs: "auto", or a name that torch knows.
        dtype: Its numbers: "auto", "bfloat16", "float16" or "float32".

    Raises:
        ValueError: The address or a value is wrong.
        DeterministicModelError: The package for it is not installed, or the model cannot be loaded.
    """
    if name.kind == LOADED:
        from siturec_gym.llm.transformers_client import TransformersClient  # noqa: PLC0415  an extra, and heavy

        return TransformersClient(name.model, device, dtype)
    from siturec_gym.llm.openai_client import OpenAIClient  # noqa: PLC0415  an extra

    return OpenAIClient(name.model, endpoint or Endpoint(usual_url()))


def make_asker(name: ModelName, base_url: str | None = None) -> Asker:
    """What asks a model for replies in a form, for a role outside a run.

    Args:
        name: The model.
        base_url: Where it is served; None: at OPENAI_BASE_URL, else at OpenAI's own address.
    """
    return Asker(make_client(name, Endpoint(base_url or usual_url())))


def look_at(name: ModelName, endpoint: Endpoint | None = None) -> ModelFacts:
    """Look once whether a model can be asked: its endpoint lists it, or its folder holds what it needs.

    Raises:
        ModelError: The endpoint cannot be reached or does not serve the model; one line with its address. Or the
            folder holds no model that can chat.
    """
    if name.kind == LOADED:
        from siturec_gym.llm.loading import folder_of, read_folder  # noqa: PLC0415

        reader = read_folder(folder_of(name.model))
        return ModelFacts(reader.context_tokens, reader.processor is not None, reader.fingerprint)
    from siturec_gym.llm.openai_client import OpenAIClient  # noqa: PLC0415

    return ModelFacts(OpenAIClient(name.model, endpoint or Endpoint(usual_url())).check())
