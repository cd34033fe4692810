"""A reward made of named terms that follow the paper's dimensions (SituRecBench, Appendix C.1; docs/rewards.md)."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from siturec_gym import assets
from siturec_gym.catalog import Product
from siturec_gym.core.records import ViewRecord
from siturec_gym.metrics.dialogue import Facts, Reader
from siturec_gym.metrics.moments import Moment, Progress, Standards, advance
from siturec_gym.metrics.potentials import POTENTIALS, potentials_of, turn_shaping
from siturec_gym.metrics.reward_terms import TERMS, terms_of
from siturec_gym.scenes.scene import Scene
from siturec_gym.wrappers.base import SituatedWrapper

MODES = ("scalar", "vector", "shaping")
DEFAULT_WEIGHTS: Mapping[str, float] = {"outcome": 1.0, "turn_cost": 0.01}
SHAPING_WEIGHTS: Mapping[str, float] = {**DEFAULT_WEIGHTS, **dict.fromkeys(POTENTIALS, 0.1)}
"""What weighs by default in the "shaping" mode."""
RULES = "rewards/dialogue.json"
_ATTRIBUTES = ("flavour", "material", "colour", "size_category", "style")


class MetricReward(SituatedWrapper):
    """Replaces the reward of each complete turn by a weighted sum of terms; both agents are given the same.

    Before: 1 at a purchase, else 0. After: ``sum(weights[name] * terms[name])``. Spaces stay as they are. Every term is
    computed whatever its weight, kept in the record, and told in ``infos[agent]["reward_terms"]``: numbers alone, for
    the learner. Some of them look at the private reference set, so they must not be shown to an assistant.

    Modes:
        scalar: A float.
        vector: A float32 array with one entry for each name in ``weights``, in that order; their sum is the scalar
            reward. ``reward_space`` bounds it, as MO-Gymnasium has it.
        shaping: As "scalar"; in addition ``weights`` may name potentials (``metrics.potentials``), each of which adds
            ``gamma * phi(s') - phi(s)``. ``reward_terms`` then holds these differences too.

    Args:
        env: A two-agent environment, in its raw form or recorded.
        weights: Name -> weight. A name that is left out weighs 0; None takes ``DEFAULT_WEIGHTS`` (outcome 1, turn cost
            0.01), in the "shaping" mode ``SHAPING_WEIGHTS``.
        mode: "scalar", "vector" or "shaping".
        gamma: The learner's discount factor, 0..1; used for shaping alone.

    Raises:
        ValueError: An unknown name or mode, a weight that is no finite number, or a discount outside 0..1.

    >>> from siturec_gym import supermarket_v0
    >>> env = MetricReward(supermarket_v0.raw_env(images=False), {"outcome": 1.0, "repetition": 0.1}, mode="vector")
    >>> env.reset(seed=7)
    >>> env.rewards["assistant"].tolist(), env.reward_space.shape
    ([0.0, 0.0], (2,))
    """

    STAGE: ClassVar[str] = "MetricReward"

    def __init__(
        self, env: Any, weights: Mapping[str, float] | None = None, mode: str = "scalar", gamma: float = 0.99
    ) -> None:
        super().__init__(env)
        if mode not in MODES:
            raise ValueError(f"unknown reward mode {mode!r}; modes: {', '.join(MODES)}")
        if not isinstance(gamma, int | float) or not 0.0 <= gamma <= 1.0:
            raise ValueError(f"gamma: expected 0 to 1, got {gamma!r}")
        if weights is None:
            weights = SHAPING_WEIGHTS if mode == "shaping" else DEFAULT_WEIGHTS
        _check_weights(weights, mode)
        self.weights = {name: float(weight) for name, weight in weights.items()}
        self.mode, self.gamma = mode, gamma
        self.reward_space = _reward_space(self.weights) if mode == "vector" else None
        self._progress = Progress()
        self._standards: Standards | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode; see the raw environment."""
        self.env.reset(seed=seed, options=options)
        self._follow()
        self._set_rewards(self._reward({}))

    def step(self, action: Any) -> None:
        """Take the selected agent's move; the user's completes a turn, which is then paid."""
        turns = self._raw.episode.turn
        super().step(action)
        if self._raw.episode.turn > turns:
            terms = self._terms()
            self._set_rewards(self._reward(terms))
            self.env.note(reward_terms=terms)
            self._tell(terms)
        elif self.mode == "vector" and self._raw.episode.spoken is not None:
            self._raw.rewards = {agent: self._reward({}) for agent in self._raw.agents}

    def fail(self, error: str) -> None:
        """End the episode because a role could not act. Nothing is paid, but potentials fall back to 0."""
        self.env.fail(error)
        raw, terms = self.unwrapped, dict.fromkeys(TERMS, 0.0)
        if self.mode == "shaping":
            standing = potentials_of(self._progress, _view(raw), self._judged_by)
            terms |= {name: -value for name, value in standing.items()}
        reward = self._reward(terms)
        raw.rewards = dict.fromkeys(raw.agents, reward)
        raw._cumulative_rewards = {agent: sum_ + reward for agent, sum_ in raw._cumulative_rewards.items()}
        self._tell(terms)

    def set_state(self, snapshot: Any) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken."""
        self.env.set_state(snapshot)
        self._follow()

    @property
    def _judged_by(self) -> Standards:
        if self._standards is None:
            raise ValueError("no episode: call reset first")
        return self._standards

    def _follow(self) -> None:
        """Take up the running episode, whatever turns it holds."""
        raw = self.unwrapped
        task = raw.episode.task
        self._standards = standards_of(raw.scene, frozenset(task.reference_set), task.goal.budget)
        self._progress, turns = Progress(), raw.episode.turns
        views = [*(turn.visible for turn in turns[1:]), _view(raw)]
        for turn, view in zip(turns, views, strict=False):
            self._progress = advance(self._progress, turn, view, self._standards)

    def _terms(self) -> dict[str, float]:
        """The terms of the turn that was just completed."""
        raw, before = self.unwrapped, self._progress
        episode = raw.episode
        turn, view = episode.turns[-1], _view(raw)
        self._progress = advance(before, turn, view, self._judged_by)
        cart, ended = episode.world.cart, episode.end is not None
        moment = Moment(turn, before, self._progress, view, cart, ended, self._judged_by)
        terms = terms_of(moment)
        if self.mode == "shaping":
            terms |= turn_shaping(moment, turn.visible, self.gamma)
        return terms

    def _reward(self, terms: Mapping[str, float]) -> Any:
        parts = [weight * terms.get(name, 0.0) for name, weight in self.weights.items()]
        return np.array(parts, np.float32) if self.mode == "vector" else math.fsum(parts)

    def _set_rewards(self, reward: Any) -> None:
        """Pay both agents. All that an agent was given since its last move is what this turn pays."""
        raw = self.unwrapped
        raw.rewards = {agent: _own(reward) for agent in raw.agents}
        raw._cumulative_rewards = {agent: _own(reward) for agent in raw.agents}

    def _tell(self, terms: dict[str, float]) -> None:
        for info in self.env.infos.values():
            info["reward_terms"] = dict(terms)


def standards_of(scene: Scene, reference_set: frozenset[str], budget: float) -> Standards:
    """What the terms of an episode in ``scene`` are measured against.

    Args:
        scene: The store.
        reference_set: A_e of the task.
        budget: Budget of the task's goal, dollars.
    """
    facts, reader = _of_catalog(scene)
    tools = frozenset(str(tool) for tool in scene.tools)
    return Standards(reference_set, budget, tools, facts, scene.products_showing_place, reader)


@lru_cache(maxsize=8)
def _of_catalog(scene: Scene) -> tuple[dict[str, Facts], Reader]:
    facts = {product.id: Facts(product.price, _labels(product)) for product in scene.catalog}
    labels = frozenset[str]().union(*(fact.labels for fact in facts.values()))
    return facts, Reader(json.loads(assets.read_asset(RULES)), labels)


def _labels(product: Product) -> frozenset[str]:
    named = [product.details.get(name) for name in _ATTRIBUTES]
    labels = (*product.tags, *product.details.get("allergens", ()), *(name for name in named if name))
    return frozenset(str(label).lower() for label in labels)


def _check_weights(weights: Mapping[str, float], mode: str) -> None:
    allowed = (*TERMS, *POTENTIALS) if mode == "shaping" else tuple(TERMS)
    unknown = [name for name in weights if name not in allowed]
    if unknown:
        raise ValueError(f"unknown reward term {unknown[0]!r} in mode {mode!r}; terms: {', '.join(allowed)}")
    for name, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
            raise ValueError(f"weight of {name!r}: expected a finite number, got {weight!r}")
    if not weights:
        raise ValueError(f"weights: expected at least one term of {', '.join(allowed)}")


def _reward_space(weights: Mapping[str, float]) -> spaces.Box:
    bounds = np.array([[weight * TERMS[name].low, weight * TERMS[name].high] for name, weight in weights.items()])
    return spaces.Box(bounds.min(axis=1).astype(np.float32), bounds.max(axis=1).astype(np.float32), dtype=np.float32)


def _view(raw: Any) -> ViewRecord:
    view = raw.view
    return ViewRecord(tuple(view.places), tuple(view.products), view.pose)


def _own(reward: Any) -> Any:
    return reward.copy() if isinstance(reward, np.ndarray) else reward
