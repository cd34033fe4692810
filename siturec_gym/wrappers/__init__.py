"""Wrappers that each change one thing."""

from siturec_gym.wrappers.ablations import WithoutEgocentricView, WithoutViewAndCaption
from siturec_gym.wrappers.discrete_actions import DiscreteAssistantActions
from siturec_gym.wrappers.gymnasium_form import GymnasiumForm
from siturec_gym.wrappers.metric_reward import MetricReward
from siturec_gym.wrappers.record_episode import RecordEpisode
from siturec_gym.wrappers.role_handles import RoleHandles
from siturec_gym.wrappers.set_of_mark import SetOfMark
from siturec_gym.wrappers.to_minari import to_minari
from siturec_gym.wrappers.tokenize_text import TokenizeText
from siturec_gym.wrappers.vector_features import VectorFeatures

__all__ = [
    "DiscreteAssistantActions",
    "GymnasiumForm",
    "MetricReward",
    "RecordEpisode",
    "RoleHandles",
    "SetOfMark",
    "TokenizeText",
    "VectorFeatures",
    "WithoutEgocentricView",
    "WithoutViewAndCaption",
    "to_minari",
]
