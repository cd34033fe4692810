"""MetricReward: weights, modes, PettingZoo's bookkeeping, privacy and cost (issue: decomposed reward; S1)."""

import json
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from pettingzoo.test import api_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym import supermarket_v0
from siturec_gym.core.actions import AssistantAction, Navigation, Recommendation, ToolCall, UserAction
from siturec_gym.metrics.moments import Progress, moments
from siturec_gym.metrics.potentials import POTENTIALS, potentials_of
from siturec_gym.metrics.reward_terms import TERMS, terms_of
from siturec_gym.wrappers import GymnasiumForm
from siturec_gym.wrappers.base import wraps
from siturec_gym.wrappers.metric_reward import DEFAULT_WEIGHTS, MODES, MetricReward, standards_of
from siturec_gym.wrappers.role_handles import RoleHandles

TASK = {"task": "tiny/01.1"}  # A_e is P001, the budget 3 dollars
FORWARD = ToolCall("move_forward", distance_m=2.0)
RANKED = AssistantAction("How about this?", "Explain", ToolCall("idle"), ranking=("P002", "P001"))


@pytest.fixture
def rewarded(make_env: Callable[..., Any]) -> Callable[..., MetricReward]:
    """A running episode of the tiny store under MetricReward."""

    def build(weights: Any = None, mode: str = "scalar", task: dict[str, str] = TASK, **keywords: Any) -> MetricReward:
        env = MetricReward(make_env(**keywords), weights, mode)
        env.reset(seed=0, options=task)
        return env

    return build


def buy(env: Any, play_turn: Callable[..., None], product: str = "P001") -> None:
    """Walk up to the milk shelf, take an item, put it into the cart."""
    play_turn(env, ToolCall("turn", direction="left", angle_deg=25.0))
    play_turn(env, ToolCall("move_to_fixture", target="F01", approach="front"))
    play_turn(env, ToolCall("pick_up_item", target=product))
    play_turn(env, ToolCall("add_to_cart"))


def test_the_default_is_outcome_and_turn_cost(rewarded, play_turn):
    """Three turns of -0.01, then 1 - 0.01 for an item of A_e."""
    env, paid = rewarded(), []
    assert env.weights == dict(DEFAULT_WEIGHTS) == {"outcome": 1.0, "turn_cost": 0.01}
    for call in (
        ToolCall("turn", direction="left", angle_deg=25.0),
        ToolCall("move_to_fixture", target="F01", approach="front"),
        ToolCall("pick_up_item", target="P001"),
        ToolCall("add_to_cart"),
    ):
        play_turn(env, call)
        paid.append(env.rewards["assistant"])
    assert paid == pytest.approx([-0.01, -0.01, -0.01, 0.99])
    assert env.rewards["user"] == env.rewards["assistant"]
    assert env.terminations == {"assistant": True, "user": True}


def test_another_item_than_the_wanted_pays_a_quarter(rewarded, play_turn):
    env = rewarded({"outcome": 1.0})
    buy(env, play_turn, "P002")
    assert env.rewards == {"assistant": 0.25, "user": 0.25}


def test_every_term_is_told_as_a_number_whatever_its_weight(rewarded, play_turn):
    env = rewarded({"outcome": 1.0})
    play_turn(env, FORWARD, RANKED)
    for agent in env.agents:
        told = env.infos[agent]["reward_terms"]
        assert tuple(told) == tuple(TERMS)
        assert {type(value) for value in told.values()} == {float}
        assert (told["turn_cost"], told["reference_rank"]) == (-1.0, 0.5)
    assert env.episode_record().turns[-1].reward_terms == env.infos["user"]["reward_terms"]


def test_reset_tells_no_terms_and_the_assistants_move_pays_nothing(rewarded):
    env = rewarded()
    assert "reward_terms" not in env.infos["assistant"]
    env.step(env.encode_action("assistant", RANKED))
    assert env.rewards == {"assistant": 0.0, "user": 0.0}


