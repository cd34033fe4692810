"""Features: named, bounded, from public knowledge alone, and true by hand (S1, S12)."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from siturec_gym import supermarket_v0
from siturec_gym.users import make_user
from siturec_gym.wrappers import DiscreteAssistantActions, GymnasiumForm, TokenizeText, VectorFeatures
from siturec_gym.wrappers.structured.intents import INTENTS

CODE = {intent: code for code, intent in enumerate(INTENTS)}


@pytest.fixture
def tiny_env(make_env: Callable[..., Any]) -> Callable[..., VectorFeatures]:
    def build(**keywords: Any) -> VectorFeatures:
        form = GymnasiumForm(make_env(**keywords), make_user("agenda"))
        return VectorFeatures(DiscreteAssistantActions(form, 3), candidates=3, marks=4)

    return build


def named(env: VectorFeatures, row: Any) -> dict[str, float]:
    return dict(zip(env.feature_names, row.tolist(), strict=True))


def test_columns_have_different_names_and_bounds(tiny_env: Any) -> None:
    env = tiny_env()
    assert len(set(env.feature_names)) == len(env.feature_names) == env.observation_space.shape[0]
    assert (env.observation_space.low.min(), env.observation_space.high.max()) == (-1.0, 1.0)
    assert "place[Milk Shelf].visible" in env.feature_names
    assert not any(word in name for name in env.feature_names for word in ("F01", "P001", "I0001"))


def test_the_first_turn_by_hand(tiny_env: Any) -> None:
    """The user stands at (1, 1) and looks along x; the Milk Shelf's centre is (4, 2.5), the Soup Shelf's (7.7, 2.5)."""
    env = tiny_env()
    row, _ = env.reset(seed=1)
    seen = named(env, row)
    assert (seen["turn"], seen["recommendations_left"], seen["last_recommendation"]) == (0.0, 1.0, 0.0)
    assert (seen["pose.x"], seen["pose.y"]) == (pytest.approx(1 / 8), pytest.approx(1 / 5))
    assert (seen["pose.yaw.sin"], seen["pose.yaw.cos"]) == (0.0, 1.0)
    assert seen["place[Milk Shelf].visible"] == 1.0
    assert seen["place[Milk Shelf].distance"] == pytest.approx(np.hypot(3.0, 1.5) / 30, abs=1e-6)
    assert seen["place[Milk Shelf].bearing.sin"] == pytest.approx(1.5 / np.hypot(3.0, 1.5), abs=1e-6)
    assert seen["place[Soup Shelf].bearing.cos"] == pytest.approx(6.7 / np.hypot(6.7, 1.5), abs=1e-6)
    assert seen["category[milk]"] + seen["category[soup]"] == pytest.approx(1.0, abs=1e-6)
    assert seen["held.any"] == seen["belief.knows_budget"] == seen["reply.asks"] == 0.0


def test_what_was_asked_and_told_shows(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    env.step([CODE["greet"], 0, 0])
    row, *_ = env.step([CODE["ask_budget"], 0, 0])
    seen = named(env, row)
    assert seen["turn"] == pytest.approx(2 / 20)
    assert (seen["topic[budget].asked"], seen["topic[budget].open"], seen["topic[category].open"]) == (0.5, 1.0, 0.0)
    assert (seen["belief.knows_budget"], seen["reply.gives_budget"]) == (1.0, 1.0)
    assert seen["belief.budget"] == pytest.approx(np.log1p(3.0) / np.log1p(100.0), abs=1e-6)


def test_every_value_is_within_its_bounds_and_every_column_moves() -> None:
    env = VectorFeatures(DiscreteAssistantActions(supermarket_v0.gym_env(images=False, tasks="train")))
    env.action_space.seed(0)
    rows = []
    for seed in range(40):
        row, info = env.reset(seed=seed)
        over = False
        while not over:
            rows.append(row)
            assert env.observation_space.contains(row)
            row, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
    table = np.stack(rows)
    still = {name for name, spread in zip(env.feature_names, np.ptp(table, axis=0), strict=True) if spread == 0.0}
    assert len(still) < 0.1 * len(env.feature_names), sorted(still)


def test_private_goals_change_nothing_before_they_are_told(tiny_env: Any) -> None:
    env = tiny_env()
    rows = [env.reset(seed=1, options={"task": task})[0] for task in ("tiny/01.1", "tiny/01.4")]
    assert np.array_equal(*rows)


def test_the_same_episode_gives_the_same_rows(tiny_env: Any) -> None:
    first, second = tiny_env(), tiny_env(static_observations=False)
    for env in (first, second):
        env.reset(seed=5)
    for intent in ("greet", "ask_more", "go_to_place", "explain"):
        rows = [env.step([CODE[intent], 0, 0])[0] for env in (first, second)]
        assert np.array_equal(*rows)


def test_masks_are_where_maskable_ppo_looks(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    assert np.array_equal(env.action_masks(), env.env.action_masks())
    assert not hasattr(VectorFeatures(env.env.env, 3, 4), "action_masks")


def test_wrong_arguments_and_order_are_clear_when_built(tiny_env: Any) -> None:
    form = tiny_env().env.env
    with pytest.raises(ValueError, match="candidates must be 1 to 5"):
        VectorFeatures(form, candidates=9)
    with pytest.raises(ValueError, match="marks must be 1 to 5"):
        VectorFeatures(form, candidates=5, marks=0)
    with pytest.raises(ValueError, match="VectorFeatures wraps the Gymnasium form"):
        VectorFeatures(gym.make("CartPole-v1"))
    with pytest.raises(ValueError, match="history of them cannot be read any more"):
        VectorFeatures(TokenizeText(form), 5, 5)
