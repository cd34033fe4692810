"""What the model-backed assistant and user share: settings, calls, pictures, history, room in the context, a turn."""

from siturec_gym.llm.roles.memory import RoleState
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.turn import Outcome, ask_turn

__all__ = ["Outcome", "RoleSettings", "RoleState", "ask_turn"]
