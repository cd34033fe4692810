"""Slots played in several processes, each of which plays several at once."""

import multiprocessing
import pickle
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from siturec_gym.core.errors import RunError, words_of
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.threads import MakePlayer, ThreadPool

_CLOSING_S = 1.0
"""How long a process waits for what it still plays when there is nothing more to do; what it has started then ends."""
_GRACE_S = 15.0


def in_processes(
    slots: Sequence[Slot], make_player: MakePlayer, workers: int, threads: int
) -> Iterator[tuple[Slot, EpisodeRecord]]:
    """Each slot with its episode, as soon as it is complete.

    Slots are handed out as workers have room, over a pipe for each, so that a worker that dies can block no other.

    Raises:
        RunError: A worker process died.
    """
    todo = iter(slots)
    crew = [_Worker(make_player, threads) for _ in range(workers)]
    by_pipe: dict[Any, _Worker] = {worker.pipe: worker for worker in crew}
    try:
        for _ in range(threads):  # a slot to each before anyone gets a second
            for worker in crew:
                worker.give(next(todo, None))
        left = len(slots)
        while left:
            for pipe in wait(list(by_pipe)):
                worker = by_pipe[pipe]
                yield worker.take()
                left -= 1
                worker.give(next(todo, None))
    finally:
        for worker in crew:
            worker.pipe.close()
        for worker in crew:
            worker.stop()


class _Worker:
    """A process at the other end of a pipe."""

    def __init__(self, make_player: MakePlayer, threads: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, make_player, threads), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, slot: Slot | None) -> None:
        if slot is not None:
            try:
                self.pipe.send(slot)
            except OSError as error:
                raise _died() from error

    def take(self) -> tuple[Slot, EpisodeRecord]:
        try:
            slot, result = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise _died() from error
        if isinstance(result, BaseException):
            raise result
        return slot, result

    def stop(self) -> None:
        self._process.join(_GRACE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _died() -> RunError:
    return RunError("a worker process died; its episodes are lost (out of memory?)")


def _serve(pipe: Connection, make_player: MakePlayer, threads: int) -> None:
    """Play what comes through the pipe until its other end is closed, be it by the parent's death.

    Ctrl-C is the parent's to handle. The process ends in the orderly way, in which Python ends what it has started,
    such as instances of Unreal.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lock = threading.Lock()

    def deliver(slot: Slot | None, result: EpisodeRecord | BaseException) -> None:
        content = _pickled(slot, result)
        with lock, suppress(OSError):
            pipe.send_bytes(content)

    pool: ThreadPool[Slot, EpisodeRecord] = ThreadPool(make_player, threads, deliver)
    while True:
        try:
            pool.give(pipe.recv())
        except (EOFError, OSError):
            break
    pool.stop()
    pool.wait(_CLOSING_S)


def _pickled(slot: Slot | None, result: EpisodeRecord | BaseException) -> bytes:
    try:
        content = pickle.dumps((slot, result))
        pickle.loads(content)  # an exception may pickle and yet not come back
    except Exception:  # pickling runs whatever code the object brings along
        words = words_of(result) if isinstance(result, BaseException) else "cannot be sent to the main process"
        content = pickle.dumps((slot, RunError(f"{type(result).__name__}: {words}")))
    return content
