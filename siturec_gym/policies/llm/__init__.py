"""The assistant that is a language model."""

from siturec_gym.policies.llm.assistant import LLMAssistant
from siturec_gym.policies.llm.describe import describe

__all__ = ["LLMAssistant", "describe"]
