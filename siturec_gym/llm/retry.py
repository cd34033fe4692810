"""Asking again after a transient failure: how often, how long, and with how much chance in it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from siturec_gym.core.errors import TransientModelError

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Retries:
    """When to give up.

    Attributes:
        attempts: Most attempts at one request.
        first_wait_s: Wait after the first failure; each further one waits twice as long.
        longest_wait_s: Most seconds between two attempts, unless the endpoint asks for more.
        patience_s: No attempt begins later than this after the first failure.
    """

    attempts: int = 6
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    patience_s: float = 300.0

    def wait_s(self, failures: int, asked_s: float | None, rng: np.random.Generator) -> float:
        """Seconds before the next attempt after ``failures`` failures.

        Half of the wait is left to chance, so that many callers do not come back at once. What the endpoint asks for
        is waited in full.

        Args:
            failures: 1 or more.
            asked_s: What the endpoint asked for, if it did.
            rng: The chance.
        """
        planned = min(self.longest_wait_s, self.first_wait_s * 2.0 ** (failures - 1))
        jittered = planned * float(rng.uniform(0.5, 1.0))
        return jittered if asked_s is None else asked_s + jittered - planned / 2


def with_retries(
    attempt: Callable[[], Result],
    retries: Retries,
    chance: Callable[[], np.random.Generator],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """The result of the first attempt that does not fail transiently.

    Args:
        attempt: Called until it succeeds; only a TransientModelError is tried again.
        retries: When to give up.
        chance: Gives the generator that draws the waits; called after the first failure.
        sleep: Waits so many seconds.
        clock: Seconds that only go forward.

    Raises:
        TransientModelError: The last failure, with the number of attempts.
    """
    first_failure, rng, failures = 0.0, None, 0  # waiting for one's turn uses up no patience
    while True:
        try:
            return attempt()
        except TransientModelError as error:
            failures += 1
            first_failure = clock() if failures == 1 else first_failure
            rng = rng or chance()
            wait = retries.wait_s(failures, error.retry_after_s, rng)
            out_of_time = clock() - first_failure + wait > retries.patience_s
            if failures >= retries.attempts or out_of_time:
                tried = "1 attempt" if failures == 1 else f"{failures} attempts"
                raise TransientModelError(f"{error} ({tried})", error.retry_after_s) from error
        sleep(wait)
