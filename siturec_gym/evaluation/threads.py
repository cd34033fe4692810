"""Slots played in threads of this process: for roles that wait for a model, not for more speed of one core."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot

PlaySlot = Callable[[Slot], EpisodeRecord]
MakePlayer = Callable[[], PlaySlot]
Deliver = Callable[[Slot | None, EpisodeRecord | BaseException], None]


def in_threads(slots: Sequence[Slot], make_player: MakePlayer, threads: int) -> Iterator[tuple[Slot, EpisodeRecord]]:
    """Each slot with its episode; with one thread in slot order and in the calling thread.

    Whatever a player raises ends the iteration; episodes underway are then given up.
    """
    if threads == 1:
        player = make_player()
        return ((slot, player(slot)) for slot in slots)
    return _from_pool(slots, make_player, threads)


def _from_pool(slots: Sequence[Slot], make_player: MakePlayer, threads: int) -> Iterator[tuple[Slot, EpisodeRecord]]:
    done: queue.SimpleQueue[tuple[Slot | None, EpisodeRecord | BaseException]] = queue.SimpleQueue()
    pool = ThreadPool(make_player, threads, lambda slot, result: done.put((slot, result)))
    try:
        for slot in slots:
            pool.give(slot)
        for _ in slots:
            played, result = done.get()
            if isinstance(result, BaseException) or played is None:
                raise result if isinstance(result, BaseException) else AssertionError("a result without a slot")
            yield played, result
    finally:
        pool.stop()


class ThreadPool:
    """Threads that play what they are given, each with a player of its own. They die with the process.

    Args:
        make_player: Called once in each thread.
        threads: How many.
        deliver: Called by a thread with each slot and its episode or its exception; without a slot if no player could
            be made.
    """

    def __init__(self, make_player: MakePlayer, threads: int, deliver: Deliver) -> None:
        self._todo: queue.SimpleQueue[Slot | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._threads = threads
        self._deliver = deliver
        self._making = threading.Lock()  # the first loads what all share; the others then find it loaded
        for _ in range(threads):
            threading.Thread(target=self._work, args=(make_player,), daemon=True).start()

    def give(self, slot: Slot) -> None:
        """Have a slot played when a thread is free."""
        self._todo.put(slot)

    def stop(self) -> None:
        """Begin no further episode."""
        self._stopped.set()
        for _ in range(self._threads):
            self._todo.put(None)

    def _work(self, make_player: MakePlayer) -> None:
        try:
            with self._making:
                player = make_player()
        except BaseException as error:
            self._deliver(None, error)
            return
        while (slot := self._todo.get()) is not None and not self._stopped.is_set():
            try:
                result: EpisodeRecord | BaseException = player(slot)
            except BaseException as error:
                result = error
            self._deliver(slot, result)