@pytest.mark.parametrize("mode", MODES)
def test_rewards_through_last_and_through_cumulative_sums_agree(rewarded, play_turn, mode):
    """What each agent collects from ``last`` is the sum of ``rewards`` over all steps (PettingZoo)."""
    weights = {"outcome": 1.0, "turn_cost": 0.01, "reference_rank_gain": 0.5, "repetition": 0.1}
    env = rewarded(weights, mode)
    collected: dict[str, Any] = dict.fromkeys(env.possible_agents, 0.0)
    paid: dict[str, Any] = dict.fromkeys(env.possible_agents, 0.0)
    calls = iter([FORWARD, ToolCall("idle"), ToolCall("turn", direction="left", angle_deg=90.0)] * 8)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        collected[agent] = collected[agent] + reward
        if terminated or truncated:
            env.step(None)
            continue
        call = AssistantAction("Hello again, dear guest!", "Greet", ToolCall("idle"), ranking=("P001",))
        action = call if agent == "assistant" else replied(next(calls))
        env.step(env.encode_action(agent, action))
        for each in env.agents:
            paid[each] = paid[each] + env.rewards[each]
    assert not env.agents
    for agent in env.possible_agents:
        np.testing.assert_allclose(collected[agent], paid[agent], rtol=1e-5)
    np.testing.assert_allclose(collected["assistant"], collected["user"], rtol=1e-5)


def replied(call: ToolCall) -> UserAction:
    return UserAction("Okay.", call)


@pytest.mark.parametrize("mode", ["scalar", "shaping"])
def test_pettingzoo_api(make_env, mode):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for wrapped in (
            MetricReward(make_env(), mode=mode),
            OrderEnforcingWrapper(MetricReward(make_env(), mode=mode)),
        ):
            for number, agent in enumerate(wrapped.possible_agents):
                wrapped.action_space(agent).seed(number)
            api_test(wrapped, num_cycles=80)


def test_the_parallel_form_pays_the_same(make_env):
    from pettingzoo.utils.conversions import aec_to_parallel

    env = aec_to_parallel(OrderEnforcingWrapper(MetricReward(make_env(), {"turn_cost": 0.25, "reference_rank": 1.0})))
    env.reset(seed=0, options=TASK)
    moves = {"assistant": env.aec_env.encode_action("assistant", RANKED)}
    moves["user"] = env.aec_env.encode_action("user", replied(FORWARD))
    _, rewards, _, _, infos = env.step(moves)
    assert rewards == {"assistant": 0.25, "user": 0.25}
    assert infos["user"]["reward_terms"]["reference_rank"] == 0.5


def test_a_vector_holds_one_entry_a_weight_and_sums_to_the_scalar(rewarded, play_turn):
    weights = {"turn_cost": 0.01, "reference_rank": 2.0, "action_following": 0.0}
    vector, scalar = rewarded(weights, "vector"), rewarded(weights)
    for env in (vector, scalar):
        play_turn(env, FORWARD, RANKED)
    reward = vector.rewards["assistant"]
    assert reward.dtype == np.float32
    np.testing.assert_allclose(reward, [-0.01, 1.0, 0.0])
    assert reward.sum() == pytest.approx(scalar.rewards["assistant"])
    assert vector.reward_space.contains(reward)
    np.testing.assert_allclose(vector.reward_space.low, [-0.01, 0.0, 0.0])
    np.testing.assert_allclose(vector.reward_space.high, [0.0, 2.0, 0.0])
    assert scalar.reward_space is None


def test_a_negative_weight_turns_the_bounds_round(rewarded):
    space = rewarded({"repetition": -0.5}, "vector").reward_space
    assert (space.low[0], space.high[0]) == (0.0, 0.5)


def test_agents_do_not_share_an_array(rewarded, play_turn):
    env = rewarded({"turn_cost": 1.0}, "vector")
    play_turn(env)
    env.rewards["assistant"][0] = 7.0
    assert (env.rewards["user"][0], env._cumulative_rewards["assistant"][0]) == (-1.0, -1.0)


def test_the_gymnasium_form_passes_a_vector_on(make_env, tiny_bank):
    class Silent:
        def initial_state(self, seed: int) -> None:
            return None

        def step(self, observation: Any, state: None) -> Any:
            return replied(ToolCall("idle")), None

    env = GymnasiumForm(MetricReward(make_env(), {"outcome": 1.0, "turn_cost": 0.5}, "vector"), Silent())
    env.reset(seed=0, options=TASK)
    _, reward, _, _, info = env.step(env.encode_action(RANKED))
    np.testing.assert_allclose(reward, [0.0, -0.5])
    assert env.reward_space.contains(reward)
    assert info["reward_terms"]["turn_cost"] == -1.0


