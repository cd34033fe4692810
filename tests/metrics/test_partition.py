"""The paper's four subsets of 25 tasks (S22)."""

import pytest

from siturec_gym.metrics.partition import full_bank, partition, partition_of_run

BANK = full_bank("supermarket")
# numpy.random.default_rng(42).permutation((1, 2, 3, 4)) gives 4321, 4312, 1432 for the first three profiles.
PINNED = [
    ("supermarket/01.4", "supermarket/02.4", "supermarket/03.1"),
    ("supermarket/01.3", "supermarket/02.3", "supermarket/03.4"),
    ("supermarket/01.2", "supermarket/02.1", "supermarket/03.3"),
    ("supermarket/01.1", "supermarket/02.2", "supermarket/03.2"),
]


def test_four_disjoint_subsets_each_with_every_profile():
    subsets = partition(BANK)
    assert [len(subset) for subset in subsets] == [25] * 4
    assert sorted(task for subset in subsets for task in subset) == sorted(BANK)
    assert all({BANK[task] for task in subset} == set(BANK.values()) for subset in subsets)


def test_the_shuffle_is_pinned():
    assert [subset[:3] for subset in partition(BANK)] == PINNED


def test_the_order_of_the_mapping_is_of_no_consequence():
    assert partition(dict(reversed(BANK.items()))) == partition(BANK)


def test_another_seed_gives_another_split():
    assert partition(BANK, seed=43) != partition(BANK)


def test_a_profile_with_three_tasks_is_named():
    with pytest.raises(ValueError, match=r"'supermarket/25' has 3 tasks"):
        partition({task: profile for task, profile in BANK.items() if task != "supermarket/25.4"})


def test_only_a_full_bank_played_evenly_is_split():
    assert partition_of_run(["supermarket"], BANK) == partition(BANK)
    assert partition_of_run(["supermarket"], [*BANK, *BANK]) == partition(BANK)
    assert partition_of_run(["supermarket"], [*BANK, "supermarket/01.1"]) is None
    assert partition_of_run(["supermarket"], list(BANK)[:99]) is None
    assert partition_of_run(["supermarket", "home_furnishings"], BANK) is None
    assert partition_of_run([], []) is None
