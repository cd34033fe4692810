"""Motion of the user, what a view holds, and the rules of each tool."""

from siturec_gym.world.motion import Motion, NoRouteError
from siturec_gym.world.rules import Outcome, apply
from siturec_gym.world.state import WorldState, initial_state
from siturec_gym.world.view import Seen, View, build_view

__all__ = ["Motion", "NoRouteError", "Outcome", "Seen", "View", "WorldState", "apply", "build_view", "initial_state"]
