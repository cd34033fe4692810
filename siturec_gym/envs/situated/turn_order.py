"""Whose turn it is and what each agent was given: the bookkeeping of a PettingZoo AEC environment."""

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from siturec_gym.envs.situated.spaces import AGENTS
from siturec_gym.envs.situated.termination import End


class TurnOrder(AECEnv):  # type: ignore[misc]
    """Agents that move one after the other and share rewards and the end."""

    def __init__(self, actions: Mapping[str, spaces.Dict], observations: Mapping[str, spaces.Dict]) -> None:
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._actions, self._observations = actions, observations

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object for the same agent."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Dict:
        """The same object for the same agent."""
        return self._actions[agent]

    def _begin(self, agents: Sequence[str], selected: str) -> None:
        self.agents = list(agents)
        self.agent_selection = selected
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self._skip_agent_selection = None

    def _moved(self, mover: str, following: str, reward: float) -> None:
        """``mover`` has moved, everyone is given ``reward``, and ``following`` is next."""
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, reward)
        self._accumulate_rewards()
        self.agent_selection = following

    def _inform(self, end: End | None, masks: Mapping[str, Any]) -> None:
        """Whether it is over, and what each agent is told: how it ended, or what is legal now."""
        self.terminations = dict.fromkeys(self.agents, end is not None and end.terminated)
        self.truncations = dict.fromkeys(self.agents, end is not None and end.truncated)
        if end is not None:
            self.infos = {agent: {"end_reason": end.reason.value} for agent in self.agents}
        else:
            self.infos = {agent: {"action_mask": masks[agent]} for agent in self.agents}
