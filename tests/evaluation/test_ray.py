"""The same slots on a real Ray cluster, started here (S: Runs; ``make test-ray``)."""

import os
import subprocess
import sys
import time
import uuid
from functools import partial

import pytest

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.runner import plan, run
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.workers import Crew, play_all

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.ray

WAIT_S = 0.5
SLOTS = [Slot(f"supermarket/01.{i}", trial, 10 * i + trial) for trial in range(6) for i in range(1, 5)]


class Waiting:
    """Plays by waiting, as a role that asks a model does."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, slot: Slot) -> int:
        time.sleep(self.seconds)
        return slot.seed


class DiesOnce:
    """Takes its process with it at one slot, but only the first time."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __call__(self, slot: Slot) -> int:
        if slot == SLOTS[5] and not os.path.exists(self.mark):
            open(self.mark, "w").close()
            os._exit(1)
        return slot.seed


class Holds:
    """Has something of its own, such as an engine, from when it is made until it is closed."""

    def __init__(self, folder: str, seconds: float) -> None:
        self.mark = os.path.join(folder, uuid.uuid4().hex)
        open(self.mark, "w").close()
        self.seconds = seconds

    def __call__(self, slot: Slot) -> int:
        time.sleep(self.seconds if slot != SLOTS[0] else 0.0)
        return slot.seed

    def close(self) -> None:
        os.rename(self.mark, f"{self.mark}.closed")


class Fails:
    def __call__(self, slot: Slot) -> int:
        raise ValueError(f"no {slot.task}")


@pytest.fixture(scope="module")
def cluster():
    """A cluster with four cores to lend, as another program would have started it; its address."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--port=0", "--num-cpus=4"]
    started = subprocess.run(
        [*command, "--include-dashboard=false", "--disable-usage-stats"], capture_output=True, text=True, check=False
    )
    assert started.returncode == 0, started.stderr
    yield ray.init(address="auto", log_to_driver=False).address_info["gcs_address"]
    ray.shutdown()
    subprocess.run([sys.executable, "-m", "ray.scripts.scripts", "stop"], capture_output=True, check=False)


@pytest.fixture(autouse=True)
def _disconnected(cluster):
    ray.shutdown()
    yield
    ray.shutdown()


def played(make_player, address, workers=2, threads=1):
    return dict(play_all(SLOTS, make_player, Crew(workers, threads, address)))


def seconds_of(workers, threads, address):
    """Time between the first and the last episode: starting actors is not part of it."""
    times = [time.monotonic() for _ in play_all(SLOTS, partial(Waiting, WAIT_S), Crew(workers, threads, address))]
    return times[-1] - times[0]


def test_auto_finds_the_cluster_and_plays_every_slot_once(cluster):
    assert played(partial(Waiting, 0.0), "auto") == {slot: slot.seed for slot in SLOTS}


def test_an_address_is_taken_too(cluster):
    assert played(partial(Waiting, 0.0), cluster, workers=1, threads=4) == {slot: slot.seed for slot in SLOTS}


def test_two_workers_are_nearly_twice_as_fast_where_roles_wait(cluster):
    assert seconds_of(1, 1, cluster) / seconds_of(2, 1, cluster) >= 1.7


def test_threads_of_a_worker_wait_together(cluster):
    assert seconds_of(2, 4, cluster) < len(SLOTS) * WAIT_S / 2 / 2


def test_a_lost_worker_is_replaced_and_its_slot_played_again(cluster, tmp_path):
    assert played(partial(DiesOnce, str(tmp_path / "mark")), cluster) == {slot: slot.seed for slot in SLOTS}


def test_a_worker_lost_again_and_again_is_one_line(cluster):
    with pytest.raises(RunError, match="Ray lost the worker of supermarket/01"):
        played(partial(os._exit, 3), cluster)


def test_a_players_own_exception_comes_back(cluster):
    with pytest.raises(ValueError, match="no supermarket/01"):
        played(Fails, cluster)


@pytest.mark.parametrize(("seconds", "taken"), [(0.0, len(SLOTS)), (60.0, 1)], ids=["played", "given up"])
def test_what_players_hold_is_let_go_of_before_ray_ends_them(cluster, tmp_path, seconds, taken):
    """Also what the three hold that still play when a run ends early; nobody waits a minute for them."""
    playing = play_all(SLOTS, partial(Holds, str(tmp_path), seconds), Crew(2, 2, cluster))
    assert sum(1 for _, _ in zip(range(taken), playing, strict=False)) == taken
    start = time.monotonic()
    playing.close()
    assert time.monotonic() - start < 30.0
    made = os.listdir(tmp_path)
    assert len(made) >= 2
    assert {os.path.splitext(name)[1] for name in made} == {".closed"}


def test_a_cluster_that_is_not_there_is_one_line():
    with pytest.raises(RunError, match=r"the Ray cluster '127\.0\.0\.1:1' cannot be reached"):
        played(Fails, "127.0.0.1:1")


@pytest.mark.parametrize("address", ["nowhere", "host:port", ":6379"])
def test_what_is_no_address_is_one_line(address):
    with pytest.raises(ValueError, match="--ray takes auto, HOST:PORT or ray://HOST:PORT"):
        played(Fails, address)


def test_the_run_is_the_same_bytes_as_here(cluster, tmp_path):
    planned = plan(RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:3"))
    run(planned, tmp_path / "here")
    run(planned, tmp_path / "there", Crew(2, 2, cluster))
    for name in ("episodes.jsonl", "summary.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
