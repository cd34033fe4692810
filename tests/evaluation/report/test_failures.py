"""Failures by kind, with the turns that tell why."""

import pytest

from siturec_gym.evaluation.report.failures import Sign, failure_kind, failures, signs


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"cart": ("P001",)}, None),
        ({"cart": ("P002",)}, "unsuitable_purchase"),
        ({"cart": ("P002", "P001")}, None),
        ({"end_reason": "motion_stall"}, "motion_stall"),
        ({"end_reason": "something_new"}, "no_purchase"),
    ],
)
def test_the_kind_of_a_failure(make, changes, kind) -> None:
    assert failure_kind(make.episode(**changes)) == kind


def test_kinds_come_in_a_fixed_order_and_episodes_by_task(mixed_episodes) -> None:
    found = failures(mixed_episodes[::-1], str)
    assert list(found) == ["generation_failure", "unsuitable_purchase", "recommendation_exhausted", "turn_limit"]
    assert sum(map(len, found.values())) == 4


def test_signs_name_recommendations_refusals_flags_and_the_end(make) -> None:
    episode = make.episode(
        "01.1",
        make.recommend(0, "P001"),
        make.recommend(1, "P002"),
        make.recommend(2, None),
        make.turn(3, refusal="out_of_reach", flags=("no_expected_user_action",)),
    )
    assert signs(episode, lambda product: f"<{product}>") == (
        Sign(0, "recommended <P001> (suits)"),
        Sign(1, "recommended <P002> (does not suit)"),
        Sign(2, "recommended nothing that the catalog holds"),
        Sign(3, "move_to_fixture refused: out of reach"),
        Sign(3, "no expected user action"),
        Sign(3, "ended: turn limit"),
    )


def test_an_episode_without_a_turn_has_no_sign(make) -> None:
    from dataclasses import replace

    assert signs(replace(make.episode(), turns=()), str) == ()
