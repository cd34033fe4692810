"""Real episodes: what each assistant reaches (issue figures on all 100 tasks are printed by the benchmark run)."""

from typing import Any

import pytest

from siturec_gym import home_furnishings_v0
from siturec_gym.core.actions import Act
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.tasks import load_task_bank
from siturec_gym.users import make_user


def episodes(env: Any, name: str, count: int) -> list[EpisodeRecord]:
    bank, records = load_task_bank(env.unwrapped.scene.name), []
    for task in [bank[index] for index in range(0, 100, 100 // count)]:
        options = {"reference_set": task.reference_set} if name == "privileged" else {}
        records.append(play(env, make_assistant(name, **options), make_user("agenda"), task.id, 0))
    return records


def share(records: list[EpisodeRecord], right: bool = False) -> float:
    good = [set(record.cart) & set(record.reference_set) if right else record.cart for record in records]
    return sum(map(bool, good)) / len(records)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("privileged", 0.9, 1.0), ("heuristic", 0.55, 0.95), ("random", 0.0, 0.1), ("random_product", 0.0, 0.15)],
)
def test_success_lies_where_it_should(name: str, least: float, most: float, real_env: Any) -> None:
    records = episodes(real_env, name, 20)
    assert all(record.status == "complete" for record in records), [record.error for record in records]
    assert least <= share(records) <= most
    if name in ("privileged", "heuristic"):
        assert share(records, right=True) >= 0.85 * share(records)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("privileged", 0.85, 1.0), ("heuristic", 0.4, 0.9), ("random", 0.0, 0.1), ("random_product", 0.0, 0.15)],
)
def test_success_lies_where_it_should_in_the_home_store(name: str, least: float, most: float) -> None:
    records = episodes(home_furnishings_v0.raw_env(images=False), name, 20)
    assert all(record.status == "complete" for record in records), [record.error for record in records]
    assert least <= share(records) <= most
    assert share(records, right=True) >= 0.85 * share(records)


def test_the_heuristic_is_honest(real_env: Any) -> None:
    """In 100 episodes nothing is recommended in words alone (S15), no id is spoken (S14), attempts stay within S4."""
    for record in episodes(real_env, "heuristic", 100):
        acts = [turn.assistant.act for turn in record.turns]
        assert acts.count(Act.RECOMMEND) <= 3
        for turn in record.turns:
            assert not turn.flags, (turn.flags, turn.assistant.utterance)
            assert not any(word.strip(".,") in turn.visible.places for word in turn.assistant.utterance.split())
