"""Waiting and giving up, by a clock that only the test moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.errors import DeterministicModelError, TransientModelError
from siturec_gym.llm.retry import Retries, with_retries


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.waits = []

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


def attempt_failing(times, error):
    left = [error] * times

    def attempt():
        if left:
            raise left.pop()
        return "done"

    return attempt


def go(attempt, retries, clock):
    return with_retries(attempt, retries, lambda: np.random.default_rng(0), clock.sleep, lambda: clock.now)


def test_waits_double_up_to_the_longest_with_half_left_to_chance():
    clock = Clock()
    retries = Retries(attempts=7, first_wait_s=1.0, longest_wait_s=8.0, patience_s=1e9)
    assert go(attempt_failing(6, TransientModelError("busy")), retries, clock) == "done"
    for waited, planned in zip(clock.waits, (1, 2, 4, 8, 8, 8), strict=True):
        assert planned / 2 <= waited <= planned


def test_callers_who_failed_together_do_not_come_back_together():
    waits = [Retries().wait_s(1, None, np.random.default_rng(seed)) for seed in range(20)]
    assert max(waits) - min(waits) > 0.15


def test_the_last_failure_is_raised_with_the_number_of_attempts():
    with pytest.raises(TransientModelError, match=r"busy \(3 attempts\)"):
        go(attempt_failing(9, TransientModelError("busy")), Retries(attempts=3), Clock())


def test_no_attempt_begins_after_patience_is_over():
    clock = Clock()
    with pytest.raises(TransientModelError, match=r"busy \(1 attempt\)"):
        go(attempt_failing(9, TransientModelError("busy", retry_after_s=400.0)), Retries(patience_s=300.0), clock)
    assert clock.waits == []


def test_what_will_not_pass_is_raised_at_once():
    clock = Clock()
    with pytest.raises(DeterministicModelError):
        go(attempt_failing(9, DeterministicModelError("no")), Retries(), clock)
    assert clock.waits == []


@given(st.integers(1, 40), st.none() | st.floats(0, 100), st.integers(0, 99))
def test_a_wait_is_never_shorter_than_asked_nor_negative(failures, asked, seed):
    wait = Retries().wait_s(failures, asked, np.random.default_rng(seed))
    assert wait >= (asked or 0.0)
