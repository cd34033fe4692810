"""The simulated user played by a language model, and the ledger that watches how it plays."""

from siturec_gym.users.llm.policy import LLMUser, describe

__all__ = ["LLMUser", "describe"]
