"""Play slots here or in several processes. Who plays a slot makes no difference to its episode."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from siturec_gym.core.errors import RunError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot

PlaySlot = Callable[[Slot], EpisodeRecord]
MakePlayer = Callable[[], PlaySlot]

_player: PlaySlot | None = None


def play_all(slots: Sequence[Slot], make_player: MakePlayer, workers: int) -> Iterator[tuple[Slot, EpisodeRecord]]:
    """Each slot with its episode, as soon as it is complete: in slot order with one worker, else in any order.

    Args:
        slots: What to play.
        make_player: Builds the environment once for each process. It must be picklable for several workers.
        workers: Number of processes; 1 plays in this one.

    Raises:
        ValueError: Less than one worker.
        RunError: A worker process died.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    if workers == 1 or len(slots) == 1:
        player = make_player()
        return ((slot, player(slot)) for slot in slots)
    return _in_processes(slots, make_player, min(workers, len(slots)))


def _in_processes(
    slots: Sequence[Slot], make_player: MakePlayer, workers: int
) -> Iterator[tuple[Slot, EpisodeRecord]]:  # fmt: skip
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_begin, initargs=(make_player,)) as pool:
        slot_of = {pool.submit(_play, slot): slot for slot in slots}
        try:
            for future in as_completed(slot_of):
                yield slot_of[future], future.result()
        except BrokenProcessPool as error:
            raise RunError("a worker process died; its episode is lost (out of memory?)") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin(make_player: MakePlayer) -> None:
    """Set a worker up: Ctrl-C is the parent's to handle, and a worker does not outlive its parent."""
    global _player  # noqa: PLW0603  a pool hands nothing else from the initializer to its calls
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _player = make_player()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(slot: Slot) -> EpisodeRecord:
    if _player is None:
        raise RunError("a worker was asked for an episode before it was set up")
    return _player(slot)
