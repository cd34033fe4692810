"""Which instance a pool lends, keeps and ends; instances that only count."""

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv import pool as module
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.pool import InstancePool

MAPPING = Mapping.model_validate(
    {"form": 1, "tools": {"turn": {"function": "Turn"}}, "launch": {"binary": "/bin/true"}}
)


class Counted:
    """An instance that runs until it is stopped, and answers while it is ``well``."""

    made: list["Counted"]

    def __init__(self, mapping, size):
        assert mapping is MAPPING
        self.size = size
        self.is_running = self.well = True
        self.stops = 0
        self.made.append(self)

    def answers(self):
        return self.is_running and self.well

    def stop(self):
        self.is_running = False
        self.stops += 1


@pytest.fixture(autouse=True)
def made(monkeypatch):
    monkeypatch.setattr(module, "Instance", Counted)
    monkeypatch.setattr(Counted, "made", [], raising=False)
    return Counted.made


@pytest.fixture
def pool():
    return InstancePool(MAPPING, (640, 480))


def test_nothing_is_started_before_it_is_asked_for(pool, made):
    assert made == []
    pool.acquire()
    assert [instance.size for instance in made] == [(640, 480)]


def test_what_was_given_back_is_lent_again_the_last_one_first(pool, made):
    one, two = pool.acquire(), pool.acquire()
    assert one is not two
    pool.release(one)
    pool.release(two)
    assert [pool.acquire(), pool.acquire()] == [two, one]
    assert len(made) == 2


def test_one_that_has_died_is_not_kept(pool, made):
    one = pool.acquire()
    one.is_running = False
    pool.release(one)
    assert one.stops == 1
    assert pool.acquire() is not one


def test_idle_ones_that_answer_no_more_are_ended_until_one_does(pool, made):
    three = [pool.acquire() for _ in range(3)]
    for instance in three:
        pool.release(instance)
    three[1].well = three[2].well = False
    assert pool.acquire() is three[0]
    assert [instance.stops for instance in three] == [0, 1, 1]
    pool.close()
    assert [instance.stops for instance in three] == [1, 1, 1]


def test_closing_ends_idle_and_lent_ones_once(made):
    with InstancePool(MAPPING, (16, 16)) as pool:
        idle, lent = pool.acquire(), pool.acquire()
        pool.release(idle)
    assert (idle.stops, lent.stops) == (1, 1)
    pool.close()
    assert (idle.stops, lent.stops) == (1, 1)


def test_what_comes_back_after_closing_is_ended(pool):
    one = pool.acquire()
    pool._lent.clear()  # as for a user who takes one while the pool closes
    pool.close()
    assert one.is_running
    pool.release(one)
    assert one.stops == 1


def test_an_instance_that_does_not_start_leaves_the_pool_usable(pool, monkeypatch):
    def fails(mapping, size):
        raise RendererError("it does not start")

    monkeypatch.setattr(module, "Instance", fails)
    with pytest.raises(RendererError, match="it does not start"):
        pool.acquire()
    monkeypatch.setattr(module, "Instance", Counted)
    assert pool.acquire().is_running


def test_a_mapping_without_launch_is_refused():
    with pytest.raises(RendererError, match="add launch"):
        InstancePool(MAPPING.model_copy(update={"launch": None}), (640, 480))
