"""What the wrappers of the two-agent environments share: hooks for what changes, and one order in which they go."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from gymnasium import spaces
from pettingzoo.utils import BaseWrapper
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym.core.records import EpisodeRecord

ORDER = ("RecordEpisode", "MetricReward", "SetOfMark", "ablation", "RoleHandles", "OrderEnforcing", "GymnasiumForm")
"""From the raw environment outwards. Each may be left out, none may come twice."""

KindT = TypeVar("KindT")


class SituatedWrapper(BaseWrapper):  # type: ignore[misc]
    """A wrapper that changes what the roles see, do or are told, and leaves the rest as it is.

    A subclass names its ``STAGE`` and overrides the hooks it needs. Everything else, ``encode_action``, ``note``,
    ``fail``, ``get_state``, ``set_state`` and ``episode_record`` among it, reaches the environment inside.

    Args:
        env: A two-agent environment, in its raw form or wrapped.

    Raises:
        ValueError: ``env`` holds a wrapper that belongs outside this one, or this one already.
    """

    STAGE: ClassVar[str] = ""
    """Which entry of ``ORDER`` this is; empty for a wrapper that may stand anywhere."""

    def __init__(self, env: Any) -> None:
        _check_order(type(self), env)
        super().__init__(env)
        self._raw = env.unwrapped
        self._observation_spaces: dict[str, spaces.Dict] = {}
        self._action_spaces: dict[str, spaces.Dict] = {}
        self._infos: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object for the same agent."""
        if agent not in self._observation_spaces:
            self._observation_spaces[agent] = self._observation_space(agent, self.env.observation_space(agent))
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Dict:
        """The same object for the same agent."""
        if agent not in self._action_spaces:
            self._action_spaces[agent] = self._action_space(agent, self.env.action_space(agent))
        return self._action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees now."""
        return self._observation(agent, self.env.observe(agent))

    def step(self, action: Any) -> None:
        """Take the selected agent's move; see the raw environment."""
        self.env.step(None if action is None else self._action(self._raw.agent_selection, action))

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """What each agent is told beside its observation."""
        inner: dict[str, dict[str, Any]] = self.env.infos
        if type(self)._info is SituatedWrapper._info:
            return inner
        return {agent: self._told(agent, info) for agent, info in inner.items()}

    def _told(self, agent: str, info: dict[str, Any]) -> dict[str, Any]:
        kept = self._infos.get(agent)
        if kept is None or kept[0] is not info:
            kept = self._infos[agent] = info, self._info(agent, info)
        return kept[1]

    def episode_record(self, trial: int = 0) -> EpisodeRecord:
        """What is kept of the episode, by entity ids."""
        record: EpisodeRecord = self.env.episode_record(trial)
        return record

    def _observation_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:  # noqa: ARG002  a hook
        """The space of what ``_observation`` gives; asked once for each agent."""
        return space

    def _action_space(self, agent: str, space: spaces.Dict) -> spaces.Dict:  # noqa: ARG002  a hook
        """The space of what ``_action`` takes; asked once for each agent."""
        return space

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002  a hook
        """The observation to give; ``observation`` is the caller's own dict and may be changed."""
        return observation

    def _action(self, agent: str, action: Any) -> Any:  # noqa: ARG002  a hook
        """The action to hand inwards. ``action`` may be anything; what is malformed goes on to be refused inside."""
        return action

    def _info(self, agent: str, info: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002  a hook
        """The info to give; a copy where it differs. Asked once after each move that changes the infos."""
        return dict(info)


def wraps(env: Any, kind: type[KindT]) -> KindT | None:
    """The outermost ``kind`` among ``env`` and what it wraps; None if there is none."""
    while env is not None:
        if isinstance(env, kind):
            return env
        env = getattr(env, "env", None) if isinstance(env, BaseWrapper) else None
    return None


def _check_order(kind: type[SituatedWrapper], env: Any) -> None:
    if not kind.STAGE:
        return
    while isinstance(env, BaseWrapper):
        stage = _stage(env)
        if stage and ORDER.index(stage) >= ORDER.index(kind.STAGE):
            raise ValueError(
                f"{kind.__name__} cannot go around {type(env).__name__}; "
                f"from the inside out the order is: raw environment, {', '.join(ORDER)}, each at most once"
            )
        env = env.env


def _stage(env: Any) -> str:
    if isinstance(env, SituatedWrapper):
        return env.STAGE
    return "OrderEnforcing" if isinstance(env, OrderEnforcingWrapper) else ""


def spaces_with(space: spaces.Dict, added: Mapping[str, spaces.Space[Any]]) -> spaces.Dict:
    """A Dict space with further or changed keys."""
    return spaces.Dict({**space.spaces, **added})


def spaces_without(space: spaces.Dict, left_out: frozenset[str]) -> spaces.Dict:
    """A Dict space without some of its keys."""
    return spaces.Dict({key: kept for key, kept in space.spaces.items() if key not in left_out})
