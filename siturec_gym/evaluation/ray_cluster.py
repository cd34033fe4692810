"""Slots played by actors of a Ray cluster, on this machine or many."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from siturec_gym.core.errors import RunError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.threads import MakePlayer, PlaySlot, close

AUTO = "auto"
KNOCK_S = 10.0
LOSSES = 3
"""How often the machine that plays a slot may be lost before the run is given up."""
_CLOSING_S = 1.0
"""How long an actor waits for what it still plays when there is nothing more to do."""
_GRACE_S = 15.0


def on_ray(
    slots: Sequence[Slot], make_player: MakePlayer, address: str, workers: int, threads: int
) -> Iterator[tuple[Slot, EpisodeRecord]]:
    """Each slot with its episode, as soon as it is complete.

    Args:
        slots: What to play.
        make_player: Builds a player; the package must be installed on every machine.
        address: "auto", or the address of a running cluster such as "10.0.0.1:6379" or "ray://10.0.0.1:10001".
        workers: Actors, each with a core of its own.
        threads: Episodes that each plays at once.

    Raises:
        RunError: Ray is not installed, the cluster cannot be reached, or machines are lost again and again.
    """
    ray = _import_ray()
    _connect(ray, address)
    try:
        cluster = _Cluster(ray, make_player, workers, threads)
        try:
            yield from cluster.play(slots)
        finally:
            cluster.close()
    finally:
        ray.shutdown()


class _Cluster:
    """Actors and the slots that are underway. Ray starts a lost actor anew and hands it what it was playing."""

    def __init__(self, ray: Any, make_player: MakePlayer, workers: int, threads: int) -> None:
        self._ray = ray
        self._threads = threads
        options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": LOSSES - 1}
        options["max_concurrency"] = threads + 1  # one to close with while the others play
        self._actors = [ray.remote(_Actor).options(**options).remote(make_player) for _ in range(workers)]
        self._underway: dict[Any, tuple[Slot, Any]] = {}

    def play(self, slots: Sequence[Slot]) -> Iterator[tuple[Slot, EpisodeRecord]]:
        todo = iter(slots)
        for _ in range(self._threads):
            for actor in self._actors:
                self._give(next(todo, None), actor)
        while self._underway:
            ready, _ = self._ray.wait(list(self._underway), num_returns=1)
            slot, actor = self._underway.pop(ready[0])
            yield slot, self._taken(ready[0], slot)
            self._give(next(todo, None), actor)

    def close(self) -> None:
        """Have every actor close its players: Ray ends actors without a chance to end what they have started."""
        closing = [actor.close.remote() for actor in self._actors]
        self._ray.wait(closing, num_returns=len(closing), timeout=_GRACE_S)

    def _give(self, slot: Slot | None, actor: Any) -> None:
        if slot is not None:
            self._underway[actor.play.remote(slot)] = slot, actor

    def _taken(self, reference: Any, slot: Slot) -> EpisodeRecord:
        exceptions = self._ray.exceptions
        try:
            episode: EpisodeRecord = self._ray.get(reference)
        except exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else RunError(str(error))) from error
        except exceptions.RayError as error:
            words = " ".join(str(error).split())[:200]
            raise RunError(f"Ray lost the worker of {slot.task} {LOSSES} times: {words}") from error
        return episode


class _Actor:
    """Plays several slots at once, each with a player of its own that is used again when free."""

    def __init__(self, make_player: MakePlayer) -> None:
        self._make_player = make_player
        self._players: list[PlaySlot] = []
        self._free: list[PlaySlot] = []
        self._changed = threading.Condition()

    def play(self, slot: Slot) -> EpisodeRecord:
        player = self._taken()
        try:
            return player(slot)
        finally:
            with self._changed:
                self._free.append(player)
                self._changed.notify()

    def close(self) -> None:
        """Close every player, one that plays on after a moment's waiting, too: its episode counts no more."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) == len(self._players), _CLOSING_S)
        for player in self._players:
            with suppress(Exception):  # whatever one cannot let go of, the others still can
                close(player)

    def _taken(self) -> PlaySlot:
        with self._changed:
            if self._free:
                return self._free.pop()
        player = self._make_player()
        with self._changed:
            self._players.append(player)
        return player


def _connect(ray: Any, address: str) -> None:
    """Connect to the cluster at ``address``; for "auto", to the one of this machine, or to one that is started now."""
    if address != AUTO:
        _knock(address)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        ray.init(address=address, **quiet)
    except ConnectionError as error:
        if address != AUTO:
            raise _unreachable(address, error) from error
        ray.init(include_dashboard=False, **quiet)
    except (ValueError, RuntimeError, OSError) as error:
        raise _unreachable(address, error) from error


def _knock(address: str) -> None:
    """Find out whether anyone listens there: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f"--ray takes auto, HOST:PORT or ray://HOST:PORT, got {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_S).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, error) from error


def _unreachable(address: str, error: Exception) -> RunError:
    words = " ".join(str(error).split())[:200]
    return RunError(f"the Ray cluster {address!r} cannot be reached: {words}")


def _import_ray() -> Any:
    try:
        import ray  # noqa: PLC0415  heavy, and an extra
    except ImportError as error:
        raise RunError("--ray needs the package ray: pip install 'siturec-gym[ray]'") from error
    return ray
