"""The heuristic assistant and its parts: hearing, belief, plan and words."""

from siturec_gym.policies.heuristic.assistant import HeuristicAssistant
from siturec_gym.policies.heuristic.beliefs import Belief

__all__ = ["Belief", "HeuristicAssistant"]
