"""Work done in threads of this process: for roles that wait for a model, not for more speed of one core."""

import gc
import queue
import threading
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

    Whatever a worker raises ends the iteration; what is underway is then given up.

    Args:
        items: What to work on, such as slots to play.
        make_worker: Builds what turns an item into its result, once for each thread.
        threads: How many, 1 or more.
    """
    if threads == 1:
        worker = make_worker()
        gc.freeze()  # as below
        return ((item, worker(item)) for item in items)
    return _from_pool(items, make_worker, threads)


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
    """Threads that work on what they are given, each with a worker of its own. They die with the process.

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
        self._threads = threads
        self._deliver = deliver
        self._making = threading.Lock()  # the first loads what all share; the others then find it loaded
        for _ in range(threads):
            threading.Thread(target=self._work, args=(make_worker,), daemon=True).start()

    def give(self, item: Item) -> None:
        """Have an item worked on when a thread is free."""
        self._todo.put(item)

    def stop(self) -> None:
        """Begin nothing further."""
        self._stopped.set()
        for _ in range(self._threads):
            self._todo.put(None)

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
