"""The Gymnasium form: the assistant acts, the simulated user lives inside (docs/wrappers.md)."""

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import gymnasium as gym
from numpy.typing import NDArray

from siturec_gym.core.errors import ModelError, RendererError, SimulatorError, SituRecError, words_of
from siturec_gym.core.policy import UserPolicy, keep_remarks
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.seeding import role_seed
from siturec_gym.metrics import Metric, situated_metrics

_ASSISTANT, _USER = "assistant", "user"
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class FormSnapshot:
    """What ``get_state`` gives: the episode, the user's state, what the user was told at reset alone, and the generator
    that seeds episodes."""

    aec: Any
    user: Any
    told_user: dict[str, Any]
    random_state: dict[str, Any]


class GymnasiumForm(gym.Env[dict[str, Any], dict[str, Any]]):
    """A two-agent environment seen from the assistant's side.

    ``step`` takes the assistant's action and plays the user's reply, so one step is one turn. Observations, actions and
    infos are the assistant's. A user that raises, or a renderer, ends the episode with the end reason
    "generation_failure"; ``info["error"]`` gives the kind of error, with the address of a model's endpoint that failed,
    and ``episode_record`` all it said. The last info of
    an episode holds ``episode_metrics``: the figures of the results table for this episode alone, by name, without
    those that are not defined for it.

    Before: two agents, each with an observation and an action space. After: the assistant's two.

    Args:
        aec: The two-agent environment, in its raw form or wrapped.
        user: The simulated user.

    Raises:
        ValueError: ``user`` is no policy.

    >>> from siturec_gym.supermarket_v0 import raw_env
    >>> from siturec_gym.users import make_user
    >>> env = GymnasiumForm(raw_env(images=False), make_user("agenda"))
    >>> observation, info = env.reset(seed=7)
    >>> observation in env.observation_space, observation["turn"]
    (True, 0)
    """

    def __init__(self, aec: Any, user: UserPolicy) -> None:
        if not (hasattr(user, "initial_state") and hasattr(user, "step")):
            raise ValueError(f"user: expected a name or a policy with initial_state and step, got {user!r}")
        self.aec = aec
        self.metadata = {**aec.metadata, "render_fps": 1}
        self.render_mode = aec.render_mode
        self.observation_space = aec.observation_space(_ASSISTANT)
        self.action_space = aec.action_space(_ASSISTANT)
        self.reward_space = getattr(aec, "reward_space", None)
        self._user = user
        self._user_state: Any = None
        self._told_user: dict[str, Any] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; see the raw environment for ``options``. Without a seed, one is drawn."""
        super().reset(seed=seed)
        episode_seed = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        self.aec.reset(seed=episode_seed, options=options)
        self._user_state = self._user.initial_state(role_seed(episode_seed, _USER))
        self._told_user = self.aec.infos[_USER].get("static_observations", {})
        return self.aec.observe(_ASSISTANT), dict(self.aec.infos[_ASSISTANT])

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        """Play one turn. The reward is a float, or an array where the environment inside gives a vector of rewards.

        Raises:
            ValueError: ``action`` is outside the action space; nothing has changed.
        """
        self.aec.step(action)
        error = self._reply()
        info = dict(self.aec.infos[_ASSISTANT])
        if error is not None:
            info["error"] = str(error)
        observation, reward, terminated, truncated, _ = self.aec.last()
        if terminated or truncated:
            info["episode_metrics"] = self.episode_metrics()
        return observation, reward if self.reward_space else float(reward), terminated, truncated, info

    def _reply(self) -> SituRecError | None:
        """Let the user act; what it, or the renderer, raised."""
        observation = {**self.aec.observe(_USER), **self._told_user}
        try:
            action, state = self._user.step(observation, self._user_state)
            encoded = self.aec.encode_action(_USER, action)
            keep_remarks(self.aec, _USER, state)
            self.aec.step(encoded)
        except RendererError as error:
            self.aec.fail(f"renderer: {words_of(error)}")
            return error
        except Exception as cause:
            # What was raised may quote the private goal: it goes to the record; to the assistant's info go its type
            # and the address of a model's endpoint that failed.
            kind = f"the simulated user gave no action: {type(cause).__name__}"
            self.aec.fail(f"{kind}: {words_of(cause)}")
            address = cause.url if isinstance(cause, ModelError) else None
            return SimulatorError(f"{kind} at {address}" if address else kind)
        self._user_state = state
        return None

    def get_state(self) -> FormSnapshot:
        """An exact copy of the running episode, the user's state included."""
        generator_state = copy.deepcopy(dict(self.np_random.bit_generator.state))
        return FormSnapshot(self.aec.get_state(), self._user_state, self._told_user, generator_state)

    def set_state(self, snapshot: FormSnapshot) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken.

        Raises:
            ValueError: ``snapshot`` is none of this form, or one of another store; nothing has changed.
        """
        if not isinstance(snapshot, FormSnapshot):
            raise ValueError(f"set_state: expected what get_state of this form gave, got {type(snapshot).__name__}")
        self.aec.set_state(snapshot.aec)
        self._user_state, self._told_user = snapshot.user, snapshot.told_user
        self.np_random.bit_generator.state = copy.deepcopy(snapshot.random_state)

    def encode_action(self, action: Any) -> dict[str, Any]:
        """The element of the action space that stands for an ``AssistantAction``."""
        encoded: dict[str, Any] = self.aec.encode_action(_ASSISTANT, action)
        return encoded

    def episode_record(self, trial: int = 0) -> EpisodeRecord:
        """What is kept of the episode, its private reference set included."""
        record: EpisodeRecord = self.aec.episode_record(trial)
        return record

    def episode_metrics(self) -> dict[str, float]:
        """What the episode says of each metric, in its unit (per cent, turns); those not defined for it are left out.

        They are for the learner's logs: RPR and R-MRR@10 look at the private reference set.
        """
        record = self.episode_record()
        values = ((metric.name, metric.of([record])) for metric in self._metrics)
        return {name: float(value) for name, value in values if value is not None}

    @cached_property
    def _metrics(self) -> tuple[Metric, ...]:
        scene = self.aec.unwrapped.scene
        tools = frozenset(str(tool) for tool in scene.tools)
        catalog = frozenset(product.id for product in scene.catalog)
        return situated_metrics(tools, catalog, scene.products_showing_place)

    def render(self) -> NDArray[Any] | None:
        """See the raw environment."""
        picture: NDArray[Any] | None = self.aec.render()
        return picture

    def close(self) -> None:
        """Close the renderer."""
        self.aec.close()
