"""Work done in threads of this process: for roles that wait for a model, not for more speed of one core."""

import gc
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot

Item = TypeVar("Item")
Result = TypeVar("Result")
PlaySlot = Callable[[Slot], EpisodeRecord]
MakePlayer = Callable[[], PlaySlot]


def in_threads(
    items: Sequence[Item], make_worker: Callable[[], Callable[[Item], Result]], threads: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with its result; with one thread in order and in the calling thread.

    Whatever a worker raises ends the iteration; what is underway is then given up. A worker that has ``close`` is
    closed at the end.

    Args:
        items: What to work on, such as slots to play.
        make_worker: Builds what turns an item into its result, once for each thread.
        threads: How many, 1 or more.
    """
    if threads == 1:
        worker = make_worker()
        gc.freeze()  # as below
        return _one_by_one(items, worker)
    return _from_pool(items, make_worker, threads)


def close(worker: object) -> None:
    """Let a worker let go of what it holds, such as a connection, if it has ``close``."""
    if hasattr(worker, "close"):
        worker.close()


def _one_by_one(items: Sequence[Item], worker: Callable[[Item], Result]) -> Iterator[tuple[Item, Result]]:
    try:
        for item in items:
            yield item, worker(item)
    finally:
        close(worker)


def _from_pool(
    items: Sequence[Item], make_worker: Callable[[], Callable[[Item], Result]], threads: int
) -> Iterator[tuple[Item, Result]]:
    done: queue.SimpleQueue[tuple[Item | None, Result | BaseException]] = queue.SimpleQueue()
    pool = ThreadPool(make_worker, threads, lambda item, result: done.put((item, result)))
    try:
        for item in items:
            pool.give(item)
        for _ in items:
            worked_on, result = done.get()
            if isinstance(result, BaseException):
                raise result
            if worked_on is not None:  # only an exception comes without an item
                yield worked_on, result
    finally:
        pool.stop()


class ThreadPool(Generic[Item, Result]):
    """Threads that work on what they are given, each with a worker of its own, which is closed at the end if it has
    ``close``. They die with the process.

    Args:
        make_worker: Called once in each thread, one after the other.
        threads: How many.
        deliver: Called by a thread with each item and its result or exception; without an item if no worker could be
            made.
    """

    def __init__(
        self,
        make_worker: Callable[[], Callable[[Item], Result]],
        threads: int,
        deliver: Callable[[Item | None, Result | BaseException], None],
    ) -> None:
        self._todo: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._deliver = deliver
        self._making = threading.Lock()  # the first loads what all share; the others then find it loaded
        self._crew = [threading.Thread(target=self._work, args=(make_worker,), daemon=True) for _ in range(threads)]
        for thread in self._crew:
            thread.start()

    def give(self, item: Item) -> None:
        """Have an item worked on when a thread is free."""
        self._todo.put(item)

    def stop(self) -> None:
        """Begin nothing further."""
        self._stopped.set()
        for _ in self._crew:
            self._todo.put(None)

    def wait(self, timeout_s: float) -> None:
        """Wait until every thread has closed its worker, or for so long."""
        end = time.monotonic() + timeout_s
        for thread in self._crew:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self, make_worker: Callable[[], Callable[[Item], Result]]) -> None:
        try:
            with self._making:
                worker = make_worker()
                gc.freeze()  # stores and environments stay: looking through them again and again holds up every thread
        except BaseException as error:
            self._deliver(None, error)
            return
        while (item := self._todo.get()) is not None and not self._stopped.is_set():
            try:
                result: Result | BaseException = worker(item)
            except BaseException as error:
                result = error
            self._deliver(item, result)
        close(worker)
