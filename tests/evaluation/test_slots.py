"""The episodes a run owes and their seeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.evaluation.slots import slot_seed, slots

SEEDS = [98340905, 1228532711]


def test_trials_follow_each_other():
    assert [(slot.task, slot.trial) for slot in slots(["a", "b"], 2, 0)] == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def test_seeds_are_pinned():
    """A change here changes every published run."""
    assert [slot.seed for slot in slots(["supermarket/01.1", "supermarket/01.2"], 1, 0)] == SEEDS


@given(st.lists(st.text("ab", min_size=1), min_size=1, max_size=5, unique=True), st.integers(0, 2**31))
def test_a_slots_seed_does_not_depend_on_its_company(tasks, seed):
    assert all(slot.seed == slot_seed(seed, slot.task, slot.trial) for slot in slots(tasks, 2, seed))
    assert len({slot.seed for slot in slots(tasks, 2, seed)}) == 2 * len(tasks)


def test_no_trial_is_refused():
    with pytest.raises(ValueError, match="at least 1, got 0"):
        slots(["a"], 0, 0)


def test_more_episodes_than_a_run_holds_are_refused_before_they_are_listed():
    with pytest.raises(ValueError, match="at most 1000000 episodes, got 100 tasks x 100000000 trials"):
        slots([str(number) for number in range(100)], 100_000_000, 0)
