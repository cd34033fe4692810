"""S4: what ends an episode, in which order, under which name."""

from typing import Any

import pytest

from siturec_gym.envs.situated.termination import End, EndReason, end_of_turn, failed


def ends(**changes: Any) -> End | None:
    values: dict[str, Any] = {
        "cart_added": False,
        "turns_taken": 5,
        "turn_limit": 20,
        "recommendations": 0,
        "stalled": 0,
        "moderator": lambda: False,
    }
    return end_of_turn(**{**values, **changes})


def test_an_ordinary_turn_ends_nothing() -> None:
    assert ends() is None


@pytest.mark.parametrize(
    ("change", "reason", "terminated", "truncated"),
    [
        ({"cart_added": True}, "success_cart_added", True, False),
        ({"turns_taken": 20}, "turn_limit", False, True),
        ({"recommendations": 3}, "recommendation_exhausted", True, False),
        ({"stalled": 3}, "motion_stall", True, False),
        ({"moderator": lambda: True}, "moderator_ended", True, False),
    ],
)
def test_each_rule_has_one_name(change: dict[str, Any], reason: str, terminated: bool, truncated: bool) -> None:
    end = ends(**change)
    assert end == End(EndReason(reason), terminated, truncated)


def test_a_purchase_takes_precedence_over_every_limit() -> None:
    end = ends(cart_added=True, turns_taken=20, recommendations=3, stalled=3)
    assert end == End(EndReason.SUCCESS_CART_ADDED, True, True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"turns_taken": 20, "recommendations": 3}, "turn_limit"),
        ({"recommendations": 3, "stalled": 3}, "recommendation_exhausted"),
        ({"turns_taken": 20, "stalled": 3}, "turn_limit"),
    ],
)
def test_order_of_rules_that_fire_together(change: dict[str, Any], reason: str) -> None:
    end = ends(**change)
    assert end is not None
    assert end.reason == reason
    assert end.terminated


def test_the_moderator_is_asked_only_while_the_episode_is_active() -> None:
    asked: list[int] = []

    def moderator() -> bool:
        asked.append(1)
        return True

    ends(stalled=3, moderator=moderator)
    assert not asked
    ends(moderator=moderator)
    assert asked == [1]


@pytest.mark.parametrize(("count", "over"), [(2, False), (3, True), (4, True)])
def test_three_recommendations_and_no_fewer(count: int, over: bool) -> None:
    assert (ends(recommendations=count) is not None) is over


def test_a_role_that_fails_truncates() -> None:
    assert failed("no reply") == End(EndReason.GENERATION_FAILURE, False, True, "no reply")
