"""Wrappers that each change one thing."""

from siturec_gym.wrappers.discrete_actions import DiscreteAssistantActions
from siturec_gym.wrappers.gymnasium_form import GymnasiumForm
from siturec_gym.wrappers.tokenize_text import TokenizeText
from siturec_gym.wrappers.vector_features import VectorFeatures

__all__ = ["DiscreteAssistantActions", "GymnasiumForm", "TokenizeText", "VectorFeatures"]
