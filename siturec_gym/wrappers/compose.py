"""The wrappers of a two-agent environment put together in their order (``base.ORDER``)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym.wrappers.ablations import ablated
from siturec_gym.wrappers.metric_reward import MetricReward
from siturec_gym.wrappers.record_episode import RecordEpisode
from siturec_gym.wrappers.role_handles import RoleHandles
from siturec_gym.wrappers.set_of_mark import SetOfMark


def compose(
    env: Any,
    *,
    reward_weights: Mapping[str, float] | None = None,
    reward_mode: str = "scalar",
    reward_gamma: float = 0.99,
    ablation: str | None = None,
    record_to: str | Path | None = None,
    som: bool = True,
    handles: bool = True,
) -> OrderEnforcingWrapper[str, Any, Any]:
    """A raw environment as the paper has it.

    Args:
        env: The raw environment.
        reward_weights: Weights of the reward's terms; None: 1 for the outcome, 0.01 for a turn (``MetricReward``).
        reward_mode: "scalar", "vector" or "shaping" (``MetricReward``).
        reward_gamma: The learner's discount factor, for shaping.
        ablation: "without_egocentric_view", "without_view_and_caption" or None (``ablations``).
        record_to: A folder that every finished episode is written to (``RecordEpisode``).
        som: Whether roles get ``som_image`` (``SetOfMark``); without images there is none either way.
        handles: Whether each role has handles of its own (``RoleHandles``); False leaves entity ids.

    Raises:
        ValueError: An unknown weight, mode or ablation, or images too small for marks.
        RunError: ``record_to`` cannot be written.
    """
    if record_to is not None:
        env = RecordEpisode(env, record_to)
    env = MetricReward(env, reward_weights, reward_mode, reward_gamma)
    if som and "rgb" in env.observation_space("user").spaces:
        env = SetOfMark(env, handles=handles)
    if ablation is not None:
        env = ablated(env, ablation)
    if handles:
        env = RoleHandles(env)
    return OrderEnforcing(env)


class OrderEnforcing(OrderEnforcingWrapper[str, Any, Any]):  # type: ignore[misc]
    """Refuses what makes no sense before an episode; ``set_state`` begins one as ``reset`` does."""

    def set_state(self, snapshot: Any) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken; see the raw environment."""
        self.env.set_state(snapshot)
        self._has_reset = True
