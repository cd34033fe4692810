"""Who plays a slot makes no difference, and a worker that dies is said so."""

import os
from functools import partial
from operator import attrgetter

import pytest

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.workers import play_all

SLOTS = [Slot(f"supermarket/01.{i}", 0, i) for i in range(1, 5)]


def test_one_worker_plays_here_in_slot_order_with_one_player():
    players = []

    def make_player():
        players.append(1)
        return lambda slot: slot.seed

    assert list(play_all(SLOTS, make_player, 1)) == [(slot, slot.seed) for slot in SLOTS]
    assert players == [1]


def test_no_worker_is_refused_at_once():
    with pytest.raises(ValueError, match="at least 1, got 0"):
        play_all(SLOTS, lambda: None, 0)


def test_processes_play_every_slot_once():
    """A player must be importable in any process: here, one that answers with the slot's seed."""
    played = dict(play_all(SLOTS, partial(attrgetter, "seed"), 2))
    assert played == {slot: slot.seed for slot in SLOTS}


def test_a_worker_that_dies_is_one_clear_line():
    with pytest.raises(RunError, match="a worker process died"):
        list(play_all(SLOTS, partial(os._exit, 3), 2))