def test_shaping_adds_the_discounted_difference_of_the_potential(rewarded, play_turn):
    """The list comes to rank 2 at turn 0 and the item stays ranked: 0.99 * 0.5 - 0, then 0.99 * 0.5 - 0.5."""
    env = rewarded({"turn_cost": 0.01, "potential_rank": 1.0}, "shaping")
    paid = []
    for _ in range(2):
        play_turn(env, ToolCall("idle"), RANKED)
        paid.append(env.rewards["user"])
    assert paid == pytest.approx([0.495 - 0.01, -0.005 - 0.01])
    assert set(env.infos["user"]["reward_terms"]) == {*TERMS, *POTENTIALS}


@pytest.mark.parametrize("ending", ["purchase", "turn_limit", "failure"])
def test_shaping_telescopes_however_the_episode_ends(rewarded, play_turn, ending):
    """The discounted sum is -phi of the first moment for a purchase, the turn limit and a role that fails."""
    env = rewarded(dict.fromkeys(POTENTIALS, 1.0), "shaping", max_cycles=4 if ending == "turn_limit" else 20)
    raw = env.unwrapped
    view = env.episode_record().final_view
    first = sum(potentials_of(Progress(), view, standards_of(raw.scene, frozenset(("P001",)), 3.0)).values())
    going = AssistantAction("There.", "Navigate", navigation=Navigation("F01"), ranking=("P001",))
    calls = [
        ToolCall("turn", direction="left", angle_deg=25.0),
        ToolCall("move_to_fixture", target="F01", approach="front"),
    ]
    calls += [ToolCall("pick_up_item", target="P001"), ToolCall("add_to_cart" if ending == "purchase" else "idle")]
    total = 0.0
    for step, call in enumerate(calls):
        play_turn(env, call, going)
        total += env.gamma**step * env.rewards["assistant"]
    if ending == "failure":
        env.fail("broken")
        total += env.gamma**4 * env.rewards["assistant"]
    assert env.terminations["user"] or env.truncations["user"]
    assert first > 0.0
    assert total == pytest.approx(-first)


@pytest.mark.parametrize("mode", MODES)
def test_a_failing_role_pays_nothing_and_keeps_what_was_paid(rewarded, play_turn, mode):
    env = rewarded({"turn_cost": 1.0}, mode)
    play_turn(env)
    env.fail("the model is gone")
    np.testing.assert_allclose(env.rewards["assistant"], 0.0)
    np.testing.assert_allclose(env._cumulative_rewards["user"], -1.0)
    assert env.infos["assistant"]["end_reason"] == "generation_failure"
    assert env.infos["assistant"]["reward_terms"]["turn_cost"] == 0.0
    assert env.episode_record().turns[-1].reward_terms["turn_cost"] == -1.0  # the record keeps what the turn paid


def test_the_record_alone_gives_the_same_terms(rewarded, play_turn):
    """Terms are functions of the record: computed afterwards from the episode they are the same."""
    env = rewarded()
    talk = AssistantAction("What is your budget?", "AskPreference", ToolCall("idle"), ranking=("P001",))
    play_turn(env, FORWARD, talk, reply="Up to $1.")
    play_turn(env, FORWARD, talk, reply="I said $1 at most.")
    offer = AssistantAction("I recommend it.", "Recommend", ToolCall("idle"), Recommendation("P001"))
    play_turn(env, ToolCall("idle"), offer)
    episode = env.episode_record()
    standards = standards_of(env.unwrapped.scene, frozenset(episode.reference_set), 3.0)
    recorded = [turn.reward_terms for turn in episode.turns]
    assert recorded == [terms_of(moment) for moment in moments(episode, standards)]
    assert [row["redundant_question"] for row in recorded] == [0.0, -1.0, 0.0]
    assert recorded[-1]["ignored_constraint"] == -1.0


@pytest.mark.parametrize("mode", MODES)
def test_a_restored_state_goes_on_with_the_same_rewards(rewarded, play_turn, mode):
    weights = {"turn_cost": 1.0, "reference_rank_gain": 1.0, "repetition": 1.0}
    env = rewarded(weights, mode)
    play_turn(env, FORWARD, RANKED)
    state = env.get_state()
    play_turn(env, FORWARD, RANKED)
    expected = env.rewards["assistant"]
    other = rewarded(weights, mode, task={"task": "tiny/01.2"})
    for again in (env, other):
        again.set_state(state)
        play_turn(again, FORWARD, RANKED)
        np.testing.assert_array_equal(again.rewards["assistant"], expected)


