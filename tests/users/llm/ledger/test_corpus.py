"""How well the ledger reads labelled replies, and how often it blames a shopper that keeps the rules."""

from collections import Counter
from typing import Any

import pytest
from shopper_lines import lines_of, measured

from siturec_gym.home_furnishings_v0 import env as home_furnishings
from siturec_gym.policies import make_assistant
from siturec_gym.supermarket_v0 import env as supermarket
from siturec_gym.users import make_user
from siturec_gym.users.llm.ledger import TWO_DETAILS, breaches

FLAGS = ("user_two_details", "user_leaked_profile", "user_role_inversion", "user_ended_early")


@pytest.mark.parametrize(("half", "precision", "recall"), [("development", 0.97, 0.95), ("held_out", 0.95, 0.9)])
def test_replies_are_judged_as_people_judge_them(half: str, precision: float, recall: float) -> None:
    counts = measured(lines_of(half))
    assert set(counts.right) == set(FLAGS)
    assert counts.precision() >= precision
    assert counts.recall() >= recall


def test_both_halves_are_large_and_share_no_need() -> None:
    halves = [list(lines_of(half)) for half in ("development", "held_out")]
    assert [len(half) > 150 for half in halves] == [True, True]
    assert not {line.goal for line in halves[0]} & {line.goal for line in halves[1]}


@pytest.mark.parametrize("make_env", [supermarket, home_furnishings])
def test_the_scripted_shopper_who_keeps_to_one_detail_is_hardly_ever_blamed(make_env: Any) -> None:
    env, flags, turns = make_env(images=False), Counter[str](), 0
    for seed in range(8):
        policies = {"assistant": make_assistant("heuristic"), "user": make_user("agenda")}
        states = {role: policy.initial_state(seed) for role, policy in policies.items()}
        env.reset(seed=seed)
        for role in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            action, states[role] = policies[role].step(observation, states[role])
            if role == "user":
                flags.update(breaches(observation, action))
                turns += 1
            env.step(env.encode_action(role, action))
    assert turns > 40
    assert flags.total() <= 0.03 * turns
    assert flags[TWO_DETAILS] == 0
