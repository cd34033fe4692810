"""Who plays a slot makes no difference, and a worker that dies is said so."""

import os
import threading
import time
from functools import partial
from operator import attrgetter

import pytest
from leaving_player import LeavingPlayer

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.runner import plan, run
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.workers import Crew, play_all

SLOTS = [Slot(f"supermarket/01.{i}", 0, i) for i in range(1, 5)]
SEEDS = {slot: slot.seed for slot in SLOTS}


def test_one_worker_plays_here_in_slot_order_with_one_player():
    players = []

    def make_player():
        players.append(threading.current_thread())
        return lambda slot: slot.seed

    assert list(play_all(SLOTS, make_player, 1)) == [(slot, slot.seed) for slot in SLOTS]
    assert players == [threading.current_thread()]


@pytest.mark.parametrize("numbers", [{"workers": 0}, {"threads": 0}, {"threads": -1}])
def test_no_worker_and_no_thread_are_refused_at_once(numbers):
    with pytest.raises(ValueError, match="must be at least 1, got"):
        Crew(**numbers)
    with pytest.raises(ValueError, match="workers must be at least 1, got 0"):
        play_all(SLOTS, lambda: None, 0)


def test_nothing_to_play_makes_no_player():
    assert list(play_all([], partial(pytest.fail, "made"), Crew(2, 2))) == []


def test_threads_wait_together_each_with_a_player_of_its_own():
    players = []

    def make_player():
        players.append(threading.current_thread())
        return lambda slot: (time.sleep(0.2), slot.seed)[1]

    begun = time.monotonic()
    assert dict(play_all(SLOTS, make_player, Crew(threads=4))) == SEEDS
    assert time.monotonic() - begun < 0.6
    assert len(set(players)) == 4


def test_a_thread_that_fails_ends_the_run_and_begins_nothing_more():
    played = []

    def play_slot(slot):
        played.append(slot)
        if slot == SLOTS[0]:
            raise RunError("the roof fell in")
        time.sleep(0.05)
        return slot.seed

    with pytest.raises(RunError, match="the roof fell in"):
        list(play_all(SLOTS * 5, lambda: play_slot, Crew(threads=2)))
    time.sleep(0.2)
    assert len(played) < 6


def test_a_player_that_cannot_be_made_in_a_thread_is_said_so():
    with pytest.raises(ZeroDivisionError):
        list(play_all(SLOTS, lambda: 1 / 0, Crew(threads=2)))


@pytest.mark.parametrize("crew", [Crew(2), Crew(2, 3), Crew(9)])
def test_processes_play_every_slot_once(crew):
    """A player must be importable in any process: here, one that answers with the slot's seed."""
    played = list(play_all(SLOTS, partial(attrgetter, "seed"), crew))
    assert dict(played) == SEEDS
    assert len(played) == len(SLOTS)


@pytest.mark.parametrize(("crew", "closed", "ended"), [(Crew(), 1, 0), (Crew(threads=2), 2, 0), (Crew(2, 2), 4, 2)])
def test_players_are_closed_and_processes_end_what_they_started(crew, closed, ended, tmp_path):
    """An instance of Unreal that a player started would run on otherwise."""
    list(play_all(SLOTS, partial(LeavingPlayer, tmp_path), crew))
    deadline = time.monotonic() + 5.0
    while len(list(tmp_path.glob("closed-*"))) < closed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(list(tmp_path.glob("closed-*"))) == closed
    assert len(list(tmp_path.glob("ended-*"))) == ended


def test_a_worker_that_dies_is_one_clear_line():
    with pytest.raises(RunError, match="a worker process died"):
        list(play_all(SLOTS, partial(os._exit, 3), 2))


def test_what_a_players_code_raises_in_another_process_comes_back():
    with pytest.raises(AttributeError, match="no_such_field"):
        list(play_all(SLOTS, partial(attrgetter, "no_such_field"), 2))
    with pytest.raises(ZeroDivisionError):
        list(play_all(SLOTS, partial(divmod, 1, 0), 2))


@pytest.mark.slow
def test_threads_give_the_same_bytes_as_one(tmp_path):
    """The real environment and roles, eight at once: what threads share is safe to share."""
    planned = plan(RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:16"))
    run(planned, tmp_path / "1", 1)
    run(planned, tmp_path / "8", Crew(threads=8))
    for name in ("episodes.jsonl", "summary.json"):
        assert (tmp_path / "8" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()