def test_a_new_episode_starts_from_nothing(rewarded, play_turn):
    env = rewarded({"repetition": 1.0})
    play_turn(env, None, RANKED)
    env.reset(seed=0, options=TASK)
    play_turn(env, None, RANKED)
    assert env.rewards["assistant"] == 0.0


def test_spaces_and_observations_stay_as_they_are(make_env):
    raw, wrapped = make_env(), MetricReward(make_env())
    for env in (raw, wrapped):
        env.reset(seed=3)
    for agent in raw.possible_agents:
        assert raw.observation_space(agent) == wrapped.observation_space(agent)
        assert wrapped.observation_space(agent) is wrapped.observation_space(agent)
        seen, same = raw.observe(agent), wrapped.observe(agent)
        assert all(np.array_equal(seen[key], same[key]) for key in seen)


def test_no_observation_tells_what_the_terms_know(rewarded, play_turn):
    """Two tasks of one shopper that differ in A_e alone give the assistant the same bytes, though rewards differ."""
    seen = []
    for task in ("tiny/01.1", "tiny/01.2"):
        env = rewarded({"reference_rank": 1.0}, task={"task": task})
        play_turn(env, FORWARD, RANKED)
        observation = env.observe("assistant")
        seen.append(json.dumps({key: np.asarray(value).tolist() for key, value in observation.items()}, sort_keys=True))
        assert "reward" not in seen[-1]
    assert seen[0] == seen[1]


def test_a_handle_said_aloud_is_paid_for_in_its_turn(make_env, play_turn):
    env = RoleHandles(MetricReward(make_env(), {"spoken_handle": 1.0}))
    env.reset(seed=0, options=TASK)
    paid = []
    for words in ("Hello there!", "Please look at item B.", "Hello again!"):
        play_turn(env, action=AssistantAction(words, "Explain", ToolCall("idle")), reply="Do you mean product 2?")
        paid.append(env.rewards["assistant"])
    assert paid == [0.0, -1.0, 0.0]


def test_the_facade_passes_weights_mode_and_discount_on():
    weights = {"turn_cost": 0.5, "potential_rank": 1.0}
    env = supermarket_v0.env(images=False, reward_weights=weights, reward_mode="shaping", reward_gamma=0.5)
    reward = wraps(env, MetricReward)
    assert (reward.weights, reward.mode, reward.gamma) == (weights, "shaping", 0.5)
    with pytest.raises(ValueError, match="'matrix'"):
        supermarket_v0.env(images=False, reward_mode="matrix")


def test_a_vector_through_gymnasium():
    weights = {"outcome": 1.0, "turn_cost": 0.5}
    env = gym.make(
        "SituRec-Supermarket-v0", images=False, reward_weights=weights, reward_mode="vector", disable_env_checker=True
    )
    env.reset(seed=1)
    _, reward, *_ = env.step(env.unwrapped.encode_action(AssistantAction("Hello.", "Greet", ToolCall("idle"))))
    assert env.unwrapped.reward_space.contains(reward)
    np.testing.assert_allclose(reward, [0.0, -0.5])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (({"outcom": 1.0},), "'outcom'.*outcome, budget_kept"),
        (({"potential_rank": 1.0},), "'potential_rank' in mode 'scalar'"),
        (({"potential_rank": 1.0}, "vector"), "'potential_rank' in mode 'vector'"),
        (({"outcome": float("nan")},), "'outcome'.*finite.*nan"),
        (({"outcome": "1"},), "'outcome'.*finite"),
        (({"outcome": True},), "'outcome'.*finite"),
        (({},), "at least one"),
        ((None, "matrix"), "'matrix'.*scalar, vector, shaping"),
        ((None, "shaping", 1.5), "gamma.*1.5"),
    ],
)
def test_wrong_arguments_are_named_when_built(make_env, arguments, named):
    with pytest.raises(ValueError, match=named):
        MetricReward(make_env(), *arguments)


def test_rewards_are_not_weighted_twice(make_env):
    with pytest.raises(ValueError, match="MetricReward"):
        MetricReward(MetricReward(make_env()))


def test_the_reward_costs_little(rewarded, play_turn):
    """60 microseconds a turn are allowed; the bound here leaves room for a busy machine."""
    env = rewarded()
    for _ in range(3):
        play_turn(env, FORWARD, RANKED)
    env._follow()
    started = time.process_time()
    for _ in range(300):
        before = env._progress
        env._terms()
        env._progress = before
    assert (time.process_time() - started) / 300 < 200e-6
