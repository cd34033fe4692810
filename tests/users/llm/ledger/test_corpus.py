"""How well the ledger reads labelled replies, and how often it blames a shopper that keeps the rules."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.core.actions import UserAction
from siturec_gym.home_furnishings_v0 import env as home_furnishings
from siturec_gym.policies import make_assistant
from siturec_gym.supermarket_v0 import env as supermarket
from siturec_gym.users import make_user
from siturec_gym.users.llm.ledger import TWO_DETAILS, breaches

FLAGS = ("user_two_details", "user_leaked_profile", "user_role_inversion", "user_ended_early")


def _measured(lines: list[Any], observe: Callable[..., Any]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Flags found that are right, found that are wrong, and not found."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for line in lines:
        found = set(breaches(observe(line.goal, line.heard, line.before), UserAction(line.said)))
        right.update(found & line.flags)
        wrong.update(found - line.flags)
        missed.update(line.flags - found)
    return right, wrong, missed


@pytest.mark.parametrize(("half", "precision", "recall"), [("development", 0.97, 0.97), ("held_out", 0.93, 0.9)])
def test_replies_are_judged_as_people_judge_them(
    corpus: Any, observe: Any, half: str, precision: float, recall: float
) -> None:
    right, wrong, missed = _measured(corpus(half), observe)
    assert set(right) == set(FLAGS)
    assert right.total() / (right.total() + wrong.total()) >= precision
    assert right.total() / (right.total() + missed.total()) >= recall


def test_both_halves_are_large_and_share_no_need(corpus: Any) -> None:
    halves = [corpus("development"), corpus("held_out")]
    assert [len(half) > 100 for half in halves] == [True, True]
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
